"""S3 buckets of HyperPod's lifecycle scripts, with their objects."""

from collections.abc import Mapping

from muster.fleet.resources import LifecycleBundle
from muster.fleet.resources.ref import HYPERPOD
from muster.policies.views.references import BUCKETS
from muster.policies.views.view import Properties, Reader, View, unknown
from muster.unknown import UNKNOWN, UnknownType

_OBJECTS = frozenset({"aws:s3/bucketObject:BucketObject", "aws:s3/bucketObjectv2:BucketObjectv2"})


def lifecycle_bundle(of: Properties) -> LifecycleBundle[UnknownType] | None:
    """Reads a bucket with the scripts of a HyperPod cluster of the program; None for any other bucket."""
    return _bundle(of) if any(_has_its_scripts(each, of) for each in of.others(HYPERPOD)) else None


def _has_its_scripts(cluster: Properties, bucket: Properties) -> bool:
    if bucket.ref in cluster.behind(("instanceGroups",), *BUCKETS):
        return True
    uris = (group.raw("lifeCycleConfig.sourceS3Uri") for group in cluster.known_blocks("instanceGroups"))
    named = (uri.removeprefix("s3://").partition("/")[0] for uri in uris if isinstance(uri, str))
    return any(bucket.references.of(each, BUCKETS) == bucket.ref for each in named)


def _name(of: Properties) -> str:
    """The engine generates names that begin with the resource's name."""
    return of.text("bucket|bucketPrefix") or f"{of.resource.name}-"


def _files(of: Properties) -> frozenset[str]:
    """The keys of the program's objects in the bucket; for an object without a key, its logical name."""
    return frozenset(
        str(unknown() if bucket is UNKNOWN else each.get("key", each.resource.name))
        for each in of.others(*_OBJECTS)
        if (bucket := each.named("bucket", *BUCKETS)) in (of.ref, UNKNOWN)
    )


_bundle = View(LifecycleBundle, name=_name, files=_files)

VIEWS: Mapping[str, Reader] = dict.fromkeys(BUCKETS, lifecycle_bundle)
BESIDE = {bucket: {HYPERPOD: "", **dict.fromkeys(_OBJECTS, "bucket")} for bucket in BUCKETS}
