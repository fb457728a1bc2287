"""Buckets that all may read."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_fleet
from tests.policies.case import case
from tests.policies.security import BUCKET_AT, PRIVATE, bucket

# buckets-private


@case(f"{PRIVATE} @ {BUCKET_AT}")
def a_bucket_without_its_block() -> Fleet:
    return a_fleet(bucket(blocked=False))


@case(f"{PRIVATE} @ {BUCKET_AT}")
def a_bucket_with_a_public_list() -> Fleet:
    return a_fleet(bucket(acl="public-read"))


@case(f"{PRIVATE} @ {BUCKET_AT}")
def a_bucket_with_a_policy_for_all() -> Fleet:
    return a_fleet(bucket(policy_for_all=True))


@case(unjudged=(f"{PRIVATE} @ {BUCKET_AT}",))
def a_bucket_of_which_nothing_is_known_yet() -> Fleet:
    return a_fleet(bucket(blocked=UNKNOWN, acl=UNKNOWN, policy_for_all=UNKNOWN))
