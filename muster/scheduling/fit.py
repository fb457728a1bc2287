"""The obstacles that keep a pod off a node, labels and taints; and amounts: what pods request, and what a node has.

An amount is in its resource's base unit (`muster.kubernetes_quantity`). A resource that is not listed is zero.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple, Protocol, Self

from muster.scheduling.constraints import PodConstraints
from muster.scheduling.requirements import Labels, Unmet, UnmetTerm, unmet_of
from muster.scheduling.taints import Taint, taints_of, untolerated
from muster.unknown import UnknownType


class Node(Protocol):
    """A node: planned, simulated or observed."""

    @property
    def name(self) -> str | UnknownType:
        """Its name."""

    @property
    def labels(self) -> Labels:
        """All of them."""

    @property
    def taints(self) -> Iterable[Taint]:
        """All of them."""


class KubernetesNode(NamedTuple):
    """A node with only the fields that matter here."""

    name: str | UnknownType
    labels: Labels
    taints: Iterable[Taint] = ()

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> Self:
        """Reads a node from the API server's JSON."""
        metadata = manifest["metadata"]
        return cls(metadata["name"], metadata.get("labels") or {}, taints_of(manifest["spec"]))


class UnmetAffinity(NamedTuple):
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


Amounts = Mapping[str, int]
"""Resource -> how much of it."""


def left(room: Amounts, taken: Amounts) -> dict[str, int]:
    """The remaining amounts; less than zero if more is used than exists."""
    return {resource: amount - taken.get(resource, 0) for resource, amount in room.items()}


def shortages(requested: Amounts, room: Amounts) -> dict[str, int]:
    """The resources that are too scarce, in the order of the request -> the existing amount."""
    there = {resource: room.get(resource, 0) for resource in requested}
    return {resource: amount for resource, amount in there.items() if amount < requested[resource]}


def copies_that_fit(requested: Amounts, room: Amounts) -> int:
    """The number of pods with this request that fit.

    Raises:
        ValueError: the request is for nothing.
    """
    return min(max(0, room.get(resource, 0)) // amount for resource, amount in requested.items() if amount)
