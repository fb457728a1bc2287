"""The claims of a worker on a group whose devices DRA drivers offer, and their templates.

After the EKS user guide, "Manage EFA devices" and "Use the NVIDIA DRA driver or device plugin". Two differences:

- A worker of a whole node has one claim for the GPUs and one for the EFA interfaces: a claim has at most 32 devices
  (k8s.io/api `resource/v1`, `AllocationResultsMaxSize`), and a p5 node has 40.
- The interfaces of a GPU's PCIe root have a number, not `allocationMode: All` as in the guide: the scheduler of
  Kubernetes 1.35 then wants every interface of the node in the claim.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muster.blueprint.gpu_sharing import GPU
from muster.blueprint.node import DEVICE_CLASSES, EFA_RESOURCE, Node
from muster.hardware.dra_devices import PCIE_ROOT, devices_of_a_root

_NAMES = {GPU: "gpu", EFA_RESOURCE: "efa"}


@dataclass(frozen=True, slots=True)
class DeviceClaim:
    """A claim of a worker, or several equal ones."""

    devices: Mapping[str, int]
    """Extended resource of the device plugin for the same devices -> the number of devices."""
    copies: int = 1
    """The number of such claims. Their devices share a PCIe root, a different one for each claim."""
    aligned: bool = False
    """Whether the devices of a claim must share a PCIe root."""

    @property
    def name(self) -> str:
        """Its name in the pod, without the number of the copy: ``gpu``, ``gpu-efa``."""
        return "-".join(_NAMES[each] for each in self.devices)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the claims in the pod."""
        return (self.name,) if self.copies == 1 else tuple(f"{self.name}-{number}" for number in range(self.copies))

    def template(self, job: str) -> str:
        """The name of its template."""
        return f"{job}-{self.name}"


def device_claims(node: Node, devices: int, efa: int) -> tuple[DeviceClaim, ...]:
    """The claims of a worker; none on a group whose devices only device plugins offer.

    Args:
        node: the group's node.
        devices: the accelerators of the worker.
        efa: its EFA interfaces.
    """
    wanted = {node.hardware.resource_name: devices, EFA_RESOURCE: efa}
    claimed = {each: number for each in DEVICE_CLASSES if each in node.driven and (number := wanted.get(each))}
    root = devices_of_a_root(node.hardware)
    if len(claimed) == len(DEVICE_CLASSES) and root and devices < node.hardware.accelerators:
        gpus, interfaces = root
        copies = devices // gpus
        if (copies * gpus, copies * interfaces) == (devices, efa):
            return (DeviceClaim({GPU: gpus, EFA_RESOURCE: interfaces}, copies, aligned=True),)
    return tuple(DeviceClaim({each: number}) for each, number in claimed.items())


def alignment_note(node: Node, claims: Iterable[DeviceClaim]) -> str:
    """A note if the claims of a part of a node do not align its GPUs and EFA interfaces; empty if they need not."""
    claims = tuple(claims)
    number = sum(claim.devices.get(GPU, 0) * claim.copies for claim in claims)
    both = {each for claim in claims for each in claim.devices} == set(DEVICE_CLASSES)
    if not both or number == node.hardware.accelerators or any(claim.aligned for claim in claims):
        return ""
    root = devices_of_a_root(node.hardware)
    instance = node.hardware.instance
    if root is None:
        return (
            f"the claims do not require that a worker's GPUs and EFA interfaces share a PCIe root: no source states "
            f"which of them do on {instance}"
        )
    return (
        f"a worker's GPUs and EFA interfaces may have different PCIe roots: on {instance}, {root[0]} "
        f"GPU{'' if root[0] == 1 else 's'} and {root[1]} EFA share a root; request multiples of these numbers"
    )


def pod_claims(claims: Iterable[DeviceClaim], job: str) -> dict[str, Any]:
    """The `resourceClaims` of a worker's pod; empty if it has no claims."""
    entries = [
        {"name": name, "resourceClaimTemplateName": claim.template(job)} for claim in claims for name in claim.names
    ]
    return {"resourceClaims": entries} if entries else {}


def container_claims(claims: Iterable[DeviceClaim]) -> dict[str, list[dict[str, str]]]:
    """The `claims` of a container's resources; empty if it has none."""
    entries = [{"name": name} for claim in claims for name in claim.names]
    return {"claims": entries} if entries else {}


def claim_templates(claims: Iterable[DeviceClaim], job: str, namespace: str | None) -> Iterator[dict[str, Any]]:
    """The templates of a job's claims, which are submitted with it.

    Args:
        claims: the claims of a worker.
        job: the job's name.
        namespace: the job's namespace; None if it sets none.
    """
    for claim in claims:
        requests = [
            {"name": _NAMES[each], "exactly": {"deviceClassName": DEVICE_CLASSES[each], "count": number}}
            for each, number in claim.devices.items()
        ]
        names = [_NAMES[each] for each in claim.devices]
        constraints = [{"requests": names, "matchAttribute": PCIE_ROOT}] if claim.aligned else []
        yield {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaimTemplate",
            "metadata": {"name": claim.template(job), **({"namespace": namespace} if namespace else {})},
            "spec": {
                "spec": {"devices": {"requests": requests, **({"constraints": constraints} if constraints else {})}}
            },
        }
