"""S3 buckets of HyperPod's lifecycle scripts, with their objects."""

from collections.abc import Iterable

from muster.fleet.registration import Registration
from muster.fleet.resources import LifecycleBundle, Place
from muster.fleet.resources.ref import HYPERPOD
from muster.policies.views.references import (
    BUCKETS,
    References,
    block,
    blocks,
    first_set,
    known_items,
    text_value,
)
from muster.unknown import UNKNOWN, UnknownType

_OBJECTS = frozenset({"aws:s3/bucketObject:BucketObject", "aws:s3/bucketObjectv2:BucketObjectv2"})
OF_BUCKETS = frozenset({HYPERPOD, *_OBJECTS})
"""Types that use a bucket, or that are in it."""


def lifecycle_bundle(
    bucket: Registration, references: References, others: Iterable[Registration]
) -> LifecycleBundle[UnknownType] | None:
    """Reads a bucket with the scripts of a HyperPod cluster of the program; None for any other bucket."""
    listed = list(others)
    if not any(_has_its_scripts(each, bucket, references) for each in listed if each.type == HYPERPOD):
        return None
    written = first_set(bucket.inputs, "bucket", "bucketPrefix")
    return LifecycleBundle(
        ref=references.ref(bucket),
        # The engine generates names that begin with the resource's name.
        name=f"{bucket.name}-" if written is None else text_value(written),
        files=_files(resources_about(bucket, references, listed, _OBJECTS)),
        place=Place(bucket.urn),
    )


def _has_its_scripts(cluster: Registration, bucket: Registration, references: References) -> bool:
    own = references.ref(bucket)
    if own in references.behind(cluster, ("instanceGroups",), BUCKETS):
        return True
    uris = (
        block(group, "lifeCycleConfig").get("sourceS3Uri")
        for group in known_items(blocks(cluster.inputs.get("instanceGroups")))
    )
    named = (uri.removeprefix("s3://").partition("/")[0] for uri in uris if isinstance(uri, str))
    return any(references.of(each, BUCKETS) == own for each in named)


def resources_about(
    bucket: Registration, references: References, listed: list[Registration], types: frozenset[str]
) -> list[tuple[Registration, bool]]:
    """Resources that are about a bucket, and whether that is certain."""
    own = references.ref(bucket)
    found = [
        (each, references.one(each.inputs.get("bucket"), each, "bucket", BUCKETS))
        for each in listed
        if each.type in types
    ]
    return [(each, of == own) for each, of in found if of in (own, UNKNOWN)]


def _files(objects: list[tuple[Registration, bool]]) -> frozenset[str] | UnknownType:
    """The keys of the program's objects in the bucket; for an object without a key, its logical name."""
    keys = [first_set({**each.inputs, "name": each.name}, "key", "name") if sure else UNKNOWN for each, sure in objects]
    return UNKNOWN if UNKNOWN in keys else frozenset(map(str, keys))
