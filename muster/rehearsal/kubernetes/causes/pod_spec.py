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
    "its podAffinity asks for pods to be near, and no node with room for it has such pods near",
    "let the pods that it is to be near run first, or loosen podAffinity (a label that they carry, a wider topologyKey,"
    " a preference)",
)
_ANTI_AFFINITY = Cause(
    "pod-anti-affinity",
    "its podAntiAffinity keeps it away from pods that run on, or near, every node with room for it",
    "give the cluster as many nodes (or zones, as topologyKey says) as pods that keep apart, or make podAntiAffinity a "
    "preference",
)
_OTHERS_ANTI_AFFINITY = Cause(
    "pod-anti-affinity",
    "the podAntiAffinity of pods that run already keeps it off every node with room for it",
    "give the cluster nodes (or zones, as topologyKey says) without such pods, or make their podAntiAffinity a "
    "preference",
)
_UNLABELLED = Cause(
    "topology-spread",
    "its topologySpreadConstraints go by a label that the nodes with room for it do not carry",
    "let topologyKey be a label that the nodes carry (kubernetes.io/hostname, topology.kubernetes.io/zone), or give "
    "their group that label",
)
_SPREAD = Cause(
    "topology-spread",
    "its topologySpreadConstraints let it run only where fewer of its like run, and there is no room there",
    "make room there (more nodes in the zones or groups that have the fewest), raise maxSkew, or let whenUnsatisfiable "
    "be ScheduleAnyway",
)
_PORTS = Cause(
    "host-port-taken",
    "it asks for a port of its node, which another pod holds on every node with room for it",
    "leave hostPort (or hostNetwork, with which each containerPort is one) out, or give the cluster a node for each "
    "such pod",
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
"""Messages of the scheduler's plugins InterPodAffinity, PodTopologySpread and NodePorts; of two with the same beginning
the longer comes first."""


def rule_cause(reason: str, pod: PodSpec, nodes: Iterable[LiveNode]) -> Cause | None:
    """The cause for the rule that the scheduler's message names; None where it names none.

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
            f"its {by} goes by the label '{absent}', which no node with room for it carries",
            f"let {key} be a label that the nodes carry (kubernetes.io/hostname, topology.kubernetes.io/zone), or "
            "give their group that label; what software on a node would label it with is not known here",
        )
    if exclusive and any(words in reason for words in _BETWEEN_PODS):
        return _exclusive(exclusive, nodes)
    return next((cause for words, cause in _BY_MESSAGE.items() if words in reason), None)


def _exclusive(topology: str, nodes: Iterable[LiveNode]) -> Cause:
    """A JobSet's annotation makes the affinity, which its file does not have."""
    domains = sorted({node.labels[topology] for node in nodes if topology in node.labels})
    return Cause(
        "exclusive-topology",
        f"its JobSet's annotation {EXCLUSIVE} gives each Job a {topology} for itself, and no free one has room for it "
        f"(the nodes that it may go to are in {len(domains)}: {list_names(domains)})",
        f"give the nodes as many values of {topology} as the JobSet has Jobs, each with room for a whole Job, or leave "
        "the annotation out",
    )


def _absent(pod: PodSpec, nodes: Iterable[LiveNode]) -> str:
    """The first topology key of its required podAffinity that none of the nodes carries; empty where there is none."""
    carried = {key for node in nodes for key in node.labels}
    return next((each for each in near_topologies(pod) if each not in carried), "")


def setting_cause(pod: PodSpec, snapshot: ClusterSnapshot) -> Cause | None:
    """The cause where it names another scheduler, a node that does not exist, or a gate; None where it does not.

    Args:
        pod: the pod's spec.
        snapshot: the nodes.
    """
    scheduler = pod.get("schedulerName") or DEFAULT_SCHEDULER
    if scheduler not in {DEFAULT_SCHEDULER, *snapshot.schedulers}:
        return Cause(
            "no-such-scheduler",
            f"it asks for the scheduler '{scheduler}', which a rehearsal does not have, and no add-on of the "
            "description installs",
            "leave schedulerName out, or install that scheduler",
        )
    if gates := [str(each.get("name", "")) for each in pod.get("schedulingGates") or ()]:
        holds, them = ("gate {} holds", "it") if len(gates) == 1 else ("gates {} hold", "them")
        return Cause(
            "scheduling-gated",
            f"its scheduling {holds.format(' and '.join(gates))} it back from every scheduler",
            f"take {them} out of schedulingGates, or have whoever opens {them} in the cluster; a rehearsal opens none",
        )
    return _named_node(str(pod.get("nodeName") or ""), snapshot)


def _named_node(name: str, snapshot: ClusterSnapshot) -> Cause | None:
    """The scheduler ignores a pod with a node name: that node's kubelet takes it."""
    there = [node.name for node in snapshot.nodes]
    if not name or name in there or name in {node.name for node in snapshot.lost}:
        return None
    return Cause(
        "no-such-node",
        f"it names the node '{name}' itself, and the cluster has no such node{did_you_mean(name, there)}",
        "leave nodeName out, and choose nodes by their labels: what a node is called is known only once it is there",
    )
