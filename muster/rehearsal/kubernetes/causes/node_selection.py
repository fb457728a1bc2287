"""Causes on nodes: labels, taints, lost nodes, devices without a plugin."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import ceil

from muster.addons.catalogue import CATALOGUE
from muster.config.description.addons import addon_entry
from muster.kubernetes_quantity import is_device
from muster.rehearsal.kubernetes import hyperpod
from muster.rehearsal.kubernetes.causes.pending_pod import PendingPod, growth_of, sum_of
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, InstalledPlugin, LiveNode
from muster.rehearsal.outcome import Cause, Sum, count_by_group
from muster.scheduling.fit import unmet_selection
from muster.scheduling.reason_text import requirement_texts
from muster.scheduling.requirements import Unmet
from muster.scheduling.taints import Taint, untolerated


def empty_group(pending: PendingPod, snapshot: ClusterSnapshot) -> Cause | None:
    """The cause if a group without nodes could run the pod; None if there is no such group."""
    for node in map(once_joined, snapshot.absent):
        if pending.suits(node) and not pending.lacks(node):
            described = snapshot.blueprint.group(node.group).described
            if described.by_karpenter:
                return _until_created(node.group, described.node_creator)
            need = ceil(pending.alike / max(1, pending.fits(node)))
            where, most = f"groups.{node.group}.nodes", snapshot.blueprint.group(node.group).described.nodes.max
            beyond = f" (and raise {where}.max, which is {most})" if need > most else ""
            return Cause(
                "group-has-no-nodes",
                f"group '{node.group}' could run the pod, but has no nodes",
                f"scale the group to {need} before you submit the job, or set {where}.start to {need}{beyond}",
                where,
            )
    return None


def once_joined(node: LiveNode) -> LiveNode:
    """A node that its group could have, once it has joined and offers its devices."""
    return replace(node, amounts={name: replace(each, offered=each.planned) for name, each in node.amounts.items()})


def _until_created(group: str, creator: str) -> Cause:
    """The cause while Karpenter has not created a node yet."""
    return Cause(
        "group-has-no-nodes",
        f"group '{group}' has no nodes until {creator} creates one for the pod",
        "wait; if none comes, `kubectl describe nodepool` and the events of the pod show why",
        f"groups.{group}",
    )


def node_lost(pending: PendingPod, snapshot: ClusterSnapshot) -> Cause | None:
    """The cause if a lost node could have run the pod; else None."""
    lost = [node for node in snapshot.lost if pending.suits(node)]
    if not lost:
        return None
    where = f"groups.{lost[0].group}"
    return Cause(
        "node-lost",
        f"{count_by_group(lost)} {'is' if len(lost) == 1 else 'are'} lost, and no other node has room for the pod",
        _when_lost(snapshot, lost),
        where,
    )


def _when_lost(snapshot: ClusterSnapshot, lost: Sequence[LiveNode]) -> str:
    """The remedy for lost nodes of a group. A group with EFA or a reservation cannot use another zone."""
    name = lost[0].group
    group = snapshot.blueprint.group(name)
    if gone := snapshot.lost_zone:
        if any(zone != gone for zone in snapshot.blueprint.zones(group)):
            return f"the pod waits until group '{name}' has a node in another zone"
        return f"the pod waits until {gone} recovers: group '{name}' uses only this zone"
    if snapshot.blueprint.hyperpod:
        return hyperpod.recovery_remedy(snapshot.blueprint, name, len(lost))
    spare = growth_of(snapshot, name, sum(node.group == name for node in lost)).remedy
    message = f"the pod waits until a new node replaces the lost one; to have a spare node, {spare}"
    bound = group.node.efa or group.described.capacity.held
    zone = getattr(group.described, "zone", None)
    return (
        message if bound or not zone else f"{message}, or remove groups.{name}.zone, so that other zones can have nodes"
    )


def not_chosen(pending: PendingPod, nodes: Sequence[LiveNode]) -> Cause:
    """The cause if selector or affinity exclude every node that has its devices."""
    lacking = min(map(pending.unmet, nodes), key=len)
    carried = []
    for key in sorted(pending.constraints.keys):
        values = sorted({node.labels[key] for node in nodes if key in node.labels})
        carried.append(f"{key} is {' or '.join(values)}" if values else f"no node has {key}")
    return Cause(
        "no-node-chosen",
        f"the pod requires nodes with {' and '.join(lacking)}, but no node with its devices matches",
        f"change the pod's node selector or affinity to match the labels of the nodes ({'; '.join(carried)})",
    )


def not_tolerated(pending: PendingPod, nodes: Sequence[LiveNode]) -> Cause:
    """The cause if every allowed node has a taint that the pod does not tolerate."""
    tainted: dict[tuple[Taint, ...], list[LiveNode]] = {}
    for node in nodes:
        tainted.setdefault(pending.untolerated(node), []).append(node)
    parts = [f"{count_by_group(those)} {_carry(those)} {taints_text(taints)}" for taints, those in tainted.items()]
    if len(parts) == 1:
        only = taints_text(next(iter(tainted)))
        message = f"{count_by_group(nodes)} {_carry(nodes)} {only}, which the pod does not tolerate"
    else:
        message = f"the pod does not tolerate the taints of {count_by_group(nodes)}: {', '.join(parts)}"
    taints = min(tainted, key=len)
    tolerations = ", ".join(f"{{key: {each.key}, operator: Exists, effect: {each.effect}}}" for each in taints)
    there = f" (for {count_by_group(tainted[taints])})" if len(parts) > 1 else ""
    return Cause(
        "taint-not-tolerated",
        message,
        f"add to the pod's tolerations: {tolerations}{there}",
        f"groups.{tainted[taints][0].group}",
    )


def _carry(nodes: Sequence[LiveNode]) -> str:
    return "has" if len(nodes) == 1 else "have"


def taints_text(taints: Iterable[Taint]) -> str:
    """``the taint nvidia.com/gpu=true:NoSchedule``."""
    listed = [str(each) for each in taints]
    return f"the taint{'s' if len(listed) > 1 else ''} {' and '.join(listed)}"


def with_article(instance: str) -> str:
    """``a p5.48xlarge``, ``an ml.p5.48xlarge``."""
    return f"an {instance}" if instance.startswith("ml.") else f"a {instance}"


_GPU_LABEL = "nvidia.com/gpu.present"


def not_served(sum_: Sum, nodes: Sequence[LiveNode], snapshot: ClusterSnapshot) -> Cause:
    """The cause if none of these nodes offers its devices."""
    resource, one = sum_.resource, len(nodes) == 1
    have = f"{count_by_group(nodes)} {'has' if one else 'have'} {resource}, but {'offers' if one else 'offer'} none"
    servers = snapshot.servers.get(resource, ())
    if not servers:
        fitting = [name for name, addon in CATALOGUE.items() if addon.serves == resource]
        remedy = (
            f"add `{addon_entry(fitting[0])}` below addons:" if fitting else f"install the device plugin of {resource}"
        )
        return Cause(
            "no-plugin", (f"{have}: the description has no add-on with its device plugin"), remedy, "addons", (sum_,)
        )
    server = servers[0]
    why, key, remedy = _kept_off(server, nodes, snapshot)
    where = f"addons.{server.addon}"
    return Cause(
        "plugin-not-on-node",
        f"{have}: {server.addon} does not run there, because {why}",
        remedy,
        f"{where}.values.{key}" if key in server.own_values else where,
        (sum_,),
    )


def obstacles(server: InstalledPlugin, node: LiveNode) -> tuple[tuple[str, ...], tuple[Taint, ...]]:
    """Why a plugin's pods cannot run on a node: labels that the node lacks, taints that they do not tolerate."""
    pods = server.constraints
    return requirement_texts(unmet_selection(pods, node)), untolerated(pods.tolerations, node.taints)


