"""Kinds of file systems: their disks, sizes and throughput."""

from typing import Any

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_stored_fleet
from tests.policies.case import case
from tests.policies.storage import AT, KIND, SCRATCH, efa_group, fsx_with_efa

ON_DISKS: dict[str, Any] = {
    "deployment": "PERSISTENT_1",
    "disk": "HDD",
    "throughput": 12,
    "size": 6000,
    "drive_cache": "NONE",
    "metadata_mode": None,
}


@case()
def a_file_system_beside_its_nodes() -> Fleet:
    return a_stored_fleet()


@case()
def a_scratch_file_system() -> Fleet:
    return a_stored_fleet(**SCRATCH)


@case()
def hard_disks() -> Fleet:
    return a_stored_fleet(**ON_DISKS)


@case()
def intelligent_tiering() -> Fleet:
    tiered = {"size": None, "throughput": None, "metadata_mode": "USER_PROVISIONED", "metadata_iops": 6000}
    return a_stored_fleet(disk="INTELLIGENT_TIERING", **tiered)


# lustre-size-valid


@case(f"lustre-size-valid @ {AT}.size")
def a_size_of_3000() -> Fleet:
    return a_stored_fleet(size=3000)


@case(f"lustre-size-valid @ {AT}.size")
def a_size_of_nothing() -> Fleet:
    return a_stored_fleet(size=0)


@case(f"lustre-size-valid @ {AT}.size")
def no_size() -> Fleet:
    return a_stored_fleet(size=None)


@case(f"lustre-size-valid @ {AT}.size")
def a_size_of_scratch_1_on_scratch_2() -> Fleet:
    return a_stored_fleet(**SCRATCH, size=3600)


@case(f"lustre-size-valid @ {AT}.size")
def a_size_of_ssd_on_hard_disks() -> Fleet:
    return a_stored_fleet(**{**ON_DISKS, "size": 2400})


@case(f"lustre-size-valid @ {AT}.size")
def a_size_too_small_for_efa() -> Fleet:
    return a_stored_fleet(efa_group(), fsx_with_efa(), efa=True)


@case(unjudged=(f"lustre-size-valid @ {AT}",))
def a_size_not_yet_known() -> Fleet:
    return a_stored_fleet(size=UNKNOWN)


# lustre-throughput-fits-type


@case(f"lustre-throughput-fits-type @ {AT}.throughput")
def a_throughput_on_scratch() -> Fleet:
    return a_stored_fleet(**{**SCRATCH, "throughput": 250})


@case(f"lustre-throughput-fits-type @ {AT}.throughput")
def no_throughput_on_persistent() -> Fleet:
    return a_stored_fleet(throughput=None)


@case(f"lustre-throughput-fits-type @ {AT}.throughput")
def a_throughput_of_persistent_1_on_persistent_2() -> Fleet:
    return a_stored_fleet(throughput=200)


@case(f"lustre-throughput-fits-type @ {AT}.throughput")
def a_throughput_of_ssd_on_hard_disks() -> Fleet:
    return a_stored_fleet(**{**ON_DISKS, "throughput": 50})


@case(unjudged=(f"lustre-throughput-fits-type @ {AT}", f"lustre-size-valid @ {AT}"))
def a_throughput_not_yet_known() -> Fleet:
    return a_stored_fleet(throughput=UNKNOWN)


# lustre-disk-fits-type


@case(f"lustre-disk-fits-type @ {AT}.disk")
def hard_disks_on_persistent_2() -> Fleet:
    return a_stored_fleet(disk="HDD", drive_cache="NONE")


@case(f"lustre-disk-fits-type @ {AT}.drive-cache")
def hard_disks_and_nothing_about_a_cache() -> Fleet:
    return a_stored_fleet(**{**ON_DISKS, "drive_cache": None})


@case(f"lustre-disk-fits-type @ {AT}.drive-cache")
def a_cache_before_ssd() -> Fleet:
    return a_stored_fleet(drive_cache="READ")


@case(f"lustre-disk-fits-type @ {AT}.type")
def a_type_nobody_knows() -> Fleet:
    return a_stored_fleet(deployment="PERSISTENT_3", metadata_mode=None)


@case(unjudged=tuple(f"lustre-{rule} @ {AT}" for rule in (*KIND, "metadata-fits-type")))
def a_type_not_yet_known() -> Fleet:
    return a_stored_fleet(deployment=UNKNOWN)
