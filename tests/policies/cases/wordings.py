"""What one rule writes about one thing and about several, and each text that it chooses among."""

from dataclasses import replace
from datetime import date
from typing import Any

from muster.config.description.capacity import Capacity
from muster.fleet.resources import (
    Addon,
    CapacityTarget,
    Fleet,
    LaunchTemplate,
    Mount,
    NodeGroup,
    Place,
    Placement,
    PlacementGroup,
    Ref,
)
from muster.fleet.resources.ref import PLACEMENT_GROUP, SECURITY_GROUP
from muster.unknown import UNKNOWN
from tests.factories import (
    CR,
    LUSTRE_GROUP_REF,
    NOW,
    A,
    B,
    a_control_plane,
    a_fleet,
    a_group,
    a_lustre_group,
    a_reservation,
    a_security_group,
    a_stored_fleet,
    a_subnet,
    a_template,
    an_interface,
    described,
    facts,
    interfaces,
    on,
    reservation_facts,
)
from tests.hyperpods import a_bundle, a_hyperpod, a_hyperpod_fleet, an_instance_group
from tests.policies import capacity_blocks
from tests.policies.account_limits import ACCOUNT, EVERY, said
from tests.policies.addons import PLUGINS, an_addon, with_addons
from tests.policies.case import cases
from tests.policies.cases.account import VPC, asked, offered
from tests.policies.cases.existing_clusters import a_cluster, aws_says, joined
from tests.policies.cases.kubernetes_versions import eks_says
from tests.policies.cases.ways_out import behind, shut
from tests.policies.security import AWS_POLICY, output, role
from tests.policies.storage import linked
from tests.slurms import APPS, a_head, a_pcluster, a_queue, a_resource, a_slurm_fleet

TGW = "tgw-0123456789abcdef0"
BLOCK = {"market_type": "capacity-block"}


# capacity


def lasting(ends: str) -> Fleet:
    return capacity_blocks.described(starts="2026-12-01", ends=ends)


def on_a_block(**template: Any) -> Fleet:
    """A group scaled to 0 nodes by a schedule, on a block of unknown end."""
    group = {"managed": False, "capacity_type": None, "zero_at": ("2026-11-28T10:00:00Z",)}
    return capacity_blocks.theirs(facts=capacity_blocks.known("end"), template=template, **group)


def targeting(*settings: str, market: Any = None) -> Fleet:
    """A group on a block, whose template has no readable target."""
    template = {"target": CapacityTarget(), "settings": frozenset(settings), "market_type": market}
    return capacity_blocks.theirs(template=template)


def placed_in(strategy: str) -> Fleet:
    """Nodes without EFA in two zones, in a placement group of the program."""
    ours = PlacementGroup(Ref(PLACEMENT_GROUP, "ours"), "ours", strategy, Place("urn:ours"))
    two_zones = {"subnets": (A, B), "instances": ("m5.2xlarge", "c5.2xlarge"), "flexible": True}
    nodes = a_resource(efa=False, placement=Placement(name=ours.ref), **two_zones)
    return a_slurm_fleet(a_queue(subnets=(A, B)), nodes, ours)


def on_reservations(*ids: str) -> Fleet:
    """For each reservation of two nodes a group that may grow to one; the quota allows less than one node."""
    known = reservation_facts(totalInstances=2, owner=ACCOUNT["id"]).reservations[CR]
    listed = dict.fromkeys(ids, known.model_dump(mode="json", by_alias=True, exclude_none=True))
    groups = [
        thing
        for name, id_ in zip(("one", "other"), ids, strict=False)
        for thing in (
            a_template(name, **on(id_)),
            a_group(name, reservation=a_reservation(id=id_, count=2), nodes_max=1),
        )
    ]
    quotas = said(quotas={**EVERY, "L-417A185B": 100}, account=ACCOUNT, reservations=listed)
    return a_fleet(*groups, facts=quotas, without=[NodeGroup, LaunchTemplate])


