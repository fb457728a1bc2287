"""Versions of Lustre, and who mounts them."""

from muster.unknown import UNKNOWN
from tests.factories import a_stored_fleet
from tests.policies.case import cases
from tests.policies.storage import SCRATCH

cases(
    a_version_that_nobody_mounts=lambda: a_stored_fleet(**SCRATCH, version="2.10"),
    no_version_on_scratch=lambda: a_stored_fleet(**SCRATCH, version=None),
    no_version_on_persistent_2=lambda: a_stored_fleet(version=None),
    a_version_not_yet_known=lambda: a_stored_fleet(**SCRATCH, version=UNKNOWN),
)
