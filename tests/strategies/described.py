"""A description with what stands around it: its Region, its facts, its day."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from muster.blueprint.derive.cluster import derive
from muster.config.description.root import model_of
from muster.config.validation import validate
from muster.fleet.facts import Facts
from tests.factories import AS_OF, edited

REGIONS = {"us-west-2": "usw2", "us-east-1": "use1", "ca-central-1": "cac1", "eu-north-1": "eun1"}
"""Region -> how its zone ids begin."""

ACCOUNT = "210987654321"
"""Not one that documentation uses: those are placeholders."""

WORKERS = "workers"
"""The group that tests look at; the others only stand beside it."""


def made_up(prefix: str, number: int) -> str:
    """An AWS id, the same for the same number: which digits an id has decides nothing."""
    return f"{prefix}-{number:017x}"


@dataclass(frozen=True)
class Described:
    """A description with what stands around it."""

    document: dict[str, Any]
    region: str
    facts: dict[str, Any] = field(default_factory=dict)
    as_of: date = AS_OF

    @property
    def known(self) -> Facts | None:
        """The facts, None where there are none."""
        if not self.facts:
            return None
        made, faults = validate(Facts, self.facts)
        assert made is not None, faults
        return made

    def blueprint(self, stack: str = "random") -> Any:
        """What it comes to, of whichever backend."""
        made, faults = validate(model_of(self.document), self.document)
        assert made is not None, faults
        return derive(made, stack, self.region, self.known)

    def edit(self, edits: Mapping[str, Any]) -> "Described":
        """With values of the document set at dotted paths."""
        return replace(self, document=edited(self.document, edits))
