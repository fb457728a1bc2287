"""Who may read the lifecycle scripts."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LifecycleBundle
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "lifecycle-bundle-private",
    title="The bucket of lifecycle scripts blocks public access",
    severity=Severity.CRITICAL,
    judges=LifecycleBundle,
    backends=("hyperpod",),
    why="What is in that bucket runs as root on every instance: who can change it owns the cluster. S3 blocks public "
    "access of new buckets, until a program turns one of its four settings off. Encryption needs no rule: S3 encrypts "
    "every object.",
    source="S3 user guide, Blocking public access; default encryption",
    remedy="Turn all four settings of the public access block on.",
    facts=("rules.md#60", "hardware.md#f5"),
)
def lifecycle_bundle_private(bundle: LifecycleBundle, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if bundle.private is UNKNOWN:
        yield rule.unjudged(bundle.place, f"the public access block of {bundle.ref.name}, not known before creation")
    elif not bundle.private:
        got = f"the bucket {bundle.ref.name} does not block all public access, and its scripts run as root"
        remedy = "set blockPublicAcls, blockPublicPolicy, ignorePublicAcls and restrictPublicBuckets to true"
        yield rule.finding(bundle.place, got, remedy)
