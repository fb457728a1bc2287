"""Which nodes a DaemonSet wants a pod on, as its controller decides: by selector, affinity and taints.

After `pkg/controller/daemon/daemon_controller.go` of Kubernetes, `NodeShouldRunDaemonPod`.
"""

from collections.abc import Iterable

from muster.fleet.matching import Json, taints, terms, unselected, untolerated
from muster.fleet.obstacle import daemon_pods
from muster.rehearsal.nodes import PlannedNode


def wanted(pods: Json, nodes: Iterable[PlannedNode]) -> frozenset[str]:
    """The names of the nodes that pods of this spec belong on."""
    completed = daemon_pods(pods)
    return frozenset(node.name for node in nodes if _belongs(completed, node))


def _belongs(pods: Json, node: PlannedNode) -> bool:
    labels = node.manifest["metadata"].get("labels") or {}
    if unselected(pods, labels) or untolerated(pods, taints(node.manifest["spec"])):
        return False
    required = terms(pods)
    return required is None or any(not term.empty and term.unmet(labels, node.name).empty for term in required)
