"""Metadata of file systems."""

from typing import Any

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_stored_fleet
from tests.policies.case import case
from tests.policies.storage import AT, SCRATCH


def provisioned(iops: Any, **more: Any) -> dict[str, Any]:
    return {"metadata_mode": "USER_PROVISIONED", "metadata_iops": iops, **more}


@case()
def metadata_of_the_largest_number() -> Fleet:
    return a_stored_fleet(**provisioned(192000))


@case(f"lustre-metadata-fits-type @ {AT}.metadata")
def metadata_of_an_odd_number() -> Fleet:
    return a_stored_fleet(**provisioned(9000))


@case(f"lustre-metadata-fits-type @ {AT}.metadata")
def metadata_without_a_number() -> Fleet:
    return a_stored_fleet(**provisioned(None))


@case(f"lustre-metadata-fits-type @ {AT}.metadata")
def metadata_automatic_and_a_number() -> Fleet:
    return a_stored_fleet(metadata_iops=3000)


@case(f"lustre-metadata-fits-type @ {AT}.metadata")
def metadata_in_a_mode_nobody_knows() -> Fleet:
    return a_stored_fleet(metadata_mode="MANUAL")


@case(f"lustre-metadata-fits-type @ {AT}.metadata")
def metadata_on_scratch() -> Fleet:
    return a_stored_fleet(**{**SCRATCH, "metadata_mode": "AUTOMATIC"})


@case(f"lustre-metadata-fits-type @ {AT}.metadata")
def metadata_on_an_older_lustre() -> Fleet:
    return a_stored_fleet(version="2.12")


@case(f"lustre-metadata-fits-type @ {AT}.metadata")
def metadata_automatic_on_intelligent_tiering() -> Fleet:
    return a_stored_fleet(disk="INTELLIGENT_TIERING", size=None, throughput=None)


@case(unjudged=(f"lustre-metadata-fits-type @ {AT}",))
def metadata_not_yet_known() -> Fleet:
    return a_stored_fleet(**provisioned(UNKNOWN))