def _kept_off(server: InstalledPlugin, nodes: Sequence[LiveNode], snapshot: ClusterSnapshot) -> tuple[str, str, str]:
    """Why a plugin's pods do not run on these nodes, the key of its values that causes it, and the remedy."""
    pods = server.constraints
    nearest = min((unmet_selection(pods, node) for node in nodes), key=lambda unmet: len(requirement_texts(unmet)))
    lacking = requirement_texts(nearest)
    if lacking:
        key = "nodeSelector" if any(isinstance(each, Unmet) for each in nearest) else "affinity"
        version = snapshot.blueprint.described.kubernetes
        note = f" (EKS's images set {_GPU_LABEL} only with Kubernetes 1.35 and later; this cluster has {version})"
        do_not = "this node does not" if len(nodes) == 1 else "these nodes do not"
        why = f"its pods require nodes with {' and '.join(lacking)}, and {do_not} match"
        known = note if _GPU_LABEL in str(lacking) else ""
        reason = "Muster's default selects nodes by instance type and group"
        return f"{why}{known}", key, _remedy(server, key, reason)
    taints = min((untolerated(pods.tolerations, node.taints) for node in nodes), key=len)
    if taints:
        wanted = ", ".join(f"{{key: {each.key}, operator: Exists}}" for each in taints)
        reason = f"Muster's default derives them from the taints of the groups: {wanted}"
        return f"its pods do not tolerate {taints_text(taints)}", "tolerations", _remedy(server, "tolerations", reason)
    return (
        "its pods were not created, or are themselves waiting",
        "resources",
        f"check the resource requests of its pods in addons.{server.addon}.values",
    )


