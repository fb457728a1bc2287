"""What the offline monitor does not know about another team's program. It is reported, never ignored."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from muster.fleet.registration import Registration


@dataclass(frozen=True, slots=True, order=True)
class Gap:
    """Something that the offline monitor does not model."""

    where: str
    """The resource's URN, or the invoke's token."""
    missing: str
    """The unknown part, which rules do not evaluate."""


def empty_program_gap(registrations: Iterable[Registration]) -> Iterator[Gap]:
    """A gap for a program or a file without resources, so that it does not pass the check."""
    if not any(each.type != "pulumi:pulumi:Stack" for each in registrations):
        yield Gap("resources", "the program has no resources to check")
