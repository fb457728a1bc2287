"""What a description becomes: what only few of its words decide."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from botocore.loaders import Loader

from muster.blueprint.hyperpod.node_labels import identity_labels
from muster.blueprint.logical_names import EFA_GROUP_REF
from muster.config.description.control_plane import AuthenticationMode
from muster.fleet.resources import LaunchTemplate, Ref, Subnet
from muster.fleet.resources.ec2 import INGRESS, tcp
from muster.fleet.resources.eks import RepairLimit
from muster.fleet.resources.parallelcluster import Placement
from muster.fleet.resources.ref import PLACEMENT_GROUP
from muster.unknown import UNKNOWN
from tests.factories import CR, DROP, SG, A, B, a_blueprint
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.factories.parallelcluster import WORKERS, a_slurm_blueprint

PLAIN = {"groups.workers.instance": "m5.8xlarge", "groups.workers.for": "system", "groups.workers.capacity": DROP}
LUSTRE = {"lustre": {"size": "1200GiB", "throughput": 250}}


@pytest.mark.parametrize(("instance", "addresses"), [("p5.48xlarge", 1), ("g6.48xlarge", 1), ("m5.8xlarge", 1)])
def test_efa_only_interfaces_take_no_address_in_slurm(instance: str, addresses: int) -> None:
    """A node takes one for each interface that carries IP, whatever it runs."""
    (queue,) = a_slurm_blueprint({f"{WORKERS}.instance": instance, f"{WORKERS}.capacity": {"on-demand": {}}}).queues
    (node,) = (each.node for each in queue.groups)
    assert (node.addresses.working, node.addresses.most) == (addresses, addresses)


HELD = {"zone": "us-west-2b", "count": 4}
BLOCK = {"id": CR, "starts": "2026-12-01", "ends": "2026-12-15"}
OF_RESERVATIONS = {"arn": "arn:aws:resource-groups:us-west-2:210987654321:group/held", "provided-by": "aws"}
CAPACITY: list[tuple[dict[str, Any], str | None]] = [
    ({"on-demand": {}}, None),
    ({"spot": {}}, None),
    ({"reservation": {**HELD, "id": CR, "provided-by": "aws"}}, "us-west-2b"),
    ({"reservation-group": {**HELD, **OF_RESERVATIONS}}, "us-west-2b"),
    ({"capacity-block": {**HELD, **BLOCK}}, "us-west-2b"),
]
"""Capacity of EC2, and the zone that it is in."""


@pytest.mark.parametrize(("capacity", "zone"), CAPACITY, ids=[next(iter(each)) for each, _ in CAPACITY])
def test_nodes_are_where_their_capacity_is(capacity: dict[str, Any], zone: str | None) -> None:
    """In the subnet of its zone; what is held nowhere is in both, unless a zone is said, which counts in any case."""
    edits = {"groups.workers.capacity": capacity}
    for more, only in (({"groups.workers.zone": DROP}, zone), ({"groups.workers.zone": "us-west-2a"}, "us-west-2a")):
        (group,) = (each for each in a_blueprint({**edits, **more}).groups if each.name == "workers")
        assert (group.described.only_zone, group.resource.zone) == (only, only)
        assert group.subnets == {None: (A, B), "us-west-2a": (A,), "us-west-2b": (B,)}[only]
    slurm = a_slurm_blueprint({f"{WORKERS}.capacity": capacity})
    assert [each.described.only_zone for queue in slurm.queues for each in queue.groups] == [zone]
    assert [tuple(queue.resource.subnets) for queue in slurm.queues] == [(B,) if zone else (A,)]


IDS = {"us-west-2a": "usw2-az2", "us-west-2b": "usw2-az1"}
EXISTING = {"vpc": "vpc-0123456789abcdef0", "private": {"us-west-2a": A, "us-west-2b": B}}


@pytest.mark.parametrize("network", [{"create": {"zones": [*IDS]}}, {"existing": EXISTING}], ids=["create", "existing"])
@pytest.mark.parametrize("make", [a_blueprint, a_hyperpod_blueprint, a_slurm_blueprint])
def test_ids_of_zones_are_known_as_far_as_they_are_said(make: Any, network: dict[str, Any]) -> None:
    """Of a network that is made, and of one that exists; not of other zones."""
    ((kind, said),) = network.items()
    only = {"us-west-2b": IDS["us-west-2b"]}
    for ids in ({}, only, IDS):
        assert make({"network": {kind: {**said, "zone-ids": ids}}}).network.zone_ids == ids


@pytest.mark.parametrize(("name", "cluster"), [(None, "tested"), ("other", "other")])
def test_an_instance_group_has_the_labels_that_hyperpod_sets(name: str | None, cluster: str) -> None:
    """Of its own cluster's name, which is that of the EKS cluster unless it has another."""
    blueprint = a_hyperpod_blueprint({"name": "tested", **({"hyperpod.name": name} if name else {})})
    assert identity_labels(blueprint, "workers") == {
        "sagemaker.amazonaws.com/compute-type": "hyperpod",
        "sagemaker.amazonaws.com/cluster-name": cluster,
        "sagemaker.amazonaws.com/instance-group-name": "workers",
    }