def _remedy(server: InstalledPlugin, key: str, reason: str) -> str:
    values = f"addons.{server.addon}.values"
    if key in server.own_values:
        return f"remove `{key}` from {values} ({reason})"
    return f"set `{key}` in {values} so that it matches these nodes ({reason})"


def unoffered_devices_cause(pending: PendingPod, nodes: Sequence[LiveNode], snapshot: ClusterSnapshot) -> Cause | None:
    """Why nodes do not offer the devices, for the nodes with the first reason; None if no node would fit the pod.

    A missing plugin comes before broken devices, because it is an error of the description.
    """
    unserved: dict[tuple[str, object], list[LiveNode]] = {}
    broken: dict[tuple[str, str], list[LiveNode]] = {}
    for node in nodes:
        resource = _unoffered_devices(pending, node)
        if resource is None:
            continue
        if node.offered(resource):
            broken.setdefault((resource, node.group), []).append(node)
        else:
            servers = snapshot.servers.get(resource, ())
            unserved.setdefault((resource, obstacles(servers[0], node) if servers else None), []).append(node)
    if unserved:
        (resource, _), those = next(iter(unserved.items()))
        return not_served(sum_of(resource, pending.requests[resource], those), those, snapshot)
    if broken:
        (resource, _), those = next(iter(broken.items()))
        return broken_devices_cause(sum_of(resource, pending.requests[resource], those), those)
    return None


def _unoffered_devices(pending: PendingPod, node: LiveNode) -> str | None:
    """The device of which a node has enough for the pod, but offers too few; None if another resource is short."""
    asks = pending.requests
    if any(node.planned(name) < number for name, number in asks.items()):
        return None
    never = [name for name, number in asks.items() if is_device(name) and node.offered(name) < number]
    if never:  # even on an empty node; first a device of which none is offered
        return min(sorted(never), key=lambda name: node.offered(name) > 0)
    if any(node.planned(name) - node.used(name) < number for name, number in asks.items()):
        return None
    return next((name for name in pending.lacks(node) if is_device(name)), None)


def broken_devices_cause(sum_: Sum, nodes: Sequence[LiveNode]) -> Cause:
    """The cause if a plugin runs, but offers fewer devices than its nodes have."""
    best = max(nodes, key=lambda node: node.offered(sum_.resource))
    return Cause(
        "devices-broken",
        f"the pod requests {sum_.asked} {sum_.resource}; {with_article(best.instance)} has "
        f"{best.planned(sum_.resource)}, but on {count_by_group(nodes)} at most {sum_.most_on_a_node} work",
        f"replace the nodes whose {sum_.resource} are broken, or request fewer",
        f"groups.{best.group}",
        (sum_,),
    )
