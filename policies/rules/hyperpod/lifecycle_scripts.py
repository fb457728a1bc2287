"""Lifecycle scripts and the bucket that they are in."""

from collections.abc import Collection, Iterator

from muster.finding import Level
from muster.fleet.facts import BucketFacts
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup, Lifecycle, LifecycleBundle, Ref
from muster.message_text import list_names
from muster.unknown import UNKNOWN, UnknownType
from policies.engine.finding_text import name_of
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.account_facts import facts_observed
from policies.lookups.hyperpod import display_name, groups_of

S3 = "s3://"


def script_of(lifecycle: Lifecycle) -> str | None | UnknownType:
    """The script that runs, whichever way it is named."""
    named = (lifecycle.on_create, lifecycle.on_init_complete)
    return UNKNOWN if UNKNOWN in named else next((name for name in named if name), None)


def bucket_and_folder(lifecycle: Lifecycle) -> tuple[str, str | None]:
    """The name of the bucket that an address is in, empty for one of the program; and the folder there, None where
    that is not known."""
    if not isinstance(lifecycle.source, str):
        return "", lifecycle.folder if isinstance(lifecycle.folder, str) else None
    bucket, _, folder = lifecycle.source.removeprefix(S3).partition("/")
    return bucket, folder.strip("/")


def holds(keys: Collection[str], folder: str | None, script: str) -> bool:
    """Whether a script is among a bucket's objects: in its folder, or, where that is not known, in any."""
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
        yield from _access_to_existing(thing, fleet, rule)
    elif thing.private is UNKNOWN:
        yield rule.unjudged(thing.place, f"the public access block of {thing.ref.name}, not known before creation")
    elif not thing.private:
        remedy = "set blockPublicAcls, blockPublicPolicy, ignorePublicAcls and restrictPublicBuckets to true"
        yield rule.finding(thing.place, _open(thing.ref.name), remedy)


def _open(name: str) -> str:
    return f"the bucket {name} does not block all public access, and its scripts run as root"


_ALL = "BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true"


