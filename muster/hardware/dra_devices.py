"""The devices of a node as DRA drivers publish them in ResourceSlices, as far as a source states it.

The names of the attributes are those of the drivers' code: NVIDIA's `cmd/gpu-kubelet-plugin/deviceinfo.go`
(kubernetes-sigs/dra-driver-nvidia-gpu), and `pkg/apis/attributes.go` and `pkg/inventory/db.go` of DRANET
(kubernetes-sigs/dranet). The values are those of `dra_devices.toml`: compute capabilities from NVIDIA's table "CUDA GPU
Compute Capability", architectures in the words of go-nvlib (`GetArchitectureAsString`), the rest from the source of
each type. If no source states a value, the attribute is in `PublishedDevices.unstated`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from muster.hardware.catalogue import Accelerator, Hardware
from muster.hardware.tables import read_text

NVIDIA_DRIVER, EFA_DRIVER = "gpu.nvidia.com", "dra.net"
"""The names of the drivers in ResourceSlices."""

PCIE_ROOT = "resource.kubernetes.io/pcieRoot"

_GPU_ATTRIBUTES = frozenset(
    {
        "type",
        "uuid",
        "productName",
        "brand",
        "architecture",
        "cudaComputeCapability",
        "driverVersion",
        "cudaDriverVersion",
        "addressingMode",
        "resource.kubernetes.io/pciBusID",
        "resource.kubernetes.io/numaNode",
        PCIE_ROOT,
    }
)
_GPU_CAPACITIES = frozenset({"memory"})
_OF_DRANET = (
    *("alias", "ebpf", "encapsulation", "ifName", "ipv4", "ipv6", "isSriovVf", "mac", "mtu", "numaNode", "pciAddress"),
    *("pciDevice", "pciSubsystem", "pciVendor", "rdma", "rdmaDevice", "sriov", "sriovVfs", "state", "tcFilterNames"),
    *("tcxProgramNames", "type", "virtual"),
)
_EFA_ATTRIBUTES = frozenset({*(f"{EFA_DRIVER}/{name}" for name in _OF_DRANET), PCIE_ROOT})

_EFA_DEVICE: Mapping[str, Mapping[str, Any]] = {
    f"{EFA_DRIVER}/pciDevice": {"string": "Elastic Fabric Adapter (EFA)"},
    f"{EFA_DRIVER}/pciVendor": {"string": "Amazon.com, Inc."},
    f"{EFA_DRIVER}/rdma": {"bool": True},
}
"""The attributes that all EFA devices share (the ResourceSlice in DRANET's example for EKS)."""


@dataclass(frozen=True, slots=True)
class PublishedDevices:
    """The devices of one node that one driver publishes."""

    driver: str
    devices: tuple[Mapping[str, Any], ...]
    """In the format of a ResourceSlice. Their names are Muster's, except those of GPUs."""
    unstated: frozenset[str] = field(default_factory=frozenset)
    """Attributes and capacities that the driver publishes, and whose values no source states."""


def published_gpus(machine: Hardware) -> PublishedDevices | None:
    """The GPUs of an instance type as NVIDIA's driver publishes them; None if the type has no GPUs."""
    if machine.accelerator is not Accelerator.GPU or not machine.accelerators:
        return None
    own = _type(machine.instance)
    shared = {
        "type": {"string": "gpu"},
        **_texts(productName=own.get("product_name"), brand=own.get("brand")),
        **_of_model(machine.accelerator_model),
    }
    memory = own.get("memory")
    capacity = {"capacity": {"memory": {"value": memory}}} if memory else {}
    devices = tuple(
        {"name": f"gpu-{number}", "attributes": {**shared, **root}, **capacity}
        for number, root in enumerate(_roots(machine.instance, machine.accelerators))
    )
    stated = frozenset(devices[0]["attributes"]) | (_GPU_CAPACITIES if memory else frozenset())
    return PublishedDevices(NVIDIA_DRIVER, devices, (_GPU_ATTRIBUTES | _GPU_CAPACITIES) - stated)


def published_efa(machine: Hardware, interfaces: int) -> PublishedDevices | None:
    """The EFA interfaces of a node as DRANET publishes them; None if it has none.

    Args:
        machine: the instance type.
        interfaces: the number of its interfaces. The roots are known only if all interfaces of the type are attached.
    """
    if not interfaces:
        return None
    known = interfaces == machine.max_efa
    roots = _roots(machine.instance if known else "", interfaces)
    devices = tuple(
        {"name": f"efa-{number}", "attributes": {**_EFA_DEVICE, **root}} for number, root in enumerate(roots)
    )
    return PublishedDevices(EFA_DRIVER, devices, _EFA_ATTRIBUTES - frozenset(devices[0]["attributes"]))


def _roots(instance: str, devices: int) -> Iterator[Mapping[str, Any]]:
    """The root of each device, as an attribute: consecutive devices share one. Empty if no source states it."""
    roots = _type(instance).get("pcie_roots", ())
    for number in range(devices):
        yield {PCIE_ROOT: {"string": roots[number * len(roots) // devices]}} if roots else {}


def _of_model(model: str) -> Mapping[str, Any]:
    found = _tables()["models"].get(model, {})
    capability = found.get("cudaComputeCapability")
    versions = {"cudaComputeCapability": {"version": capability}} if capability else {}
    return {**_texts(architecture=found.get("architecture")), **versions}


def _texts(**attributes: str | None) -> dict[str, Any]:
    return {name: {"string": value} for name, value in attributes.items() if value}


def _type(instance: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = _tables()["types"].get(instance, {})
    return found


@cache
def _tables() -> Mapping[str, Any]:
    import tomllib  # noqa: PLC0415  (only where a driver is rehearsed)

    return tomllib.loads(read_text("dra_devices.toml"))
