"""What the offline monitor does not know of another team's program: reported, never passed over."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from muster.fleet.registration import Registration


@dataclass(frozen=True, slots=True, order=True)
class Gap:
    """One thing that is not modelled."""

    where: str
    """The resource's URN, or the invoke's token."""
    missing: str
    """The unknown part, which is not judged."""


def empty_program_gap(registrations: Iterable[Registration]) -> Iterator[Gap]:
    """A gap for a program or a file without resources, so that it does not pass."""
    if not any(each.type != "pulumi:pulumi:Stack" for each in registrations):
        yield Gap("resources", "a resource: the program has none to judge")
