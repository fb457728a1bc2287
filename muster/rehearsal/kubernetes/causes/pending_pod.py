"""A pending pod, the devices that it requests, and the arithmetic of resources over nodes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from muster.kubernetes_quantity import BUILT_IN, is_device
from muster.message_text import did_you_mean
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, LiveNode
from muster.rehearsal.outcome import Cause, Sum
from muster.scheduling.constraints import PodConstraints, PodSpec
from muster.scheduling.fit import may_be_on, unmet_selection
from muster.scheduling.reason_text import requirement_texts
from muster.scheduling.resources import copies_that_fit, lacking
from muster.scheduling.taints import Taint, untolerated


@dataclass(frozen=True)
class PendingPod:
    """A waiting pod."""

    pod: PodSpec
    """Its spec."""
    asks: Mapping[str, int]
    """What it asks of a node, by resource, more than nothing of each; ``pods`` too."""
    role: str
    alike: int
    """How many pods of the job ask the same of nodes, whatever their role."""

    def fits(self, node: LiveNode) -> int:
        """How many such pods a node takes, with nothing else on it."""
        return copies_that_fit(self.asks, {name: node.offered(name) for name in self.asks})

    def lacks(self, node: LiveNode) -> tuple[str, ...]:
        """The resources of which a node has too little left for it; none where there is room."""
        return tuple(sorted(lacking(self.asks, {name: node.free(name) for name in self.asks})))

    @cached_property
    def constraints(self) -> PodConstraints:
        """What it requires of its node beside amounts."""
        return PodConstraints.of(self.pod)

    def unmet(self, node: LiveNode) -> tuple[str, ...]:
        """The requirements of its selector and affinity that a node does not meet, in words."""
        return requirement_texts(unmet_selection(self.constraints, node))

    def untolerated(self, node: LiveNode) -> tuple[Taint, ...]:
        """The taints of a node that it does not tolerate, in the node's order."""
        return untolerated(self.constraints.tolerations, node.taints)

    def suits(self, node: LiveNode) -> bool:
        """Whether it may go to a node that has its devices, were there room."""
        return has_devices(node, self.asks) and may_be_on(self.constraints, node)


def has_devices(node: LiveNode, asks: Mapping[str, int]) -> bool:
    """Whether a node has what is asked for of devices, any number of each. Huge pages are none: any node could reserve
    some."""
    return all(node.planned(resource) for resource in _devices(asks))


def _devices(asks: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(name for name in asks if is_device(name))


def no_such_devices(asking: PendingPod, scene: ClusterSnapshot) -> Cause:
    """No node has all of them."""
    if not scene.nodes:
        return Cause("no-nodes", "the cluster has no nodes", "let its groups start with some", "groups")
    known = scene.resources()
    strange = next((each for each in _devices(asking.asks) if each not in known), None)
    if strange is None:
        return Cause(
            "no-node-has-all",
            f"no node has {' and '.join(_devices(asking.asks))} together",
            "ask only for what nodes of one group have; `muster plan` lists what each group offers",
        )
    have = ", ".join(sorted(each for each in known if each not in BUILT_IN)) or "no devices"
    return Cause(
        "no-such-device",
        f"no node of the cluster has {strange}{did_you_mean(strange, known)} (nodes have {have})",
        f"ask for what the nodes have, or give the description a group with {strange}",
    )


@dataclass(frozen=True, slots=True)
class GroupGrowth:
    """What makes a group larger."""

    remedy: str
    where: str
    """The dotted path of the number to change."""


def growth_of(scene: ClusterSnapshot, name: str, more: int) -> GroupGrowth:
    """How a group comes to so many nodes more than it has.

    All its nodes count, also those that the waiting pod may not go to, and lost ones, which are replaced.
    """
    need = more + sum(node.group == name for node in (*scene.nodes, *scene.lost))
    described = scene.blueprint.group(name).described
    nodes, where = described.nodes, f"groups.{name}.nodes"
    if nodes.fixed:
        said = f"raise {where} to {need}"
    elif need > nodes.max:
        where = f"{where}.max"
        said = f"raise {where} to {need} and scale the group to {need} nodes (one that is not created yet: nodes.start)"
    else:
        where = f"{where}.start"
        said = f"scale group '{name}' to {need} nodes (one that is not created yet: raise {where})"
    held = described.capacity.held
    if held and held.count and held.count < need:
        said += f" (its reservation holds {held.count}, and would have to hold {need})"
    return GroupGrowth(said, where)


def sum_of(resource: str, number: int, nodes: Sequence[LiveNode]) -> Sum:
    """What a pod asks of a resource, and what these nodes have of it and have left."""
    return Sum(
        resource=resource,
        asked=number,
        nodes=len(nodes),
        most_on_a_node=max(node.offered(resource) for node in nodes),
        offered=sum(node.offered(resource) for node in nodes),
        in_use=sum(node.used(resource) for node in nodes),
        most_free=max(node.free(resource) for node in nodes),
    )
