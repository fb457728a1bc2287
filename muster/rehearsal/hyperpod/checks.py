"""How a rehearsal plays HyperPod's deep health checks."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from muster.fleet.hyperpod.health import CHECKS_TAKE
from muster.rehearsal.grouping import names
from muster.rehearsal.hyperpod.health import has_checks
from muster.rehearsal.nodes import PlannedNode
from muster.rehearsal.outcome import StandIn


class Checks(StrEnum):
    """How far they are when the job comes."""

    PLAYED = "played"
    """They run, the job waits; then they end, and it goes on."""
    IN_PROGRESS = "in-progress"
    """They run, and do not end."""
    PASSED = "passed"
    """They are over on the nodes that are there when it comes. A new node is checked all the same."""


def stand_ins(nodes: Iterable[PlannedNode], checks: Checks) -> Iterator[StandIn]:
    """What is played of them; nothing where no group has any."""
    groups = dict.fromkeys(node.group for node in nodes if has_checks(node))
    if groups:
        how = {
            Checks.PLAYED: "the nodes' labels and taint, first as while they run, then as once they have passed",
            Checks.IN_PROGRESS: "the nodes' labels and taint, as while they run",
            Checks.PASSED: "the nodes' labels, as once they have passed",
        }[checks]
        yield _stand_in(groups, how)


def stand_in_for_new(nodes: Iterable[PlannedNode]) -> StandIn:
    """What is played of them on nodes that join later."""
    how = "a new node's labels and taint, first as while they run, then as once they have passed"
    return _stand_in(dict.fromkeys(node.group for node in nodes), how)


def _stand_in(groups: Iterable[str], how: str) -> StandIn:
    why = f"AWS's own code on real hardware, {CHECKS_TAKE} for every new instance"
    return StandIn(f"HyperPod's deep health checks of {names(groups)}", how, why)


def notes(nodes: Iterable[PlannedNode], checks: Checks) -> Iterator[str]:
    """What the verdict leaves out of them."""
    groups = dict.fromkeys(node.group for node in nodes if has_checks(node))
    if not groups or checks is Checks.IN_PROGRESS:
        return
    when = "the job waits for them first" if checks is Checks.PLAYED else "the verdict is for nodes that passed"
    yield f"HyperPod's deep health checks take {CHECKS_TAKE} on every new node of {names(groups)}: {when}"
