"""What a pod asks that takes a training node whole: every accelerator, every EFA interface, huge pages."""

from typing import Any

from muster.fleet import labels
from muster.fleet.blueprint import Group
from muster.fleet.huge_pages import NCCL_JOB
from muster.fleet.node import EFA_RESOURCE, HUGE_PAGES_RESOURCE, Node
from muster.fleet.quantity import Size
from muster.jobs.fit import selector, tolerations

MEMORY = Size(32000)
"""What the EKS guide's NCCL test asks for; NCCL's buffers and the test's need no more."""

LEFT_FOR_DAEMONS = Size(1024)
"""Of a node's memory: a worker that took all of it would not fit beside the node's own DaemonSets."""


def worker_memory(node: Node) -> Size:
    """The guide's 32000Mi, or less where a node has less."""
    return min(MEMORY, Size(node.allocatable.memory_mib - LEFT_FOR_DAEMONS.mib))


def worker_resources(node: Node) -> dict[str, int | str]:
    """What one worker takes of a node: every accelerator and EFA interface.

    No CPU, as in the guide: the node is the worker's alone, and a request could only make it not fit beside the
    node's DaemonSets. (Huge pages need a request for CPU or memory beside them; memory is there.)
    """
    pages = min(NCCL_JOB, node.huge_pages)
    devices = {node.hardware.resource_name: node.hardware.accelerators} if node.hardware.resource_name else {}
    return {
        **devices,
        # Without huge pages libfabric falls back to ordinary ones; asking for "0Mi" says nothing.
        **({HUGE_PAGES_RESOURCE: pages.kubernetes} if pages.mib else {}),
        EFA_RESOURCE: node.efa,
        "memory": worker_memory(node).kubernetes,
    }


def requests_and_limits(node: Node) -> dict[str, dict[str, int | str]]:
    """A container's `resources`: the two are equal, as they must be for devices and huge pages."""
    return {"limits": worker_resources(node), "requests": worker_resources(node)}


def placement(group: Group) -> dict[str, Any]:
    """Where it goes: nodes of this group, whatever their taints."""
    return {
        "nodeSelector": {labels.INSTANCE_TYPE: group.node.hardware.instance, **selector(group, labels.GROUP)},
        **tolerating(group),
    }


def tolerating(group: Group) -> dict[str, Any]:
    """A pod's `tolerations` for a group's taints; nothing where it has none."""
    listed = tolerations(group.node_group.taints)
    return {"tolerations": listed} if listed else {}
