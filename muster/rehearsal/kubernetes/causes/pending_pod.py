"""A pending pod, and the resources of nodes that it requests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from muster.kubernetes_quantity import BUILT_IN, is_device
from muster.message_text import did_you_mean
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, LiveNode
from muster.rehearsal.kubernetes.resource_claims import ClaimReference, ClaimSpec
from muster.rehearsal.outcome import Cause, Sum
from muster.scheduling.constraints import PodConstraints, PodSpec
from muster.scheduling.fit import may_be_on, unmet_selection
from muster.scheduling.reason_text import requirement_texts
from muster.scheduling.resources import copies_that_fit, shortages
from muster.scheduling.taints import Taint, untolerated


@dataclass(frozen=True)
class PendingPod:
    """A waiting pod."""

    pod: PodSpec
    """Its spec."""
    requests: Mapping[str, int]
    """Resource -> amount, each more than zero; 1 of ``pods``."""
    role: str
    alike: int
    """The number of the job's pods with the same requests and constraints, in any role."""
    claims: tuple[tuple[ClaimReference, ClaimSpec], ...] = ()
    """Its claims for devices. Their devices are also in `requests`, by DeviceClass."""
    siblings: tuple[Mapping[str, str], ...] = ()
    """The labels of each pod of the job, its own included."""
    labels: Mapping[str, str] | None = None
    """Its own labels; None if they are unknown."""

    def fits(self, node: LiveNode) -> int:
        """How many such pods fit on an empty node."""
        return copies_that_fit(self.requests, {name: node.offered(name) for name in self.requests})

    def lacks(self, node: LiveNode) -> tuple[str, ...]:
        """The resources of which a node has too little left; none if it has room."""
        return tuple(sorted(shortages(self.requests, {name: node.free(name) for name in self.requests})))

    @cached_property
    def constraints(self) -> PodConstraints:
        """What it requires of its node besides resources."""
        return PodConstraints.of(self.pod)

    def unmet(self, node: LiveNode) -> tuple[str, ...]:
        """The requirements of its selector and affinity that a node does not meet, in words."""
        return requirement_texts(unmet_selection(self.constraints, node))

    def untolerated(self, node: LiveNode) -> tuple[Taint, ...]:
        """The taints of a node that it does not tolerate, in the node's order."""
        return untolerated(self.constraints.tolerations, node.taints)

    def suits(self, node: LiveNode) -> bool:
        """Whether a node has its devices and may run it, regardless of free resources."""
        return has_devices(node, self.requests) and may_be_on(self.constraints, node)


def has_devices(node: LiveNode, requests: Mapping[str, int]) -> bool:
    """Whether a node has some of each requested device. Huge pages do not count: any node could reserve some."""
    return all(node.planned(resource) for resource in _devices(requests))


def _devices(requests: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(name for name in requests if is_device(name))


def no_such_devices(pending: PendingPod, snapshot: ClusterSnapshot) -> Cause:
    """The cause if no node has all requested devices."""
    if not snapshot.nodes:
        return Cause("no-nodes", "the cluster has no nodes", "set nodes.start of its groups to at least 1", "groups")
    known = snapshot.resources()
    strange = next((each for each in _devices(pending.requests) if each not in known), None)
    if strange is None:
        return Cause(
            "no-node-has-all",
            f"no node has {' and '.join(_devices(pending.requests))} together",
            "request only devices that the nodes of one group have; `muster plan` lists the devices of each group",
        )
    have = ", ".join(sorted(each for each in known if each not in BUILT_IN)) or "no devices"
    return Cause(
        "no-such-device",
        f"no node of the cluster has {strange}{did_you_mean(strange, known)} (nodes have {have})",
        f"request devices that the nodes have, or add a group with {strange} to the description",
    )


@dataclass(frozen=True, slots=True)
class GroupGrowth:
    """How a group gets more nodes."""

    remedy: str
    where: str
    """The dotted path of the number to change."""


def growth_of(snapshot: ClusterSnapshot, name: str, more: int) -> GroupGrowth:
    """How a group gets this number of additional nodes. Its lost nodes count, because they are replaced."""
    need = more + sum(node.group == name for node in (*snapshot.nodes, *snapshot.lost))
    described = snapshot.blueprint.group(name).described
    ultraserver = described.ultraserver
    if ultraserver and described.capacity.capacity_block and need > ultraserver.instances:
        return GroupGrowth(
            f"add a group with the Capacity Block of another {ultraserver.name}: group '{name}' is one UltraServer, "
            f"which has {ultraserver.instances} instances",
            "groups",
        )
    nodes, where = described.nodes, f"groups.{name}.nodes"
    if described.by_karpenter:
        message = f"raise {where} to {need}: {described.node_creator} creates at most {nodes.max}"
    elif nodes.fixed:
        message = f"raise {where} to {need}"
    elif need > nodes.max:
        where = f"{where}.max"
        message = (
            f"raise {where} to {need} and scale the group to {need} nodes (if it does not exist yet, raise nodes.start)"
        )
    else:
        where = f"{where}.start"
        message = f"scale group '{name}' to {need} nodes (if it does not exist yet, raise {where})"
    held = described.capacity.held
    if held and held.count and held.count < need:
        message += f" (its reservation holds {held.count} instances; it must hold {need})"
    return GroupGrowth(message, where)


def sum_of(resource: str, number: int, nodes: Sequence[LiveNode]) -> Sum:
    """The request of a resource, and how much of it these nodes offer, use and have free."""
    return Sum(
        resource=resource,
        asked=number,
        nodes=len(nodes),
        most_on_a_node=max(node.offered(resource) for node in nodes),
        offered=sum(node.offered(resource) for node in nodes),
        in_use=sum(node.used(resource) for node in nodes),
        most_free=max(node.free(resource) for node in nodes),
    )