def test_a_file_system_is_in_the_zone_that_it_says() -> None:
    """Else in that of the training groups."""
    of_groups = a_blueprint({"storage": {"scratch": LUSTRE}})
    of_its_own = a_blueprint({"storage": {"scratch": {"lustre": {**LUSTRE["lustre"], "zone": "us-west-2b"}}}})
    zones = [[each.file_system.zone for each in one.storage] for one in (of_groups, of_its_own)]
    assert zones == [["us-west-2a"], ["us-west-2b"]]


@pytest.mark.parametrize(
    ("instance", "offers"),
    [
        ("p5.48xlarge", {"gres/gpu": 8, "efa": 32}),
        ("trn1.32xlarge", {"neuron": 16, "efa": 8}),
        ("m5.8xlarge", {}),
    ],
)
def test_what_a_job_of_slurm_can_ask_for(instance: str, offers: dict[str, int]) -> None:
    """The accelerators of its type, by their kind, and EFA."""
    (queue,) = a_slurm_blueprint({f"{WORKERS}.instance": instance, f"{WORKERS}.capacity": {"on-demand": {}}}).queues
    assert [each.node.offers for each in queue.groups] == [offers]


MADE = {"create": {"cidr": "10.0.0.0/16", "zones": ["us-west-2a", "us-west-2b"], "registry-endpoints": True}}


def test_a_network_that_is_made() -> None:
    """Public subnets give public addresses, and no others do; endpoints take HTTPS from the network, and nothing else:
    they do not talk with each other."""
    network = a_blueprint({"network": MADE}).network
    tiers = {
        name: {str(each) for each in of.values()} for name, of in (("no", network.private), ("yes", network.public))
    }
    assert [len(each) for each in tiers.values()] == [2, 2]
    for name, each in network.subnets.items():
        is_public = name in tiers["yes"]
        assert is_public is (name not in tiers["no"])
        assert (each.public, each.map_public_ip, each.created) == (is_public, is_public, True)
    endpoints = network.registry_endpoints
    assert endpoints is not None
    assert endpoints.allows == {tcp(INGRESS, 443, 443, "10.0.0.0/16")}
    assert a_blueprint({"network": MADE, "network.create.registry-endpoints": False}).network.registry_endpoints is None


def test_a_queue_that_names_no_zone_is_in_one() -> None:
    """The network's first that has a private subnet; in each that it names, in any order."""
    both = {"queues.train.zones": ["us-west-2b", "us-west-2a"], f"{WORKERS}.for": "inference"}
    subnets = [[each.resource.subnets for each in a_slurm_blueprint(edits).queues] for edits in ({}, both)]
    assert subnets == [[(A,)], [(A, B)]]


