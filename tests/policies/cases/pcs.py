"""Clusters on AWS PCS."""

from typing import Any

from muster.blueprint.logical_names import PCS_GROUP_REF
from muster.fleet.resources import (
    CapacityBlockPurchase,
    CapacityTarget,
    Fleet,
    LaunchTemplate,
    Place,
    Ref,
    SecurityGroup,
)
from muster.fleet.resources import ref as types
from muster.fleet.resources.ec2 import EGRESS, INGRESS, all_traffic, tcp
from muster.hardware.interfaces import Layout
from muster.unknown import UNKNOWN
from tests.factories import (
    CR,
    LUSTRE_GROUP_REF,
    SG,
    A,
    B,
    a_file_system,
    a_lustre_group,
    a_security_group,
    interfaces,
    reservation_facts,
)
from tests.pcs import (
    BLOCK,
    OPEN,
    a_node_group,
    a_pcs_cluster,
    a_pcs_fleet,
    a_pcs_queue,
    a_pcs_security_group,
    a_pcs_template,
)
from tests.policies.capacity import made
from tests.policies.case import cases
from tests.policies.security import AWS_POLICY, bucket, output, role

cases(a_cluster_that_nothing_is_wrong_with=lambda: a_pcs_fleet())


# the controller


cases(
    thirty_two_nodes_and_a_login_node=lambda: a_pcs_fleet(a_node_group(nodes_min=32, nodes_max=32)),
    thirty_one_nodes_and_a_login_node=lambda: a_pcs_fleet(a_node_group(nodes_max=31)),
    nodes_for_no_size=lambda: a_pcs_fleet(a_pcs_cluster(size="LARGE"), a_node_group(nodes_max=3000)),
    nodes_for_a_medium_cluster=lambda: a_pcs_fleet(a_pcs_cluster(size="MEDIUM"), a_node_group(nodes_max=500)),
    a_group_of_no_nodes=lambda: a_pcs_fleet(a_node_group(nodes_max=0)),
    a_size_that_pcs_does_not_have=lambda: a_pcs_fleet(a_pcs_cluster(size="HUGE")),
    a_size_not_yet_known=lambda: a_pcs_fleet(a_pcs_cluster(size=UNKNOWN)),
    a_maximum_not_yet_known=lambda: a_pcs_fleet(a_node_group(nodes_max=UNKNOWN)),
    accounting_of_slurm_24_05=lambda: a_pcs_fleet(a_pcs_cluster(version="24.05")),
    no_accounting_of_slurm_24_05=lambda: a_pcs_fleet(a_pcs_cluster(version="24.05", accounting=False)),
    rest_of_slurm_24_11=lambda: a_pcs_fleet(a_pcs_cluster(version="24.11", rest=True)),
    a_groups_idle_time_of_slurm_25_05=lambda: a_pcs_fleet(
        a_pcs_cluster(version="25.05"), a_node_group(idle_seconds=1800)
    ),
    slurm_25_11_with_everything=lambda: a_pcs_fleet(
        a_pcs_cluster(version="25.11", rest=True), a_node_group(idle_seconds=1800)
    ),
    slurm_that_pcs_does_not_have=lambda: a_pcs_fleet(a_pcs_cluster(version="25.08")),
    slurm_newer_than_what_muster_knows=lambda: a_pcs_fleet(a_pcs_cluster(version="99.05")),
    slurm_not_yet_known=lambda: a_pcs_fleet(a_pcs_cluster(version=UNKNOWN)),
    a_controller_in_two_subnets=lambda: a_pcs_fleet(a_pcs_cluster(subnets=(A, B))),
    a_controller_in_no_subnet=lambda: a_pcs_fleet(a_pcs_cluster(subnets=())),
    a_controller_in_a_subnet_not_yet_known=lambda: a_pcs_fleet(a_pcs_cluster(subnets=UNKNOWN)),
)


# its security groups


def of_other_groups(*groups: Any) -> Fleet:
    """A controller of whose security groups the nodes have none."""
    return a_pcs_fleet(a_pcs_cluster(security_groups=groups))


SLURMS_PORTS = frozenset(tcp(way, 6817, 6818, PCS_GROUP_REF) for way in (INGRESS, EGRESS))
NOT_OUT = frozenset(each for each in OPEN if each.peer == PCS_GROUP_REF)

