"""Whom file systems let in."""

from muster.fleet.resources import Fleet, Ref, SecurityGroupRule
from muster.fleet.resources.ec2 import EGRESS, INGRESS, all_traffic, tcp
from muster.fleet.resources.ref import SUBNET
from muster.fleet.unknown import UNKNOWN
from muster.hardware.interfaces import Layout
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
from tests.policies.case import case
from tests.policies.storage import AT

# lustre-ports-open


@case(f"lustre-ports-open @ {AT}")
def port_988_alone() -> Fleet:
    rules = lustre_rules(LUSTRE_GROUP_REF, CLUSTER_REF, ports=[(988, 988)])
    return a_stored_fleet(a_lustre_group(allows=rules))


@case(f"lustre-ports-open @ {AT}")
def ports_of_which_some_are_open() -> Fleet:
    rules = lustre_rules(LUSTRE_GROUP_REF, CLUSTER_REF, ports=[(988, 988), (1018, 1020)])
    return a_stored_fleet(a_lustre_group(allows=rules))


@case(f"lustre-ports-open @ {AT}")
def ports_closed_to_the_nodes() -> Fleet:
    return a_stored_fleet(a_lustre_group(LUSTRE_GROUP_REF))


@case(f"lustre-ports-open @ {AT}")
def ports_closed_between_file_servers() -> Fleet:
    return a_stored_fleet(a_lustre_group(CLUSTER_REF))


@case(f"lustre-ports-open @ {AT}")
def a_file_system_without_a_group() -> Fleet:
    return a_stored_fleet(security_groups=())


@case()
def ports_open_to_the_whole_world() -> Fleet:
    return a_stored_fleet(a_lustre_group("0.0.0.0/0"))


@case("security-group-not-open-to-all @ security-groups.fsx")
def all_of_tcp_and_all_protocols() -> Fleet:
    every = {tcp(EGRESS, 0, 65535, "0.0.0.0/0"), all_traffic(INGRESS, "0.0.0.0/0")}
    return a_stored_fleet(a_lustre_group(allows=frozenset(every)))


@case()
def ports_opened_one_by_one() -> Fleet:
    single = [(port, port) for port in (988, *range(1018, 1024))]
    return a_stored_fleet(a_lustre_group(allows=lustre_rules(LUSTRE_GROUP_REF, CLUSTER_REF, ports=single)))


@case()
def a_file_system_in_the_clusters_own_group() -> Fleet:
    return a_stored_fleet(security_groups=(CLUSTER_REF,))


@case()
def ports_open_to_the_efa_group_that_nodes_carry_too() -> Fleet:
    nics = interfaces(layout=Layout.CLASSIC)
    return a_stored_fleet(a_lustre_group(LUSTRE_GROUP_REF, EFA_GROUP_REF), a_template(interfaces=nics))


@case(unjudged=(f"lustre-ports-open @ {AT}",))
def ports_open_to_a_network_that_may_hold_the_nodes() -> Fleet:
    return a_stored_fleet(a_lustre_group("10.0.0.0/16"))


@case(unjudged=("security-group-not-open-to-all @ security-groups.fsx", f"lustre-ports-open @ {AT}"))
def ports_open_to_somebody_not_yet_known() -> Fleet:
    unknown = SecurityGroupRule(INGRESS, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
    rules = {each for each in lustre_rules(LUSTRE_GROUP_REF, CLUSTER_REF) if each.direction == EGRESS}
    return a_stored_fleet(a_lustre_group(allows=frozenset({unknown, *rules})))


@case(unjudged=(f"lustre-ports-open @ {AT}",))
def a_file_system_in_a_group_of_another_program() -> Fleet:
    return a_stored_fleet(security_groups=(SG,))


# programs of other teams


@case("lustre-ports-open @ urn:pulumi:dev::theirs::aws:fsx/lustreFileSystem:LustreFileSystem::scratch")
def a_foreign_file_system_closed_to_the_nodes() -> Fleet:
    system = elsewhere(a_file_system(subnets=(Ref(SUBNET, "a"),)), "scratch")
    subnet = a_subnet(str(Ref(SUBNET, "a")))
    return a_fleet(a_lustre_group(LUSTRE_GROUP_REF), system, subnets=[subnet])
