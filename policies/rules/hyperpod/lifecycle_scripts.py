"""Lifecycle scripts and the bucket that they are in."""

from collections.abc import Collection, Iterator

from muster.finding import Level
from muster.fleet.backend_sets import IN_HYPERPOD
from muster.fleet.facts import BucketFacts
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup, Lifecycle, LifecycleBundle, Ref
from muster.message_text import list_names
from muster.policies.engine.finding_text import name_of, quantity_text
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.account_facts import facts_observed
from muster.policies.lookups.hyperpod import display_name, groups_of
from muster.unknown import UNKNOWN, UnknownType

S3 = "s3://"


def script_of(lifecycle: Lifecycle) -> str | None | UnknownType:
    """The script that runs, by either of its two keys."""
    named = (lifecycle.on_create, lifecycle.on_init_complete)
    return UNKNOWN if UNKNOWN in named else next((name for name in named if name), None)


def bucket_and_folder(lifecycle: Lifecycle) -> tuple[str, str | None]:
    """The name of the bucket of an address, empty for a bucket of the program; and the folder there, None if it is not
    known."""
    if not isinstance(lifecycle.source, str):
        return "", lifecycle.folder if isinstance(lifecycle.folder, str) else None
    bucket, _, folder = lifecycle.source.removeprefix(S3).partition("/")
    return bucket, folder.strip("/")


def holds(keys: Collection[str], folder: str | None, script: str) -> bool:
    """Whether a script is among a bucket's objects: in its folder, or in any folder if that is not known."""
    if folder is not None:
        return (f"{folder}/{script}" if folder else script) in keys
    return any(each == script or each.endswith(f"/{script}") for each in keys)


def buckets_elsewhere(cluster: HyperPodCluster, fleet: Fleet) -> dict[str, BucketFacts]:
    """Existing bucket with lifecycle scripts of a cluster's groups -> the facts about it. A bucket that does not exist
    is left out: another rule reports it."""
    known = fleet.facts.buckets if fleet.facts else {}
    found = {
        bucket_and_folder(group.lifecycle)[0]
        for group in groups_of(cluster, fleet)
        if isinstance(group.lifecycle, Lifecycle)
        and isinstance(group.lifecycle.source, str)
        and group.lifecycle.source.startswith(S3)
    }
    every = {name: known.get(name, BucketFacts()) for name in sorted(found)}
    return {name: each for name, each in every.items() if each.exists is not False}


@rule(
    "lifecycle-bundle-private",
    title="The bucket of lifecycle scripts blocks public access",
    severity=Severity.CRITICAL,
    judges=LifecycleBundle | HyperPodCluster,
    backends=IN_HYPERPOD,
    why="The scripts in that bucket run as root on every instance, so whoever can change them controls the cluster. S3 "
    "blocks public access to new buckets, unless a program turns one of the four settings off. Encryption needs no "
    "rule: S3 encrypts every object.",
    source="S3 user guide, Blocking public access; default encryption",
    remedy="Turn all four settings of the public access block on.",
    facts=("rules.md#60", "hardware.md#f5"),
)
def lifecycle_bundle_private(thing: LifecycleBundle | HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, HyperPodCluster):
        yield from _access_to_existing(thing, fleet, rule)
    elif thing.private is UNKNOWN:
        yield rule.unjudged(thing.place, f"the public access block of {thing.ref.name} (known only after `pulumi up`)")
    elif not thing.private:
        remedy = "set blockPublicAcls, blockPublicPolicy, ignorePublicAcls and restrictPublicBuckets to true"
        yield rule.finding(thing.place, _open(thing.ref.name), remedy)


def _open(name: str) -> str:
    return f"bucket {name} does not block all public access, but its scripts run as root"


_ALL = "BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true"


