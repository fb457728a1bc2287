"""An S3 bucket with what a program says of its access, as a judged thing, and as a bundle of scripts where it
is one."""

from collections.abc import Iterable

from muster.fleet.registration import Registration
from muster.fleet.resources import Bucket, LifecycleBundle, Place, Ref
from muster.fleet.resources.bucket import ANY_BUCKET
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.views.lifecycle_bundle import ACCESS, OF_BUCKETS, about, lifecycle_bundle, private
from policies.views.policy_document import lets_everybody
from policies.views.references import References, word

_POLICY = frozenset({"aws:s3/bucketPolicy:BucketPolicy"})
_ACL = frozenset({"aws:s3/bucketAcl:BucketAcl", "aws:s3/bucketAclV2:BucketAclV2"})
_WEBSITE = frozenset(
    {
        "aws:s3/bucketWebsiteConfiguration:BucketWebsiteConfiguration",
        "aws:s3/bucketWebsiteConfigurationV2:BucketWebsiteConfigurationV2",
    }
)
OF_ANY_BUCKET = frozenset({*OF_BUCKETS, *_POLICY, *_ACL, *_WEBSITE})
"""Whatever says more of a bucket."""


def bucket(
    resource: Registration, references: References, others: Iterable[Registration]
) -> tuple[Bucket | LifecycleBundle, ...]:
    """Reads a bucket, and its lifecycle scripts where a HyperPod cluster has them from it."""
    listed = list(others)
    bundle = lifecycle_bundle(resource, references, listed)
    own = Bucket(
        ref=Ref(ANY_BUCKET, references.ref(resource).name),
        place=Place(resource.urn),
        blocked=private(about(resource, references, listed, frozenset({ACCESS}))),
        acl=_acl(resource, about(resource, references, listed, _ACL)),
        policy_for_all=_for_all(resource, about(resource, references, listed, _POLICY)),
        website=bool(resource.inputs.get("website"))
        or any(sure for _, sure in about(resource, references, listed, _WEBSITE)),
    )
    return (own, bundle) if bundle else (own,)


def _acl(resource: Registration, said: list[tuple[Registration, bool]]) -> str | None | UnknownType:
    """The canned list of its own, or of a resource about it."""
    given = [word(each.inputs.get("acl")) if sure else UNKNOWN for each, sure in said]
    return next((each for each in given if each is not UNKNOWN), UNKNOWN if given else word(resource.inputs.get("acl")))


def _for_all(resource: Registration, said: list[tuple[Registration, bool]]) -> bool | UnknownType:
    own = resource.inputs.get("policy")
    answers = [lets_everybody(each.inputs.get("policy")) if sure else UNKNOWN for each, sure in said]
    answers += [lets_everybody(own)] if own is not None else []
    if any(each is True for each in answers):
        return True
    return UNKNOWN if any(each is UNKNOWN for each in answers) else False
