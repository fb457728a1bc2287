"""What keeps a pod off a node, by labels and taints."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from muster.scheduling.constraints import PodConstraints
from muster.scheduling.node import Node
from muster.scheduling.requirements import Unmet, UnmetTerm, unmet_of
from muster.scheduling.taints import Taint, untolerated


@dataclass(frozen=True, slots=True)
class UnmetAffinity:
    """The pod's required node affinity: none of its terms is surely met."""

    terms: tuple[UnmetTerm, ...]
    """In the affinity's order; empty where it has no term at all."""

    @property
    def certain(self) -> bool:
        """Whether the node surely meets none."""
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
    """All that keeps a pod off a node, or may: selector, affinity, then taints in their order."""
    return (*unmet_selection(pod, node), *untolerated(pod.tolerations, sorted(node.taints)))


class Schedulable(Enum):
    """Whether a pod may be on a node."""

    YES = "yes"
    NO = "no"
    MAYBE = "maybe"
    """It depends on what is not known."""


def verdict(found: Iterable[Obstacle]) -> Schedulable:
    """What obstacles come to."""
    certain = {isinstance(each, Taint) or each.certain for each in found}
    return Schedulable.YES if not certain else Schedulable.NO if True in certain else Schedulable.MAYBE


def may_be_on(pod: PodConstraints, node: Node) -> bool:
    """Whether nothing keeps a pod off a node of which all labels and taints are known."""
    return not obstacles(pod, node)
