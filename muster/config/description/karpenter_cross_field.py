"""Checks of groups whose nodes Karpenter creates: the add-on, or the one of EKS Auto Mode.

What an EC2NodeClass does not have: `pkg/apis/v1/ec2nodeclass.go` of aws/karpenter-provider-aws at v1.14.1. It selects
reservations by id or tags, its interfaces are of the types `interface` and `efa-only`, and it has no key pair.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from muster.addon_sheets import ADDONS
from muster.config.description.node_group import Provisioner, Purpose
from muster.config.description.written_blocks import Check, Fault, block, blocks, machine_of
from muster.hardware.catalogue import Accelerator
from muster.hardware.huge_pages import default_for
from muster.hardware.interfaces import InterfaceType, Layout, Slot, slots
from muster.size import Size
from muster.whole_number import version_numbers

ADDON = "karpenter"
_OLDEST = (1, 11)
"""The first version with `networkInterfaces` and `placementGroupSelector` (karpenter-provider-aws#9027 and #9030)."""
_LONGEST_QUEUE = 80
"""The limit of SQS for the name of a queue, which is the cluster's name."""


_OF_KARPENTER: Mapping[str, tuple[str, str]] = {
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
_NO_USER_DATA = ("a NodeClass of EKS Auto Mode has no user data", "remove it, or write provisioned-by: karpenter")
_OF_AUTO_MODE: Mapping[str, tuple[str, str]] = {
    "self-managed": ("EKS Auto Mode creates the nodes of this group, without an Auto Scaling group", "remove it"),
    "updates": (
        "EKS Auto Mode replaces nodes itself, within the disruption budgets of the NodePool",
        "remove it",
    ),
    "node-repair": ("EKS Auto Mode repairs its nodes itself", "remove it"),
    "image": ("EKS Auto Mode chooses the image, a variant of Bottlerocket", "remove it"),
    "local-storage": ("EKS Auto Mode makes one RAID 0 array of all NVMe disks itself", "remove it"),
    "session": ("EKS Auto Mode allows neither SSH nor sessions of Systems Manager on its nodes", "remove it"),
    "huge-pages": ("a NodeClass of EKS Auto Mode has no setting for huge pages", "remove it"),
    "volumes": ("a NodeClass of EKS Auto Mode has one volume", "remove it, and set volume.size"),
    **dict.fromkeys(("scripts", "kubelet", "containerd"), _NO_USER_DATA),
}
"""Keys that only node groups have."""


def karpenter_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """What is wrong with groups of Karpenter, and with the add-on."""
    addons, own = block(raw, "addons"), _groups_of(raw, Provisioner.KARPENTER)
    for name, group in own.items():
        yield from _at(name, _of_group(group, "Karpenter", _OF_KARPENTER), _of_karpenter(group))
        if ADDON not in addons:
            got = "Karpenter creates the nodes of this group, but the add-on karpenter is missing"
            yield ("groups", name, "provisioned-by"), got, "add it: addons: {karpenter: {}}"
    version = _version(addons.get(ADDON))
    if own and version is not None and version < _OLDEST:
        got = (
            "Karpenter before 1.11 has no network interfaces and no placement groups in its EC2NodeClasses, but Muster "
            "writes them"
        )
        yield ("addons", ADDON, "version"), got, f"remove it: Muster installs {ADDONS[ADDON].version}"
    yield from _huge_pages(own)
    if version is None or version < _SEES_CLAIMS:
        yield from _dra_drivers(own, addons)
    if ADDON in addons and own and len(own) == len(blocks(raw, "groups")):
        got = "Karpenter creates the nodes of every group, so there is none on which Karpenter itself can run"
        yield ("groups",), got, _ANOTHER_GROUP
    name = block(raw, "control-plane", "existing").get("name")
    if ADDON in addons and isinstance(name, str) and len(name) > _LONGEST_QUEUE:
        got = (
            f"the name has {len(name)} characters, but a queue for Karpenter, with this name, at most {_LONGEST_QUEUE}"
        )
        yield ("control-plane", "existing", "name"), got, "remove the add-on karpenter, and the groups that need it"


def auto_mode_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """What is wrong with groups of EKS Auto Mode.

    EKS runs Karpenter for them outside the cluster, chooses the image, and allows no login on a node (EKS user guide,
    automode and automode-learn-instances). Their NodeClass has no image, no user data and no key pair, and interfaces
    only of the types `interface` and `efa-only` (create-node-class).
    """
    own = _groups_of(raw, Provisioner.AUTO_MODE)
    for name, group in own.items():
        yield from _at(name, _of_group(group, "EKS Auto Mode", _OF_AUTO_MODE), _of_auto_mode(group))
    if own and len(own) == len(blocks(raw, "groups")):
        got = "EKS Auto Mode creates the nodes of every group, so there is none for the add-ons that Muster installs"
        yield ("groups",), got, _ANOTHER_GROUP
    if own and "existing" in block(raw, "control-plane"):
        got = "Muster turns on EKS Auto Mode when it creates a cluster, and does not change an existing one"
        remedy = "write control-plane: create, or remove provisioned-by: auto-mode from the groups"
        yield ("control-plane", "existing"), got, remedy


_ANOTHER_GROUP = "add a group without provisioned-by: {for: system, instance: ..., nodes: 2}"


def _groups_of(raw: Mapping[Any, Any], provisioner: Provisioner) -> dict[Any, Mapping[Any, Any]]:
    groups = blocks(raw, "groups")
    return {name: each for name, each in groups.items() if each.get("provisioned-by") == provisioner}


def _at(name: Any, *below: Iterator[Fault]) -> Iterator[Fault]:
    """Faults of a group, whose places are below it."""
    yield from ((("groups", name, *at), got, remedy) for each in below for at, got, remedy in each)


def _of_group(group: Mapping[Any, Any], creator: str, decided: Mapping[str, tuple[str, str]]) -> Iterator[Fault]:
    """What is wrong with a group, whichever Karpenter creates its nodes."""
    for key, (got, remedy) in decided.items():
        if key in group and group[key] is not False:
            yield (key,), got, remedy
    if group.get("for") == Purpose.SYSTEM:
        got = f"{creator} creates the nodes of this group, but operators and add-ons need nodes before that"
        yield ("for",), got, "remove provisioned-by, or set for: inference"
    nodes = block(group, "nodes")
    least = max((each for key in ("min", "start") if isinstance(each := nodes.get(key), int)), default=0)
    if isinstance(nodes.get("max"), int) and least > 0:
        got = f"Karpenter creates nodes for pods that wait, so it does not keep {least}"
        yield ("nodes",), got, f"write nodes: {nodes['max']}, the highest number"
    if "reservation-group" in block(group, "capacity"):
        got = "a NodeClass selects a reservation by its id, not by a resource group"
        yield ("capacity", "reservation-group"), got, "write reservation: {id: ...}, in one group for each reservation"


def _of_auto_mode(group: Mapping[Any, Any]) -> Iterator[Fault]:
    if group.get("interfaces") == Layout.CLASSIC:
        got = "a NodeClass of EKS Auto Mode has no interfaces of the type efa"
        yield ("interfaces",), got, "write interfaces: aws, or plain"
    machine = machine_of(group)
    if machine and machine.accelerator is Accelerator.NEURON:
        got = f"Muster does not describe {machine.instance} on EKS Auto Mode: its Neuron devices come without an add-on"
        yield ("instance",), got, "remove provisioned-by, or write provisioned-by: karpenter"


def _of_karpenter(group: Mapping[Any, Any]) -> Iterator[Fault]:
    if "key-pair" in block(group, "session"):
        yield ("session", "key-pair"), "Karpenter sets no key pair on nodes", "write session: ssm"
    machine = machine_of(group)
    if machine is None or not any(slot.type is InterfaceType.EFA for slot in _slots_of(group) or ()):
        return
    got = f"{machine.instance} would have interfaces of type efa, but Karpenter creates only interface and efa-only"
    possible = not any(slot.type is InterfaceType.EFA for slot in slots(machine, Layout.AWS))
    at = ("interfaces",) if group.get("interfaces") is not None else ("instance",)
    yield at, got, "write interfaces: aws" if possible else "write interfaces: plain, or remove provisioned-by"


def _slots_of(group: Mapping[Any, Any]) -> tuple[Slot, ...] | None:
    """The interfaces of a group's nodes; None if they are not known."""
    machine, given = machine_of(group), group.get("interfaces")
    default = Layout.AWS if group.get("for") == Purpose.TRAINING else Layout.PLAIN
    try:
        return slots(machine, default if given is None else Layout(given)) if machine else None
    except ValueError:
        return None


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


def _pages_of(group: Mapping[str, Any]) -> Size | None:
    given = group.get("huge-pages")
    if given is None:
        laid = _slots_of(group)
        return None if laid is None else default_for(sum(slot.is_efa for slot in laid))
    try:
        return Size.parse(str(given))
    except ValueError:
        return None


_SEES_CLAIMS = (1, 15)
"""The first version of Karpenter that creates nodes for claims, if its feature gates are on."""


def _version(options: Any) -> tuple[int, int] | None:
    """The first two numbers of the version that the add-on sets; None if it sets none."""
    given = options.get("version") if isinstance(options, Mapping) else None
    found = re.match(r"v?([0-9]+\.[0-9]+)", str(given))
    numbers = version_numbers(found[1]) if found else ()
    return (numbers[0], numbers[1]) if numbers else None


_DRA_DRIVERS = ("nvidia-dra-driver", "efa-dra-driver")


def _dra_drivers(groups: Mapping[Any, Mapping[str, Any]], addons: Mapping[Any, Any]) -> Iterator[Fault]:
    """Karpenter before 1.15 ignores the claims of pods: it would create too few nodes (EKS user guide,
    device-management)."""
    for driver in _DRA_DRIVERS:
        options = addons.get(driver)
        named = options.get("groups", groups) if isinstance(options, Mapping) else ()
        for name in groups:
            if isinstance(named, list | Mapping) and name in named:
                got = f"{driver} serves the group, but Karpenter before 1.15 ignores claims when it creates nodes"
                plugin = driver.replace("dra-driver", "device-plugin")
                others = f"list in addons.{driver}.groups only groups with devices that Karpenter does not create"
                remedy = f"replace addons.{driver} with addons.{plugin}, or {others}"
                yield ("groups", name, "provisioned-by"), got, remedy


def _karpenter_is_elsewhere(got: str, remedy: str, raw: Mapping[Any, Any]) -> Iterator[Fault]:
    if ADDON in block(raw, "addons"):
        yield ("addons", ADDON), got, remedy


on_hyperpod: Check = partial(
    _karpenter_is_elsewhere,
    "HyperPod runs Karpenter for its instances itself, and this cluster has no other nodes",
    "remove it, and write hyperpod: {autoscaling: karpenter}",
)
"""SageMaker guide, "Autoscaling on SageMaker HyperPod EKS"."""
in_another_stack: Check = partial(
    _karpenter_is_elsewhere,
    "Karpenter's role and queue belong to the stack of the cluster, and this stack has only add-ons",
    "add it in the stack of the cluster",
)
