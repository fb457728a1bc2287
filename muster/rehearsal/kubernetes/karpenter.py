"""Karpenter in a rehearsal: which nodes it creates for pods that wait. Pure; Karpenter itself does not run.

Like Karpenter's scheduler (kubernetes-sigs/karpenter, `pkg/controllers/provisioning/scheduling/scheduler.go`): each pod
goes to a node that is created already, or else to a new node of the first group that suits it and is below its limit.
"""

from collections.abc import Iterable, Mapping

from muster.blueprint.cluster import Blueprint
from muster.rehearsal.kubernetes.causes import PendingPod
from muster.rehearsal.kubernetes.cluster_snapshot import LiveNode
from muster.rehearsal.outcome import SimulatedPart
from muster.scheduling.fit import left, shortages

NODES_TAKE = "minutes"
"""How long a node takes on a real cluster: EC2 launches it, and it joins. No document states a number."""


def created_for(
    pods: Iterable[PendingPod], empty: Mapping[str, LiveNode], below_limit: Mapping[str, int]
) -> tuple[str, ...]:
    """The groups of the nodes that Karpenter creates, one for each node.

    Args:
        pods: the pods that wait, in their order.
        empty: group -> a node of it without pods, with what its plugins offer.
        below_limit: group -> how many more nodes it may have.
    """
    made: list[tuple[str, dict[str, int]]] = []
    for pod in pods:
        index = next((index for index, (group, room) in enumerate(made) if _takes(pod, empty[group], room)), None)
        if index is not None:
            group, room = made[index]
            made[index] = (group, left(room, pod.requests))
            continue
        for group, node in empty.items():
            room = {name: node.planned(name) for name in node.amounts}
            if sum(name == group for name, _ in made) < below_limit[group] and _takes(pod, node, room):
                made.append((group, left(room, pod.requests)))
                break
    return tuple(group for group, _ in made)


def _takes(pod: PendingPod, node: LiveNode, room: Mapping[str, int]) -> bool:
    return pod.suits(node) and not shortages(pod.requests, room)


def simulated_karpenter(blueprint: Blueprint) -> tuple[SimulatedPart, ...]:
    """The entries of the report; none if Karpenter creates no nodes."""
    creators = dict.fromkeys(group.described.node_creator for group in blueprint.karpenter_groups)
    return tuple(
        SimulatedPart(
            f"the nodes of {each}",
            "the rehearsal creates the nodes for pods that wait, up to the limit of their group",
            f"rehearsals do not run {each}; capacity of EC2 is not known",
        )
        for each in creators
    )
