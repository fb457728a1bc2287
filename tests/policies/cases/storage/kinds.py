"""Kinds of file systems: their disks, sizes and throughput."""

from typing import Any

from muster.unknown import UNKNOWN
from tests.factories import a_stored_fleet
from tests.policies.case import cases
from tests.policies.storage import SCRATCH, efa_group, fsx_with_efa

ON_DISKS: dict[str, Any] = {
    "deployment": "PERSISTENT_1",
    "disk": "HDD",
    "throughput": 12,
    "size": 6000,
    "drive_cache": "NONE",
    "metadata_mode": None,
}


cases(
    a_file_system_beside_its_nodes=lambda: a_stored_fleet(),
    a_scratch_file_system=lambda: a_stored_fleet(**SCRATCH),
    hard_disks=lambda: a_stored_fleet(**ON_DISKS),
    intelligent_tiering=lambda: a_stored_fleet(
        disk="INTELLIGENT_TIERING",
        size=None,
        throughput=None,
        metadata_mode="USER_PROVISIONED",
        metadata_iops=6000,
    ),
)


# lustre-size-valid


cases(
    a_size_of_3000=lambda: a_stored_fleet(size=3000),
    a_size_of_nothing=lambda: a_stored_fleet(size=0),
    no_size=lambda: a_stored_fleet(size=None),
    a_size_of_scratch_1_on_scratch_2=lambda: a_stored_fleet(**SCRATCH, size=3600),
    a_size_of_ssd_on_hard_disks=lambda: a_stored_fleet(**{**ON_DISKS, "size": 2400}),
    a_size_too_small_for_efa=lambda: a_stored_fleet(efa_group(), fsx_with_efa(), efa=True),
    a_size_not_yet_known=lambda: a_stored_fleet(size=UNKNOWN),
)


# lustre-throughput-fits-type


cases(
    a_throughput_on_scratch=lambda: a_stored_fleet(**{**SCRATCH, "throughput": 250}),
    no_throughput_on_persistent=lambda: a_stored_fleet(throughput=None),
    a_throughput_of_persistent_1_on_persistent_2=lambda: a_stored_fleet(throughput=200),
    a_throughput_of_ssd_on_hard_disks=lambda: a_stored_fleet(**{**ON_DISKS, "throughput": 50}),
    a_throughput_not_yet_known=lambda: a_stored_fleet(throughput=UNKNOWN),
)


# lustre-disk-fits-type


cases(
    hard_disks_on_persistent_2=lambda: a_stored_fleet(disk="HDD", drive_cache="NONE"),
    hard_disks_and_nothing_about_a_cache=lambda: a_stored_fleet(**{**ON_DISKS, "drive_cache": None}),
    a_cache_before_ssd=lambda: a_stored_fleet(drive_cache="READ"),
    a_type_nobody_knows=lambda: a_stored_fleet(deployment="PERSISTENT_3", metadata_mode=None),
    a_type_not_yet_known=lambda: a_stored_fleet(deployment=UNKNOWN),
)