cases(
    "capacity-block-length",
    a_block_that_ends_before_it_starts=lambda: lasting("2026-11-30"),
    a_block_of_no_day=lambda: lasting("2026-12-01"),
    a_block_of_183_days=lambda: lasting("2027-06-02"),
)
cases(
    "capacity-block-drained",
    a_block_of_unknown_end=on_a_block,
    an_unnamed_block_of_unknown_end=lambda: on_a_block(target=CapacityTarget()),
)
cases(
    "capacity-block-no-placement-group",
    a_placed_template_without_a_group=lambda: a_fleet(a_template(placement_group="ours", **BLOCK), without=[NodeGroup]),
    a_placed_template_of_a_group_on_a_block=lambda: a_fleet(
        a_template(placement_group="ours"), a_group(capacity_type="CAPACITY_BLOCK")
    ),
    a_placed_template_without_a_block=lambda: a_fleet(a_template(placement_group="ours")),
)
cases(
    "capacity-block-template",
    a_template_without_market_and_target=targeting,
    a_template_without_market=lambda: targeting("capacityReservationSpecification"),
    a_template_of_unknown_market_without_target=lambda: targeting(market=UNKNOWN),
    # Another rule reports a target without block and preference.
    a_template_with_an_empty_target=lambda: targeting("capacityReservationSpecification", market="capacity-block"),
)
cases(
    "placement-group-one-zone",
    a_cluster_placement_group_in_two_zones=lambda: placed_in("cluster"),
    a_spread_placement_group_in_two_zones=lambda: placed_in("spread"),
    a_partition_placement_group_in_two_zones=lambda: placed_in("partition"),
)
cases(
    "quota-covers-vcpus",
    one_reservation_beyond_the_quota=lambda: on_reservations("cr-0123456789abcdef1"),
    two_reservations_beyond_the_quota=lambda: on_reservations("cr-0123456789abcdef1", "cr-0123456789abcdef2"),
)


# network


def away(capacity: str | None = None) -> Fleet:
    """A group in a queue of a zone that has no subnet."""
    given = Capacity.model_validate(capacity) if capacity else None
    return a_slurm_fleet(a_queue(subnets=(), zones=("us-west-2c",)), a_resource(subnets=(), capacity=given))


def in_another_zone(kind: str, **capacity: Any) -> Fleet:
    """A group whose capacity is in another zone than its queue."""
    given = Capacity.model_validate({kind: {"zone": "us-west-2a", "count": 4, **capacity}})
    return a_slurm_fleet(a_queue(subnets=(), zones=("us-west-2c",)), a_resource(subnets=(), capacity=given))


def in_zones(*subnets: str) -> Fleet:
    """A type that AWS offers in a third zone."""
    plain = a_template(instance="m5.8xlarge", interfaces=())
    return a_fleet(plain, a_group(subnets=subnets), facts=offered("us-west-2c", instance="m5.8xlarge"))


def with_head_of(instance: Any) -> Fleet:
    known = facts(observed=NOW, offerings={"p5.48xlarge": ["us-west-2a"]})
    return a_slurm_fleet(a_head(instance=instance), known=known)


def leading_to_a_gateway(*subnets: str) -> Fleet:
    return asked({f"subnets.{each}.wayOut": "internet-gateway" for each in subnets})


ON_RESERVATION = {"id": CR, "provided-by": "aws"}
ON_GROUP = {"arn": "arn:aws:resource-groups:us-west-2:111122223333:group/p5", "provided-by": "aws"}

cases(
    "group-has-subnet",
    a_head_node_without_subnet=lambda: replace(a_slurm_fleet(a_head(subnet=None)), subnets={}),
    a_queue_in_another_zone_than_its_reservation=lambda: in_another_zone("reservation", **ON_RESERVATION),
    a_queue_in_another_zone_than_its_reservations=lambda: in_another_zone("reservation-group", **ON_GROUP),
    a_queue_in_another_zone_than_its_block=lambda: in_another_zone("capacity-block", id=CR, **capacity_blocks.NEXT),
    a_queue_on_spot_in_a_zone_without_subnet=lambda: away("spot"),
    a_queue_in_a_zone_without_subnet=away,
)
cases(
    "type-offered-in-zone",
    one_zone_without_the_type=lambda: in_zones(A),
    two_zones_without_the_type=lambda: in_zones(A, B),
    # Other rules report a missing type.
    a_head_node_of_unknown_type=lambda: with_head_of(UNKNOWN),
    a_head_node_without_type=lambda: with_head_of(None),
)
cases(
    "subnet-reaches-aws",
    one_subnet_to_an_internet_gateway=lambda: leading_to_a_gateway(A),
    two_subnets_to_an_internet_gateway=lambda: leading_to_a_gateway(A, B),
    one_endpoint_that_does_not_serve_the_subnet=lambda: asked(shut("ec2", "ecr.api", "ecr.dkr")),
    two_endpoints_that_do_not_serve_the_subnet=lambda: asked(shut("ec2", "ecr.api")),
    one_subnet_to_a_transit_gateway=lambda: asked({f"subnets.{A}.wayOut": "other", f"subnets.{A}.gateway": TGW}),
    two_subnets_to_a_transit_gateway=lambda: asked(behind(TGW)),
)
cases(
    "node-template-reaches-control-plane",
    one_group_of_another_owner=lambda: a_fleet(a_template(interfaces=interfaces(groups=("sg-1",)))),
    two_groups_of_another_owner=lambda: a_fleet(a_template(interfaces=interfaces(groups=("sg-1", "sg-2")))),
)


