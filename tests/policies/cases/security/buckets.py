"""Buckets that all may read."""

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import a_fleet
from tests.policies.case import case, cases
from tests.policies.security import bucket

# buckets-private


cases(
    a_bucket_without_its_block=lambda: a_fleet(bucket(blocked=False)),
)


@case
def a_bucket_with_a_public_list() -> Fleet:
    return a_fleet(bucket(acl="public-read"))


cases(
    a_bucket_with_a_policy_for_all=lambda: a_fleet(bucket(policy_for_all=True)),
    a_bucket_of_which_nothing_is_known_yet=lambda: a_fleet(
        bucket(blocked=UNKNOWN, acl=UNKNOWN, policy_for_all=UNKNOWN)
    ),
)
