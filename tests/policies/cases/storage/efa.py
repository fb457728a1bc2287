"""File systems that are reached by EFA."""

from muster.fleet.resources import Fleet
from muster.fleet.resources.ec2 import EGRESS, INGRESS, all_traffic
from muster.fleet.unknown import UNKNOWN
from tests.factories import LUSTRE_GROUP_REF, SG, a_stored_fleet
from tests.policies.case import case
from tests.policies.storage import AT, SCRATCH, efa_group, fsx_with_efa


@case()
def a_file_system_with_efa() -> Fleet:
    return a_stored_fleet(efa_group(), fsx_with_efa(), efa=True, size=19200)


@case(f"lustre-efa-allowed @ {AT}.efa")
def efa_on_scratch() -> Fleet:
    return a_stored_fleet(efa_group(), fsx_with_efa(), **SCRATCH, efa=True)


@case(f"lustre-efa-allowed @ {AT}.efa")
def efa_without_metadata() -> Fleet:
    return a_stored_fleet(efa_group(), fsx_with_efa(), efa=True, size=19200, metadata_mode=None)


@case(unjudged=(f"lustre-efa-allowed @ {AT}", f"lustre-size-valid @ {AT}"))
def efa_not_yet_known() -> Fleet:
    return a_stored_fleet(efa=UNKNOWN)


@case(f"lustre-efa-traffic-open @ {AT}")
def a_file_system_with_efa_whose_group_is_closed() -> Fleet:
    return a_stored_fleet(efa_group(), efa=True, size=19200)


@case(f"lustre-efa-traffic-open @ {AT}")
def a_file_system_with_efa_that_nodes_do_not_let_in() -> Fleet:
    return a_stored_fleet(efa_group(all_traffic(INGRESS, SG)), fsx_with_efa(), efa=True, size=19200)


@case("security-group-not-open-to-all @ security-groups.fsx", f"lustre-efa-traffic-open @ {AT}")
def a_file_system_with_efa_open_to_the_whole_world_only() -> Fleet:
    return a_stored_fleet(efa_group(), fsx_with_efa("0.0.0.0/0"), efa=True, size=19200)


@case(unjudged=(f"lustre-efa-traffic-open @ {AT}", "security-group-not-open-to-all @ security-groups.fsx"))
def a_file_system_with_efa_open_to_somebody_not_yet_known() -> Fleet:
    return a_stored_fleet(efa_group(), fsx_with_efa(LUSTRE_GROUP_REF, UNKNOWN), efa=True, size=19200)


@case(unjudged=(f"lustre-efa-traffic-open @ {AT}", "security-group-not-open-to-all @ security-groups.efa"))
def nodes_open_to_somebody_not_yet_known_beside_a_file_system_with_efa() -> Fleet:
    nodes = efa_group(*(all_traffic(way, UNKNOWN) for way in (INGRESS, EGRESS)))
    return a_stored_fleet(nodes, fsx_with_efa(), efa=True, size=19200)


@case(unjudged=(f"lustre-efa-traffic-open @ {AT}", f"lustre-ports-open @ {AT}"))
def a_file_system_with_efa_and_groups_not_yet_known() -> Fleet:
    return a_stored_fleet(efa=True, size=19200, security_groups=UNKNOWN)
