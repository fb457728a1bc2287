"""Lifecycle scripts and the bucket that they are in."""

from collections.abc import Collection, Iterator

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, InstanceGroup, Lifecycle, LifecycleBundle, Ref
from muster.message_text import list_names
from muster.policies.engine.finding_text import name_of
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import display_name
from muster.unknown import NotKnown, stored

S3 = "s3://"


def bucket_and_folder(lifecycle: Lifecycle) -> tuple[str, str | None]:
    """The name of the bucket of an address, empty for a bucket of the program; and the folder there, None if it is not
    known."""
    if not isinstance(lifecycle.source, str):
        return "", stored(lifecycle, "folder", None)
    bucket, _, folder = lifecycle.source.removeprefix(S3).partition("/")
    return bucket, folder.strip("/")


def holds(keys: Collection[str], folder: str | None, script: str) -> bool:
    """Whether a script is among a bucket's objects: in its folder, or in any folder if that is not known."""
    if folder is not None:
        return (f"{folder}/{script}" if folder else script) in keys
    return any(each == script or each.endswith(f"/{script}") for each in keys)


def lifecycle_script_in_bundle(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lifecycle = group.lifecycle
    script = lifecycle.on_create or lifecycle.on_init_complete if lifecycle else None
    if lifecycle is None or script is None or lifecycle.source is None:
        return  # SageMaker refuses these
    if isinstance(lifecycle.source, str) and not lifecycle.source.startswith(S3):
        return  # lifecycle-source-prefix reports these
    bucket, folder = bucket_and_folder(lifecycle)
    if fleet.gone(ResourceKind.BUCKET, bucket):
        return
    bundle = fleet.find(LifecycleBundle, lifecycle.source)
    observed = fleet.facts.buckets.get(bucket) if fleet.facts else None
    there = bundle.files if bundle else observed.files if observed else None
    where = name_of(lifecycle.source) if isinstance(lifecycle.source, Ref) else bucket
    if isinstance(lifecycle.source, Ref) and not there:
        # Another program may fill a bucket that this program puts nothing into.
        raise NotKnown(f"whether {script} is uploaded to bucket {where}")
    there = fleet.need(there, f"the files of bucket {where}")
    if not holds(there, folder, script):
        found = f"the bucket has {list_names(sorted(there))}" if there else "the bucket has no files"
        yield rule.finding(
            group,
            "hyperpod.lifecycle",
            got=f"{display_name(group)} runs {script}, which is not in {where}{f'/{folder}' if folder else ''}: "
            f"{found}",
            change=f"upload {script} before the cluster is created, or name a script that is in the bucket",
        )
