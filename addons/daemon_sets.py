"""What DaemonSets and Deployments use of the nodes of a group: EKS's and the add-ons'. Pure.

Labels that appear on live nodes only, as a feature discovery sets them, are not known: a workload that selects by them
is left out. Pods of EKS's DaemonSets request the same on every node.

What EKS runs is in `catalogue/of_eks.toml`.
"""

from collections.abc import Iterable, Iterator, Mapping

from muster.addons.context import AddonContext
from muster.addons.installation_order import install_order
from muster.addons.sheet import defaults, sheet, workloads
from muster.addons.values import values_of, workloads_of
from muster.addons.workload import Workload
from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import KubernetesGroup
from muster.blueprint.hyperpod.node_labels import node_labels
from muster.blueprint.labels import machine_labels
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.fit import KubernetesNode, may_be_on

OF_EKS: Mapping[str, Workload] = {
    read["addon"]: made
    for read, made in zip(sheet("of-eks")["workloads"], workloads("of-eks", defaults("of-eks")), strict=True)
}
"""EKS add-on, a key of `muster.versions.EKS_ADDONS` -> what it runs."""

COREDNS = OF_EKS["coredns"]
DAEMONS = tuple(each for each in OF_EKS.values() if each.kind == "DaemonSet")
"""One pod of each is on every node."""


def daemon_sets_on(blueprint: Blueprint, group: KubernetesGroup) -> tuple[Workload, ...]:
    """The DaemonSets with a pod on every node of a group, EKS's first."""
    there = (each for each in _of_addons(blueprint) if each.kind == "DaemonSet" and _may_be_on(each, group))
    return (*DAEMONS, *there)


def deployments_on(blueprint: Blueprint, group: KubernetesGroup) -> tuple[Workload, ...]:
    """The Deployments whose pods may all be on one node of the group. An accelerator's taint keeps them off, except on
    HyperPod, where no taint is derived."""
    dns = (COREDNS,) if any(each.name == COREDNS.name for each in blueprint.eks_addons) else ()
    every = (*dns, *_of_addons(blueprint))
    return tuple(each for each in every if each.kind == "Deployment" and _may_be_on(each, group))


def used_of(found: Iterable[Workload], resource: str) -> int:
    """What all their pods use of a resource, in its base unit (`muster.kubernetes_quantity`)."""
    return sum(each.takes.get(resource, 0) for each in found)


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
