"""Plausible values for what the cloud computes: made from the resource's URN, so the same each time."""

import hashlib
import re
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

from tests.pulumi_engine.facts import ACCOUNT, ID_IS_ARN, ID_PATTERNS, ID_PREFIXES, NAMES, SERVICES
from tests.pulumi_engine.shapes import is_structure, types_of, without_none
from tests.pulumi_engine.wire import Properties

_DEPTH = 4
"""How deep computed objects are filled: some types nest without end."""

_NUMBERS: Mapping[type, bool | int] = {bool: False, int: 1, float: 1}


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes the values of one resource."""

    token: str
    urn: str
    region: str
    identity: str = ""

    @property
    def logical_name(self) -> str:
        return self.urn.rsplit("::", 1)[-1]

    @property
    def is_known_by_name(self) -> bool:
        """True where the id is the name."""
        return not any(self.token in table for table in (ID_PREFIXES, ID_PATTERNS, ID_IS_ARN))

    def hexadecimal(self, salt: str, digits: int) -> str:
        """So many hexadecimal digits, decided by the URN and the salt."""
        return hashlib.sha256(f"{self.urn} {salt}".encode()).hexdigest()[:digits]

    def id(self, inputs: Properties, salt: str) -> str:
        """The id that the cloud would give; the salt tells one life of the resource from the next."""
        if prefix := ID_PREFIXES.get(self.token):
            return f"{prefix}0{self.hexadecimal(salt, 16)}"
        if pattern := ID_PATTERNS.get(self.token):
            return pattern.format_map(_Blank(inputs))
        if self.token in ID_IS_ARN:
            return self.arn(str(inputs.get(NAMES.get(self.token, "name"), self.logical_name)))
        return str(inputs.get("name") or f"{self.logical_name}-{self.hexadecimal(salt, 7)}")

    def arn(self, identity: str) -> str:
        """An ARN in the common form, service and kind taken from the type token."""
        _, module, kind = self.token.split(":")
        name = module.split("/")[0]
        service, region = SERVICES.get(name, name), self.region
        if service == "iam":
            kind, region = re.sub(r"\B(?=[A-Z])", "-", kind), ""
        return f"arn:aws:{service}:{region}:{ACCOUNT}:{kind.lower()}/{identity}"

    def value(self, name: str, hint: Any, depth: int = 0) -> Any:
        """A value of the given type, telling by its text what it stands for."""
        hint = without_none(hint)
        origin, parts = typing.get_origin(hint) or hint, typing.get_args(hint)
        if is_structure(hint):
            inside = types_of(hint) if depth < _DEPTH else {}
            return {key: self.value(key, inner, depth + 1) for key, inner in inside.items()}
        if origin in (Sequence, list):
            one = is_structure(without_none(parts[0])) and depth < _DEPTH
            return [self.value(name, parts[0], depth + 1)] if one else []
        if origin in (Mapping, dict, Any):
            return {}
        if origin is Literal:
            return parts[0]
        if isinstance(hint, type) and issubclass(hint, Enum):
            return next(iter(hint)).value
        return _NUMBERS[hint] if hint in _NUMBERS else self.text(name)

    def text(self, name: str) -> str:
        """The string value of a computed property."""
        lower = name.lower()
        kind = self.token.rsplit(":", 1)[-1].lower()
        if lower in ("arn", f"{kind}arn"):
            return self.identity if self.identity.startswith("arn:") else self.arn(self.identity)
        if lower in ("awsid", f"{kind}id"):
            return self.identity.rpartition("/")[2]
        known = {
            "accountid": ACCOUNT,
            "data": "Q0VSVElGSUNBVEU=",  # the words a certificate would be, in base64
            "endpoint": f"https://{self.hexadecimal(name, 32).upper()}.gr7.{self.region}.eks.amazonaws.com",
            "enddate": "2026-12-15T11:30:00Z",
            "issuer": f"https://oidc.eks.{self.region}.amazonaws.com/id/{self.hexadecimal(name, 32).upper()}",
            "name": self.identity if self.is_known_by_name else f"{self.logical_name}-name",
            "ownerid": ACCOUNT,
            "region": self.region,
            "registryid": ACCOUNT,
            "repositoryurl": f"{ACCOUNT}.dkr.ecr.{self.region}.amazonaws.com/{self.identity}",
            "serviceipv4cidr": "172.20.0.0/16",  # what EKS takes in a VPC of 10.0.0.0/8
            "status": "ACTIVE",
        }
        ends = {
            "arn": f"arn:aws:service:{self.region}:{ACCOUNT}:{lower.removesuffix('arn')}/{self.hexadecimal(name, 8)}",
            "securitygroupid": f"sg-0{self.hexadecimal(name, 16)}",
            "vpcid": f"vpc-0{self.hexadecimal(name, 16)}",
        }
        by_end = (value for end, value in ends.items() if lower.endswith(end))
        return known.get(lower) or next(by_end, f"{self.logical_name}-{name}")


class _Blank(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return f"no-{key}"
