"""Versions of Lustre, and who mounts them."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_stored_fleet
from tests.policies.case import case
from tests.policies.storage import AT, SCRATCH


@case(f"lustre-version-for-clients @ {AT}")
def a_version_that_nobody_mounts() -> Fleet:
    return a_stored_fleet(**SCRATCH, version="2.10")


@case(f"lustre-version-for-clients @ {AT}")
def no_version_on_scratch() -> Fleet:
    return a_stored_fleet(**SCRATCH, version=None)


@case()
def no_version_on_persistent_2() -> Fleet:
    return a_stored_fleet(version=None)


@case(unjudged=(f"lustre-version-for-clients @ {AT}",))
def a_version_not_yet_known() -> Fleet:
    return a_stored_fleet(**SCRATCH, version=UNKNOWN)
