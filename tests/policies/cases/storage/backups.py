"""Keys and backups of file systems."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_stored_fleet
from tests.policies.case import case
from tests.policies.storage import AT, DATA, KIND, SCRATCH

KEY = "arn:aws:kms:us-west-2:000000000000:key/00000000-0000-4000-8000-000000000000"


# lustre-key-and-backups-persistent


@case(
    f"lustre-key-and-backups-persistent @ {AT}.key",
    f"lustre-key-and-backups-persistent @ {AT}.backup-days",
)
def a_key_and_backups_on_scratch() -> Fleet:
    return a_stored_fleet(**SCRATCH, key=KEY, backup_days=7)


@case(f"lustre-key-and-backups-persistent @ {AT}.key")
def a_key_not_yet_known_on_scratch() -> Fleet:
    return a_stored_fleet(**SCRATCH, key=UNKNOWN)


@case(unjudged=(f"lustre-key-and-backups-persistent @ {AT}",))
def backups_not_yet_known_on_scratch() -> Fleet:
    return a_stored_fleet(**SCRATCH, backup_days=UNKNOWN)


@case(unjudged=tuple(f"lustre-{rule} @ {AT}" for rule in (*KIND, "metadata-fits-type", "key-and-backups-persistent")))
def a_key_on_a_type_not_yet_known() -> Fleet:
    return a_stored_fleet(deployment=UNKNOWN, key=KEY)


@case()
def a_key_and_backups_on_persistent() -> Fleet:
    return a_stored_fleet(key=KEY, backup_days=90)


# lustre-backups-without-s3


@case(f"lustre-backups-without-s3 @ {AT}.backup-days")
def backups_and_a_link_to_s3() -> Fleet:
    return a_stored_fleet(**DATA, backup_days=1)


@case(f"lustre-backups-without-s3 @ {AT}.backup-days")
def backups_and_an_import_path() -> Fleet:
    kind = {"deployment": "PERSISTENT_1", "throughput": 200, "metadata_mode": None}
    return a_stored_fleet(**kind, import_path="s3://data", backup_days=7)


@case(unjudged=(f"lustre-backups-without-s3 @ {AT}", f"lustre-associations-allowed @ {AT}"))
def backups_and_perhaps_a_link_to_s3() -> Fleet:
    return a_stored_fleet(associations=UNKNOWN, backup_days=7)
