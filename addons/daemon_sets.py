"""What DaemonSets take of the nodes of a group: those that EKS runs on every node, and those of the cluster's add-ons;
and what Deployments may take of them.

Pure. A DaemonSet lands where the labels and taints of the group let it (`muster.scheduling.matching`). Labels that
come to be on live nodes only, as a feature discovery sets them, are not known, and whoever selects by them is left
out. What the user's values say of its requests counts. Pods of EKS's own DaemonSets ask for the same everywhere.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from addons.context import AddonContext
from addons.eks_daemons import COREDNS, DAEMONS
from addons.installation_order import install_order
from addons.values import values_of, workloads_of
from addons.workload import Workload
from muster.blueprint.hyperpod.node_labels import node_labels
from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.blueprint.labels import machine_labels
from muster.kubernetes_quantity import CPU, MIB
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.fit import may_be_on
from muster.scheduling.node import KubernetesNode
from muster.scheduling.resources import times


@dataclass(frozen=True, slots=True)
class NodeConsumer:
    """One DaemonSet with a pod on every node of a group, or a Deployment whose pods may all be on one."""

    name: str
    takes: Mapping[str, int]
    """Resource -> how much, in its base unit (`muster.kubernetes_quantity`)."""


def daemon_sets_on(blueprint: Blueprint, group: KubernetesGroup) -> tuple[NodeConsumer, ...]:
    """The DaemonSets on the nodes of a group, EKS's own first."""
    landing = (each for each in _of_addons(blueprint) if each.kind == "DaemonSet" and _may_be_on(each, group))
    return (*_of_eks(), *(NodeConsumer(each.name, {"pods": 1, **each.asked}) for each in landing))


def deployments_on(blueprint: Blueprint, group: KubernetesGroup) -> tuple[NodeConsumer, ...]:
    """The Deployments that may land on a node of the group, with all their pods: nothing keeps them off, though there
    are other nodes. An accelerator's taint does, but on HyperPod, where none is derived."""
    dns = (COREDNS,) if any(each.name == COREDNS.name for each in blueprint.eks_addons) else ()
    landing = (each for each in (*dns, *_of_addons(blueprint)) if each.kind == "Deployment" and _may_be_on(each, group))
    return tuple(NodeConsumer(each.name, times(each.replicas, {"pods": 1, **each.asked})) for each in landing)


def used_of(found: tuple[NodeConsumer, ...], resource: str) -> int:
    """What they take of a resource together."""
    return sum(each.takes.get(resource, 0) for each in found)


def _of_eks() -> Iterator[NodeConsumer]:
    for each in DAEMONS:
        yield NodeConsumer(each.name, {CPU: each.cpu_millicores, "memory": each.memory_mib * MIB, "pods": each.pods})


def _of_addons(blueprint: Blueprint) -> Iterator[Workload]:
    site = AddonContext.of_blueprint(blueprint)
    for turn in install_order(site):
        yield from workloads_of(turn.addon, values_of(turn.addon, site))


def _may_be_on(workload: Workload, group: KubernetesGroup) -> bool:
    labels = {
        **machine_labels(group.node.hardware, group.described.instance_type),
        **(node_labels(group.name) if group.node.hyperpod else {}),
        **group.labels,
    }
    read = PodConstraints.of_daemon_set if workload.kind == "DaemonSet" else PodConstraints.of
    return may_be_on(read(workload.placement.pod_spec), KubernetesNode(group.name, labels, group.taints))
