"""Ids and names of AWS things, each its own type, and the placeholders that may stand for them until `pulumi up`."""

import re
from collections.abc import Callable
from ipaddress import IPv4Network
from typing import Annotated

from pydantic import AfterValidator, Field

PLACEHOLDER = "fill-me-in"
"""What follows the dash in an id nobody has filled in yet: ``subnet-fill-me-in-private-a``."""

_DOCUMENTATION_ACCOUNTS = ("111122223333", "123456789012", "444455556666")
"""Account numbers that AWS's documentation uses; an ARN with one of them was copied, not filled in."""

_DOCUMENTATION_NETWORKS = tuple(IPv4Network(net) for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"))
"""RFC 5737: addresses for documentation, nobody's office."""


def _id(prefix: str, example: str) -> tuple[Callable[[str], str], str]:
    form = f"{prefix}-([0-9a-f]{{8}}|[0-9a-f]{{17}}|{PLACEHOLDER}[a-z0-9-]*)"

    def check(value: str) -> str:
        if not re.fullmatch(form, value):
            raise ValueError(
                f"'{value}' is not a {example} id; write {prefix}- and 17 hexadecimal digits "
                f"(or {prefix}-{PLACEHOLDER} until you have it)"
            )
        return value

    return check, f"^{form}$"


_vpc, _vpc_form = _id("vpc", "VPC")
_subnet, _subnet_form = _id("subnet", "subnet")
_group, _group_form = _id("sg", "security group")
_reservation, _reservation_form = _id("cr", "capacity reservation")

VpcId = Annotated[str, AfterValidator(_vpc), Field(json_schema_extra={"pattern": _vpc_form})]
SubnetId = Annotated[str, AfterValidator(_subnet), Field(json_schema_extra={"pattern": _subnet_form})]
SecurityGroupId = Annotated[str, AfterValidator(_group), Field(json_schema_extra={"pattern": _group_form})]
ReservationId = Annotated[str, AfterValidator(_reservation), Field(json_schema_extra={"pattern": _reservation_form})]


def _cidr(value: str) -> str:
    try:
        network = IPv4Network(value, strict=True)
    except ValueError as fault:
        raise ValueError(f"'{value}' is not an IPv4 network ({fault}); write one like 198.51.100.0/24") from None
    return str(network)


Cidr = Annotated[str, AfterValidator(_cidr)]

_PRINCIPAL = re.compile(r"arn:aws[a-z-]*:iam::\d{12}:(role|user)/[\w+=,.@/-]+")


def _principal(value: str) -> str:
    if not _PRINCIPAL.fullmatch(value):
        raise ValueError(f"'{value}' is not the ARN of an IAM role or user; write arn:aws:iam::ACCOUNT:role/NAME")
    return value


PrincipalArn = Annotated[
    str, AfterValidator(_principal), Field(json_schema_extra={"pattern": f"^{_PRINCIPAL.pattern}$"})
]

_KEY = re.compile(r"arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key/[0-9a-f-]+")


def _key(value: str) -> str:
    if not _KEY.fullmatch(value):
        raise ValueError(f"'{value}' is not the ARN of a KMS key; write arn:aws:kms:REGION:ACCOUNT:key/ID")
    return value


KmsKeyArn = Annotated[str, AfterValidator(_key), Field(json_schema_extra={"pattern": f"^{_KEY.pattern}$"})]

_NAME = re.compile(r"[a-z]([a-z0-9-]{0,38}[a-z0-9])?")


def _name(value: str) -> str:
    if not _NAME.fullmatch(value):
        raise ValueError(
            f"'{value}' is not a name; use lower-case letters, digits and dashes, 40 at most, a letter first"
        )
    return value


GroupName = Annotated[str, AfterValidator(_name), Field(json_schema_extra={"pattern": f"^{_NAME.pattern}$"})]


def is_placeholder(value: str) -> bool:
    """Whether a value was copied from documentation or marked to be filled in; AWS must never see it."""
    if PLACEHOLDER in value:
        return True
    if value.startswith("arn:"):
        return any(f":{account}:" in value for account in _DOCUMENTATION_ACCOUNTS)
    try:
        network = IPv4Network(value)
    except ValueError:
        return False
    return any(network.subnet_of(documented) for documented in _DOCUMENTATION_NETWORKS)
