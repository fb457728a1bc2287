"""Causes in the pod's own spec: affinity rules and scheduler settings."""

from collections.abc import Iterable

from muster.jobs.kinds.job_set import EXCLUSIVE, exclusive_topology
from muster.jobs.pod_roles import DEFAULT_SCHEDULER
from muster.message_text import did_you_mean, list_names
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, LiveNode
from muster.rehearsal.outcome import Cause
from muster.scheduling.constraints import PodSpec, near_topologies

_AFFINITY = Cause(
    "pod-affinity",
    "the pod's podAffinity requires other pods nearby, but no node with room for the pod has such pods nearby",
    "start those pods first, or relax podAffinity: match a label that they have, use a wider topologyKey, or make it a "
    "preference",
)
_ANTI_AFFINITY = Cause(
    "pod-anti-affinity",
    "the pod's podAntiAffinity excludes every node with room for it, because of the pods that run on or near it",
    "add nodes (or zones, depending on topologyKey), one for each pod that must run apart, or make podAntiAffinity a "
    "preference",
)
_OTHERS_ANTI_AFFINITY = Cause(
    "pod-anti-affinity",
    "the podAntiAffinity of running pods excludes the pod from every node with room for it",
    "add nodes (or zones, depending on topologyKey) without such pods, or make the podAntiAffinity of those pods a "
    "preference",
)
_UNLABELLED = Cause(
    "topology-spread",
    "the pod's topologySpreadConstraints use a label that no node with room for it has",
    "set topologyKey to a label that the nodes have (kubernetes.io/hostname, topology.kubernetes.io/zone), or add that "
    "label to their group",
)
_SPREAD = Cause(
    "topology-spread",
    "the pod's topologySpreadConstraints allow only nodes with the fewest matching pods, and those have no room",
    "add nodes in the zones or groups that have the fewest, raise maxSkew, or set whenUnsatisfiable to ScheduleAnyway",
)
_PORTS = Cause(
    "host-port-taken",
    "the pod requests a port of its node, but another pod uses this port on every node with room for it",
    "remove hostPort (or hostNetwork, which makes each containerPort a port of the node), or add a node for each such "
    "pod",
)

_NOT_NEAR = "didn't match pod affinity rules"
_NOT_APART = "didn't match pod anti-affinity rules"
_NOT_APART_FROM = "didn't satisfy existing pods anti-affinity rules"
_BETWEEN_PODS = (_NOT_NEAR, _NOT_APART, _NOT_APART_FROM)

_BY_MESSAGE = {
    _NOT_NEAR: _AFFINITY,
    _NOT_APART: _ANTI_AFFINITY,
    _NOT_APART_FROM: _OTHERS_ANTI_AFFINITY,
    "didn't match pod topology spread constraints (missing required label)": _UNLABELLED,
    "didn't match pod topology spread constraints": _SPREAD,
    "didn't have free ports": _PORTS,
}
"""Messages of the scheduler's plugins InterPodAffinity, PodTopologySpread and NodePorts. If two have the same
beginning, the longer one comes first."""


def rule_cause(reason: str, pod: PodSpec, nodes: Iterable[LiveNode]) -> Cause | None:
    """The cause for the rule in the scheduler's message; None if it has no such rule.

    Args:
        reason: the message.
        pod: the pod's spec.
        nodes: those with room for it.
    """
    nodes = tuple(nodes)
    exclusive = exclusive_topology(pod)
    if _NOT_NEAR in reason and (absent := _absent(pod, nodes)):
        by, key = ("annotation " + EXCLUSIVE, "it") if absent == exclusive else ("podAffinity", "topologyKey")
        return Cause(
            "topology-key-missing",
            f"the pod's {by} uses the label '{absent}', which no node with room for the pod has",
            f"set {key} to a label that the nodes have (kubernetes.io/hostname, topology.kubernetes.io/zone), or add "
            "that label to their group; a rehearsal does not know labels that software on a node would add",
        )
    if exclusive and any(words in reason for words in _BETWEEN_PODS):
        return _exclusive(exclusive, nodes)
    return next((cause for words, cause in _BY_MESSAGE.items() if words in reason), None)


def _exclusive(topology: str, nodes: Iterable[LiveNode]) -> Cause:
    """The cause in a JobSet's annotation, which adds an affinity that the file does not have."""
    domains = sorted({node.labels[topology] for node in nodes if topology in node.labels})
    return Cause(
        "exclusive-topology",
        f"the JobSet's annotation {EXCLUSIVE} gives each Job its own value of {topology}, but no free value has room "
        f"for the pod (the allowed nodes have {len(domains)}: {list_names(domains)})",
        f"provide one value of {topology} for each Job of the JobSet, with room for a whole Job, or remove the "
        "annotation",
    )


def _absent(pod: PodSpec, nodes: Iterable[LiveNode]) -> str:
    """The first topology key of its required podAffinity that none of the nodes has; empty if every key exists."""
    carried = {key for node in nodes for key in node.labels}
    return next((each for each in near_topologies(pod) if each not in carried), "")


def setting_cause(pod: PodSpec, snapshot: ClusterSnapshot) -> Cause | None:
    """The cause if the pod sets another scheduler, a node that does not exist, or a scheduling gate; else None.

    Args:
        pod: the pod's spec.
        snapshot: the nodes.
    """
    scheduler = pod.get("schedulerName") or DEFAULT_SCHEDULER
    if scheduler not in {DEFAULT_SCHEDULER, *snapshot.schedulers}:
        return Cause(
            "no-such-scheduler",
            f"the pod sets schedulerName to '{scheduler}', which the rehearsal does not run and no add-on of the "
            "description installs",
            "remove schedulerName, or install that scheduler",
        )
    if gates := [str(each.get("name", "")) for each in pod.get("schedulingGates") or ()]:
        gate, blocks, them = ("gate", "blocks", "it") if len(gates) == 1 else ("gates", "block", "them")
        return Cause(
            "scheduling-gated",
            f"the pod's scheduling {gate} {' and '.join(gates)} {blocks} every scheduler",
            f"remove {them} from schedulingGates, or run the controller that removes {them}; a rehearsal removes no "
            "gates",
        )
    return _named_node(str(pod.get("nodeName") or ""), snapshot)


def _named_node(name: str, snapshot: ClusterSnapshot) -> Cause | None:
    """The scheduler ignores a pod with a node name: that node's kubelet runs it."""
    there = [node.name for node in snapshot.nodes]
    if not name or name in there or name in {node.name for node in snapshot.lost}:
        return None
    return Cause(
        "no-such-node",
        f"the pod sets nodeName to '{name}', but the cluster has no such node{did_you_mean(name, there)}",
        "remove nodeName and select nodes by their labels: the name of a node is known only after it has joined",
    )
