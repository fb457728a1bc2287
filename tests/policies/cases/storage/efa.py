"""File systems that are reached by EFA."""

from muster.unknown import UNKNOWN
from tests.factories import LUSTRE_GROUP_REF, a_stored_fleet
from tests.policies.case import cases
from tests.policies.storage import SCRATCH, efa_group, fsx_with_efa

cases(
    efa_on_scratch=lambda: a_stored_fleet(efa_group(), fsx_with_efa(), **SCRATCH, efa=True),
    efa_not_yet_known=lambda: a_stored_fleet(efa=UNKNOWN),
    a_file_system_with_efa_whose_group_is_closed=lambda: a_stored_fleet(efa_group(), efa=True, size=19200),
    a_file_system_with_efa_open_to_somebody_not_yet_known=lambda: a_stored_fleet(
        efa_group(), fsx_with_efa(LUSTRE_GROUP_REF, UNKNOWN), efa=True, size=19200
    ),
)
