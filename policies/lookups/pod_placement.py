"""On which nodes of a fleet a pod may be scheduled, as far as their labels are known."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from muster.blueprint.hyperpod import node_labels as health
from muster.blueprint.hyperpod.node_labels import node_labels
from muster.blueprint.labels import machine_labels
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import KubernetesGroup
from muster.hardware.catalogue import Accelerator, Hardware
from muster.hardware.hyperpod_types import ML
from muster.object_cache import cached_by_identity
from muster.policies.lookups.machines import known_machines
from muster.scheduling.constraints import MalformedConstraints, PodConstraints, PodSpec
from muster.scheduling.fit import KubernetesNode, Schedulable, obstacles, verdict
from muster.scheduling.taints import Taint, untolerated
from muster.unknown import UNKNOWN, UnknownType, has_unknown, known, stored

LATER_LABELS = (
    "eks.amazonaws.com/",
    "failure-domain.beta.kubernetes.io/",
    "k8s.amazonaws.com/",
    "kubernetes.io/hostname",
    "node.kubernetes.io/",
    "sagemaker.amazonaws.com/",
    "topology.",
)
"""Prefixes of labels that are set when a node has joined."""
DISCOVERED_LABELS = ("feature.node.kubernetes.io/", "nvidia.com/")
"""Prefixes of labels that a feature discovery sets, where the cluster has one."""

_COMPUTE_TYPE = "eks.amazonaws.com/compute-type"
"""Set on Fargate, Auto Mode and hybrid nodes only."""

GPU_PRESENT = "nvidia.com/gpu.present"
OF_GPUS = {
    "feature.node.kubernetes.io/pci-10de.present": "true",
    "feature.node.kubernetes.io/pci-0302_10de.present": "true",
    GPU_PRESENT: "true",
    "nvidia.com/gpu.deploy.device-plugin": "true",
}
"""Labels that Node Feature Discovery, nodeadm and the GPU operator set on a node with NVIDIA GPUs, if they run."""

_TOLERATES_ALL = [{"operator": "Exists"}]
_DECISIVE = ("nodeSelector", "affinity", "tolerations")

HYPERPOD = health.COMPUTE_TYPE
HEALTH_TAINT = health.TAINT


@dataclass(frozen=True, slots=True, eq=False)
class NodeKind:
    """One kind of node: a group's, of one instance type."""

    name: str
    """The group's name; for a node whose group another program creates, the name of its type."""
    machine: Hardware
    known_labels: Mapping[str, str]
    """All labels except those that are only known later."""
    taints: frozenset[Taint]
    whole: bool
    """Whether all labels and taints of its group are known: a foreign self-managed group has them in user data."""
    group: KubernetesGroup | None = None
    later: tuple[str, ...] = LATER_LABELS + DISCOVERED_LABELS
    """Prefixes of labels that are only known later."""

    def get(self, key: str, /) -> str | None | UnknownType:
        """A label's value; None if the node does not have the label, UNKNOWN if it is only known later."""
        if key in self.known_labels:
            return self.known_labels[key]
        return UNKNOWN if not self.whole or (key.startswith(self.later) and key != _COMPUTE_TYPE) else None


def node_kinds(fleet: Fleet, of_gpus: Mapping[str, str] = OF_GPUS) -> Iterator[NodeKind]:
    """The kinds of nodes of a fleet, without those of groups whose hardware is not known.

    Args:
        fleet: the fleet.
        of_gpus: labels that nodes with NVIDIA GPUs are assumed to have.
    """
    for group in fleet.kubernetes_groups:
        for machine in known_machines(group, fleet):
            zones = fleet.zones_of(stored(group, "subnets", ()))
            in_zone = {"topology.kubernetes.io/zone": min(zones)} if zones and len(zones) == 1 else {}
            in_region = {"topology.kubernetes.io/region": fleet.region} if fleet.region else {}
            found = of_gpus if machine.accelerator is Accelerator.GPU else {}
            if isinstance(group, NodeGroup):
                own, taints, whole = _own(group)
                known_labels = {**machine_labels(machine, machine.instance), **in_region, **in_zone, **found, **own}
                yield NodeKind(
                    group.ref.name,
                    machine,
                    known_labels,
                    taints,
                    whole and (group.managed or group.place.described),
                    group,
                )
            else:
                yield _of_hyperpod(group, machine, {**in_region, **in_zone, **found}, fleet)


