"""The mistakes that must not pass: edits of p5-odcr, each with the one rule or field it must name, and where."""

import json
from dataclasses import dataclass
from typing import Any

from tests.stack_files import edited

_SUBNET_OF_WORKERS = "subnet-fill-me-in-private-a"
_RESERVATION = "cr-fill-me-in"


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
        "count below max nodes",
        rule="reservation-covers-nodes",
        where="groups.workers.capacity.reservation.count",
        points_at="1\n            provided-by",
        changes=(("nodes: 1\n", "nodes: {min: 0, start: 1, max: 2, scaled-by: you}\n"),),
    ),
    Edit(
        "unknown instance type",
        rule="schema",
        where="groups.workers.instance",
        points_at="p5.48xlarg\n",
        changes=(("instance: p5.48xlarge\n", "instance: p5.48xlarg\n"),),
    ),
    Edit(
        "misspelt key",
        rule="schema",
        where="groups.workers.capacity.reservation.provded-by",
        points_at="provded-by",
        changes=(("provided-by: aws", "provded-by: aws"),),
    ),
    Edit(
        "the same key twice",
        rule="schema",
        where="config.muster:cluster.groups.workers.nodes",
        points_at="nodes: 2\n",
        changes=(("nodes: 1\n", "nodes: 1\n        nodes: 2\n"),),
    ),
    Edit(
        "a size without a unit",
        rule="schema",
        where="groups.workers.volume.size",
        points_at="4800}",
        changes=(("size: 300GiB", "size: 4800"),),
    ),
    Edit(
        "a Kubernetes version out of support",
        rule="kubernetes-version-supported",
        where="kubernetes",
        points_at='"1.30"',
        changes=(('"1.35"', '"1.30"'),),
    ),
    Edit(
        "the reservation is for another type",
        rule="reservation-instance-type-matches",
        where="groups.workers.instance",
        points_at="p5.48xlarge",
        facts=(("reservations", {_RESERVATION: {"instanceType": "p5e.48xlarge"}}),),
    ),
    Edit(
        "workers in a subnet that maps public IPs",
        rule="several-interfaces-private-subnets",
        where="groups.workers.subnets",
        points_at="workers:\n",
        facts=(("subnets", {_SUBNET_OF_WORKERS: {"mapPublicIpOnLaunch": True}}),),
    ),
    Edit(
        "subnets too small",
        rule="subnet-holds-nodes",
        where="groups.workers.nodes",
        points_at="1\n        zone: us-west-2a",
        facts=(("subnets", {_SUBNET_OF_WORKERS: {"freeAddresses": 40}}),),
    ),
    Edit(
        "workers in a public subnet",
        rule="several-interfaces-private-subnets",
        where="groups.workers.subnets",
        points_at="public\n        zone",
        changes=(
            ("        zone: us-west-2a # the zone", "        subnets: public\n        zone: us-west-2a # the zone"),
        ),
    ),
    Edit(
        "one control-plane zone",
        rule="control-plane-zones",
        where="network.existing.private",
        points_at="private:\n",
        changes=(("          us-west-2b: subnet-fill-me-in-private-b\n", ""),),
    ),
    Edit(
        "AWS says both control-plane subnets are in one zone",
        rule="subnet-zone-as-declared",
        where="network.existing.private.us-west-2b",
        points_at="subnet-fill-me-in-private-b",
        facts=(("subnets", {"subnet-fill-me-in-private-b": {"zone": "us-west-2a"}}),),
    ),
)
