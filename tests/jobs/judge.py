"""Whether the pods of a job fit the nodes of its cluster: by the scheduler's arithmetic, not by what sized them.

Pods are placed one after the other, on the first node that takes them. All pods of a role are alike, so the order
decides nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from muster.addons.context import AddonContext
from muster.addons.daemon_sets import DAEMONS, used_of
from muster.addons.installation_order import install_order
from muster.addons.values import values_of, workloads_of
from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import KubernetesGroup
from muster.jobs.kinds.catalogue import roles_of
from muster.jobs.pod_requests import pod_requests
from muster.kubernetes_quantity import MIB, Quantity, base_units
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.fit import KubernetesNode, may_be_on, shortages
from muster.scheduling.taints import Toleration

ADDED_BY_EKS = "NoSchedule"
"""ExtendedResourceToleration: a pod that asks for a device tolerates the taint of its name, with this effect."""

HYPERPODS = {
    "sagemaker.amazonaws.com/compute-type": "hyperpod",
    "sagemaker.amazonaws.com/node-health-status": "Schedulable",
}
"""What HyperPod sets on each healthy node of its own."""


@dataclass
class Place:
    """One node, and what is free of it."""

    group: str
    labels: Mapping[str, str]
    taints: frozenset[Any]
    free: dict[str, int] = field(default_factory=dict)

    def takes(self, pod: Mapping[str, Any]) -> bool:
        """Whether a pod may go there and fits."""
        asked = {**pod_requests(pod), "pods": 1}
        devices = [Toleration(key, "Exists", effect=ADDED_BY_EKS) for key in asked if "/" in key]
        node = KubernetesNode(self.group, self.labels, self.taints)
        return may_be_on(PodConstraints.of(pod).tolerating(devices), node) and not shortages(asked, self.free)

    def take(self, pod: Mapping[str, Any]) -> None:
        """The pod goes there."""
        for resource, number in {**pod_requests(pod), "pods": 1}.items():
            self.free[resource] -= number


def nodes_of(blueprint: Blueprint, counts: Mapping[str, int] | None = None) -> list[Place]:
    """The nodes of a cluster, with the pods of every DaemonSet on them.

    Args:
        blueprint: the cluster.
        counts: group -> nodes, where it is not what it may have at most.
    """
    nodes = []
    for group in blueprint.groups:
        first = _place(group, blueprint)
        how_many = (counts or {}).get(group.name, group.described.nodes.max)
        nodes += [replace(first, free=dict(first.free)) for _ in range(how_many)]
    return nodes


def fits(blueprint: Blueprint, documents: Iterable[Mapping[str, Any]], counts: Mapping[str, int] | None = None) -> bool:
    """Whether all pods of these jobs have a node at once."""
    nodes = nodes_of(blueprint, counts)
    for document in documents:
        for role in roles_of(document).roles:
            left = iter(nodes)  # a node that does not take one of these pods takes none of the next
            node = next(left, None)
            for _ in range(role.pods):
                while node is not None and not node.takes(role.spec):
                    node = next(left, None)
                if node is None:
                    return False
                node.take(role.spec)
    return True


def _place(group: KubernetesGroup, blueprint: Blueprint) -> Place:
    node = group.node
    machine = node.hardware
    labels = {
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "arm64" if machine.architecture == "arm64" else "amd64",
        "node.kubernetes.io/instance-type": group.described.instance_type,
        **(HYPERPODS if node.hyperpod else {}),
        **group.labels,
    }
    offered = {name: base_units(name, Quantity.parse(str(amount))) for name, amount in node.offers.items()}
    of_eks = {each: used_of(DAEMONS, each) for each in ("cpu", "memory", "pods")}
    free = {
        "cpu": node.allocatable.cpu_millicores - of_eks["cpu"],
        "memory": node.allocatable.memory_mib * MIB - of_eks["memory"],
        "pods": node.allocatable.pods - of_eks["pods"],
        "ephemeral-storage": 2**62,
        **offered,
    }
    place = Place(group.name, labels, group.taints, free)
    context = AddonContext.of_blueprint(blueprint)
    for turn in install_order(context):
        for workload in workloads_of(turn.addon, values_of(turn.addon, context)):
            pod = workload.manifest["spec"]["template"]["spec"]
            if workload.kind == "DaemonSet" and place.takes(pod):
                place.take(pod)
    return place