def _of_hyperpod(group: InstanceGroup, machine: Hardware, known: Mapping[str, str], fleet: Fleet) -> NodeKind:
    """A healthy node of one of HyperPod's groups."""
    own, taints, whole = _own(group)
    cluster = fleet.find(HyperPodCluster, group.cluster)
    name = stored(cluster, "name", None) if cluster else None
    known_labels = {
        **machine_labels(machine, f"{ML}{machine.instance}"),
        **node_labels(group.ref.name, name),
        **known,
        **own,
    }
    return NodeKind(group.ref.name, machine, known_labels, taints, whole, group)


def _own(group: KubernetesGroup) -> tuple[dict[str, str], frozenset[Taint], bool]:
    """A group's labels and taints, as far as they are known, and whether all are."""
    labels, taints = stored(group, "labels", ()), stored(group, "taints", frozenset())
    return dict(labels), taints, known(lambda: (group.labels, group.taints))


def hyperpod_node_kind(machine: Hardware) -> NodeKind:
    """A node of a HyperPod cluster that another program creates."""
    found = OF_GPUS if machine.accelerator is Accelerator.GPU else {}
    labels = {**machine_labels(machine, f"{ML}{machine.instance}"), HYPERPOD: health.HYPERPOD, **found}
    return NodeKind(f"HyperPod's {ML}{machine.instance}", machine, labels, frozenset(), whole=True)


def schedulable(pod_spec: PodSpec, spot: NodeKind) -> Schedulable:
    """Whether a pod of this spec may run on such a node; for an invalid spec, maybe."""
    keys, answers = _answers(pod_spec)
    labels = (spot.whole, spot.taints, *map(spot.get, keys))
    if labels not in answers:
        answers[labels] = _schedulable(pod_spec, spot)
    return answers[labels]


@cached_by_identity(1024)
def _answers(pod_spec: PodSpec) -> tuple[tuple[str, ...], dict[tuple[object, ...], Schedulable]]:
    """The labels that a spec has requirements on, and the answers for nodes that have the same values of them: plugins
    and nodes can both be many."""
    pod, _ = known_constraints(pod_spec)
    return tuple(pod.keys if pod else ()), {}


def _schedulable(pod_spec: PodSpec, spot: NodeKind) -> Schedulable:
    pod, complete = known_constraints(pod_spec)
    if pod is None:
        return Schedulable.MAYBE
    # The name of a node is known only after it has joined.
    answer = verdict(obstacles(pod, KubernetesNode(UNKNOWN, spot, spot.taints)))
    return Schedulable.MAYBE if answer is Schedulable.YES and not (complete and spot.whole) else answer


def untolerated_taints(pod_spec: PodSpec, taints: Iterable[Taint]) -> tuple[Taint, ...]:
    """The taints that a pod of this spec certainly does not tolerate; none for an invalid spec."""
    pod, _ = known_constraints(pod_spec)
    return untolerated(pod.tolerations, taints) if pod else ()


@cached_by_identity(1024)
def known_constraints(pod_spec: PodSpec) -> tuple[PodConstraints | None, bool]:
    """What a spec requires, and whether all of that is known. An unknown field counts as no requirement: it can only
    exclude more nodes.

    Cached, because an affinity lists dozens of instance types, and each kind of node is compared with it.
    """
    known = dict(pod_spec)
    selector = known.get("nodeSelector")
    if isinstance(selector, Mapping):
        known["nodeSelector"] = {key: value for key, value in selector.items() if not has_unknown(value)}
    if has_unknown(known.get("affinity")):
        known["affinity"] = None
    if has_unknown(known.get("tolerations")):
        known["tolerations"] = _TOLERATES_ALL
    try:
        return PodConstraints.of(known), not has_unknown([pod_spec.get(key) for key in _DECISIVE])
    except MalformedConstraints:
        return None, False