# interfaces


def with_addresses(*requesting: int) -> Fleet:
    """AWS's layout, in which some interfaces request addresses."""
    nics = tuple(replace(nic, addresses=index in requesting) for index, nic in enumerate(interfaces()))
    return a_fleet(a_template(interfaces=nics))


def on_cards(*cards: int) -> Fleet:
    """Interfaces at device 2 of some cards."""
    return a_fleet(a_template(interfaces=(*interfaces(), *(an_interface(card, 2) for card in cards))))


def first_of(kind: Any) -> Fleet:
    """A primary interface of some type, and four with EFA."""
    first, *others = interfaces()[:5]
    return a_fleet(a_template(interfaces=(replace(first, type=kind), *others)))


def of_types(*types: str, **more: Any) -> Fleet:
    return a_slurm_fleet(a_resource(instances=types, **more))


cases(
    "efa-only-without-address",
    one_interface_with_an_address=lambda: with_addresses(1),
    two_interfaces_with_an_address=lambda: with_addresses(1, 2),
)
cases(
    "interface-device-index",
    one_interface_at_device_2=lambda: on_cards(1),
    two_interfaces_at_device_2=lambda: on_cards(1, 2),
)
cases(
    "efa-fits-instance",
    efa_on_one_type_without=lambda: of_types("m5.2xlarge"),
    efa_on_two_types_without=lambda: of_types("m5.2xlarge", "c5.2xlarge"),
)
cases(
    "efa-used-fully",
    two_types_without_efa_switched_on=lambda: of_types("p5.48xlarge", "p4d.24xlarge", efa=False),
    a_first_interface_of_no_type=lambda: first_of(None),
    a_first_interface_of_the_plain_type=lambda: first_of("interface"),
    # `interface-type-known` reports it.
    a_first_interface_of_an_odd_type=lambda: first_of("ena"),
)
cases(
    "several-interfaces-no-public-ip",
    public_addresses_on_an_unknown_type=lambda: a_slurm_fleet(a_resource(public_ip=True, instances=UNKNOWN)),
    public_addresses_and_efa_not_yet_known=lambda: of_types("g5.8xlarge", public_ip=True, efa=UNKNOWN),
    public_addresses_not_yet_known=lambda: a_slurm_fleet(a_resource(public_ip=UNKNOWN)),
    public_addresses_on_one_interface=lambda: of_types("m5.2xlarge", public_ip=True, efa=False),
    public_addresses_not_yet_known_on_one_interface=lambda: of_types("m5.2xlarge", public_ip=UNKNOWN, efa=False),
    no_public_addresses_and_efa_not_yet_known=lambda: a_slurm_fleet(a_resource(public_ip=None, efa=UNKNOWN)),
)


# the account, and clusters that exist


def in_account(**account: Any) -> Fleet:
    """Facts of an account that knows no such VPC."""
    return asked({f"vpcs.{VPC}": {"exists": False}, "account": account})


CONFIG_MAP = aws_says(authentication="CONFIG_MAP")

