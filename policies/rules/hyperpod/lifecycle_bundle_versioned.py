"""What becomes of a lifecycle script that is written over."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, HyperPodCluster, LifecycleBundle
from muster.fleet.unknown import UNKNOWN
from policies.reading.asked import was_asked
from policies.reading.lifecycles import buckets_elsewhere
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "lifecycle-bundle-versioned",
    title="The bucket of lifecycle scripts keeps versions",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=LifecycleBundle | HyperPodCluster,
    backends=("hyperpod",),
    why="An instance that is replaced months later runs what the bucket has then. With versions it can be told what "
    "ran on which one, and a script that breaks new instances can be taken back.",
    source="S3 user guide, Using versioning in S3 buckets",
    remedy="Enable versioning.",
    facts=("rules.md#60",),
)
def lifecycle_bundle_versioned(thing: LifecycleBundle | HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, HyperPodCluster):
        yield from _of_existing(thing, fleet, rule)
    elif thing.versioned is UNKNOWN:
        yield rule.unjudged(thing.place, f"the versioning of {thing.ref.name}, not known before creation")
    elif not thing.versioned:
        yield rule.finding(thing.place, _kept(thing.ref.name), "set versioningConfiguration.status to Enabled")


def _kept(name: str) -> str:
    return f"the bucket {name} keeps no versions of its scripts"


def _of_existing(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for name, known in buckets_elsewhere(cluster, fleet).items():
        if known.versioned is False:
            command = f"`aws s3api put-bucket-versioning --bucket {name} --versioning-configuration Status=Enabled`"
            yield rule.finding(cluster.place, _kept(name), f"enable them: {command}", at="lifecycle")
        elif known.versioned is None and was_asked(fleet):
            yield rule.unjudged(cluster.place, fleet.missing(f"the versioning of the bucket {name}"))
