"""S3 buckets with their access and objects; buckets of HyperPod's lifecycle scripts."""

from collections.abc import Iterable

from muster.fleet.registration import Registration
from muster.fleet.resources import Bucket, LifecycleBundle, Place, Ref
from muster.fleet.resources.ref import HYPERPOD
from muster.fleet.resources.storage import ANY_BUCKET
from muster.policies.views.iam import allows_everyone
from muster.policies.views.references import (
    BUCKETS,
    References,
    block,
    blocks,
    boolean,
    first_set,
    known_items,
    text_value,
)
from muster.unknown import UNKNOWN, UnknownType

ACCESS = "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock"
_VERSIONING = frozenset({"aws:s3/bucketVersioning:BucketVersioning", "aws:s3/bucketVersioningV2:BucketVersioningV2"})
_OBJECTS = frozenset({"aws:s3/bucketObject:BucketObject", "aws:s3/bucketObjectv2:BucketObjectv2"})
OF_BUCKETS = frozenset({HYPERPOD, ACCESS, *_VERSIONING, *_OBJECTS})
"""Types that use a bucket, or that configure it."""

_FOUR = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")


def lifecycle_bundle(
    bucket: Registration, references: References, others: Iterable[Registration]
) -> LifecycleBundle | None:
    """Reads a bucket with the scripts of a HyperPod cluster of the program; None for any other bucket."""
    listed = list(others)
    if not any(_has_its_scripts(each, bucket, references) for each in listed if each.type == HYPERPOD):
        return None
    said_of = {
        kind: resources_about(bucket, references, listed, kind) for kind in (_OBJECTS, frozenset({ACCESS}), _VERSIONING)
    }
    written = first_set(bucket.inputs, "bucket", "bucketPrefix")
    return LifecycleBundle(
        ref=references.ref(bucket),
        # The engine generates names that begin with the resource's name.
        name=f"{bucket.name}-" if written is None else text_value(written),
        files=_files(said_of[_OBJECTS]),
        place=Place(bucket.urn),
        private=private(said_of[frozenset({ACCESS})]),
        versioned=_versioned(bucket, said_of[_VERSIONING]),
        encrypted=True,  # S3 encrypts every object, whatever the settings are (S3 user guide, since January 2023)
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


def private(blocked: list[tuple[Registration, bool]]) -> bool | UnknownType:
    """Whether all public access is blocked. If there are no settings it is: S3's default for buckets since April 2023.

    A settings resource turns off each of the four that it leaves out.
    """
    settings = [boolean(each.inputs.get(name, False)) if sure else UNKNOWN for each, sure in blocked for name in _FOUR]
    if any(each is False for each in settings):
        return False
    return UNKNOWN if UNKNOWN in settings else True


def _versioned(bucket: Registration, versioning: list[tuple[Registration, bool]]) -> bool | UnknownType:
    written = [
        block(each.inputs, "versioningConfiguration").get("status") if sure else UNKNOWN for each, sure in versioning
    ]
    own = boolean(block(bucket.inputs, "versioning").get("enabled"))
    if "Enabled" in written or own is True:
        return True
    return UNKNOWN if UNKNOWN in written or own is UNKNOWN else False


_POLICY = frozenset({"aws:s3/bucketPolicy:BucketPolicy"})
_ACL = frozenset({"aws:s3/bucketAcl:BucketAcl", "aws:s3/bucketAclV2:BucketAclV2"})
_WEBSITE = frozenset(
    {
        "aws:s3/bucketWebsiteConfiguration:BucketWebsiteConfiguration",
        "aws:s3/bucketWebsiteConfigurationV2:BucketWebsiteConfigurationV2",
    }
)
OF_ANY_BUCKET = frozenset({*OF_BUCKETS, *_POLICY, *_ACL, *_WEBSITE})
"""Types that configure a bucket, policies and ACLs included."""


def bucket(
    resource: Registration, references: References, others: Iterable[Registration]
) -> tuple[Bucket | LifecycleBundle, ...]:
    """Reads a bucket, and its lifecycle scripts if a HyperPod cluster uses them."""
    listed = list(others)
    bundle = lifecycle_bundle(resource, references, listed)
    own = Bucket(
        ref=Ref(ANY_BUCKET, references.ref(resource).name),
        place=Place(resource.urn),
        blocked=private(resources_about(resource, references, listed, frozenset({ACCESS}))),
        acl=_acl(resource, resources_about(resource, references, listed, _ACL)),
        policy_for_all=_for_all(resource, resources_about(resource, references, listed, _POLICY)),
        website=bool(resource.inputs.get("website"))
        or any(sure for _, sure in resources_about(resource, references, listed, _WEBSITE)),
    )
    return (own, bundle) if bundle else (own,)


def _acl(resource: Registration, written: list[tuple[Registration, bool]]) -> str | None | UnknownType:
    """The canned ACL of an ACL resource of the bucket, else of the bucket itself."""
    given = [text_value(each.inputs.get("acl")) if sure else UNKNOWN for each, sure in written]
    return next(
        (each for each in given if each is not UNKNOWN), UNKNOWN if given else text_value(resource.inputs.get("acl"))
    )


def _for_all(resource: Registration, written: list[tuple[Registration, bool]]) -> bool | UnknownType:
    own = resource.inputs.get("policy")
    answers = [allows_everyone(each.inputs.get("policy")) if sure else UNKNOWN for each, sure in written]
    answers += [allows_everyone(own)] if own is not None else []
    if any(each is True for each in answers):
        return True
    return UNKNOWN if any(each is UNKNOWN for each in answers) else False
