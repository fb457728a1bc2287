"""Checks of groups whose nodes Karpenter creates, on a document as it is written.

What an EC2NodeClass does not have: `pkg/apis/v1/ec2nodeclass.go` of aws/karpenter-provider-aws at v1.14.1. It selects
reservations by id or tags, its interfaces are of the types `interface` and `efa-only`, and it has no key pair.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muster.config.description.node_group import Provisioner, Purpose
from muster.finding import KeyPath
from muster.hardware.catalogue import Accelerator, UnknownInstance, hardware
from muster.hardware.huge_pages import default_for
from muster.hardware.interfaces import InterfaceType, Layout, slots
from muster.size import Size
from muster.versions import ADDONS
from muster.whole_number import version_numbers

Fault = tuple[KeyPath, str, str]

ADDON = "karpenter"
_OLDEST = (1, 11)
"""The first version with `networkInterfaces` and `placementGroupSelector` (karpenter-provider-aws#9027 and #9030)."""
_LONGEST_QUEUE = 80
"""The limit of SQS for the name of a queue, which is the cluster's name."""

_ONLY_NODE_GROUPS: Mapping[str, tuple[str, str]] = {
    "self-managed": ("Karpenter creates the nodes of this group, without an Auto Scaling group", "remove it"),
    "updates": (
        "Karpenter updates no node of this group: a change applies to nodes that it creates later",
        "remove it",
    ),
    "node-repair": (
        "EKS repairs only nodes of managed groups",
        "remove it, or set addons.karpenter.values: {settings: {featureGates: {nodeRepair: true}}}, an alpha feature",
    ),
}
"""Keys that only node groups have."""


def karpenter_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """What is wrong with groups of Karpenter, and with the add-on."""
    groups, addons = raw.get("groups"), raw.get("addons")
    every = groups.items() if isinstance(groups, Mapping) else ()
    listed = {name: each for name, each in every if isinstance(each, Mapping)}
    own = {name: each for name, each in listed.items() if each.get("provisioned-by") == Provisioner.KARPENTER}
    installed = isinstance(addons, Mapping) and ADDON in addons
    for name, group in own.items():
        yield from ((("groups", name, *at), got, remedy) for at, got, remedy in _of_group(group))
        if not installed:
            got = "Karpenter creates the nodes of this group, but the add-on karpenter is missing"
            yield ("groups", name, "provisioned-by"), got, "add it: addons: {karpenter: {}}"
    version = _version(addons.get(ADDON)) if isinstance(addons, Mapping) else None
    if own and version is not None and version < _OLDEST:
        got = (
            "Karpenter before 1.11 has no network interfaces and no placement groups in its EC2NodeClasses, but Muster "
            "writes them"
        )
        yield ("addons", ADDON, "version"), got, f"remove it: Muster installs {ADDONS[ADDON].version}"
    yield from _huge_pages(own)
    yield from _dra_drivers(own, listed, addons if isinstance(addons, Mapping) else {})
    if installed and listed and len(own) == len(listed):
        got = "Karpenter creates the nodes of every group, so there is none on which Karpenter itself can run"
        yield ("groups",), got, "add a group without provisioned-by: {for: system, instance: ..., nodes: 2}"
    source = raw.get("control-plane")
    existing = source.get("existing") if isinstance(source, Mapping) else None
    name = existing.get("name") if isinstance(existing, Mapping) else None
    if installed and isinstance(name, str) and len(name) > _LONGEST_QUEUE:
        got = (
            f"the name has {len(name)} characters, but a queue for Karpenter, with this name, at most {_LONGEST_QUEUE}"
        )
        yield ("control-plane", "existing", "name"), got, "remove the add-on karpenter, and the groups that need it"


def _of_group(group: Mapping[str, Any]) -> Iterator[Fault]:
    """What is wrong with one group; places are below it."""
    for key, (got, remedy) in _ONLY_NODE_GROUPS.items():
        if key in group and group[key] is not False:
            yield (key,), got, remedy
    if group.get("for") == Purpose.SYSTEM:
        got = "Karpenter creates the nodes of this group, but operators, Karpenter among them, need nodes before that"
        yield ("for",), got, "remove provisioned-by, or set for: inference"
    yield from most_nodes_faults(group.get("nodes"))
    yield from label_faults(group.get("labels"))
    capacity, session = group.get("capacity"), group.get("session")
    if isinstance(capacity, Mapping) and "reservation-group" in capacity:
        got = "Karpenter selects a reservation by its id, not by a resource group"
        yield ("capacity", "reservation-group"), got, "write reservation: {id: ...}, in one group for each reservation"
    if isinstance(session, Mapping) and "key-pair" in session:
        yield ("session", "key-pair"), "Karpenter sets no key pair on nodes", "write session: ssm"
    yield from _interfaces(group)


def most_nodes_faults(nodes: Any) -> Iterator[Fault]:
    """What is wrong with the number of nodes of a group that begins with none; the place is below the group."""
    if not isinstance(nodes, Mapping) or not isinstance(nodes.get("max"), int):
        return
    least = max((each for key in ("min", "start") if isinstance(each := nodes.get(key), int)), default=0)
    if least > 0:
        got = f"Karpenter creates nodes for pods that wait, so it does not keep {least}"
        yield ("nodes",), got, f"write nodes: {nodes['max']}, the highest number"


def label_faults(labels: Any) -> Iterator[Fault]:
    """Labels that the CRD of NodePools refuses (Karpenter, `karpenter.sh_nodepools.yaml`: "label domain karpenter.sh is
    restricted"); the place is below the group."""
    for key in labels if isinstance(labels, Mapping) else ():
        if str(key).partition("/")[0].endswith("karpenter.sh") and key != "karpenter.sh/capacity-type":
            yield ("labels", key), f"only Karpenter may set the label '{key}'", "use another prefix, or none"


def _interfaces(group: Mapping[str, Any]) -> Iterator[Fault]:
    given, instance = group.get("interfaces"), group.get("instance")
    training = group.get("for") == Purpose.TRAINING
    try:
        layout = Layout(given) if given is not None else Layout.AWS if training else Layout.PLAIN
        laid = slots(hardware(str(instance)), layout)
    except (ValueError, UnknownInstance):
        return
    if not any(slot.type is InterfaceType.EFA for slot in laid):
        return
    got = f"{instance} would have interfaces of type efa, but Karpenter creates only interface and efa-only"
    other = slots(hardware(str(instance)), Layout.AWS)
    possible = not any(slot.type is InterfaceType.EFA for slot in other)
    at = ("interfaces",) if given is not None else ("instance",)
    yield at, got, "write interfaces: aws" if possible else "write interfaces: plain, or remove provisioned-by"


def _huge_pages(groups: Mapping[Any, Mapping[str, Any]]) -> Iterator[Fault]:
    """Karpenter knows huge pages by the instance type, not by the group (NodeOverlay)."""
    first: dict[str, tuple[Any, Size]] = {}
    for name, group in groups.items():
        instance, pages = group.get("instance"), _pages_of(group)
        if not isinstance(instance, str) or pages is None:
            continue
        other, amount = first.setdefault(instance, (name, pages))
        if amount != pages:
            got = (
                f"group {name} has {pages} of huge pages, and group {other} {amount}, but Karpenter knows one amount "
                f"for {instance}"
            )
            yield ("groups", name, "huge-pages"), got, f"set huge-pages: {amount}"


_SEES_CLAIMS = (1, 15)
"""The first version of Karpenter that creates nodes for claims, if its feature gates are on."""


def _ignores_claims(options: Any) -> bool:
    """Whether the version of the add-on is older; Muster's own is."""
    version = _version(options)
    return version is None or version < _SEES_CLAIMS


def _version(options: Any) -> tuple[int, int] | None:
    """The first two numbers of the version that the add-on sets; None if it sets none."""
    given = options.get("version") if isinstance(options, Mapping) else None
    found = re.match(r"v?([0-9]+\.[0-9]+)", str(given))
    numbers = version_numbers(found[1]) if found else ()
    return (numbers[0], numbers[1]) if numbers else None


_DRA_DRIVERS = ("nvidia-dra-driver", "efa-dra-driver")


def _may_have(driver: str, group: Mapping[str, Any]) -> bool:
    """Whether a group may have the devices of a DRA driver."""
    try:
        machine = hardware(str(group.get("instance")))
    except UnknownInstance:
        return True
    return machine.accelerator is Accelerator.GPU if driver == "nvidia-dra-driver" else machine.max_efa > 0


def _dra_drivers(
    groups: Mapping[Any, Mapping[str, Any]], listed: Mapping[Any, Mapping[str, Any]], addons: Mapping[Any, Any]
) -> Iterator[Fault]:
    """Karpenter before 1.15 ignores the claims of pods: it would create too few nodes (EKS user guide,
    device-management)."""
    if not _ignores_claims(addons.get(ADDON)):
        return
    for driver in _DRA_DRIVERS:
        options = addons.get(driver)
        if not isinstance(options, Mapping):
            continue
        named = options.get("groups")
        served = [name for name in groups if named is None or (isinstance(named, list) and name in named)]
        for name in served:
            got = f"{driver} serves the group, but Karpenter before 1.15 ignores claims when it creates nodes"
            others = [other for other in listed if other not in groups and _may_have(driver, listed[other])]
            rest = f"list only the others in addons.{driver}.groups ({', '.join(map(str, others))})"
            plugin = driver.replace("dra-driver", "device-plugin")
            remedy = f"{rest if others else f'remove {driver}'}, and use {plugin} for this group"
            yield ("groups", name, "provisioned-by"), got, remedy


def _pages_of(group: Mapping[str, Any]) -> Size | None:
    given = group.get("huge-pages")
    try:
        if given is not None:
            return Size.parse(str(given))
        layout = group.get("interfaces")
        training = group.get("for") == Purpose.TRAINING
        laid = slots(
            hardware(str(group.get("instance"))),
            Layout(layout) if layout is not None else Layout.AWS if training else Layout.PLAIN,
        )
    except (ValueError, UnknownInstance):
        return None
    return default_for(sum(slot.is_efa for slot in laid))


def on_hyperpod(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """HyperPod runs Karpenter for its instances itself (SageMaker guide, "Autoscaling on SageMaker HyperPod EKS")."""
    addons = raw.get("addons")
    if isinstance(addons, Mapping) and ADDON in addons:
        got = "HyperPod runs Karpenter for its instances itself, and this cluster has no other nodes"
        yield ("addons", ADDON), got, "remove it, and write hyperpod: {autoscaling: karpenter}"


def in_another_stack(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """The role and the queue of Karpenter belong to the stack of the cluster."""
    addons = raw.get("addons")
    if isinstance(addons, Mapping) and ADDON in addons:
        got = "Karpenter's role and queue belong to the stack of the cluster, and this stack has only add-ons"
        yield ("addons", ADDON), got, "add it in the stack of the cluster"
