"""Where a workload's pods may be, by the scheduler's own filters."""

from addons.context import GroupNodes
from addons.workload import Workload
from muster.blueprint.labels import GROUP, INSTANCE_TYPE
from muster.scheduling.matching import terms, unselected, untolerated


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
    pod, labels = workload.placement.pod_spec, labels_of(nodes)
    wanted = terms(pod)
    fits = wanted is None or any(not each.empty and each.unmet(labels, nodes.group).empty for each in wanted)
    return fits and not unselected(pod, labels) and not untolerated(pod, nodes.taints)
