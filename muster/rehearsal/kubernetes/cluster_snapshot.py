"""The control plane at one moment, and which requirements of a pod a node does not meet. Pure data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from muster.blueprint.kubernetes import Blueprint
from muster.fleet.resources import Taint
from muster.rehearsal.outcome import Amount
from muster.scheduling.matching import Json, Term, terms, unselected, values


@dataclass(frozen=True, slots=True)
class LiveNode:
    """A node, or one that its group could have."""

    name: str
    group: str
    instance: str
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    amounts: Mapping[str, Amount]
    """Everything that pods may ask for: devices, huge pages, ``cpu``, ``memory``, ``pods``."""

    def planned(self, resource: str) -> int:
        """What it offers once everything works."""
        amount = self.amounts.get(resource)
        return amount.planned if amount else 0

    def offered(self, resource: str) -> int:
        """What it offers now."""
        amount = self.amounts.get(resource)
        return amount.offered if amount else 0

    def used(self, resource: str) -> int:
        """What of that is taken."""
        amount = self.amounts.get(resource)
        return amount.used if amount else 0

    def free(self, resource: str) -> int:
        """What is left of it."""
        return self.offered(resource) - self.used(resource)


@dataclass(frozen=True, slots=True)
class InstalledPlugin:
    """A device plugin that is installed."""

    addon: str
    pod: Json
    """The spec of its pods."""
    own_values: frozenset[str] = frozenset()
    """The keys of its values that the description sets itself."""


@dataclass(frozen=True, slots=True)
class ClusterSnapshot:
    """The nodes, and who serves their devices."""

    blueprint: Blueprint
    nodes: tuple[LiveNode, ...]
    absent: tuple[LiveNode, ...] = ()
    """One node of each group that has none."""
    lost: tuple[LiveNode, ...] = ()
    """Nodes that a drill has taken away."""
    servers: Mapping[str, tuple[InstalledPlugin, ...]] = field(default_factory=dict)
    """Resource -> the plugins that serve it."""
    lost_zone: str = ""
    """A zone that a drill has taken away with all its nodes."""

    def resources(self) -> frozenset[str]:
        """Every resource that some node has."""
        return frozenset(
            resource for node in (*self.nodes, *self.absent) for resource in node.amounts if node.planned(resource)
        )


def groups_of_nodes(nodes: Iterable[LiveNode]) -> tuple[str, ...]:
    """The groups of these nodes, each once, in order."""
    return tuple(dict.fromkeys(node.group for node in nodes))


def unmet_requirements(pod: Json, labels: Mapping[str, str], name: str = "") -> tuple[str, ...]:
    """What of a pod's node selector and required node affinity a node does not meet, in words; none where it may go.

    Args:
        pod: the pod's spec.
        labels: the node's.
        name: the node's, for the terms that DaemonSets' controller writes.
    """
    found = [f"{key}={value}" for key, value in unselected(pod, labels).items()]
    required = terms(pod)
    if required is not None:
        failing = [_unmet(term, labels, name) for term in required]
        if not failing:
            found.append("(no term at all)")
        elif all(failing):  # a term is met by meeting all of it, and one term is enough
            nearest: tuple[str, ...] = min(failing, key=len)
            found += nearest
    return tuple(found)


def _unmet(term: Term, labels: Mapping[str, str], name: str) -> tuple[str, ...]:
    if term.empty:
        return ("(a term that asks for nothing)",)
    unmet = term.unmet(labels, name)
    return tuple(_requirement_text(each) for each in (*unmet.labels, *unmet.fields))


def _requirement_text(expression: Json) -> str:
    """A requirement in words: ``node.kubernetes.io/instance-type in (p5.48xlarge, p5e.48xlarge)``."""
    key, operator = expression["key"], expression["operator"]
    match operator:
        case "In":
            one = len(expression.get("values") or ()) == 1
            return f"{key}={values(expression)}" if one else f"{key} in ({values(expression)})"
        case "NotIn":
            return f"{key} not in ({values(expression)})"
        case "Exists":
            return f"the label {key}"
        case "DoesNotExist":
            return f"no label {key}"
    return f"{key} {'>' if operator == 'Gt' else '<'} {values(expression)}"


def required_keys(pod: Json) -> frozenset[str]:
    """The label keys that a pod's selector and required affinity speak of."""
    return frozenset(pod.get("nodeSelector") or {}) | {each["key"] for term in terms(pod) or () for each in term.labels}
