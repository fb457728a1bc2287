"""Metadata of file systems."""

from typing import Any

from muster.unknown import UNKNOWN
from tests.factories import a_stored_fleet
from tests.policies.case import cases
from tests.policies.storage import SCRATCH


def provisioned(iops: Any, **more: Any) -> dict[str, Any]:
    return {"metadata_mode": "USER_PROVISIONED", "metadata_iops": iops, **more}


cases(
    metadata_of_the_largest_number=lambda: a_stored_fleet(**provisioned(192000)),
    metadata_of_an_odd_number=lambda: a_stored_fleet(**provisioned(9000)),
    metadata_without_a_number=lambda: a_stored_fleet(**provisioned(None)),
    metadata_automatic_and_a_number=lambda: a_stored_fleet(metadata_iops=3000),
    metadata_in_a_mode_nobody_knows=lambda: a_stored_fleet(metadata_mode="MANUAL"),
    metadata_on_scratch=lambda: a_stored_fleet(**{**SCRATCH, "metadata_mode": "AUTOMATIC"}),
    metadata_on_an_older_lustre=lambda: a_stored_fleet(version="2.12"),
    metadata_of_intelligent_tiering=lambda: a_stored_fleet(
        **provisioned(24000, disk="INTELLIGENT_TIERING", size=None, throughput=None)
    ),
    metadata_not_yet_known=lambda: a_stored_fleet(**provisioned(UNKNOWN)),
)