cases(
    "named-things-exist",
    a_missing_vpc_of_a_known_account=lambda: in_account(id="222233334444"),
    a_missing_vpc_of_an_unknown_account=lambda: in_account(region="us-west-2"),
)
cases(
    "existing-cluster-as-declared",
    a_cluster_of_another_authentication_mode=lambda: joined(CONFIG_MAP),
    # HyperPod takes access entries alone.
    a_cluster_under_hyperpod_of_another_authentication_mode=lambda: a_hyperpod_fleet(a_cluster(), known=CONFIG_MAP),
    a_cluster_of_unknown_security_groups=lambda: joined(aws_says(), security_groups=UNKNOWN),
    a_cluster_without_security_groups=lambda: joined(aws_says(), security_groups=()),
)
cases(
    "kubernetes-version-offered",
    a_version_that_an_unknown_region_does_not_offer=lambda: a_fleet(facts=eks_says(offered=False), region=None),
    a_version_not_offered_after_the_calendar=lambda: a_fleet(facts=eks_says(offered=False), as_of=date(2031, 1, 1)),
)
cases(
    "node-role-narrow",
    a_role_with_full_access_below_a_path=lambda: a_fleet(
        role(f"{AWS_POLICY}/service-role/AmazonElasticFileSystemFullAccess")
    ),
)
cases(
    "credentials-not-exported",
    empty_outputs=lambda: a_fleet(output("kubeconfig", ""), output("token", "")),
    outputs_without_value=lambda: a_fleet(output("kubeconfig", None), output("token", None)),
)


# hyperpod


def on_processors(**more: Any) -> Fleet:
    """Instances of two types without accelerators and without EFA."""
    types = ("ml.m5.2xlarge", "ml.c5.2xlarge")
    return a_hyperpod_fleet(an_instance_group(instance_type=None, requirements=types, **more))


def on_c5(**more: Any) -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type="ml.c5.2xlarge", **more))


def in_subnets(*subnets: str, public: bool | None) -> Fleet:
    around = [a_subnet(each, map_public_ip=public) for each in subnets]
    return a_hyperpod_fleet(an_instance_group(subnets=subnets), subnets=around)


def with_files(number: int) -> Fleet:
    """A bucket without the script that the group runs, and with so many others."""
    return a_hyperpod_fleet(a_bundle(files=frozenset(f"{index}.sh" for index in range(number))))


STRESS = frozenset({"InstanceStress"})

cases(
    "hyperpod-network-limits",
    a_group_without_security_group=lambda: a_hyperpod_fleet(
        an_instance_group(security_groups=(), own_network=True, place=Place("urn:workers"))
    ),
)
cases(
    "hyperpod-private-subnets",
    two_public_subnets=lambda: in_subnets("subnet-open-1", "subnet-open-2", public=True),
    one_subnet_that_may_be_public=lambda: in_subnets("subnet-1", public=None),
    two_subnets_that_may_be_public=lambda: in_subnets("subnet-1", "subnet-2", public=None),
)
cases(
    "hyperpod-chart-before-cluster",
    a_program_without_the_chart=lambda: a_hyperpod_fleet(a_hyperpod(place=Place("urn:hyperpod")), without=(Addon,)),
    a_description_without_the_chart=lambda: a_hyperpod_fleet(without=(Addon,)),
)
cases(
    "lifecycle-script-in-bundle",
    four_scripts_and_not_the_one=lambda: with_files(4),
    five_scripts_and_not_the_one=lambda: with_files(5),
)
cases(
    "instance-type-catalogued",
    a_hyperpod_type_with_a_typo=lambda: a_hyperpod_fleet(an_instance_group(instance_type="ml.p5.48xlarg")),
    a_slurm_type_with_a_typo=lambda: of_types("p5.48xlarg"),
)
cases(
    "hyperpod-deep-checks-known",
    deep_checks_of_one_type_without_accelerators=lambda: on_c5(deep_checks=STRESS),
    deep_checks_of_two_types_without_accelerators=lambda: on_processors(deep_checks=STRESS),
)
cases(
    "hyperpod-interface-fits",
    efa_on_one_hyperpod_type_without=lambda: on_c5(interface="efa"),
    efa_on_two_hyperpod_types_without=lambda: on_processors(interface="efa"),
)


# parallelcluster


def own_nodes(*names: str) -> Fleet:
    return a_slurm_fleet(a_pcluster(node_names=frozenset(names)))


def set_for_slurm(*settings: str) -> Fleet:
    return a_slurm_fleet(a_pcluster(accounting=UNKNOWN, slurm_settings=frozenset(settings)))


