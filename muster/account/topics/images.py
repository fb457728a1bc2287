"""Images: the SSM parameters of the groups' images, custom AMIs and key pairs."""

import re
from collections.abc import Mapping
from typing import Any

from muster.account.query import Inquiry, Query
from muster.account.topic import PreflightRequest, Topic, id_filter, index_by_id, read_fact, referenced_ids
from muster.blueprint.group import EksGroup
from muster.fleet.facts import Facts, ImageFacts, KeyPairFacts
from muster.fleet.resource_references import ResourceKind
from muster.hardware.ami import image_parameter

_ABSENT = frozenset({"ParameterNotFound", "ParameterVersionNotFound"})
_IMAGE = re.compile(r"ami-([0-9a-f]{8}|[0-9a-f]{17})")


def _inquire_parameters(wanted: PreflightRequest) -> Inquiry[Facts]:
    """Queries the parameters of EKS's images. AWS documents none for the images of HyperPod and ParallelCluster."""
    blueprint = wanted.blueprint
    groups = blueprint.eks_groups if blueprint.on_kubernetes else ()
    paths = sorted({path for path in map(_path, groups) if path})
    if not paths:
        return Facts()
    answers = yield [
        Query("ssm", "GetParameter", f"image parameter {path}", {"Name": path}, _ABSENT, needs=("Parameter.Value",))
        for path in paths
    ]
    values = {
        path: None if answer.result is None else answer.result["Parameter"]["Value"]
        for path, answer in zip(paths, answers, strict=True)
        if answer.answered
    }
    # A value that is not an image id is left out of the facts: the parameter exists, but its meaning is unknown.
    images = {path: value for path, value in values.items() if value is None or _IMAGE.fullmatch(value)}
    return Facts(imageParameters=images)


def _path(group: EksGroup) -> str | None:
    image, own = group.template.image, group.resource
    return image_parameter(
        image if isinstance(image, str) else None,
        own.ami_type if isinstance(own.ami_type, str) else None,
        own.version if isinstance(own.version, str) else None,
        managed=own.managed,
    )


IMAGES = Topic(
    "images",
    "The SSM parameters with the ids of the groups' images.",
    _inquire_parameters,
    frozenset({"imageParameters"}),
)


_IMAGE_FACTS = {
    "parallelclusterVersion": "Tags[?Key=='parallelcluster:version'] | [0].Value",
    "os": "Tags[?Key=='parallelcluster:os'] | [0].Value",
    "architecture": "Architecture",
    "rootDevice": "RootDeviceName",
}
"""The tags are those of `pcluster build-image`. AWS shows the tags of an image only to its owner."""


def _inquire_custom_images(wanted: PreflightRequest) -> Inquiry[Facts]:
    images, keys = referenced_ids(wanted, ResourceKind.IMAGE), referenced_ids(wanted, ResourceKind.KEY_PAIR)
    if not images and not keys:
        return Facts()
    # Including deprecated images, because nodes can still start from them.
    of_images = {"Filters": id_filter("image-id", images), "IncludeDeprecated": True}
    of_keys = {"Filters": id_filter("key-name", keys)}
    answers = yield [
        *([Query("ec2", "DescribeImages", "images", of_images, needs=("Images[].ImageId",))] if images else ()),
        *([Query("ec2", "DescribeKeyPairs", "key pairs", of_keys, needs=("KeyPairs[].KeyName",))] if keys else ()),
    ]
    by_image = index_by_id(answers[0], "Images", "ImageId") if images else None
    by_key = index_by_id(answers[-1], "KeyPairs", "KeyName") if keys else None
    return Facts(
        images={each: _image(by_image.get(each)) for each in images} if by_image is not None else {},
        keyPairs={each: KeyPairFacts(exists=each in by_key) for each in keys} if by_key is not None else {},
    )


def _image(one: Mapping[str, Any] | None) -> ImageFacts:
    if one is None:
        return ImageFacts(exists=False)
    return read_fact(ImageFacts, one, _IMAGE_FACTS, exists=True)


CUSTOM_IMAGES = Topic(
    "custom images and key pairs",
    "Custom images and key pairs.",
    _inquire_custom_images,
    frozenset({"images", "keyPairs"}),
)