def test_a_file_system_with_efa_talks_by_it_with_nodes_that_have_it() -> None:
    """Where none has, there is no such group to name."""
    fast = {"storage": {"fast": {"lustre": {"size": "4800GiB", "throughput": 1000, "efa": True}}}}
    for edits, efa in ((fast, {EFA_GROUP_REF}), ({**fast, **PLAIN}, set())):
        (storage,) = a_blueprint(edits).storage
        assert storage.security_group is not None
        own = {storage.security_group.ref}
        everything = {each.peer for each in storage.security_group.allows if each.protocol == "-1"}
        assert everything == own | efa
        assert {each for each in storage.security_group.peers if each == EFA_GROUP_REF} == efa


NAMED = {"name": "ours", "security-group": SG}


@pytest.mark.parametrize(
    ("said", "mode"),
    [("api", "API"), ("api-and-config-map", "API_AND_CONFIG_MAP"), ("config-map", "CONFIG_MAP")],
)
def test_how_a_cluster_that_exists_lets_people_in_is_said_as_eks_says_it(said: str, mode: str) -> None:
    """`AuthenticationMode` of EKS's API has these three; one that is made takes access entries alone."""
    plane = {"existing": {**NAMED, "authentication": said}}
    existing = a_blueprint({"control-plane": plane, "api": DROP}).cluster
    assert (existing.name, existing.authentication) == ("ours", mode)
    shape = Loader().load_service_model("eks", "service-2")["shapes"]["AuthenticationMode"]
    assert mode in shape["enum"]
    assert len(shape["enum"]) == len(AuthenticationMode)
    assert a_blueprint().cluster.authentication == "API"


def test_a_cluster_is_called_as_it_is_said_or_as_its_stack() -> None:
    """So are the control plane, and the tracking server, unless that has a name of its own."""
    server = {"hyperpod": {"mlflow": {}}}
    for edits, name in ({}, "tested"), ({"name": "ours"}, "ours"):
        made = a_hyperpod_blueprint({**server, **edits})
        assert made.hyperpod is not None
        assert made.hyperpod.tracking_server is not None
        assert (a_blueprint(edits, stack="tested").cluster.name, made.cluster.name) == (name, name)
        assert made.hyperpod.tracking_server.name == name


def test_a_file_system_that_exists_is_where_it_is_said_to_be() -> None:
    """Its names as they are said, its address by its id where none is said; of the rest nothing is known."""
    stands = {"id": "fs-0123456789abcdef0", "mount-name": "abcdefgh"}
    for more, zone, dns in (
        ({}, None, "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com"),
        ({"zone": "us-west-2b", "dns-name": "data.example.com"}, "us-west-2b", "data.example.com"),
    ):
        (storage,) = a_blueprint({"storage": {"data": {"existing-lustre": {**stands, **more}}}}).storage
        made = storage.file_system
        assert (made.existing, made.id, made.mount_name, made.dns_name) == (
            True,
            "fs-0123456789abcdef0",
            "abcdefgh",
            dns,
        )
        assert storage.zone == made.zone == zone
        assert made.vpc == "vpc-0123456789abcdef0"
        unknown = (made.size, made.deployment, made.disk, made.throughput, made.subnets, made.security_groups)
        assert unknown == (UNKNOWN,) * 6


@pytest.mark.parametrize(
    ("said", "name", "created"),
    [
        ({"provided-by": "aws"}, None, False),
        ({"provided-by": "you"}, "tested-workers", True),
        ({"provided-by": "you", "placement-group": "ours"}, "ours", False),
        ({"provided-by": "you", "placement-group": "none"}, None, False),
    ],
)
def test_placement_follows_from_who_provided_a_reservation(
    said: dict[str, str], name: str | None, *, created: bool
) -> None:
    """AWS places its own; another one is in the group that it was made in, in none, or in one of ours. A template
    without one has no placement; ParallelCluster is given its choice in any case, and names what it makes itself."""
    edits = {f"groups.workers.capacity.reservation.{key}": value for key, value in said.items()}
    (group,) = (each for each in a_blueprint(edits).groups if each.name == "workers")
    made = group.placement_group
    assert (made and (made.name, made.create)) == (name and (name, created))
    assert group.template.placement_group == (Ref(PLACEMENT_GROUP, "workers") if created else name)
    assert ("placement" in group.template.settings) is (name is not None)
    (queue,) = a_slurm_blueprint({f"{WORKERS}.capacity": {"reservation": {**HELD, "id": CR, **said}}}).queues
    placement = Placement(enabled=name is not None, name=None if created else name)
    assert [each.resource.placement for each in queue.groups] == [placement]