cases(
    "parallelcluster-shared-volume-serves-fleet",
    two_volumes_for_2000_nodes=lambda: a_slurm_fleet(
        a_pcluster(mounts=(APPS, Mount("more", "/more", "Ebs", gib=200))), a_resource(nodes_min=0, nodes_max=2000)
    ),
)
cases(
    "parallelcluster-types-alike",
    types_of_four_and_eight_gpus=lambda: of_types("g5.24xlarge", "p4d.24xlarge", flexible=True),
    types_of_8_and_32_vcpus=lambda: of_types("c5.2xlarge", "m5.8xlarge", flexible=True),
)
cases(
    "parallelcluster-slurm-settings-allowed",
    own_nodes_named_like_dynamic_ones=lambda: own_nodes("own-dy-[1-4]", "own-std-[1-4]"),
    own_nodes_named_like_static_ones=lambda: own_nodes("own-st-[1-4]", "st-own-dy"),
    own_nodes_named_almost_like_them=lambda: own_nodes("own-std-[1-4]", "st-own-dy"),
    one_setting_of_accounting_that_may_be=lambda: set_for_slurm("JobAcctGatherType"),
    two_settings_of_accounting_that_may_be=lambda: set_for_slurm("JobAcctGatherType", "AccountingStorageHost"),
)


# storage


def linked_twice(*buckets: str) -> Fleet:
    return a_stored_fleet(**linked(*((f"/{each}{n}", f"s3://{each}") for each in buckets for n in (1, 2))))


def stored(*groups: str) -> Fleet:
    """A file system open to itself alone, in groups of the program."""
    refs = [LUSTRE_GROUP_REF, *(Ref(SECURITY_GROUP, each) for each in groups)]
    closed = [a_security_group(each, ingress=False, egress=False) for each in groups]
    return a_stored_fleet(a_lustre_group(LUSTRE_GROUP_REF), *closed, security_groups=tuple(refs))


cases(
    "lustre-association-paths-apart",
    one_bucket_linked_twice=lambda: linked_twice("a"),
    two_buckets_linked_twice=lambda: linked_twice("a", "b"),
    one_path_linked_twice=lambda: a_stored_fleet(**linked(("/a", "s3://a"), ("/a", "s3://b"))),
)
cases(
    "lustre-ports-open",
    one_closed_group_of_a_file_system=stored,
    two_closed_groups_of_a_file_system=lambda: stored("more"),
    one_group_of_another_owner_around_a_file_system=lambda: a_stored_fleet(security_groups=("sg-1",)),
    two_groups_of_another_owner_around_a_file_system=lambda: a_stored_fleet(security_groups=("sg-1", "sg-2")),
)


# add-ons


def plugin_on(*groups: str) -> Fleet:
    """EFA's plugin on groups by name, with a second group of processors."""
    labels = {"supportedInstanceLabels": {"keys": ["muster/group"], "values": [*groups, "workers"]}}
    more = {"for": "system", "nodes": 1, "instance": "c5.2xlarge"}
    return with_addons({**PLUGINS, "efa-device-plugin": {"values": labels}}, **{"groups.more": more})


def with_plugins(**values: Any) -> Fleet:
    return described({"addons": {name.replace("_", "-"): {"values": value} for name, value in values.items()}})


DRANET = replace(an_addon("aws-dranet"), place=Place("addons.charts.dra"))

cases(
    "plugin-stays-with-its-devices",
    a_plugin_on_one_group_without_its_devices=lambda: plugin_on("system"),
    a_plugin_on_two_groups_without_its_devices=lambda: plugin_on("system", "more"),
)
cases(
    "dra-driver-supported",
    a_driver_beside_karpenter_on_hyperpod=lambda: a_hyperpod_fleet(
        a_hyperpod(autoscaler="Karpenter", provisioning="Continuous", has_cluster_role=True), DRANET
    ),
    a_driver_on_an_old_version=lambda: a_fleet(a_control_plane("1.33"), DRANET),
)
cases(
    "addon-values-have-a-form",
    a_node_selector_of_no_form=lambda: with_plugins(
        efa_device_plugin={"nodeSelector": "gpus"}, nvidia_device_plugin={}
    ),
    tolerations_of_no_form=lambda: with_plugins(efa_device_plugin={"tolerations": ["gpus"]}, nvidia_device_plugin={}),
)
cases(
    "group-has-its-device-plugin",
    a_plugin_of_unreadable_values=lambda: with_plugins(nvidia_device_plugin={"tolerations": ["gpus"]}),
)
