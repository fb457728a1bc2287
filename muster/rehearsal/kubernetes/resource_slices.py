"""DRA drivers on the control plane: the ResourceSlices of nodes, the DeviceClasses, and the allocated devices."""

from collections.abc import Iterable, Mapping

from muster.blueprint.dra import CLASS_OF_DRIVER
from muster.blueprint.gpu_sharing import GPU
from muster.blueprint.node import DEVICE_CLASSES, EFA_RESOURCE
from muster.hardware.dra_devices import PublishedDevices
from muster.plain_data import value_at
from muster.rehearsal.kubernetes.client import Client, JsonObject

VERSION = "resource.k8s.io/v1"

SLICES, CLAIMS = (f"/apis/{VERSION}/{plural}" for plural in ("resourceslices", "resourceclaims"))

CONTROLLER = "resourceclaim-controller"
"""kube-controller-manager's controller that creates claims from templates, and frees the devices of pods that end."""

_SELECTORS: Mapping[str, str] = {
    DEVICE_CLASSES[GPU]: "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'",
    DEVICE_CLASSES[EFA_RESOURCE]: (
        "device.driver == 'dra.net' && device.attributes['dra.net'].pciDevice == 'Elastic Fabric Adapter (EFA)'"
    ),
}
"""The selectors of the charts: dra-driver-nvidia-gpu, `templates/deviceclass-gpu.yaml`; aws-dranet,
`templates/deviceclass.yaml`."""


def device_class(name: str) -> JsonObject:
    """A DeviceClass as the chart of its driver creates it."""
    resource = {"extendedResourceName": GPU} if name == DEVICE_CLASSES[GPU] else {}
    return {
        "apiVersion": VERSION,
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": {"selectors": [{"cel": {"expression": _SELECTORS[name]}}], **resource},
    }


def resource_slice(node: str, published: PublishedDevices, working: int, generation: int) -> JsonObject:
    """The ResourceSlice of a node. The devices that do not work are left out, the first ones.

    Args:
        node: the node's name, which is also that of the pool.
        published: all its devices.
        working: the number of devices that work.
        generation: the generation of the pool: more than that of the slice before it.
    """
    return {
        "apiVersion": VERSION,
        "kind": "ResourceSlice",
        "metadata": {"name": _name(node, published.driver)},
        "spec": {
            "driver": published.driver,
            "nodeName": node,
            "pool": {"name": node, "generation": generation, "resourceSliceCount": 1},
            "devices": list(published.devices[len(published.devices) - working :]),
        },
    }


def delete_slices(client: Client, node: str, drivers: Iterable[str]) -> None:
    """Deletes the slices of a node: the garbage collector would, because the Node owns them."""
    for driver in drivers:
        client.delete(f"{SLICES}/{_name(node, driver)}")


def _name(node: str, driver: str) -> str:
    return f"{node}-{driver}"


def allocated_devices(client: Client) -> dict[str, dict[str, int]]:
    """Node -> DeviceClass -> the number of devices that claims have, of the drivers that Muster knows."""
    found: dict[str, dict[str, int]] = {}
    for claim in client.items(CLAIMS):
        for result in value_at(claim, "status", "allocation", "devices", "results") or ():
            if (name := CLASS_OF_DRIVER.get(result["driver"])) and not result.get("adminAccess"):
                of_node = found.setdefault(result["pool"], {})
                of_node[name] = of_node.get(name, 0) + 1
    return found
