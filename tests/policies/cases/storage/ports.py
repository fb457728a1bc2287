"""Whom file systems let in."""

from muster.fleet.resources import Fleet, Ref, SecurityGroupRule
from muster.fleet.resources.ec2 import EGRESS, INGRESS, all_traffic, tcp
from muster.fleet.resources.ref import SUBNET
from muster.hardware.interfaces import Layout
from muster.unknown import UNKNOWN
from tests.factories import (
    CLUSTER_REF,
    EFA_GROUP_REF,
    LUSTRE_GROUP_REF,
    SG,
    a_file_system,
    a_fleet,
    a_lustre_group,
    a_stored_fleet,
    a_subnet,
    a_template,
    elsewhere,
    interfaces,
    lustre_rules,
)
from tests.policies.case import case, cases

# lustre-ports-open


cases(
    port_988_alone=lambda: a_stored_fleet(
        a_lustre_group(allows=lustre_rules(LUSTRE_GROUP_REF, CLUSTER_REF, ports=[(988, 988)]))
    ),
    ports_of_which_some_are_open=lambda: a_stored_fleet(
        a_lustre_group(allows=lustre_rules(LUSTRE_GROUP_REF, CLUSTER_REF, ports=[(988, 988), (1018, 1020)]))
    ),
    ports_closed_to_the_nodes=lambda: a_stored_fleet(a_lustre_group(LUSTRE_GROUP_REF)),
    ports_closed_between_file_servers=lambda: a_stored_fleet(a_lustre_group(CLUSTER_REF)),
    a_file_system_without_a_group=lambda: a_stored_fleet(security_groups=()),
    ports_open_to_the_whole_world=lambda: a_stored_fleet(a_lustre_group("0.0.0.0/0")),
    all_of_tcp_and_all_protocols=lambda: a_stored_fleet(
        a_lustre_group(allows=frozenset({tcp(EGRESS, 0, 65535, "0.0.0.0/0"), all_traffic(INGRESS, "0.0.0.0/0")}))
    ),
)


@case
def ports_opened_one_by_one() -> Fleet:
    single = [(port, port) for port in (988, *range(1018, 1024))]
    return a_stored_fleet(a_lustre_group(allows=lustre_rules(LUSTRE_GROUP_REF, CLUSTER_REF, ports=single)))


cases(
    a_file_system_in_the_clusters_own_group=lambda: a_stored_fleet(security_groups=(CLUSTER_REF,)),
    ports_open_to_the_efa_group_that_nodes_carry_too=lambda: a_stored_fleet(
        a_lustre_group(LUSTRE_GROUP_REF, EFA_GROUP_REF), a_template(interfaces=interfaces(layout=Layout.CLASSIC))
    ),
    ports_open_to_a_network_that_may_hold_the_nodes=lambda: a_stored_fleet(a_lustre_group("10.0.0.0/16")),
)


@case
def ports_open_to_somebody_not_yet_known() -> Fleet:
    unknown = SecurityGroupRule(INGRESS, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
    rules = {each for each in lustre_rules(LUSTRE_GROUP_REF, CLUSTER_REF) if each.direction == EGRESS}
    return a_stored_fleet(a_lustre_group(allows=frozenset({unknown, *rules})))


cases(
    a_file_system_without_a_group_and_nodes_of_groups_not_all_known=lambda: a_stored_fleet(
        a_template(security_groups=UNKNOWN, interfaces=(), depends_on=frozenset({EFA_GROUP_REF})), security_groups=()
    ),
    a_file_system_in_a_group_of_another_program=lambda: a_stored_fleet(security_groups=(SG,)),
)


# programs of other teams


cases(
    a_foreign_file_system_closed_to_the_nodes=lambda: a_fleet(
        a_lustre_group(LUSTRE_GROUP_REF),
        elsewhere(a_file_system(subnets=(Ref(SUBNET, "a"),)), "scratch"),
        subnets=[a_subnet(str(Ref(SUBNET, "a")))],
    ),
)
