"""Keys and backups of file systems."""

from muster.unknown import UNKNOWN
from tests.factories import a_stored_fleet
from tests.policies.case import cases

KEY = "arn:aws:kms:us-west-2:000000000000:key/00000000-0000-4000-8000-000000000000"


cases(
    a_key_on_a_type_not_yet_known=lambda: a_stored_fleet(deployment=UNKNOWN, key=KEY),
)
