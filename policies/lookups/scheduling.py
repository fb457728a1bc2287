"""On which nodes of a fleet a pod may be scheduled, as far as their labels are known."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from muster.blueprint.hyperpod import node_labels as health
from muster.blueprint.hyperpod.node_labels import node_labels
from muster.blueprint.labels import INSTANCE_TYPE
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup, NodeGroup, Taint
from muster.fleet.resources.fleet import KubernetesGroup
from muster.fleet.unknown import UNKNOWN
from muster.hardware.catalogue import Accelerator, Hardware
from muster.hardware.hyperpod_types import ML
from muster.scheduling.matching import Term, matches_expression, terms, untolerated
from policies.lookups.identity_cache import cached_by_identity
from policies.lookups.launch_templates import is_described
from policies.lookups.machines import machines_of
from policies.lookups.unknowns import contains_unknown


class Schedulable(Enum):
    """Whether a pod may be on a node."""

    YES = "yes"
    NO = "no"
    MAYBE = "maybe"


class _LabelUnknown(Exception):
    """A label that is not known before the node is there."""


LATER_LABELS = (
    "eks.amazonaws.com/",
    "failure-domain.beta.kubernetes.io/",
    "k8s.amazonaws.com/",
    "kubernetes.io/hostname",
    "node.kubernetes.io/",
    "sagemaker.amazonaws.com/",
    "topology.",
)
"""Beginnings of labels that others set when a node is there."""
DISCOVERED_LABELS = ("feature.node.kubernetes.io/", "nvidia.com/")
"""Of labels that somebody sets who looks at the hardware, where there is one."""

_COMPUTE_TYPE = "eks.amazonaws.com/compute-type"
"""Set on Fargate, Auto Mode and hybrid nodes only."""

GPU_PRESENT = "nvidia.com/gpu.present"
OF_GPUS = {
    "feature.node.kubernetes.io/pci-10de.present": "true",
    "feature.node.kubernetes.io/pci-0302_10de.present": "true",
    GPU_PRESENT: "true",
    "nvidia.com/gpu.deploy.device-plugin": "true",
}
"""What Node Feature Discovery, nodeadm and the GPU operator say of a node with NVIDIA GPUs, where they run."""

HYPERPOD = health.COMPUTE_TYPE
HEALTH_TAINT = health.TAINT


@dataclass(frozen=True, slots=True, eq=False)
class NodeKind:
    """One kind of node: a group's, of one instance type."""

    name: str
    """The group's, or for a node that no group here makes, its type's."""
    machine: Hardware
    said: Mapping[str, str]
    """Its labels, as far as somebody says them."""
    taints: frozenset[Taint]
    whole: bool
    """Whether all labels and taints of its own are known: those of a foreign self-managed group stand in user data."""
    group: KubernetesGroup | None = None
    later: tuple[str, ...] = LATER_LABELS + DISCOVERED_LABELS
    """Beginnings of labels that are only known later."""

    def get(self, key: str) -> str | None:
        """A label's value, None where the node has no such label.

        Raises:
            _NobodySays: it is only known later.
        """
        if key in self.said:
            return self.said[key]
        if not self.whole or (key.startswith(self.later) and key != _COMPUTE_TYPE):
            raise _LabelUnknown(key)
        return None


def node_kinds(fleet: Fleet, of_gpus: Mapping[str, str] = OF_GPUS) -> Iterator[NodeKind]:
    """The kinds of nodes of a fleet; none of a group whose hardware is not known.

    Args:
        fleet: the fleet.
        of_gpus: labels that nodes with NVIDIA GPUs are taken to have.
    """
    for group in fleet.kubernetes_groups:
        for machine in machines_of(group, fleet)[0]:
            zones = fleet.zones_of(group.subnets) if isinstance(group.subnets, tuple) else None
            in_zone = {"topology.kubernetes.io/zone": min(zones)} if zones and len(zones) == 1 else {}
            found = of_gpus if machine.accelerator is Accelerator.GPU else {}
            if isinstance(group, NodeGroup):
                own, taints, whole = _own(group)
                said = {**_labels(machine, machine.instance), **in_zone, **found, **own}
                yield NodeKind(
                    group.ref.name, machine, said, taints, whole and (group.managed or is_described(group.place)), group
                )
            else:
                yield _of_hyperpod(group, machine, {**in_zone, **found}, fleet)


