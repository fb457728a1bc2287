"""On which nodes of a fleet a pod may be, as far as anybody knows their labels.

The scheduler's own filters (`muster.fleet.matching`) on labels of which some are only known once the node is there:
so there is a third answer.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from muster.fleet.hardware import Accelerator, Hardware
from muster.fleet.hardware.hyperpod_types import ML
from muster.fleet.hyperpod import health
from muster.fleet.hyperpod.node_labels import node_labels
from muster.fleet.labels import INSTANCE_TYPE
from muster.fleet.matching import Term, met, terms, untolerated
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup, NodeGroup, Taint
from muster.fleet.resources.fleet import KubernetesGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.machines import machines_of
from policies.reading.remembered import remembered
from policies.reading.templates import is_described
from policies.reading.unknowns import veiled


class Lands(Enum):
    """Whether a pod may be on a node."""

    YES = "yes"
    NO = "no"
    MAYBE = "maybe"


class _NobodySays(Exception):
    """A label that is not known before the node is there."""


LATER = (
    "eks.amazonaws.com/",
    "failure-domain.beta.kubernetes.io/",
    "k8s.amazonaws.com/",
    "kubernetes.io/hostname",
    "node.kubernetes.io/",
    "sagemaker.amazonaws.com/",
    "topology.",
)
"""Beginnings of labels that others set when a node is there."""
FOUND_OUT = ("feature.node.kubernetes.io/", "nvidia.com/")
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
class Spot:
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
    later: tuple[str, ...] = LATER + FOUND_OUT
    """Beginnings of labels that are only known later."""

    def get(self, key: str) -> str | None:
        """A label's value, None where the node has no such label.

        Raises:
            _NobodySays: it is only known later.
        """
        if key in self.said:
            return self.said[key]
        if not self.whole or (key.startswith(self.later) and key != _COMPUTE_TYPE):
            raise _NobodySays(key)
        return None


def spots(fleet: Fleet, of_gpus: Mapping[str, str] = OF_GPUS) -> Iterator[Spot]:
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
                yield Spot(
                    group.ref.name, machine, said, taints, whole and (group.managed or is_described(group.place)), group
                )
            else:
                yield _of_hyperpod(group, machine, {**in_zone, **found}, fleet)


def _of_hyperpod(group: InstanceGroup, machine: Hardware, known: Mapping[str, str], fleet: Fleet) -> Spot:
    """A node of one of HyperPod's groups, while it is healthy."""
    own, taints, whole = _own(group)
    cluster = fleet.find(HyperPodCluster, group.cluster)
    name = cluster.name if cluster and isinstance(cluster.name, str) else None
    said = {**_labels(machine, f"{ML}{machine.instance}"), **node_labels(group.ref.name, name), **known, **own}
    return Spot(group.ref.name, machine, said, taints, whole, group)


def _own(group: KubernetesGroup) -> tuple[dict[str, str], frozenset[Taint], bool]:
    """A group's own labels and taints, as far as they are known, and whether all of them are."""
    labels = {} if group.labels is UNKNOWN else dict(group.labels)
    taints = frozenset[Taint]() if group.taints is UNKNOWN else group.taints
    return labels, taints, UNKNOWN not in (group.labels, group.taints)


def hyperpod_spot(machine: Hardware) -> Spot:
    """A node of a HyperPod cluster, which no resource here makes."""
    found = OF_GPUS if machine.accelerator is Accelerator.GPU else {}
    labels = {**_labels(machine, f"{ML}{machine.instance}"), HYPERPOD: health.HYPERPOD, **found}
    return Spot(f"HyperPod's {ML}{machine.instance}", machine, labels, frozenset(), whole=True)


def lands(pod_spec: Mapping[str, Any], spot: Spot) -> Lands:
    """Whether a pod of this spec may be on such a node; one of a form that the API server refuses may be anywhere."""
    try:
        return _lands(pod_spec, spot)
    except (AttributeError, KeyError, TypeError):
        return Lands.MAYBE


def _lands(pod_spec: Mapping[str, Any], spot: Spot) -> Lands:
    tolerations = pod_spec.get("tolerations")
    if not veiled(tolerations) and untolerated(pod_spec, spot.taints):
        return Lands.NO
    selected = [_selected(pod_spec, spot), _wanted(pod_spec, spot)]
    if Lands.NO in selected:
        return Lands.NO
    unsure = Lands.MAYBE in selected or veiled(tolerations) or not spot.whole
    return Lands.MAYBE if unsure else Lands.YES


def _labels(machine: Hardware, instance: str) -> dict[str, str]:
    processor = "arm64" if machine.architecture == "arm64" else "amd64"
    return {
        INSTANCE_TYPE: instance,
        "beta.kubernetes.io/instance-type": instance,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": processor,
    }


def _selected(pod_spec: Mapping[str, Any], spot: Spot) -> Lands:
    selector = pod_spec.get("nodeSelector") or {}
    if not isinstance(selector, Mapping):
        return Lands.MAYBE
    known = {key: value for key, value in selector.items() if not veiled(value)}
    answer = _all([{"key": key, "operator": "In", "values": [value]} for key, value in known.items()], spot)
    return Lands.MAYBE if answer is Lands.YES and len(known) < len(selector) else answer


def _wanted(pod_spec: Mapping[str, Any], spot: Spot) -> Lands:
    if _veiled_affinity(pod_spec.get("affinity")):
        return Lands.MAYBE
    wanted = terms(pod_spec)
    if wanted is None:
        return Lands.YES
    each_term = {_meets(term, spot) for term in wanted if not term.empty}
    return Lands.YES if Lands.YES in each_term else Lands.MAYBE if Lands.MAYBE in each_term else Lands.NO


@remembered(1024)
def _veiled_affinity(affinity: Any) -> bool:
    """Whether anything in it is unknown: it lists instance types by the dozen, and each kind of node asks for it."""
    return veiled(affinity)


def _meets(term: Term, spot: Spot) -> Lands:
    """A node's name, which fields ask for, is only known once it is there."""
    by_labels = _all(term.labels, spot)
    return Lands.MAYBE if term.fields and by_labels is Lands.YES else by_labels


def _all(expressions: Any, spot: Spot) -> Lands:
    answers = {_one(each, spot) for each in expressions}
    return Lands.NO if Lands.NO in answers else Lands.MAYBE if Lands.MAYBE in answers else Lands.YES


def _one(expression: Mapping[str, Any], spot: Spot) -> Lands:
    try:
        return Lands.YES if met(expression, spot) else Lands.NO
    except _NobodySays:
        return Lands.MAYBE
