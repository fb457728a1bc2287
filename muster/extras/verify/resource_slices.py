"""Checks of DRA drivers: every node of a group publishes its devices in ResourceSlices. Pure."""

from collections.abc import Iterator

from muster.extras.verify.checks import Deviation
from muster.extras.verify.expected import Expectations, ExpectedGroup
from muster.extras.verify.observed import ObservedCluster, ObservedNode
from muster.finding import Level


def published_deviations(expected: Expectations, seen: ObservedCluster) -> Iterator[Deviation]:
    """The deviations of published devices, of every ready node."""
    for group in expected.groups:
        for node in seen.of_group(group.name) if group.claims else ():
            if node.ready:
                yield from _of_node(group, node, seen)


def _of_node(group: ExpectedGroup, node: ObservedNode, seen: ObservedCluster) -> Iterator[Deviation]:
    published = seen.published.get(node.name, {})
    for name, planned in group.claims.items():
        found = published.get(name, 0)
        if found == planned:
            continue
        if not found:
            what = f"publishes no devices of {name}, but {planned} planned, so pods that claim them wait"
            remedy = (
                "find the driver's pod on the node and read its log; `kubectl get resourceslices --field-selector "
                "spec.nodeName=NODE` lists what it publishes"
            )
        elif found < planned:
            what = f"publishes {found} of {planned} devices of {name}"
            remedy = "read the log of the driver's pod on the node, and replace the node if devices are broken"
        else:
            what = f"publishes {found} devices of {name}, but {planned} planned"
            remedy = "check how the driver divides devices (MIG, sharing), or correct the description"
        yield Deviation("node-publishes", Level.MANDATORY, group.where, group.where, what, remedy, node.name)
