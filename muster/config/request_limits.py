"""Limits of AWS's APIs on texts of a description: their length and their characters.

`request_limits.csv` contains them as botocore's service models state them; `tools/request_limits.py` writes it. A key
of the description declares the members of requests that it becomes (`sent` of `key`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from pydantic import BaseModel

from muster.config.description.base import Sent
from muster.config.placeholders import PLACEHOLDER
from muster.finding import KeyPath
from muster.hardware.tables import read_table
from muster.message_text import count_noun, truncate
from muster.whole_number import whole_number

SEPARATORS = r"\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
r"""The characters of Java's class `\p{Z}`, which Python's expressions do not have."""

_SERVICES = {
    "autoscaling": "EC2 Auto Scaling",
    "cloudformation": "CloudFormation",
    "ecr": "ECR",
    "eks": "EKS",
    "fsx": "FSx",
    "iam": "IAM",
    "sagemaker": "SageMaker",
}
_MANAGED_GROUP, _SELF_MANAGED_GROUP = "eks.CreateNodegroup.", "autoscaling.CreateAutoScalingGroup."
"""The labels and taints of a managed group go to EKS. Those of a self-managed group go to the kubelet, which accepts
all that Kubernetes accepts, and into tags of its Auto Scaling group."""


_NODE_TEMPLATE = "k8s.io/cluster-autoscaler/node-template"


class TextField(NamedTuple):
    """A field of a description that has a text."""

    path: str
    """``groups.*.labels.{key}``: `*` is each value of a map or a list, `{key}` each key of a map."""
    members: tuple[str, ...]
    """The members of requests that it becomes, or is part of: ``eks.CreateNodegroup.labels.key``."""


@cache
def text_fields(model: type[BaseModel], backend: str) -> tuple[TextField, ...]:
    """Every field of a backend's description whose text AWS limits."""
    return tuple(_fields(model, (), None, backend))


def _fields(annotation: Any, path: tuple[str, ...], sent: Sent | None, backend: str) -> Iterator[TextField]:
    origin, inner = get_origin(annotation), get_args(annotation)
    if annotation is str or annotation is Any:
        members = sent.members(backend, of_keys=path[-1] == "{key}") if sent else ()
        if members:
            yield TextField(".".join(path), members)
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for name, info in annotation.model_fields.items():
            below = next((each for each in info.metadata if isinstance(each, Sent)), None)
            yield from _fields(info.annotation, (*path, info.alias or name), below, backend)
    elif origin is dict:
        yield from _fields(inner[0], (*path, "{key}"), sent, backend)
        yield from _fields(inner[1], (*path, "*"), sent, backend)
    elif origin in (tuple, list):
        yield from _fields(inner[0], (*path, "*"), sent, backend)
    else:
        for each in inner[:1] if origin is Annotated else inner:
            yield from _fields(each, path, sent, backend)


class Limit(NamedTuple):
    """The limit of a text in an API's model."""

    least: int
    most: int | None
    pattern: str
    """For the whole text; empty where the model has none."""


@cache
def limits() -> Mapping[str, Limit]:
    """The limit of every member."""
    return {
        row["member"]: Limit(whole_number(row["min"]) or 0, whole_number(row["max"]), row["pattern"])
        for row in read_table("request_limits.csv", __package__)
    }


def limit_faults(raw: Mapping[Any, Any], fields: Iterable[TextField]) -> Iterator[tuple[KeyPath, str, str]]:
    """Texts of a document that AWS's APIs do not accept: where, what is wrong, what to do; one fault for each place.

    Placeholders are not judged.
    """
    found: set[KeyPath] = set()
    for field in fields:
        for path, text in _texts(raw, field.path.split("."), ()):
            sent = (member for member in field.members if PLACEHOLDER not in text and _is_sent(raw, path, member))
            fault = next(filter(None, (_fault(text, path, member) for member in sent)), None)
            if fault and path not in found:
                found.add(path)
                yield path, *fault


def _texts(value: Any, steps: list[str], path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    if not steps:
        if isinstance(value, str):
            yield path, value
        return
    step, *rest = steps
    if step == "*" and isinstance(value, list):
        for index, each in enumerate(value):
            yield from _texts(each, rest, (*path, index))
    elif isinstance(value, Mapping):
        if step == "{key}":
            yield from (((*path, key), key) for key in value if isinstance(key, str))
        elif step == "*":
            for key, each in value.items():
                yield from _texts(each, rest, (*path, key))
        elif step in value:
            yield from _texts(value[step], rest, (*path, step))


def _is_sent(raw: Mapping[Any, Any], path: KeyPath, member: str) -> bool:
    """Whether a text becomes a member of a request: those of a group depend on who manages it."""
    if path[0] != "groups" or not member.startswith((_MANAGED_GROUP, _SELF_MANAGED_GROUP)):
        return True
    group = raw["groups"][path[1]]
    is_self_managed = isinstance(group, Mapping) and group.get("self-managed") is True
    return is_self_managed is member.startswith(_SELF_MANAGED_GROUP)


def _fault(given: str, path: KeyPath, member: str) -> tuple[str, str] | None:
    """What is wrong with a text as a member of a request, and what to do."""
    limit, service = limits()[member], _SERVICES[member.partition(".")[0]]
    begins = f"{_NODE_TEMPLATE}/{str(path[2]).removesuffix('s')}/" if member.startswith(_SELF_MANAGED_GROUP) else ""
    text = f"{begins}{given}"
    if len(text) < limit.least or (limit.most is not None and len(text) > limit.most):
        before = f" with '{begins}' before it" if begins else ""
        size = f"{limit.least} or more" if limit.most is None else f"{limit.least} to {limit.most}"
        got = f"{_shown(given)}{before} has {count_noun(len(text), 'character')}, but {service} requires {size}"
        return got, f"write a text of that length{', or remove it' if not text else ''}"
    if not limit.pattern or re.fullmatch(limit.pattern, text):  # pattern: of `request_limits.csv`, behind the length
        return None
    pattern = limit.pattern.replace(SEPARATORS, " ")
    return f"{service} does not accept {_shown(text)}", f"write a text that matches {pattern}"


def _shown(text: str) -> str:
    """A text in quotes on one line, cut short."""
    printable = (each if each.isprintable() else each.encode("unicode_escape").decode() for each in truncate(text))
    return f"'{''.join(printable)}'"
