"""The arithmetic of one resource over nodes."""

from collections.abc import Sequence

from muster.rehearsal.outcome import Sum
from muster.rehearsal.scene import LiveNode


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
