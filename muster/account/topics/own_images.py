"""Images and key pairs of one's own, and whether the account encrypts volumes by itself."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.named import by_id, ids, listed
from muster.account.question import Question
from muster.account.told import told
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet.facts import Facts, ImageFacts, KeyPairFacts
from muster.fleet.named import Kind
from muster.fleet.resources.fleet import HYPERPOD

_TAGS = {"parallelcluster:version": "parallelclusterVersion", "parallelcluster:os": "os"}
"""What `pcluster build-image` says of an image. An account sees the tags of its own images alone."""


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    images, keys = ids(wanted, Kind.IMAGE), ids(wanted, Kind.KEY_PAIR)
    of_ec2 = wanted.blueprint.described.backend != HYPERPOD
    questions = [*_images(images), *_keys(keys), *([_BY_DEFAULT] if of_ec2 else [])]
    if not questions:
        return Learned()
    answers = dict(zip((each.operation for each in questions), (yield questions), strict=True))
    of_images = dict(_image_facts(images, answers.get("DescribeImages")))
    of_keys = dict(_key_facts(keys, answers.get("DescribeKeyPairs")))
    by_default = answers.get(_BY_DEFAULT.operation)
    encrypts = by_default.result.get("EbsEncryptionByDefault") if by_default and by_default.result else None
    said = (
        *(Said(f"image {id_}", _image_words(known)) for id_, known in of_images.items()),
        *(Said(f"key pair {name}", _key_words(known)) for name, known in of_keys.items()),
        *((Said("EBS encryption by default", "on" if encrypts else "off"),) if encrypts is not None else ()),
    )
    return Learned(
        Facts.model_validate({"images": of_images, "keyPairs": of_keys, "ebsEncryptionByDefault": encrypts}), said
    )


_BY_DEFAULT = Question("ec2", "GetEbsEncryptionByDefault", "EBS encryption by default")


def _images(named: tuple[str, ...]) -> Iterator[Question]:
    """Deprecated ones, too: nodes start from them all the same."""
    if named:
        parameters = {"Filters": by_id("image-id", named), "IncludeDeprecated": True}
        yield Question("ec2", "DescribeImages", "images", parameters)


def _keys(named: tuple[str, ...]) -> Iterator[Question]:
    if named:
        yield Question("ec2", "DescribeKeyPairs", "key pairs", {"Filters": by_id("key-name", named)})


def _image_facts(named: tuple[str, ...], answer: Answer | None) -> Iterator[tuple[str, ImageFacts]]:
    found = listed(answer, "Images", "ImageId") if answer else None
    if found is None:
        return
    for id_ in named:
        one = found.get(id_)
        if one is None:
            yield id_, ImageFacts(exists=False)
            continue
        tags = {each.get("Key"): each.get("Value") for each in one.get("Tags", ())}
        said = {name: tags.get(tag) for tag, name in _TAGS.items()}
        yield id_, told(ImageFacts, {"exists": True, "rootGib": _root_gib(one), **said})


def _root_gib(image: Mapping[str, Any]) -> int | None:
    disks = image.get("BlockDeviceMappings", ())
    root = (each.get("Ebs", {}) for each in disks if each.get("DeviceName") == image.get("RootDeviceName"))
    return next((disk.get("VolumeSize") for disk in root), None)


def _key_facts(named: tuple[str, ...], answer: Answer | None) -> Iterator[tuple[str, KeyPairFacts]]:
    found = listed(answer, "KeyPairs", "KeyName") if answer else None
    if found is None:
        return
    for name in named:
        one = found.get(name)
        known = {"exists": False} if one is None else {"exists": True, "type": one.get("KeyType")}
        yield name, told(KeyPairFacts, known)


def _image_words(known: ImageFacts) -> str:
    if known.exists is False:
        return "AWS knows none of this id that this account may use in this Region"
    words = (
        f"built by ParallelCluster {known.parallelcluster_version}" if known.parallelcluster_version else None,
        known.os,
        f"{known.root_gib} GiB" if known.root_gib is not None else None,
    )
    return ", ".join(each for each in words if each) or "there"


def _key_words(known: KeyPairFacts) -> str:
    return str(known.type or "there") if known.exists else "AWS knows none of this name in this account and Region"


OWN_IMAGES = Topic(
    "images and keys of one's own",
    _inquire,
    frozenset({"ebsEncryptionByDefault", "images", "keyPairs"}),
    rights={"ec2:DescribeImages": "*", "ec2:DescribeKeyPairs": "*", "ec2:GetEbsEncryptionByDefault": "*"},
)