def _of_hyperpod(group: InstanceGroup, machine: Hardware, known: Mapping[str, str], fleet: Fleet) -> NodeKind:
    """A node of one of HyperPod's groups, while it is healthy."""
    own, taints, whole = _own(group)
    cluster = fleet.find(HyperPodCluster, group.cluster)
    name = cluster.name if cluster and isinstance(cluster.name, str) else None
    said = {**_labels(machine, f"{ML}{machine.instance}"), **node_labels(group.ref.name, name), **known, **own}
    return NodeKind(group.ref.name, machine, said, taints, whole, group)


def _own(group: KubernetesGroup) -> tuple[dict[str, str], frozenset[Taint], bool]:
    """A group's own labels and taints, as far as they are known, and whether all of them are."""
    labels = {} if group.labels is UNKNOWN else dict(group.labels)
    taints = frozenset[Taint]() if group.taints is UNKNOWN else group.taints
    return labels, taints, UNKNOWN not in (group.labels, group.taints)


def hyperpod_node_kind(machine: Hardware) -> NodeKind:
    """A node of a HyperPod cluster, which no resource here makes."""
    found = OF_GPUS if machine.accelerator is Accelerator.GPU else {}
    labels = {**_labels(machine, f"{ML}{machine.instance}"), HYPERPOD: health.HYPERPOD, **found}
    return NodeKind(f"HyperPod's {ML}{machine.instance}", machine, labels, frozenset(), whole=True)


def schedulable(pod_spec: Mapping[str, Any], spot: NodeKind) -> Schedulable:
    """Whether a pod of this spec may be on such a node; one of a form that the API server refuses may be anywhere."""
    try:
        return _lands(pod_spec, spot)
    except (AttributeError, KeyError, TypeError):
        return Schedulable.MAYBE


def _lands(pod_spec: Mapping[str, Any], spot: NodeKind) -> Schedulable:
    tolerations = pod_spec.get("tolerations")
    if not contains_unknown(tolerations) and untolerated(pod_spec, spot.taints):
        return Schedulable.NO
    selected = [_selected(pod_spec, spot), _wanted(pod_spec, spot)]
    if Schedulable.NO in selected:
        return Schedulable.NO
    unsure = Schedulable.MAYBE in selected or contains_unknown(tolerations) or not spot.whole
    return Schedulable.MAYBE if unsure else Schedulable.YES


def _labels(machine: Hardware, instance: str) -> dict[str, str]:
    processor = "arm64" if machine.architecture == "arm64" else "amd64"
    return {
        INSTANCE_TYPE: instance,
        "beta.kubernetes.io/instance-type": instance,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": processor,
    }


def _selected(pod_spec: Mapping[str, Any], spot: NodeKind) -> Schedulable:
    selector = pod_spec.get("nodeSelector") or {}
    if not isinstance(selector, Mapping):
        return Schedulable.MAYBE
    known = {key: value for key, value in selector.items() if not contains_unknown(value)}
    answer = _all([{"key": key, "operator": "In", "values": [value]} for key, value in known.items()], spot)
    return Schedulable.MAYBE if answer is Schedulable.YES and len(known) < len(selector) else answer


def _wanted(pod_spec: Mapping[str, Any], spot: NodeKind) -> Schedulable:
    if _veiled_affinity(pod_spec.get("affinity")):
        return Schedulable.MAYBE
    wanted = terms(pod_spec)
    if wanted is None:
        return Schedulable.YES
    each_term = {_meets(term, spot) for term in wanted if not term.empty}
    return (
        Schedulable.YES
        if Schedulable.YES in each_term
        else Schedulable.MAYBE
        if Schedulable.MAYBE in each_term
        else Schedulable.NO
    )


@cached_by_identity(1024)
def _veiled_affinity(affinity: Any) -> bool:
    """Whether anything in it is unknown: it lists instance types by the dozen, and each kind of node asks for it."""
    return contains_unknown(affinity)


def _meets(term: Term, spot: NodeKind) -> Schedulable:
    """A node's name, which fields ask for, is only known once it is there."""
    by_labels = _all(term.labels, spot)
    return Schedulable.MAYBE if term.fields and by_labels is Schedulable.YES else by_labels


def _all(expressions: Any, spot: NodeKind) -> Schedulable:
    answers = {_one(each, spot) for each in expressions}
    return (
        Schedulable.NO
        if Schedulable.NO in answers
        else Schedulable.MAYBE
        if Schedulable.MAYBE in answers
        else Schedulable.YES
    )


def _one(expression: Mapping[str, Any], spot: NodeKind) -> Schedulable:
    try:
        return Schedulable.YES if matches_expression(expression, spot) else Schedulable.NO
    except _LabelUnknown:
        return Schedulable.MAYBE
