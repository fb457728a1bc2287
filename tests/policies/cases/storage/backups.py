"""Keys and backups of file systems."""

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import a_stored_fleet
from tests.policies.case import case, cases
from tests.policies.storage import DATA, SCRATCH

KEY = "arn:aws:kms:us-west-2:000000000000:key/00000000-0000-4000-8000-000000000000"


# lustre-key-and-backups-persistent


cases(
    a_key_and_backups_on_scratch=lambda: a_stored_fleet(**SCRATCH, key=KEY, backup_days=7),
    a_key_not_yet_known_on_scratch=lambda: a_stored_fleet(**SCRATCH, key=UNKNOWN),
    backups_not_yet_known_on_scratch=lambda: a_stored_fleet(**SCRATCH, backup_days=UNKNOWN),
    a_key_on_a_type_not_yet_known=lambda: a_stored_fleet(deployment=UNKNOWN, key=KEY),
    a_key_and_backups_on_persistent=lambda: a_stored_fleet(key=KEY, backup_days=90),
)


# lustre-backups-without-s3


cases(
    backups_and_a_link_to_s3=lambda: a_stored_fleet(**DATA, backup_days=1),
)


@case
def backups_and_an_import_path() -> Fleet:
    kind = {"deployment": "PERSISTENT_1", "throughput": 200, "metadata_mode": None}
    return a_stored_fleet(**kind, import_path="s3://data", backup_days=7)


cases(
    backups_and_perhaps_a_link_to_s3=lambda: a_stored_fleet(associations=UNKNOWN, backup_days=7),
)