cases(
    a_group_that_does_not_allow_itself=lambda: a_pcs_fleet(
        a_pcs_security_group(self_ingress=False, allows=frozenset())
    ),
    a_group_that_allows_nothing_else=lambda: a_pcs_fleet(a_pcs_security_group(allows=NOT_OUT)),
    # AWS's own template for a test cluster has these rules: the rule for the whole network allows the group, too.
    a_group_that_allows_itself_out_by_the_network=lambda: a_pcs_fleet(
        a_pcs_security_group(self_egress=False, allows=OPEN - {all_traffic(EGRESS, PCS_GROUP_REF)})
    ),
    a_group_that_allows_slurms_ports=lambda: a_pcs_fleet(
        a_pcs_security_group(self_ingress=False, self_egress=False, allows=SLURMS_PORTS)
    ),
    a_group_of_another_program=lambda: a_pcs_fleet(without=(SecurityGroup,)),
    a_group_whose_rules_are_not_yet_known=lambda: a_pcs_fleet(
        a_pcs_security_group(self_ingress=UNKNOWN, self_egress=UNKNOWN, allows=frozenset())
    ),
    a_controller_with_a_group_of_its_own=lambda: of_other_groups(SG),
    a_controller_with_a_group_that_allows_nothing=lambda: a_pcs_fleet(
        a_pcs_cluster(security_groups=(Ref(types.SECURITY_GROUP, "controller"),)),
        a_security_group("controller", ingress=False, egress=False),
    ),
    a_controller_without_a_group=lambda: of_other_groups(),
    a_controller_whose_groups_are_not_yet_known=lambda: a_pcs_fleet(a_pcs_cluster(security_groups=UNKNOWN)),
)


# compute node groups


cases(
    types_of_two_kinds=lambda: a_pcs_fleet(a_node_group(instance_types=("p5.48xlarge", "g5.48xlarge"))),
    types_of_two_architectures=lambda: a_pcs_fleet(
        a_node_group("cpu", instance_types=("m5.8xlarge", "m7g.8xlarge")), a_pcs_template("cpu", None)
    ),
    types_with_a_type_that_is_not_known=lambda: a_pcs_fleet(a_node_group(instance_types=("p5.48xlarge", "p99.large"))),
    types_not_yet_known=lambda: a_pcs_fleet(a_node_group(instance_types=UNKNOWN)),
    one_image_on_two_architectures=lambda: a_pcs_fleet(
        a_node_group("arm", instance_types=("m7g.8xlarge",)), a_pcs_template("arm", None)
    ),
    two_images_for_two_architectures=lambda: a_pcs_fleet(
        a_node_group("arm", instance_types=("m7g.8xlarge",), image="ami-0fedcba9876543210"), a_pcs_template("arm", None)
    ),
    a_group_of_another_programs_cluster=lambda: a_pcs_fleet(a_node_group(cluster="pcs_theirs")),
    a_group_without_a_template=lambda: a_pcs_fleet(a_node_group(template=None), without=(LaunchTemplate,)),
    a_template_with_an_instance_profile=lambda: a_pcs_fleet(
        a_pcs_template(settings=frozenset({"networkInterfaces", "metadataOptions", "iamInstanceProfile"}))
    ),
    interfaces_without_a_security_group=lambda: a_pcs_fleet(
        a_pcs_template(interfaces=interfaces("p5.48xlarge", Layout.CLASSIC, groups=()))
    ),
    a_template_with_one_interface=lambda: a_pcs_fleet(
        a_pcs_template(interfaces=interfaces("p5.48xlarge", Layout.CLASSIC, groups=(PCS_GROUP_REF,))[:1])
    ),
    a_group_in_two_zones=lambda: a_pcs_fleet(a_node_group(subnets=(A, B))),
    a_subnet_not_yet_known=lambda: a_pcs_fleet(a_node_group(subnets=UNKNOWN)),
)


# capacity


def on_capacity(
    *, kind: str = "default", purchase: Any = BLOCK, market: Any = "capacity-block", nodes: int = 4
) -> Fleet:
    """Workers on a reservation of four p5.48xlarge."""
    dates = {"start": "2026-11-14T11:30:00Z", "end": "2026-12-28T11:30:00Z"} if kind == "capacity-block" else {}
    return a_pcs_fleet(
        a_node_group(capacity_type=purchase, nodes_max=nodes),
        a_pcs_template(
            market_type=market,
            target=CapacityTarget(reservation=CR),
            settings=frozenset({"networkInterfaces", "capacityReservationSpecification", "instanceMarketOptions"}),
        ),
        facts=reservation_facts(reservationType=kind, totalInstances=4, **dates),
    )


