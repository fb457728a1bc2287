"""The workers of a job: their group, how many, what each takes of its node, the queue they wait in."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from muster.fleet.blueprint import Blueprint, KubernetesGroup
from muster.fleet.quantity import Size
from muster.jobs.ask import Ask
from muster.jobs.fit import DoesNotFit, missing_addons, node_count
from muster.jobs.share import MEMORY, Share, placement, share

A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Crew:
    """Workers that fit their nodes."""

    group: KubernetesGroup
    count: int
    share: Share
    ask: Ask

    @property
    def placement(self) -> dict[str, Any]:
        """Of a worker's pod spec: which nodes it goes to, whose taints it tolerates, which scheduler places it."""
        scheduler = {"schedulerName": self.share.scheduler} if self.share.scheduler else {}
        return {**placement(self.group), **scheduler}


def crew(
    blueprint: Blueprint,
    ask: Ask,
    *,
    workers: Callable[[Blueprint, str | None], KubernetesGroup],
    addons: Callable[[KubernetesGroup | None], Iterable[str]],
    refuses: Callable[[KubernetesGroup, Share], str] = lambda _group, _share: "",
    memory: Size | None = MEMORY,
    pages: bool = True,
) -> Crew:
    """The workers of a job, as they are asked for.

    Args:
        blueprint: the cluster.
        ask: how they are wanted.
        workers: the group they go to; raises `DoesNotFit`.
        addons: the add-ons that the job needs for a group, or for none where no group fits.
        refuses: why the job cannot run with such workers on this group; empty where it can.
        memory: what a worker takes where nobody says how much; None: all that others leave.
        pages: whether it takes huge pages where nobody says so.

    Raises:
        DoesNotFit: this cluster cannot have them; every reason at once.
    """
    try:
        group = workers(blueprint, ask.group)
    except DoesNotFit as fault:
        raise DoesNotFit(*missing_addons(blueprint, addons(None)), *fault.reasons) from None
    reasons, count, part = missing_addons(blueprint, addons(group)), 0, None
    try:
        part = share(blueprint, group, ask, memory=memory, pages=pages)
        if reason := refuses(group, part):
            reasons.append(reason)
    except DoesNotFit as fault:
        reasons += fault.reasons
    try:
        count = node_count(group, ask)
    except DoesNotFit as fault:
        reasons += fault.reasons
    if reasons or part is None:
        raise DoesNotFit(*reasons)
    return Crew(group, count, part, ask)


def both(first: Callable[[], A], second: Callable[[], B]) -> tuple[A, B]:
    """Two things that a job needs.

    Raises:
        DoesNotFit: one is not to be had, or neither is: the reasons of both.
    """
    made: list[Any] = []
    reasons: list[str] = []
    for each in (first, second):
        try:
            made.append(each())
        except DoesNotFit as fault:
            reasons += fault.reasons
    if reasons:
        raise DoesNotFit(*reasons)
    return made[0], made[1]
