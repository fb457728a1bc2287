"""Causes in the pod's own spec: affinity rules and scheduler settings."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from muster.blueprint.ultraservers import CLIQUE, ULTRASERVER
from muster.hardware.ultraservers import NVLINK
from muster.jobs.kinds.job_set import EXCLUSIVE, exclusive_topology
from muster.jobs.pod_roles import DEFAULT_SCHEDULER
from muster.message_text import closest_match, did_you_mean, list_names
from muster.rehearsal.kubernetes.causes.pending_pod import PendingPod
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, LiveNode
from muster.rehearsal.kubernetes.ultraserver_nodes import NEURON, PAIR, ULTRASERVER_LABELS
from muster.rehearsal.outcome import Cause, count_by_group
from muster.scheduling.constraints import PodSpec, near_rules, near_topologies

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

_DOMAINS = {**dict.fromkeys(ULTRASERVER_LABELS, "an UltraServer"), PAIR: "half an UltraServer"}
"""Label of nodes -> what the nodes with one value of it are."""

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


def larger_than_a_domain(pending: PendingPod, nodes: Sequence[LiveNode]) -> Cause | None:
    """The cause if podAffinity keeps more pods of the job together than fit on the nodes with one value of a label;
    None if they fit, or if it excludes no node that has room for such a pod.

    Args:
        pending: the pod.
        nodes: those that it may be on, used or not.
    """
    for rule in near_rules(pending.pod):
        if pending.labels is None or not rule.selects(pending.labels):
            continue  # it must be near other pods, not near those of its own kind
        together = min(pending.alike, sum(map(rule.selects, pending.siblings)))
        domains: dict[str, list[LiveNode]] = {}
        for node in nodes:
            if rule.topology in node.labels:
                domains.setdefault(node.labels[rule.topology], []).append(node)
        rooms = {name: sum(map(pending.fits, those)) for name, those in domains.items()}
        most = max(rooms.values(), default=0)
        if not 0 < most < together or most == sum(map(pending.fits, nodes)):
            continue
        largest = max(rooms, key=lambda name: rooms[name])
        what = _DOMAINS.get(rule.topology, f"the largest, {largest},")
        wider = f", or set topologyKey to {NEURON}, a whole UltraServer" if rule.topology == PAIR else ""
        return Cause(
            "larger-than-a-domain",
            f"the pod's podAffinity keeps {together} pods on nodes with the same {rule.topology}, but {what} has room "
            f"for {most} such pods ({count_by_group(domains[largest])})",
            f"split the job into jobs of at most {most} such pods, each with its own label in podAffinity{wider}",
        )
    return None


def rule_cause(reason: str, pending: PendingPod, nodes: Iterable[LiveNode], snapshot: ClusterSnapshot) -> Cause | None:
    """The cause for the rule in the scheduler's message; None if it has no such rule.

    Args:
        reason: the message.
        pending: the pod.
        nodes: those with room for it.
        snapshot: all nodes.
    """
    nodes, pod = tuple(nodes), pending.pod
    exclusive = exclusive_topology(pod)
    if _NOT_NEAR in reason and (absent := _absent(pod, nodes)):
        by, key = ("annotation " + EXCLUSIVE, "it") if absent == exclusive else ("podAffinity", "topologyKey")
        there = sorted({label for node in nodes for label in node.labels})
        said = f"the pod's {by} uses the label '{absent}', which no node with room for the pod has"
        remedy = (
            f"set {key} to a label that the nodes have (kubernetes.io/hostname, topology.kubernetes.io/zone), or add "
            "that label to their group; a rehearsal does not know labels that software on a node would add"
        )
        own, where = _of_ultraservers(absent, key, there, snapshot)
        if not own and (near := closest_match(absent, there)):
            own, said = f"set {key} to {near}", f"{said}{did_you_mean(absent, there)}"
        return Cause("topology-key-missing", said, own or remedy, where)
    if _NOT_NEAR in reason and (found := _selects_none(pending)) is not None:
        return found
    if exclusive and any(words in reason for words in _BETWEEN_PODS):
        return _exclusive(exclusive, nodes)
    return next((cause for words, cause in _BY_MESSAGE.items() if words in reason), None)


def _of_ultraservers(absent: str, key: str, there: Sequence[str], snapshot: ClusterSnapshot) -> tuple[str, str]:
    """The remedy, and its place, if a label of UltraServers is absent; empty for another label.

    Args:
        absent: the label.
        key: what sets it in the job.
        there: the labels of the nodes.
        snapshot: all nodes.
    """
    if absent in ULTRASERVER_LABELS and (other := next((each for each in ULTRASERVER_LABELS if each in there), "")):
        return f"set {key} to {other}, which these nodes have", ""
    nvlink = {each.ultraserver.interconnect for each in _groups(snapshot) if each.ultraserver}
    if absent in {CLIQUE, ULTRASERVER} and NVLINK in nvlink and snapshot.blueprint.hyperpod is None:
        addon = "nvidia-device-plugin"
        other = "" if absent == CLIQUE else f", and set {key} to {CLIQUE}: only HyperPod sets {absent}"
        enable = f"set gfd: {{enabled: true}} and nfd: {{enabled: true}} in the values of {addon}"
        return f"{enable}: GPU feature discovery sets the label {CLIQUE}{other}", f"addons.{addon}"
    return "", ""


def _groups(snapshot: ClusterSnapshot) -> Iterator[Any]:
    return (group.described for group in snapshot.blueprint.groups)


def _selects_none(pending: PendingPod) -> Cause | None:
    """The cause if podAffinity selects by a label that no pod of the job has; None if it selects some pod."""
    for rule in near_rules(pending.pod):
        if not pending.siblings or any(map(rule.selects, pending.siblings)):
            continue
        key, value = next(iter(rule.labels.items()), ("", ""))
        own = sorted({labels[key] for labels in pending.siblings if key in labels})
        selected = " and ".join(f"{name}={text}" for name, text in rule.labels.items()) or "its labelSelector"
        return Cause(
            "pod-affinity",
            f"the pod's podAffinity requires other pods with {selected} nearby, and no pod of the job has these labels"
            + did_you_mean(value, own),
            "set labelSelector to labels of the pods that must be together"
            + (f" ({key}: {', '.join(own)})" if own else "")
            + ", or start the pods that it selects first",
        )
    return None


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
