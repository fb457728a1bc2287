"""Buckets that are public."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from pydantic import Field

from muster.fleet.resources import Bucket, Fleet, LifecycleBundle
from muster.unknown import UNKNOWN
from policies.engine.options import Options
from policies.engine.rule import Rule, Verdict, rule

_PUBLIC = frozenset({"public-read", "public-read-write", "authenticated-read"})


class Meant(Options):
    """Buckets that are meant to be public, beside those that host a website."""

    public: tuple[str, ...] = Field(default=(), description="The logical names of resources (`*` for anything).")


@rule(
    "buckets-private",
    title="Buckets are not public",
    judges=Bucket,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Data sets, checkpoints, scripts that nodes run as root. S3 blocks public access of new buckets, until a "
    "program turns a setting of it off, or asks for an access list or a policy for everybody.",
    source="AWS Config rules, s3-bucket-level-public-access-prohibited; S3 user guide, Blocking public access",
    remedy="Leave all four settings of the public access block on, and name who reads the bucket.",
    facts=("aws-controls#s3-bucket-level-public-access-prohibited",),
    options=Meant,
)
def buckets_private(bucket: Bucket, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    options = Meant.of(rule.settings)
    if bucket.website or any(fnmatchcase(bucket.ref.name, each) for each in options.public):
        return
    of_scripts = any(bundle.ref.name == bucket.ref.name for bundle in fleet.of(LifecycleBundle))
    if bucket.blocked is False and not of_scripts:  # else lifecycle-bundle-private reports it
        got = f"the bucket {bucket.ref.name} does not block all public access"
        remedy = "set blockPublicAcls, blockPublicPolicy, ignorePublicAcls and restrictPublicBuckets to true"
        yield rule.finding(bucket.place, got, remedy)
    if bucket.acl in _PUBLIC:
        got = f"the bucket {bucket.ref.name} has the access list {bucket.acl}"
        yield rule.finding(bucket.place, got, "leave the access list out, and name who reads it in a policy")
    if bucket.policy_for_all is True:
        got = f"the policy of the bucket {bucket.ref.name} allows everybody something"
        yield rule.finding(
            bucket.place, got, "name accounts and roles as its Principal, or say in a Condition who asks or from where"
        )
    of = {"public access block": bucket.blocked, "access list": bucket.acl, "policy": bucket.policy_for_all}
    for what in (name for name, value in of.items() if value is UNKNOWN):
        yield rule.unjudged(bucket.place, f"the {what} of {bucket.ref.name}, not known before creation")
