"""Which nodes a DaemonSet wants a pod on, as its controller decides: by selector, affinity and taints.

After `pkg/controller/daemon/daemon_controller.go` of Kubernetes, `NodeShouldRunDaemonPod`.
"""

from collections.abc import Iterable

from muster.fleet.matching import Json, taints, terms, unselected, untolerated
from muster.rehearsal.nodes import PlannedNode

_TOLERATED = tuple(
    {"key": f"node.kubernetes.io/{what}", "operator": "Exists"}
    for what in ("not-ready", "unreachable", "disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")
)
"""The controller adds these to every pod it makes (`AddOrUpdateDaemonPodTolerations`)."""
_TOLERATED_ON_HOST_NETWORK = {"key": "node.kubernetes.io/network-unavailable", "operator": "Exists"}


def wanted(pods: Json, nodes: Iterable[PlannedNode]) -> frozenset[str]:
    """The names of the nodes that pods of this spec belong on."""
    added = (*_TOLERATED, _TOLERATED_ON_HOST_NETWORK) if pods.get("hostNetwork") else _TOLERATED
    completed = {**pods, "tolerations": [*(pods.get("tolerations") or ()), *added]}
    return frozenset(node.name for node in nodes if _belongs(completed, node))


def _belongs(pods: Json, node: PlannedNode) -> bool:
    labels = node.manifest["metadata"].get("labels") or {}
    if unselected(pods, labels) or untolerated(pods, taints(node.manifest["spec"])):
        return False
    required = terms(pods)
    return required is None or any(not term.empty and term.unmet(labels, node.name).empty for term in required)
