"""Who may read the lifecycle scripts."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HyperPodCluster, LifecycleBundle
from muster.fleet.unknown import UNKNOWN
from policies.reading.asked import was_asked
from policies.reading.lifecycles import buckets_elsewhere
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "lifecycle-bundle-private",
    title="The bucket of lifecycle scripts blocks public access",
    severity=Severity.CRITICAL,
    judges=LifecycleBundle | HyperPodCluster,
    backends=("hyperpod",),
    why="What is in that bucket runs as root on every instance: who can change it owns the cluster. S3 blocks public "
    "access of new buckets, until a program turns one of its four settings off. Encryption needs no rule: S3 encrypts "
    "every object.",
    source="S3 user guide, Blocking public access; default encryption",
    remedy="Turn all four settings of the public access block on.",
    facts=("rules.md#60", "hardware.md#f5"),
)
def lifecycle_bundle_private(thing: LifecycleBundle | HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, HyperPodCluster):
        yield from _of_existing(thing, fleet, rule)
    elif thing.private is UNKNOWN:
        yield rule.unjudged(thing.place, f"the public access block of {thing.ref.name}, not known before creation")
    elif not thing.private:
        remedy = "set blockPublicAcls, blockPublicPolicy, ignorePublicAcls and restrictPublicBuckets to true"
        yield rule.finding(thing.place, _open(thing.ref.name), remedy)


def _open(name: str) -> str:
    return f"the bucket {name} does not block all public access, and its scripts run as root"


_ALL = "BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true"


def _of_existing(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """A block of the whole account is as good as the bucket's own; which of the two lacks a setting is all the same."""
    for name, known in buckets_elsewhere(cluster, fleet).items():
        if known.private is False:
            remedy = f"`aws s3api put-public-access-block --bucket {name} --public-access-block-configuration {_ALL}`"
            yield rule.finding(cluster.place, _open(name), f"turn all four settings on: {remedy}", at="lifecycle")
        elif known.private is None and was_asked(fleet):
            yield rule.unjudged(cluster.place, fleet.missing(f"the public access block of the bucket {name}"))
