"""File systems that are reached by EFA."""

from muster.fleet.resources.ec2 import EGRESS, INGRESS, all_traffic
from muster.unknown import UNKNOWN
from tests.factories import LUSTRE_GROUP_REF, SG, a_stored_fleet
from tests.policies.case import cases
from tests.policies.storage import SCRATCH, efa_group, fsx_with_efa

cases(
    a_file_system_with_efa=lambda: a_stored_fleet(efa_group(), fsx_with_efa(), efa=True, size=19200),
    efa_on_scratch=lambda: a_stored_fleet(efa_group(), fsx_with_efa(), **SCRATCH, efa=True),
    efa_without_metadata=lambda: a_stored_fleet(efa_group(), fsx_with_efa(), efa=True, size=19200, metadata_mode=None),
    efa_not_yet_known=lambda: a_stored_fleet(efa=UNKNOWN),
    a_file_system_with_efa_whose_group_is_closed=lambda: a_stored_fleet(efa_group(), efa=True, size=19200),
    a_file_system_with_efa_that_nodes_do_not_let_in=lambda: a_stored_fleet(
        efa_group(all_traffic(INGRESS, SG)), fsx_with_efa(), efa=True, size=19200
    ),
    a_file_system_with_efa_open_to_the_whole_world_only=lambda: a_stored_fleet(
        efa_group(), fsx_with_efa("0.0.0.0/0"), efa=True, size=19200
    ),
    a_file_system_with_efa_open_to_somebody_not_yet_known=lambda: a_stored_fleet(
        efa_group(), fsx_with_efa(LUSTRE_GROUP_REF, UNKNOWN), efa=True, size=19200
    ),
    nodes_open_to_somebody_not_yet_known_beside_a_file_system_with_efa=lambda: a_stored_fleet(
        efa_group(*(all_traffic(way, UNKNOWN) for way in (INGRESS, EGRESS))), fsx_with_efa(), efa=True, size=19200
    ),
    a_file_system_with_efa_and_groups_not_yet_known=lambda: a_stored_fleet(
        efa=True, size=19200, security_groups=UNKNOWN
    ),
)
