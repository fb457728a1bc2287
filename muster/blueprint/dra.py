"""Devices that pods get through Dynamic Resource Allocation (DRA): by claims, and not as extended resources.

A device plugin or a DRA driver offers the devices of a node, never both (EKS user guide, device-management-efa and
device-management-nvidia-dra-device-plugin). A driver serves the groups that its add-on names, by default every group
that has its devices. The device plugin serves the other groups.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from muster.blueprint.gpu_sharing import GPU
from muster.blueprint.node import DEVICE_CLASSES, EFA_RESOURCE
from muster.hardware.dra_devices import EFA_DRIVER, NVIDIA_DRIVER
from muster.plain_data import value_at

if TYPE_CHECKING:
    from muster.config.description.addons import Options

DRIVERS: Mapping[str, str] = {"nvidia-dra-driver": GPU, "efa-dra-driver": EFA_RESOURCE}
"""Add-on of a DRA driver -> the extended resource that the device plugin for the same devices offers."""

CLASS_OF_DRIVER: Mapping[str, str] = {
    NVIDIA_DRIVER: DEVICE_CLASSES[GPU],
    EFA_DRIVER: DEVICE_CLASSES[EFA_RESOURCE],
}
"""Name of a driver in ResourceSlices -> the DeviceClass of its devices."""


def published_devices(slices: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Node -> DeviceClass -> the number of devices in its ResourceSlices, of the drivers that Muster knows."""
    found: dict[str, dict[str, int]] = {}
    for each in slices:
        spec = each["spec"]
        if (name := CLASS_OF_DRIVER.get(spec["driver"])) and (node := spec.get("nodeName")):
            of_node = found.setdefault(node, {})
            of_node[name] = of_node.get(name, 0) + len(spec.get("devices") or ())
    return found


def driven_on(chosen: "Mapping[str, Options]", group: str, built_in: Collection[str] = frozenset()) -> frozenset[str]:
    """The devices of a group that DRA drivers offer, by the extended resources of their device plugins, whether the
    group has such devices or not.

    Args:
        chosen: add-on -> its options.
        group: the group's name.
        built_in: the devices that a device plugin in the group's image offers. A driver serves them only if it names
            the group.
    """
    found: set[str] = set()
    for name, resource in DRIVERS.items():
        options = chosen.get(name)
        # The values of NVIDIA's driver may turn its GPUs off: a device plugin then offers them.
        if options is None or value_at(getattr(options, "values", {}), "resources", "gpus", "enabled") is False:
            continue
        groups = getattr(options, "groups", None)
        if group in groups if groups is not None else resource not in built_in:
            found.add(resource)
    return frozenset(found)
