"""Four mistakes in p5-odcr, one of each kind: what each gate refuses, and at which line and column.

The corpus has the others: all gates ask the same rules.
"""

import json
from dataclasses import dataclass
from typing import Any

from tests.stack_files import edited

_SUBNET_OF_WORKERS = "subnet-fill-me-in-private-a"


@dataclass(frozen=True)
class Edit:
    """One mistake."""

    name: str
    rule: str
    """The rule it must name; ``schema`` for a schema error."""
    where: str
    """The place in the description it must name."""
    points_at: str
    """What stands in the file at the line and column it must name."""
    changes: tuple[tuple[str, str], ...] = ()
    """Text that stands once in the stack file -> what is written instead."""
    facts: tuple[tuple[str, Any], ...] = ()
    """Facts of the account, in the form of `stacks/facts/<stack>.json`."""

    @property
    def exit_code(self) -> int:
        """What `muster check` answers: 2 for a fault of form, 1 for a rule's finding."""
        return 2 if self.rule == "schema" else 1

    def applied(self, text: str) -> str:
        """The stack file with the mistake in it."""
        for before, after in self.changes:
            text = edited(text, before, after)
        return text

    def position(self, text: str) -> tuple[int, int]:
        """The line and column it must name, in the file with the mistake in it."""
        before = text[: text.rindex(self.points_at)]
        return before.count("\n") + 1, len(before) - before.rfind("\n")

    @property
    def facts_text(self) -> str | None:
        """The facts file, None where the mistake needs none."""
        return json.dumps({"contract": 1, **dict(self.facts)}, indent=2) if self.facts else None


EDITS = (
    Edit(
        "reservation in the other zone",
        rule="reservation-zone-matches-subnet",
        where="groups.workers.capacity.reservation.zone",
        points_at="us-west-2b\n            count",
        changes=(("zone: us-west-2a\n            count", "zone: us-west-2b\n            count"),),
    ),
    Edit(
        "unknown instance type",
        rule="schema",
        where="groups.workers.instance",
        points_at="p5.48xlarg\n",
        changes=(("instance: p5.48xlarge\n", "instance: p5.48xlarg\n"),),
    ),
    Edit(
        "the same key twice",
        rule="schema",
        where="config.muster:cluster.groups.workers.nodes",
        points_at="nodes: 2\n",
        changes=(("nodes: 1\n", "nodes: 1\n        nodes: 2\n"),),
    ),
    Edit(
        "subnets too small",
        rule="subnet-holds-nodes",
        where="groups.workers.nodes",
        points_at="1\n        zone: us-west-2a",
        facts=(("subnets", {_SUBNET_OF_WORKERS: {"freeAddresses": 40}}),),
    ),
)
