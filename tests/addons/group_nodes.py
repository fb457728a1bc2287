"""Where a workload's pods may be, by the scheduler's own filters."""

from muster.addons.context import GroupNodes
from muster.addons.workload import Workload
from muster.blueprint.labels import GROUP, INSTANCE_TYPE
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.fit import KubernetesNode, may_be_on


def groups_of(workload: Workload, *nodes: GroupNodes) -> set[str]:
    """The groups on whose nodes it runs."""
    return {each.group for each in nodes if _runs_on(workload, each)}


def labels_of(nodes: GroupNodes) -> dict[str, str]:
    """What every node of a group is labelled with, and its own."""
    own = {
        INSTANCE_TYPE: nodes.instance,
        GROUP: nodes.group,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
    }
    hyperpod = {"sagemaker.amazonaws.com/compute-type": "hyperpod"} if nodes.hyperpod else {}
    return {**own, **hyperpod, **nodes.labels}


def _runs_on(workload: Workload, nodes: GroupNodes) -> bool:
    node = KubernetesNode(nodes.group, labels_of(nodes), nodes.taints)
    return may_be_on(PodConstraints.of(workload.placement.pod_spec), node)
