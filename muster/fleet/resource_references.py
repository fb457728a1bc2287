"""What a description names of the account, and where: ids, ARNs and names of things that are there already. Pure."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from pydantic.alias_generators import to_camel

from muster.config.placeholders import is_placeholder
from muster.fleet.facts import Facts


class ResourceKind(StrEnum):
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
    ROLE = "IAM role"
    INSTANCE_PROFILE = "instance profile"
    POLICY = "IAM policy"

    @property
    def section(self) -> str:
        """Where facts have what is named."""
        return _SECTIONS.get(self.name) or f"{self.name.lower()}s"


_SECTIONS = {"CAPACITY_BLOCK": "reservations", "INSTANCE_PROFILE": "roles", "POLICY": "policies"}


class RoleUse(NamedTuple):
    """What an existing role is used for."""

    service: str
    """The service that acts as the role, which its trust policy allows: ``eks.amazonaws.com``."""
    actions: tuple[str, ...] = ()
    """Actions that it must allow, as its service documents. All of them are only allowed on every resource."""


class ResourceReference(NamedTuple):
    """One resource, by its name in the facts."""

    kind: ResourceKind
    id: str
    at: str
    """Where the description names it first: ``groups.workers.capacity.reservation.id``."""
    uses: tuple[RoleUse, ...] = ()
    """What a role is used for."""

    @property
    def blank(self) -> bool:
        """Whether it is still to be filled in: AWS is not queried for it."""
        return is_placeholder(f"s3://{self.id}" if self.kind is ResourceKind.BUCKET else self.id)


REFERENCED_SECTIONS = frozenset(to_camel(each.section) for each in ResourceKind)
"""The sections of facts, as their file names them, that are of things which a description names."""


def resource_exists(each: ResourceReference, facts: Facts | None) -> bool | None:
    """Whether AWS has a named thing; None where it was not queried, or did not answer."""
    if facts is None:
        return None
    section: Mapping[str, Any] = getattr(facts, each.kind.section)
    known = section.get(each.id)
    return known.exists if known else None