def test_zones_that_only_some_subnets_say_are_no_puzzle() -> None:
    """Of subnets of which nobody knows the zone, or its id, nothing follows; AWS's word goes before the file's."""
    unknown = (
        Subnet("subnet-1"),
        Subnet("subnet-2", zone_id="usw2-az3"),
        Subnet("subnet-3", declared_zone="us-west-2a"),
        Subnet("subnet-4", declared_zone="us-west-2a", zone_id="usw2-az2"),
        Subnet("subnet-5", declared_zone="us-west-2a", observed_zone="us-west-2b", zone_id="usw2-az1"),
    )
    made = a_blueprint().network
    for order in permutations(unknown):
        assert replace(made, subnets={each.id: each for each in order}).zone_ids == {
            "us-west-2a": "usw2-az2",
            "us-west-2b": "usw2-az1",
        }


GPUS = {"for": "inference", "instance": "g5.12xlarge", "nodes": 2}
CPUS = {"for": "inference", "instance": "m5.8xlarge", "nodes": 2}
RESERVED = {"reservation": {"id": CR, "zone": "us-west-2a", "count": 2, "provided-by": "you"}}
AMI = {"custom": {"id": "ami-0123456789abcdef0", "family": "al2023"}}


@pytest.mark.parametrize(
    ("said", "own", "found"),
    [
        ({}, False, {}),
        ({"updates": {"at-once": 3}}, False, {"max_unavailable": 3}),
        ({"updates": {"percent-at-once": 40}}, False, {"max_unavailable": None, "max_unavailable_percentage": 40}),
        ({"updates": {}}, False, {}),
        ({"node-repair": False}, False, {"repair": False}),
        ({"node-repair": True}, False, {}),
        (CPUS, False, {"repair": False, "ami_type": "AL2023_x86_64_STANDARD"}),
        ({**CPUS, "node-repair": True}, False, {"ami_type": "AL2023_x86_64_STANDARD"}),
        ({"image": "bottlerocket"}, False, {"ami_type": "BOTTLEROCKET_x86_64_NVIDIA"}),
        ({"image": AMI}, False, {"ami_type": None, "version": None}),
        ({"capacity": "spot"}, False, {"capacity_type": "SPOT"}),
        (
            {"capacity": RESERVED},
            False,
            {"repair_limits": (RepairLimit("maxParallelNodesRepairedCount", 1),), "update_strategy": "MINIMAL"},
        ),
        ({"capacity": RESERVED, "node-repair": False}, False, {"repair": False, "update_strategy": "MINIMAL"}),
        ({}, True, {}),
        ({"image": AMI}, True, {}),
        ({"updates": {"at-once": 3}}, True, {}),
        ({"updates": {"percent-at-once": 40}}, True, {}),
        ({"updates": {}}, True, {}),
        ({"updates": {"at-once": 1}, "node-repair": True}, True, {}),
        ({"capacity": "spot"}, True, {}),
        ({"capacity": RESERVED}, True, {}),
    ],
)
def test_what_eks_is_told_of_a_group_it_manages(said: dict[str, Any], *, own: bool, found: dict[str, Any]) -> None:
    """Each with the rest as it is without; nothing of a group that is somebody's own."""
    (made,) = (
        each.resource
        for each in a_blueprint({"groups.one": {**GPUS, **said, "self-managed": own}}).groups
        if each.name == "one"
    )
    plain: dict[str, Any] = {
        "ami_type": "AL2023_x86_64_NVIDIA",
        "capacity_type": "ON_DEMAND",
        "version": a_blueprint().cluster.kubernetes,
        "max_unavailable": 1,
        "max_unavailable_percentage": None,
        "repair": True,
        "repair_limits": (),
        "update_strategy": "DEFAULT",
    }
    of_own = {**dict.fromkeys(plain), "repair_limits": ()}
    assert {name: getattr(made, name) for name in plain} == {**(of_own if own else plain), **found}


