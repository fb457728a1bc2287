"""Stand-ins for what a stack's file leaves to be filled in: well-formed, so that all is derived as if it were there."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from muster.fleet.description.identifiers import DOCUMENTATION_ACCOUNTS, PLACEHOLDER

_ID = re.compile(rf"\b(?P<kind>vpc|subnet|sg|cr|ami|fs)-{PLACEHOLDER}[a-z0-9-]*")
_BUCKET = re.compile(rf"(?<=s3://){PLACEHOLDER}[^/\"'\s,}}]*")
_NAME = re.compile(rf"\b(?:key|pg)-{PLACEHOLDER}[a-z0-9-]*")
_PLAN = re.compile(rf"(?<=training-plan/){PLACEHOLDER}[a-z0-9-]*")
_ACCOUNT = re.compile(rf"(?<=:)(?:{'|'.join(DOCUMENTATION_ACCOUNTS)})(?=:)")

_NOBODYS = "000000000000"
"""An account that there is none of."""


@dataclass(slots=True)
class StandIns:
    """What stands for what."""

    of: dict[str, str] = field(default_factory=dict)
    """Stand-in -> the placeholder."""

    def filled_in(self, text: str) -> str:
        """The text of a stack's file with a stand-in for each placeholder."""
        text = _ID.sub(lambda found: self._keep(f"{found['kind']}-0{_digits(found.group())}", found.group()), text)
        text = _BUCKET.sub(lambda found: self._keep(_name(found.group()), f"s3://{found.group()}"), text)
        text = _PLAN.sub(lambda found: self._keep(_name(found.group()), f"training-plan/{found.group()}"), text)
        text = _NAME.sub(lambda found: self._keep(_name(found.group()), found.group()), text)
        return _ACCOUNT.sub(lambda found: self._keep(_NOBODYS, found.group()), text)

    def _keep(self, stand_in: str, placeholder: str) -> str:
        self.of[stand_in] = placeholder
        return stand_in

    def opened(self, resource: str) -> str:
        """An ARN with a wildcard in place of each stand-in."""
        for each in self.of:
            resource = resource.replace(each, "*")
        return resource

    def in_use(self, resources: Iterable[str]) -> list[str]:
        """The placeholders whose stand-ins some ARNs have; not the accounts of documentation."""
        every = [*resources]
        found = {placeholder for each, placeholder in self.of.items() if any(each in one for one in every)}
        return sorted(found - {*DOCUMENTATION_ACCOUNTS})


def _name(placeholder: str) -> str:
    return f"stand-in-{_digits(placeholder)}"


def _digits(placeholder: str) -> str:
    return hashlib.sha256(placeholder.encode()).hexdigest()[:16]