def _access_to_existing(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges public access to existing buckets. The account's block of public access counts as the bucket's own."""
    for name, known in buckets_elsewhere(cluster, fleet).items():
        if known.private is False:
            remedy = f"`aws s3api put-public-access-block --bucket {name} --public-access-block-configuration {_ALL}`"
            yield rule.finding(cluster.place, _open(name), f"turn all four settings on: {remedy}", at="lifecycle")
        elif known.private is None and facts_observed(fleet):
            yield rule.unjudged(cluster.place, fleet.missing(f"the public access block of bucket {name}"))


@rule(
    "lifecycle-bundle-versioned",
    title="The bucket of lifecycle scripts has versioning",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=LifecycleBundle | HyperPodCluster,
    backends=IN_HYPERPOD,
    why="An instance that HyperPod replaces months later runs the scripts that the bucket has then. With versioning, "
    "you can find out which script ran on which instance, and revert a script that breaks new instances.",
    source="S3 user guide, Using versioning in S3 buckets",
    remedy="Enable versioning.",
    facts=("rules.md#60",),
)
def lifecycle_bundle_versioned(thing: LifecycleBundle | HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, HyperPodCluster):
        yield from _versions_of_existing(thing, fleet, rule)
    elif thing.versioned is UNKNOWN:
        yield rule.unjudged(thing.place, f"the versioning of {thing.ref.name} (known only after `pulumi up`)")
    elif not thing.versioned:
        yield rule.finding(thing.place, _kept(thing.ref.name), "set versioningConfiguration.status to Enabled")


def _kept(name: str) -> str:
    return f"versioning is off for bucket {name}, which has lifecycle scripts"


def _versions_of_existing(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for name, known in buckets_elsewhere(cluster, fleet).items():
        if known.versioned is False:
            command = f"`aws s3api put-bucket-versioning --bucket {name} --versioning-configuration Status=Enabled`"
            yield rule.finding(cluster.place, _kept(name), f"enable versioning: {command}", at="lifecycle")
        elif known.versioned is None and facts_observed(fleet):
            yield rule.unjudged(cluster.place, fleet.missing(f"the versioning of bucket {name}"))


_LONGEST = 128


@rule(
    "lifecycle-entry-single",
    title="A lifecycle configuration names one script of up to 128 characters, and its location",
    judges=InstanceGroup,
    backends=IN_HYPERPOD,
    why="OnCreate replaces HyperPod's own setup of an instance, and OnInitComplete runs after that setup. They exclude "
    "each other. The schema of a description refuses both together.",
    source="SageMaker API, ClusterLifeCycleConfig; CloudFormation schema of AWS::SageMaker::Cluster",
    remedy="Set one script and its folder in S3.",
    facts=("rules.md#60", "hardware.md#f5"),
)
def lifecycle_entry_single(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lifecycle, at = group.lifecycle, "hyperpod.lifecycle"
    if lifecycle is UNKNOWN:
        yield rule.unjudged(group.place, f"the lifecycle of {display_name(group)} (known only after `pulumi up`)")
    if not isinstance(lifecycle, Lifecycle):
        return
    named = {"onCreate": lifecycle.on_create, "onInitComplete": lifecycle.on_init_complete}
    given = {key: name for key, name in named.items() if name is not None}
    if len(given) == 2:  # noqa: PLR2004 - both
        got = f"{display_name(group)} sets both an onCreate and an onInitComplete script"
        yield rule.finding(group.place, at=at, got=got, remedy="remove onCreate to run HyperPod's own setup first")
    if not given or lifecycle.source is None:
        lacks = "sets no script" if not given else "does not set the location of its script"
        got = f"the lifecycle configuration of {display_name(group)} {lacks}"
        remedy = "set sourceS3Uri and either onCreate or onInitComplete, or remove lifeCycleConfig"
        yield rule.finding(group.place, at=at, got=got, remedy=remedy)
    for key, name in given.items():
        if isinstance(name, str) and not 1 <= len(name) <= _LONGEST:
            got = (
                f"the name of the {key} script of {display_name(group)} has {quantity_text(len(name), 'character')}, "
                f"but the API accepts 1 to {_LONGEST}"
            )
            yield rule.finding(
                group.place,
                at=at,
                got=got,
                remedy=f"rename the script, with at most {_LONGEST} characters",
                program_remedy=f"rename the script, and set lifeCycleConfig.{key} to at most {_LONGEST} characters",
            )


@rule(
    "lifecycle-script-in-bundle",
    title="The script that a lifecycle configuration names is in its bucket",
    judges=InstanceGroup,
    backends=IN_HYPERPOD,
    why="An instance that does not find its script fails, and HyperPod rolls back the whole cluster. This happens "
    "hours later, without a line in any log.",
    source="SageMaker guide, sagemaker-hyperpod-lifecycle-best-practices; awsome-distributed-ai#186, #188",
    remedy="Upload the script, or set the name of a script that is in the bucket.",
    facts=("rules.md#60", "pains.md#8"),
)
def lifecycle_script_in_bundle(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lifecycle = group.lifecycle
    if lifecycle is UNKNOWN:
        yield rule.unjudged(group.place, f"the lifecycle of {display_name(group)} (known only after `pulumi up`)")
    script = script_of(lifecycle) if isinstance(lifecycle, Lifecycle) else None
    if not isinstance(lifecycle, Lifecycle) or script is None or lifecycle.source is None:
        return  # lifecycle-entry-single reports these
    if script is UNKNOWN or lifecycle.source is UNKNOWN:
        yield rule.unjudged(
            group.place, f"the lifecycle script of {display_name(group)} (known only after `pulumi up`)"
        )
        return
    if isinstance(lifecycle.source, str) and not lifecycle.source.startswith(S3):
        return  # lifecycle-source-prefix reports these
    bucket, folder = bucket_and_folder(lifecycle)
    if fleet.gone(ResourceKind.BUCKET, bucket):
        return
    bundle = fleet.find(LifecycleBundle, lifecycle.source)
    observed = fleet.facts.buckets.get(bucket) if fleet.facts else None
    there = bundle.files if bundle else observed.files if observed else None
    where = name_of(lifecycle.source) if isinstance(lifecycle.source, Ref) else bucket
    if isinstance(lifecycle.source, Ref) and (there is None or there is UNKNOWN or not there):
        # Another program may fill a bucket that this program puts nothing into.
        yield rule.unjudged(group.place, f"whether {script} is uploaded to bucket {where}")
    elif there is None or there is UNKNOWN:
        yield rule.unjudged(group.place, fleet.missing(f"the files of bucket {where}"))
    elif not holds(there, folder, script):
        found = f"the bucket has {list_names(sorted(there))}" if there else "the bucket has no files"
        key = "onInitComplete" if script == lifecycle.on_init_complete else "onCreate"
        yield rule.finding(
            group.place,
            at="hyperpod.lifecycle",
            got=f"{display_name(group)} runs {script}, which is not in {where}{f'/{folder}' if folder else ''}: "
            f"{found}",
            remedy=f"upload {script} before the cluster is created, or set the name of a script that is in the bucket",
            program_remedy=f"upload {script} before the cluster is created, or set lifeCycleConfig.{key} to the "
            "name of a script that is in the bucket",
        )
