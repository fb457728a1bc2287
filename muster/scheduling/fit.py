"""The obstacles that keep a pod off a node: labels and taints."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from muster.scheduling.constraints import PodConstraints
from muster.scheduling.node import Node
from muster.scheduling.requirements import Unmet, UnmetTerm, unmet_of
from muster.scheduling.taints import Taint, untolerated


@dataclass(frozen=True, slots=True)
class UnmetAffinity:
    """The pod's required node affinity: it is not certain that the node meets one of its terms."""

    terms: tuple[UnmetTerm, ...]
    """The terms in the affinity's order; empty if it has no term."""

    @property
    def certain(self) -> bool:
        """Whether it is certain that the node meets none."""
        return all(each.certain for each in self.terms)


Obstacle = Unmet | UnmetAffinity | Taint
"""A label of the pod's node selector, its affinity, or a taint of the node that it does not tolerate."""


def unmet_selection(pod: PodConstraints, node: Node) -> tuple[Unmet | UnmetAffinity, ...]:
    """The requirements of selector and affinity that a node does not meet, or may not meet."""
    selector = unmet_of(pod.selector, node.labels)
    if pod.terms is None:
        return selector
    unmet = [term.unmet(node.labels, node.name) for term in pod.terms]
    terms = tuple(each for each in unmet if each is not None)
    return (*selector, *((UnmetAffinity(terms),) if len(terms) == len(unmet) else ()))


def obstacles(pod: PodConstraints, node: Node) -> tuple[Obstacle, ...]:
    """All obstacles that keep a pod off a node, or may: selector, affinity, then taints in their order."""
    return (*unmet_selection(pod, node), *untolerated(pod.tolerations, sorted(node.taints)))


class Schedulable(Enum):
    """Whether a pod may be on a node."""

    YES = "yes"
    NO = "no"
    MAYBE = "maybe"
    """It depends on unknown values."""


def verdict(found: Iterable[Obstacle]) -> Schedulable:
    """Whether a pod may be on a node with these obstacles."""
    certain = {isinstance(each, Taint) or each.certain for each in found}
    return Schedulable.YES if not certain else Schedulable.NO if True in certain else Schedulable.MAYBE


def may_be_on(pod: PodConstraints, node: Node) -> bool:
    """Whether a node whose labels and taints are all known has no obstacle for the pod."""
    return not obstacles(pod, node)
