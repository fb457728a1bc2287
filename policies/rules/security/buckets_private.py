"""Public buckets."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from pydantic import Field

from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import Bucket, Fleet, LifecycleBundle
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.unknown import UNKNOWN

_PUBLIC = frozenset({"public-read", "public-read-write", "authenticated-read"})


class Meant(Options):
    """Buckets that are meant to be public, beside those that host a website."""

    public: tuple[str, ...] = Field(default=(), description="Logical names of buckets. `*` matches any text.")


@rule(
    "buckets-private",
    title="Buckets are not public",
    judges=Bucket,
    backends=EVERY_BACKEND,
    why="A public bucket exposes data sets, checkpoints or scripts that nodes run as root. S3 blocks public access to "
    "new buckets, unless a program turns a setting of the block off, or sets an access list or a policy for everyone.",
    source="AWS Config rules, s3-bucket-level-public-access-prohibited; S3 user guide, Blocking public access",
    remedy="Keep all four settings of the public access block on, and name in a policy who may read the bucket.",
    facts=("aws-controls#s3-bucket-level-public-access-prohibited",),
    options=Meant,
)
def buckets_private(bucket: Bucket, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    options = Meant.of(rule.settings)
    if bucket.website or any(fnmatchcase(bucket.ref.name, each) for each in options.public):
        return
    of_scripts = any(bundle.ref.name == bucket.ref.name for bundle in fleet.of(LifecycleBundle))
    if bucket.blocked is False and not of_scripts:  # else lifecycle-bundle-private reports it
        got = f"bucket {bucket.ref.name} does not block all public access"
        remedy = "set blockPublicAcls, blockPublicPolicy, ignorePublicAcls and restrictPublicBuckets to true"
        yield rule.finding(bucket.place, got, remedy)
    if bucket.acl in _PUBLIC:
        got = f"bucket {bucket.ref.name} has the public access list {bucket.acl}"
        yield rule.finding(bucket.place, got, "remove the access list, and name in a policy who may read the bucket")
    if bucket.policy_for_all is True:
        got = f"the policy of bucket {bucket.ref.name} has a statement that allows access to everyone"
        remedy = "set the Principal to accounts and roles, or restrict the callers or their networks in a Condition"
        yield rule.finding(bucket.place, got, remedy)
    of = {"public access block": bucket.blocked, "access list": bucket.acl, "policy": bucket.policy_for_all}
    for what in (name for name, value in of.items() if value is UNKNOWN):
        yield rule.unjudged(bucket.place, f"the {what} of bucket {bucket.ref.name} (known only after `pulumi up`)")