def _access_to_existing(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges public access to existing buckets. The account's block of public access counts as the bucket's own."""
    for name, known in buckets_elsewhere(cluster, fleet).items():
        if known.private is False:
            remedy = f"`aws s3api put-public-access-block --bucket {name} --public-access-block-configuration {_ALL}`"
            yield rule.finding(cluster.place, _open(name), f"turn all four settings on: {remedy}", at="lifecycle")
        elif known.private is None and facts_observed(fleet):
            yield rule.unjudged(cluster.place, fleet.missing(f"the public access block of the bucket {name}"))


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
        yield from _versions_of_existing(thing, fleet, rule)
    elif thing.versioned is UNKNOWN:
        yield rule.unjudged(thing.place, f"the versioning of {thing.ref.name}, not known before creation")
    elif not thing.versioned:
        yield rule.finding(thing.place, _kept(thing.ref.name), "set versioningConfiguration.status to Enabled")


def _kept(name: str) -> str:
    return f"the bucket {name} keeps no versions of its scripts"


def _versions_of_existing(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for name, known in buckets_elsewhere(cluster, fleet).items():
        if known.versioned is False:
            command = f"`aws s3api put-bucket-versioning --bucket {name} --versioning-configuration Status=Enabled`"
            yield rule.finding(cluster.place, _kept(name), f"enable them: {command}", at="lifecycle")
        elif known.versioned is None and facts_observed(fleet):
            yield rule.unjudged(cluster.place, fleet.missing(f"the versioning of the bucket {name}"))


_LONGEST = 128


@rule(
    "lifecycle-entry-single",
    title="A lifecycle names one script of up to 128 characters, and where it is",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="OnCreate sets up an instance in HyperPod's place, OnInitComplete runs after HyperPod's own set-up: they "
    "exclude each other. A description's own types refuse both together.",
    source="SageMaker API, ClusterLifeCycleConfig; CloudFormation schema of AWS::SageMaker::Cluster",
    remedy="Name one script and its folder in S3.",
    facts=("rules.md#60", "hardware.md#f5"),
)
def lifecycle_entry_single(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lifecycle, at = group.lifecycle, "hyperpod.lifecycle"
    if lifecycle is UNKNOWN:
        yield rule.unjudged(group.place, f"the lifecycle of {display_name(group)}, not known before creation")
    if not isinstance(lifecycle, Lifecycle):
        return
    named = {"onCreate": lifecycle.on_create, "onInitComplete": lifecycle.on_init_complete}
    given = {key: name for key, name in named.items() if name is not None}
    if len(given) == 2:  # noqa: PLR2004 - both
        got = f"{display_name(group)} names both an onCreate and an onInitComplete script"
        yield rule.finding(group.place, at=at, got=got, remedy="leave out onCreate to have HyperPod's own set-up first")
    if not given or lifecycle.source is None:
        lacks = "no script" if not given else "a script and not where it is"
        remedy = "name onCreate or onInitComplete, and sourceS3Uri, or leave lifeCycleConfig out"
        yield rule.finding(group.place, at=at, got=f"{display_name(group)} has a lifecycle with {lacks}", remedy=remedy)
    for key, name in given.items():
        if isinstance(name, str) and not 1 <= len(name) <= _LONGEST:
            got = (
                f"the {key} script of {display_name(group)} has a name of {len(name)} "
                f"characters; the API takes {_LONGEST}"
            )
            yield rule.finding(group.place, at=at, got=got, remedy=f"rename it, to {_LONGEST} characters at most")


@rule(
    "lifecycle-script-in-bundle",
    title="The script that a lifecycle names is in its bucket",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="An instance that does not find its script fails, and HyperPod takes the whole cluster back: hours later, with "
    "no line in any log.",
    source="SageMaker guide, sagemaker-hyperpod-lifecycle-best-practices; awsome-distributed-ai#186, #188",
    remedy="Upload the script, or name the one that is there.",
    facts=("rules.md#60", "pains.md#8"),
)
def lifecycle_script_in_bundle(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lifecycle = group.lifecycle
    if lifecycle is UNKNOWN:
        yield rule.unjudged(group.place, f"the lifecycle of {display_name(group)}, not known before creation")
    script = script_of(lifecycle) if isinstance(lifecycle, Lifecycle) else None
    if not isinstance(lifecycle, Lifecycle) or script is None or lifecycle.source is None:
        return  # lifecycle-entry-single speaks of these
    if script is UNKNOWN or lifecycle.source is UNKNOWN:
        yield rule.unjudged(group.place, f"the lifecycle script of {display_name(group)}, not known before creation")
        return
    if isinstance(lifecycle.source, str) and not lifecycle.source.startswith(S3):
        return  # lifecycle-source-prefix speaks of these
    bucket, folder = bucket_and_folder(lifecycle)
    if fleet.gone(ResourceKind.BUCKET, bucket):
        return
    bundle = fleet.find(LifecycleBundle, lifecycle.source)
    observed = fleet.facts.buckets.get(bucket) if fleet.facts else None
    there = bundle.files if bundle else observed.files if observed else None
    where = name_of(lifecycle.source) if isinstance(lifecycle.source, Ref) else bucket
    if isinstance(lifecycle.source, Ref) and (there is None or there is UNKNOWN or not there):
        # A bucket that the program puts nothing into may be filled by another program.
        yield rule.unjudged(group.place, f"whether {script} is put into the bucket {where}")
    elif there is None or there is UNKNOWN:
        yield rule.unjudged(group.place, fleet.missing(f"the files of the bucket {where}"))
    elif not holds(there, folder, script):
        found = f"the bucket holds {list_names(sorted(there))}" if there else "no file is there"
        yield rule.finding(
            group.place,
            at="hyperpod.lifecycle",
            got=f"{display_name(group)} runs {script}, which is not in {where}{f'/{folder}' if folder else ''}: "
            f"{found}",
            remedy=f"upload {script} there before the cluster is made, or name a script that is there",
        )
