"""What DaemonSets and Deployments use of the nodes of a group: EKS's and the add-ons'. Pure.

Labels that appear on live nodes only, as a feature discovery sets them, are not known: a workload that selects by them
is left out. Pods of EKS's DaemonSets request the same on every node.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from muster.addons.context import AddonContext
from muster.addons.eks_daemons import COREDNS, DAEMONS
from muster.addons.installation_order import install_order
from muster.addons.values import values_of, workloads_of
from muster.addons.workload import Workload
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
    """A DaemonSet with a pod on every node of a group, or a Deployment whose pods may all be on one node."""

    name: str
    takes: Mapping[str, int]
    """Resource -> amount, in its base unit (`muster.kubernetes_quantity`)."""


def daemon_sets_on(blueprint: Blueprint, group: KubernetesGroup) -> tuple[NodeConsumer, ...]:
    """The DaemonSets on the nodes of a group, EKS's first."""
    there = (each for each in _of_addons(blueprint) if each.kind == "DaemonSet" and _may_be_on(each, group))
    return (*_of_eks(), *(NodeConsumer(each.name, {"pods": 1, **each.requests}) for each in there))


def deployments_on(blueprint: Blueprint, group: KubernetesGroup) -> tuple[NodeConsumer, ...]:
    """The Deployments that may be on a node of the group, with all their pods. An accelerator's taint keeps them off,
    except on HyperPod, where no taint is derived."""
    dns = (COREDNS,) if any(each.name == COREDNS.name for each in blueprint.eks_addons) else ()
    there = (each for each in (*dns, *_of_addons(blueprint)) if each.kind == "Deployment" and _may_be_on(each, group))
    return tuple(NodeConsumer(each.name, times(each.replicas, {"pods": 1, **each.requests})) for each in there)


def used_of(found: tuple[NodeConsumer, ...], resource: str) -> int:
    """What they use of a resource together."""
    return sum(each.takes.get(resource, 0) for each in found)


def _of_eks() -> Iterator[NodeConsumer]:
    for each in DAEMONS:
        yield NodeConsumer(each.name, {CPU: each.cpu_millicores, "memory": each.memory_mib * MIB, "pods": each.pods})


def _of_addons(blueprint: Blueprint) -> Iterator[Workload]:
    context = AddonContext.of_blueprint(blueprint)
    for step in install_order(context):
        yield from workloads_of(step.addon, values_of(step.addon, context))


def _may_be_on(workload: Workload, group: KubernetesGroup) -> bool:
    labels = {
        **machine_labels(group.node.hardware, group.described.instance_type),
        **(node_labels(group.name) if group.node.hyperpod else {}),
        **group.labels,
    }
    read = PodConstraints.of_daemon_set if workload.kind == "DaemonSet" else PodConstraints.of
    return may_be_on(read(workload.placement.pod_spec), KubernetesNode(group.name, labels, group.taints))
