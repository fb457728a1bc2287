"""Ids, ARNs and names in a description: what each refers to in the account, and which are still placeholders."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muster.config.description.root import Description
from muster.config.placeholders import is_placeholder, placeholder_reason
from muster.finding import Finding, KeyPath, Level, dotted_path
from muster.fleet.resource_references import ResourceKind, ResourceReference

PLACEHOLDER_RULE = "placeholder"
"""The rule id of these findings."""


def placeholder_findings(described: Description) -> list[Finding]:
    """A finding for every value that is a placeholder, or that was copied from documentation."""
    return [
        Finding(
            path,
            PLACEHOLDER_RULE,
            Level.MANDATORY,
            f"'{value}' is a placeholder ({placeholder_reason(value)})",
            f"set {path} to a value of your account",
            path.partition(".")[0],
        )
        for path, value in placeholder_values(described)
    ]


def placeholder_values(described: Description) -> list[tuple[str, str]]:
    """The dotted paths of placeholders, each with its placeholder."""
    values = described.model_dump(mode="json", exclude_defaults=True, exclude={"suppress"})
    return [
        (dotted_path(path), value)
        for path, value in string_values(values)
        if is_placeholder(value) and not _is_chart_value(path)
    ]


def _is_chart_value(path: KeyPath) -> bool:
    """Whether a path is in the values of a chart. These are the user's own and have no schema; an add-on's other keys
    have one."""
    block, *below = path
    named = below[:1] in (["charts"], ["eks-addons"])
    return block == "addons" and below[1 + named : 2 + named] == ["values"]


def string_values(value: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, str]]:
    """Every text of a document, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, below in value.items():
            yield from string_values(below, (*path, key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from string_values(below, (*path, index))


_OWN_WORDS = frozenset({"addons", "labels", "tags"})
"""Blocks of free text: ids in them refer to nothing that Muster uses."""

_BY_FORM = (
    (ResourceKind.VPC, re.compile(r"(vpc-.+)")),
    (ResourceKind.SUBNET, re.compile(r"(subnet-.+)")),
    (ResourceKind.SECURITY_GROUP, re.compile(r"(sg-.+)")),
    (ResourceKind.RESERVATION, re.compile(r"(?:arn:[^/]+:capacity-reservation/)?(cr-.+)")),
    (ResourceKind.RESERVATION_GROUP, re.compile(r"(arn:aws[a-z-]*:resource-groups:.+)")),
    (ResourceKind.TRAINING_PLAN, re.compile(r"(arn:aws[a-z-]*:sagemaker:[^/]+:training-plan/.+)")),
    (ResourceKind.IMAGE, re.compile(r"(ami-.+)")),
    (ResourceKind.FILE_SYSTEM, re.compile(r"(fs-[^.]+)")),
    (ResourceKind.BUCKET, re.compile(r"s3://([^/]+)(?:/.*)?")),
)
"""Kinds with a recognizable id format; the group of the expression is the id."""

_BY_PLACE = {
    ("key-pair",): ResourceKind.KEY_PAIR,
    ("control-plane", "existing", "name"): ResourceKind.CLUSTER,
}
"""The end of a path -> the kind of its value, for names without a recognizable format."""


def find_references(described: Description) -> tuple[ResourceReference, ...]:
    """The resources that a description refers to, each once, in the order of the description."""
    values = described.model_dump(mode="json", exclude_defaults=True, exclude={"suppress"})
    found: dict[tuple[ResourceKind, str], ResourceReference] = {}
    for path, value in (*string_values(values), *_keys(values)):
        for each in _at(path, value):
            found.setdefault((each.kind, each.id), each)
    return tuple(found.values())


def _keys(values: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """References that are keys: the places in S3 that Slurm's nodes may use."""
    return ((("s3",), key) for key in values.get("s3", {}))


def _at(path: KeyPath, value: str) -> Iterator[ResourceReference]:
    if _OWN_WORDS.intersection(map(str, path)):
        return
    by_place = next((kind for end, kind in _BY_PLACE.items() if path[-len(end) :] == end), None)
    if by_place is not None:
        yield ResourceReference(by_place, value, dotted_path(path))
        return
    for kind, form in _BY_FORM:
        if match := form.fullmatch(value):
            is_block = kind is ResourceKind.RESERVATION and "capacity-block" in path
            yield ResourceReference(ResourceKind.CAPACITY_BLOCK if is_block else kind, match[1], dotted_path(path))
            return