cases(
    on_a_block=lambda: on_capacity(kind="capacity-block"),
    on_a_block_without_the_purchase_option=lambda: on_capacity(kind="capacity-block", purchase="ONDEMAND"),
    on_a_block_with_no_purchase_option=lambda: on_capacity(kind="capacity-block", purchase=None),
    on_a_block_without_the_market_type=lambda: on_capacity(kind="capacity-block", market=None),
    on_a_block_that_is_too_small=lambda: on_capacity(kind="capacity-block", nodes=8),
    on_a_block_with_a_purchase_option_not_yet_known=lambda: on_capacity(kind="capacity-block", purchase=UNKNOWN),
    on_a_reservation=lambda: on_capacity(purchase="ONDEMAND", market=None),
    on_a_reservation_as_on_a_block=lambda: on_capacity(),
    on_spot=lambda: a_pcs_fleet(a_node_group(capacity_type="SPOT")),
    on_an_interruptible_reservation=lambda: a_pcs_fleet(
        a_node_group(capacity_type="INTERRUPTIBLE_CAPACITY_RESERVATION")
    ),
)


# queues, names, settings


cases(
    a_queue_without_groups=lambda: a_pcs_fleet(
        a_pcs_queue(groups=()), a_pcs_queue("cpu", "workers", cluster="pcs_theirs")
    ),
    a_queue_whose_groups_are_not_yet_known=lambda: a_pcs_fleet(a_pcs_queue(groups=UNKNOWN)),
    a_queue_with_settings=lambda: a_pcs_fleet(
        a_pcs_queue(settings=(("Default", "YES"), ("OverSubscribe", "EXCLUSIVE"), ("PowerDownOnIdle", "YES")))
    ),
    a_queue_with_a_setting_of_another_scheduler=lambda: a_pcs_fleet(a_pcs_queue(settings=(("MaxTimes", "60"),))),
    a_queue_that_lists_nodes=lambda: a_pcs_fleet(a_pcs_queue(settings=(("Nodes", "workers-[1-4]"),))),
    a_queue_whose_settings_are_not_yet_known=lambda: a_pcs_fleet(a_pcs_queue(settings=UNKNOWN)),
    a_name_with_underscores=lambda: a_pcs_fleet(a_pcs_queue(name="train_big")),
    a_name_of_two_letters=lambda: a_pcs_fleet(a_node_group(name="p5")),
    a_name_that_is_an_id=lambda: a_pcs_fleet(a_pcs_cluster(name="pcs_ml")),
    a_name_of_forty_one_letters=lambda: a_pcs_fleet(a_pcs_cluster(name="m" * 41)),
    a_name_that_pulumi_gives=lambda: a_pcs_fleet(a_pcs_cluster(name=None), a_node_group(name=UNKNOWN)),
)


# storage


cases(
    with_a_file_system=lambda: a_pcs_fleet(
        a_file_system(), a_lustre_group(LUSTRE_GROUP_REF, PCS_GROUP_REF), a_pcs_template(user_data="bW91bnQ=")
    ),
    with_a_file_system_in_another_zone=lambda: a_pcs_fleet(
        a_file_system(subnets=(B,)),
        a_lustre_group(LUSTRE_GROUP_REF, PCS_GROUP_REF),
        a_pcs_template(user_data="bW91bnQ="),
    ),
    with_a_file_system_that_nodes_do_not_reach=lambda: a_pcs_fleet(
        a_file_system(),
        a_lustre_group(LUSTRE_GROUP_REF, Ref(types.SECURITY_GROUP, "others")),
        a_pcs_template(user_data="bW91bnQ="),
    ),
)


# what stands beside


cases(
    with_a_public_bucket=lambda: a_pcs_fleet(bucket(blocked=False, policy_for_all=True)),
    with_a_role_of_administrators=lambda: a_pcs_fleet(role(f"{AWS_POLICY}/AdministratorAccess")),
    with_an_exported_password=lambda: a_pcs_fleet(output("password", "hunter2")),
    with_a_block_that_nobody_approved=lambda: a_pcs_fleet(
        CapacityBlockPurchase(Ref(types.CAPACITY_BLOCK, "cb-1"), "cb-1", None, None, Place("urn:ours"))
    ),
    with_a_reservation_of_too_many=lambda: a_pcs_fleet(made(count=1001)),
)
