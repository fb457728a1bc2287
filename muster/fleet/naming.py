"""Finds what a description names: by the form of a value, or by the place where it stands. Pure."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.description import Description
from muster.fleet.dotted import Path_, dotted
from muster.fleet.named import Kind, Named
from muster.fleet.placeholders import texts

_OWN_WORDS = frozenset({"addons", "labels", "tags"})
"""Blocks of people's own words: what looks like an id there names nothing that Muster uses."""

_BY_FORM = (
    (Kind.VPC, re.compile(r"(vpc-.+)")),
    (Kind.SUBNET, re.compile(r"(subnet-.+)")),
    (Kind.SECURITY_GROUP, re.compile(r"(sg-.+)")),
    (Kind.RESERVATION, re.compile(r"(?:arn:[^/]+:capacity-reservation/)?(cr-.+)")),
    (Kind.RESERVATION_GROUP, re.compile(r"(arn:aws[a-z-]*:resource-groups:.+)")),
    (Kind.TRAINING_PLAN, re.compile(r"(arn:aws[a-z-]*:sagemaker:[^/]+:training-plan/.+)")),
    (Kind.IMAGE, re.compile(r"(ami-.+)")),
    (Kind.FILE_SYSTEM, re.compile(r"(fs-[^.]+)")),
    (Kind.BUCKET, re.compile(r"s3://([^/]+).*")),
)
"""What tells by itself what it is; the group of the form is the name."""

_BY_PLACE = {
    ("key-pair",): Kind.KEY_PAIR,
    ("control-plane", "existing", "name"): Kind.CLUSTER,
}
"""The end of a path -> what stands there. Such names could be anything."""


def named(described: Description) -> tuple[Named, ...]:
    """Everything that a description names, each thing once, in the order of the description."""
    values = described.model_dump(mode="json", exclude_defaults=True, exclude={"suppress"})
    found: dict[tuple[Kind, str], Named] = {}
    for path, value in (*texts(values), *_keys(values)):
        for each in _at(path, value):
            found.setdefault((each.kind, each.id), each)
    return tuple(found.values())


def _keys(values: Mapping[str, Any]) -> Iterator[tuple[Path_, str]]:
    """What is named by a key: the places in S3 that nodes of Slurm may use."""
    return ((("s3",), key) for key in values.get("s3", {}))


def _at(path: Path_, value: str) -> Iterator[Named]:
    if _OWN_WORDS.intersection(map(str, path)):
        return
    by_place = next((kind for end, kind in _BY_PLACE.items() if path[-len(end) :] == end), None)
    if by_place is not None:
        yield Named(by_place, value, dotted(path))
        return
    for kind, form in _BY_FORM:
        if match := form.fullmatch(value):
            is_block = kind is Kind.RESERVATION and "capacity-block" in path
            yield Named(Kind.CAPACITY_BLOCK if is_block else kind, match[1], dotted(path))
            return
