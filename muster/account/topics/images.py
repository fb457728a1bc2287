"""Images: the SSM parameters of the groups' images, custom AMIs and key pairs, default encryption of volumes."""

import re
from collections.abc import Iterator

from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import (
    PreflightRequest,
    Topic,
    TopicLine,
    TopicResult,
    id_filter,
    index_by_id,
    parse_fact,
    referenced_ids,
)
from muster.blueprint.kubernetes import Blueprint, EksGroup
from muster.fleet.facts import Facts, ImageFacts, KeyPairFacts
from muster.fleet.resource_references import ResourceKind
from muster.hardware.ami import image_parameter

_ABSENT = frozenset({"ParameterNotFound", "ParameterVersionNotFound"})
_IMAGE = re.compile(r"ami-([0-9a-f]{8}|[0-9a-f]{17})")


def _inquire_parameters(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    """Queries the parameters of EKS's images. AWS documents none for the images of HyperPod and ParallelCluster."""
    blueprint = wanted.blueprint
    groups = blueprint.eks_groups if isinstance(blueprint, Blueprint) else ()
    paths = sorted({path for path in map(_path, groups) if path})
    if not paths:
        return TopicResult()
    answers = yield [Query("ssm", "GetParameter", f"image parameter {path}", {"Name": path}, _ABSENT) for path in paths]
    values = {path: _value(each) for path, each in zip(paths, answers, strict=True) if each.absent or _has_value(each)}
    # A value that is not an image id is left out of the facts: the parameter exists, but its meaning is unknown.
    images = {path: value for path, value in values.items() if value is None or _IMAGE.fullmatch(value)}
    return TopicResult(
        Facts(imageParameters=images),
        tuple(
            TopicLine(f"image parameter {path}", _parameter_text(path, value, images)) for path, value in values.items()
        ),
    )


def _path(group: EksGroup) -> str | None:
    image, own = group.template.image, group.node_group
    return image_parameter(
        image if isinstance(image, str) else None,
        own.ami_type if isinstance(own.ami_type, str) else None,
        own.version if isinstance(own.version, str) else None,
        managed=own.managed,
    )


def _has_value(answer: Answer) -> bool:
    return "Value" in (answer.result or {}).get("Parameter", {})


def _value(answer: Answer) -> str | None:
    return None if answer.result is None else str(answer.result["Parameter"]["Value"])


def _parameter_text(path: str, value: str | None, images: dict[str, str | None]) -> str:
    if value is None:
        return "does not exist"
    return value if path in images else f"contains '{value:.60}', which is not the id of an image"


IMAGES = Topic(
    "images",
    "The SSM parameters with the ids of the groups' images.",
    _inquire_parameters,
    frozenset({"imageParameters"}),
    {"ssm:GetParameter": "*"},
)


_TAGS = {"parallelcluster:version": "parallelclusterVersion", "parallelcluster:os": "os"}
"""Tags of `pcluster build-image` -> key of the fact. AWS shows the tags of an image only to its owner."""


def _inquire_custom_images(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    images, keys = referenced_ids(wanted, ResourceKind.IMAGE), referenced_ids(wanted, ResourceKind.KEY_PAIR)
    questions = [*_images(images), *_keys(keys)]
    if not questions:
        return TopicResult()
    answers = dict(zip((each.operation for each in questions), (yield questions), strict=True))
    of_images = dict(_image_facts(images, answers.get("DescribeImages")))
    of_keys = dict(_key_facts(keys, answers.get("DescribeKeyPairs")))
    lines = (
        *(TopicLine(f"image {id_}", _image_text(known)) for id_, known in of_images.items()),
        *(TopicLine(f"key pair {name}", _key_text(known)) for name, known in of_keys.items()),
    )
    return TopicResult(Facts.model_validate({"images": of_images, "keyPairs": of_keys}), lines)


def _images(named: tuple[str, ...]) -> Iterator[Query]:
    """The query of images, including deprecated ones, because nodes can still start from them."""
    if named:
        parameters = {"Filters": id_filter("image-id", named), "IncludeDeprecated": True}
        yield Query("ec2", "DescribeImages", "images", parameters)


def _keys(named: tuple[str, ...]) -> Iterator[Query]:
    if named:
        yield Query("ec2", "DescribeKeyPairs", "key pairs", {"Filters": id_filter("key-name", named)})


def _image_facts(named: tuple[str, ...], answer: Answer | None) -> Iterator[tuple[str, ImageFacts]]:
    found = index_by_id(answer, "Images", "ImageId") if answer else None
    if found is None:
        return
    for id_ in named:
        one = found.get(id_)
        if one is None:
            yield id_, ImageFacts(exists=False)
            continue
        tags = {each.get("Key"): each.get("Value") for each in one.get("Tags", ())}
        by_tag = {name: tags.get(tag) for tag, name in _TAGS.items()}
        yield id_, parse_fact(ImageFacts, {"exists": True, **by_tag})


def _key_facts(named: tuple[str, ...], answer: Answer | None) -> Iterator[tuple[str, KeyPairFacts]]:
    found = index_by_id(answer, "KeyPairs", "KeyName") if answer else None
    if found is None:
        return
    yield from ((name, KeyPairFacts(exists=name in found)) for name in named)


def _image_text(known: ImageFacts) -> str:
    if known.exists is False:
        return "does not exist in this Region, or this account may not use it"
    words = (
        f"built by ParallelCluster {known.parallelcluster_version}" if known.parallelcluster_version else None,
        known.os,
    )
    return ", ".join(each for each in words if each) or "there"


def _key_text(known: KeyPairFacts) -> str:
    return "exists" if known.exists else "does not exist in this account and Region"


CUSTOM_IMAGES = Topic(
    "custom images and key pairs",
    "Custom images and key pairs.",
    _inquire_custom_images,
    frozenset({"images", "keyPairs"}),
    rights={"ec2:DescribeImages": "*", "ec2:DescribeKeyPairs": "*"},
)
