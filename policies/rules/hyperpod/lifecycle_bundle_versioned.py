"""What becomes of a lifecycle script that is written over."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, LifecycleBundle
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "lifecycle-bundle-versioned",
    title="The bucket of lifecycle scripts keeps versions",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=LifecycleBundle,
    backends=("hyperpod",),
    why="An instance that is replaced months later runs what the bucket has then. With versions it can be told what "
    "ran on which one, and a script that breaks new instances can be taken back.",
    source="S3 user guide, Using versioning in S3 buckets",
    remedy="Enable versioning.",
    facts=("rules.md#60",),
)
def lifecycle_bundle_versioned(bundle: LifecycleBundle, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if bundle.versioned is UNKNOWN:
        yield rule.unjudged(bundle.place, f"the versioning of {bundle.ref.name}, not known before creation")
    elif not bundle.versioned:
        got = f"the bucket {bundle.ref.name} keeps no versions of its scripts"
        yield rule.finding(bundle.place, got, "set versioningConfiguration.status to Enabled")
