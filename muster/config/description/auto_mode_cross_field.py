"""Checks of groups whose nodes EKS Auto Mode creates, on a document as it is written.

EKS runs Karpenter for them outside the cluster, chooses the image, and allows no login on a node (EKS user guide,
automode and automode-learn-instances). Their NodeClass has no image, no user data and no key pair, and interfaces only
of the types `interface` and `efa-only` (create-node-class).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.config.description.karpenter_cross_field import label_faults, most_nodes_faults
from muster.config.description.node_group import Provisioner, Purpose
from muster.finding import KeyPath
from muster.hardware.catalogue import Accelerator, UnknownInstance, hardware
from muster.hardware.interfaces import Layout

Fault = tuple[KeyPath, str, str]

_EKS_DECIDES: Mapping[str, str] = {
    "self-managed": "EKS Auto Mode creates the nodes of this group, without an Auto Scaling group",
    "updates": "EKS Auto Mode replaces nodes itself, within the disruption budgets of the NodePool",
    "node-repair": "EKS Auto Mode repairs its nodes itself",
    "image": "EKS Auto Mode chooses the image, a variant of Bottlerocket",
    "local-storage": "EKS Auto Mode makes one RAID 0 array of all NVMe disks itself",
    "session": "EKS Auto Mode allows neither SSH nor sessions of Systems Manager on its nodes",
    "huge-pages": "a NodeClass of EKS Auto Mode has no setting for huge pages",
}
"""Keys that a group of EKS Auto Mode cannot have."""


def auto_mode_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """What is wrong with groups of EKS Auto Mode."""
    groups = raw.get("groups")
    every = groups.items() if isinstance(groups, Mapping) else ()
    listed = {name: each for name, each in every if isinstance(each, Mapping)}
    own = {name: each for name, each in listed.items() if each.get("provisioned-by") == Provisioner.AUTO_MODE}
    for name, group in own.items():
        yield from ((("groups", name, *at), got, remedy) for at, got, remedy in _of_group(group))
    if own and len(own) == len(listed):
        got = "EKS Auto Mode creates the nodes of every group, so there is none for the add-ons that Muster installs"
        yield ("groups",), got, "add a group without provisioned-by: {for: system, instance: ..., nodes: 2}"
    source = raw.get("control-plane")
    if own and isinstance(source, Mapping) and "existing" in source:
        got = "Muster turns on EKS Auto Mode when it creates a cluster, and does not change an existing one"
        remedy = "write control-plane: create, or remove provisioned-by: auto-mode from the groups"
        yield ("control-plane", "existing"), got, remedy


def _of_group(group: Mapping[str, Any]) -> Iterator[Fault]:
    """What is wrong with one group; places are below it."""
    for key, got in _EKS_DECIDES.items():
        if key in group and group[key] is not False:
            yield (key,), got, "remove it"
    if group.get("for") == Purpose.SYSTEM:
        got = "EKS Auto Mode creates the nodes of this group, but the add-ons of Muster need nodes before that"
        yield ("for",), got, "remove provisioned-by, or set for: inference"
    yield from most_nodes_faults(group.get("nodes"))
    yield from label_faults(group.get("labels"))
    yield from _capacity(group.get("capacity"))
    if group.get("interfaces") == Layout.CLASSIC:
        got = "a NodeClass of EKS Auto Mode has no interfaces of the type efa"
        yield ("interfaces",), got, "write interfaces: aws, or plain"
    yield from _neuron(group.get("instance"))


def _capacity(capacity: Any) -> Iterator[Fault]:
    if not isinstance(capacity, Mapping):
        return
    if "reservation-group" in capacity:
        got = "a NodeClass selects a reservation by its id, not by a resource group"
        yield ("capacity", "reservation-group"), got, "write reservation: {id: ...}, in one group for each reservation"


def _neuron(instance: Any) -> Iterator[Fault]:
    try:
        machine = hardware(str(instance))
    except UnknownInstance:
        return
    if machine.accelerator is Accelerator.NEURON:
        got = f"Muster does not describe {instance} on EKS Auto Mode: its Neuron devices come without an add-on"
        yield ("instance",), got, "remove provisioned-by, or write provisioned-by: karpenter"