def test_a_template_says_what_the_resource_will_have() -> None:
    """`settings` are the keys of `launchTemplateData` that are given; those that every template has, and these."""
    always = {"instanceType", "blockDeviceMappings", "metadataOptions", "tagSpecifications"}
    own = {"iamInstanceProfile", "userData", "imageId"}
    key = {"session": {"key-pair": "ours"}}
    training = {"for": "training", "instance": "p5.48xlarge"}
    for said, more in (
        (CPUS, set[str]()),
        ({**CPUS, "self-managed": True}, own | {"vpcSecurityGroupIds"}),
        ({**CPUS, **key}, {"keyName"}),
        ({**CPUS, "security-groups": [SG]}, {"vpcSecurityGroupIds"}),
        ({**CPUS, "image": AMI}, {"imageId", "userData"}),
        ({**CPUS, "huge-pages": "2GiB"}, {"userData"}),
        ({**GPUS, "capacity": "spot", "self-managed": True}, own | {"instanceMarketOptions", "vpcSecurityGroupIds"}),
        ({**CPUS, "capacity": RESERVED}, {"capacityReservationSpecification", "placement"}),
        (
            {**CPUS, **training, "capacity": RESERVED},
            {"capacityReservationSpecification", "networkInterfaces", "placement", "userData"},
        ),
        # Its interfaces carry the groups.
        ({**CPUS, **training, "security-groups": [SG]}, {"networkInterfaces", "placement", "userData"}),
        ({**CPUS, **training, "self-managed": True}, own | {"networkInterfaces", "placement"}),
    ):
        (template,) = (each.template for each in a_blueprint({"groups.one": said}).groups if each.name == "one")
        assert set(template.settings) == always | more, said
        assert ("userData" in template.settings) == (template.user_data is not None)


@pytest.mark.parametrize("make", [a_blueprint, a_hyperpod_blueprint])
def test_whom_a_cluster_that_exists_would_let_in(make: Any) -> None:
    """Each principal of `access` once, in order; so that whether it takes access entries can be asked."""
    people = [f"arn:aws:iam::210987654321:role/{name}" for name in ("b", "a")]
    plane = {
        "control-plane": {"existing": {"name": "ours", "security-group": SG, "authentication": "api"}},
        "api": DROP,
        "logs": DROP,
    }
    access = [{"principal": each, "policy": "view"} for each in people]
    assert make({**plane, "access": access}).cluster.grants == tuple(sorted(people))
    assert make(plane).cluster.grants == ()


def template_of(edits: dict[str, Any]) -> LaunchTemplate:
    """The workers'."""
    (group,) = (each for each in a_blueprint(edits).groups if each.name == "workers")
    return group.template


OWN_IMAGE = {"groups.workers.image": {"custom": {"id": "ami-0123456789abcdef0"}}}


@pytest.mark.parametrize(
    ("edits", "data"),
    [
        (PLAIN, "none"),
        ({}, "known"),
        ({**PLAIN, "groups.workers.huge-pages": "2GiB"}, "known"),
        ({"groups.workers.self-managed": True}, "unknown"),
        ({**PLAIN, "groups.workers.self-managed": True}, "unknown"),
        (OWN_IMAGE, "unknown"),
        ({**PLAIN, **OWN_IMAGE}, "unknown"),
    ],
)
def test_a_template_has_user_data_where_nodes_are_told_something(edits: dict[str, Any], data: str) -> None:
    """What they set aside is known here; how they join, which EKS tells its own images alone, is not."""
    template = template_of(edits)
    found = "none" if template.user_data is None else "unknown" if template.user_data is UNKNOWN else "known"
    assert found == data
    assert ("userData" in template.settings) is (data != "none")
