"""What nodes offer against what is planned: devices, huge pages, CPU, memory, pods. Pure."""

from collections.abc import Iterator, Mapping

from addons.plugin_images import PLUGIN_IMAGES
from muster.fleet.amounts import CPU, MIB
from muster.fleet.finding import Level
from muster.fleet.node import EFA_RESOURCE, HUGE_PAGES_RESOURCE
from muster.live.checks import Deviation
from muster.live.expectations import Expectations, Group
from muster.live.seen import Node, Seen

TOLERANCE_PER_MILLE = 10
"""How much less CPU and memory than planned is still as planned.

CPU follows nodeadm's formula exactly. Memory is an estimate on the careful side (7.5 % for the hypervisor: real nodes
have more), so that what has less than planned has lost it to something; a kernel's own share moves by some tenths of
a percent between releases.
"""


def deviations(expected: Expectations, seen: Seen, unserved: Mapping[str, frozenset[str]]) -> Iterator[Deviation]:
    """What every ready node offers too little or too much of.

    Args:
        expected: the plan.
        seen: the cluster.
        unserved: node -> resources whose plugin does not run there: that is told, and why, by the plugin.
    """
    for group in expected.groups:
        for node in seen.of_group(group.name):
            if node.ready:
                yield from _devices(group, node, unserved.get(node.name, frozenset()))
                yield from _huge_pages(group, node)
                yield from _room(group, node)


def _devices(group: Group, node: Node, unserved: frozenset[str]) -> Iterator[Deviation]:
    for served, devices in group.devices.items():
        if served in unserved:
            continue
        for resource, planned in devices.items():
            yield from _device(group, node, resource, planned)
    for resource in sorted(PLUGIN_IMAGES.keys() - group.devices.keys()):
        if has := node.offers(resource):
            what = f"offers {has} {resource}, planned none"
            remedy = "say in the description what the nodes have, or replace them: jobs are sized without these"
            yield _of(group, node, "node-offers", Level.ADVISORY, what, remedy)


def _device(group: Group, node: Node, resource: str, planned: int) -> Iterator[Deviation]:
    offered, has = node.offers(resource), node.has(resource)
    if resource not in node.allocatable:
        what = f"offers no {resource}, planned {planned}"
        remedy = "see the log of its device plugin on the node: it found no device, or cannot reach the kubelet"
    elif offered < planned and has >= planned:
        what = f"offers {offered} of {planned} {resource}: {has - offered} of {has} are unhealthy"
        remedy = "replace the instance: its plugin calls a device broken (the plugin's log says which)"
    elif offered < planned:
        what = f"offers {offered} of {planned} {resource}"
        remedy = (
            "replace the node: interfaces come at launch, by the template of the day (`muster plan` shows the planned)"
            if resource == EFA_RESOURCE
            else "see the plugin's log on the node (time slicing, MIG), or replace the node"
        )
    elif offered > planned and offered != group.other_numbers.get(resource):
        what = f"offers {offered} {resource}, planned {planned}"
        remedy = (
            "update the EFA plugin: before 0.5.10 it counts what is no EFA on p6-b200"
            if resource == EFA_RESOURCE
            else "see how the plugin shares devices (time slicing, MPS): two pods then share one"
        )
    else:
        return
    yield _of(group, node, "node-offers", Level.MANDATORY, what, remedy)


def _huge_pages(group: Group, node: Node) -> Iterator[Deviation]:
    offered = node.offers(HUGE_PAGES_RESOURCE) // MIB
    if offered == group.huge_pages_mib:
        return
    what = f"offers {offered}Mi of {HUGE_PAGES_RESOURCE}, planned {group.huge_pages_mib}Mi"
    fewer = offered < group.huge_pages_mib
    remedy = (
        "reboot or replace it: memory was in pieces when the pages were set aside, or its user data is an older one"
        if fewer
        else "replace it: its user data is an older one; what is set aside for pages is memory that pods lack"
    )
    level = Level.MANDATORY if fewer else Level.ADVISORY
    yield _of(group, node, "node-offers", level, what, remedy, "huge-pages")


def _room(group: Group, node: Node) -> Iterator[Deviation]:
    if CPU in node.allocatable:
        cpu = node.offers(CPU)
        if _less(cpu, group.cpu_millicores):
            what = f"has {cpu}m of cpu for pods, planned {group.cpu_millicores}m"
            remedy = "see what its kubelet reserves (`kubectl get --raw /api/v1/nodes/NAME/proxy/configz`)"
            yield _of(group, node, "node-room", Level.MANDATORY, f"{what}: a job of that size waits", remedy)
    if "memory" in node.allocatable and group.memory_mib is not None:
        memory = node.offers("memory") // MIB
        if _less(memory, group.memory_mib):
            what = f"has {memory}Mi of memory for pods, planned {group.memory_mib}Mi (an estimate on the careful side)"
            remedy = "see what took it: more huge pages than planned, the kubelet's reservations, the image"
            yield _of(group, node, "node-room", Level.MANDATORY, f"{what}: a job of that size waits", remedy)
    if "pods" in node.allocatable and group.pods is not None and (pods := node.offers("pods")) != group.pods:
        more = pods > group.pods
        what = f"takes {pods} pods, planned {group.pods}"
        remedy = (
            "see how the VPC CNI gives addresses: without prefixes, pods beyond them stay in ContainerCreating"
            if more
            else "see its kubelet's maxPods: system pods and jobs may find no place"
        )
        yield _of(group, node, "node-room", Level.ADVISORY, what, remedy)


def _less(has: int, planned: int) -> bool:
    return has * 1000 < planned * (1000 - TOLERANCE_PER_MILLE)


def _of(group: Group, node: Node, check: str, level: Level, what: str, remedy: str, at: str = "") -> Deviation:
    where = f"{group.where}.{at}" if at else group.where
    return Deviation(check, level, where, group.where, what, remedy, node.name)
