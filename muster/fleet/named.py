"""What a description names of the account, and where: ids, ARNs and names of things that are there already. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from muster.fleet.description import Description
from muster.fleet.description.identifiers import is_placeholder
from muster.fleet.document import Path_, dotted
from muster.fleet.facts import Facts
from muster.fleet.placeholders import texts

_OWN_WORDS = frozenset({"addons", "labels", "tags"})
"""Blocks of people's own words: what looks like an id there names nothing that Muster uses."""


class Kind(StrEnum):
    """What is named, in people's words."""

    VPC = "VPC"
    SUBNET = "subnet"
    SECURITY_GROUP = "security group"
    RESERVATION = "reservation"
    CAPACITY_BLOCK = "Capacity Block"
    RESERVATION_GROUP = "resource group"
    TRAINING_PLAN = "training plan"
    IMAGE = "image"
    KEY_PAIR = "key pair"
    CLUSTER = "EKS cluster"
    FILE_SYSTEM = "file system"
    BUCKET = "bucket"


@dataclass(frozen=True, slots=True)
class Named:
    """One thing, by the name that facts have it by."""

    kind: Kind
    id: str
    at: str
    """Where the description names it first: ``groups.workers.capacity.reservation.id``."""

    @property
    def blank(self) -> bool:
        """Whether it is still to be filled in: nobody asks AWS about it."""
        return is_placeholder(f"s3://{self.id}" if self.kind is Kind.BUCKET else self.id)


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


def exists(each: Named, facts: Facts | None) -> bool | None:
    """What AWS says of a named thing; None where it was not asked, or did not answer."""
    if facts is None:
        return None
    of_kind: Mapping[Kind, Mapping[str, Any]] = {
        Kind.VPC: facts.vpcs,
        Kind.SUBNET: facts.subnets,
        Kind.SECURITY_GROUP: facts.security_groups,
        Kind.RESERVATION: facts.reservations,
        Kind.CAPACITY_BLOCK: facts.reservations,
        Kind.RESERVATION_GROUP: facts.reservation_groups,
        Kind.TRAINING_PLAN: facts.training_plans,
        Kind.IMAGE: facts.images,
        Kind.KEY_PAIR: facts.key_pairs,
        Kind.CLUSTER: facts.clusters,
        Kind.FILE_SYSTEM: facts.file_systems,
        Kind.BUCKET: facts.buckets,
    }
    known = of_kind[each.kind].get(each.id)
    return known.exists if known else None
