"""The SSM parameters by which groups find their images."""

import re

from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.question import Question
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet.ami import parameter_of
from muster.fleet.blueprint import Blueprint, EksGroup
from muster.fleet.facts import Facts

_ABSENT = frozenset({"ParameterNotFound", "ParameterVersionNotFound"})
_IMAGE = re.compile(r"ami-([0-9a-f]{8}|[0-9a-f]{17})")


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    """HyperPod's and ParallelCluster's images go by no parameter that anybody documents."""
    blueprint = wanted.blueprint
    groups = blueprint.eks_groups if isinstance(blueprint, Blueprint) else ()
    paths = sorted({path for path in map(_path, groups) if path})
    if not paths:
        return Learned()
    answers = yield [
        Question("ssm", "GetParameter", f"image parameter {path}", {"Name": path}, _ABSENT) for path in paths
    ]
    values = {path: _value(each) for path, each in zip(paths, answers, strict=True) if each.absent or _told(each)}
    # What is no image nobody can boot, but there is a parameter: what it means its owner knows.
    images = {path: value for path, value in values.items() if value is None or _IMAGE.fullmatch(value)}
    return Learned(
        Facts(imageParameters=images),
        tuple(Said(f"image parameter {path}", _words(path, value, images)) for path, value in values.items()),
    )


def _path(group: EksGroup) -> str | None:
    image, own = group.template.image, group.node_group
    return parameter_of(
        image if isinstance(image, str) else None,
        own.ami_type if isinstance(own.ami_type, str) else None,
        own.version if isinstance(own.version, str) else None,
        managed=own.managed,
    )


def _told(answer: Answer) -> bool:
    return "Value" in (answer.result or {}).get("Parameter", {})


def _value(answer: Answer) -> str | None:
    return None if answer.result is None else str(answer.result["Parameter"]["Value"])


def _words(path: str, value: str | None, images: dict[str, str | None]) -> str:
    if value is None:
        return "there is none"
    return value if path in images else f"holds '{value:.60}', which is no image's id"


IMAGES = Topic("images", _inquire, frozenset({"imageParameters"}), {"ssm:GetParameter": "*"})
