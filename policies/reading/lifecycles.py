"""What rules read of the lifecycle of HyperPod's instances."""

from collections.abc import Collection

from muster.fleet.facts import BucketFacts
from muster.fleet.resources import Fleet, HyperPodCluster, Lifecycle
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.reading.instance_groups import groups_of

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
    """The buckets that no program here makes and that a cluster's groups have scripts in, with what S3 says of each.
    One that does not exist is left out: that is another rule's finding."""
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
