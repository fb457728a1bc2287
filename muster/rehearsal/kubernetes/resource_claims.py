"""Claims of Dynamic Resource Allocation: the devices of nodes, what pods request, and what is missing.

The real scheduler allocates the devices. Claims of ComputeDomains, whose driver does not run, request nothing. A claim
with a requirement on an attribute whose value no source states (`muster.hardware.dra_devices`) is not rehearsed.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from muster.blueprint.dra import CLASS_OF_DRIVER
from muster.blueprint.gpu_sharing import GPU
from muster.blueprint.node import DEVICE_CLASSES, EFA_RESOURCE
from muster.hardware.dra_devices import PublishedDevices
from muster.jobs.job_metadata import DEFAULT_NAMESPACE
from muster.jobs.pod_roles import JobRoles
from muster.plain_data import mappings_at, value_at
from muster.rehearsal.kubernetes.client import Client, JsonObject
from muster.rehearsal.outcome import Cause, SimulatedPart

VERSION = "resource.k8s.io/v1"

TEMPLATE, CLAIM = "ResourceClaimTemplate", "ResourceClaim"

_NAMED = {"resourceClaimTemplateName": TEMPLATE, "resourceClaimName": CLAIM}
"""The keys of an entry of a pod's `resourceClaims`; the API server rejects an entry with both."""


class ClaimReference(NamedTuple):
    """A claim, or a template of claims."""

    kind: str
    name: str
    namespace: str = DEFAULT_NAMESPACE
    """A pod uses only claims in its namespace."""


def claim_references(shape: JobRoles) -> frozenset[ClaimReference]:
    """The claims and templates that the pods of a job use."""
    return frozenset(
        ClaimReference(kind, entry[key], shape.namespace)
        for role in shape.roles
        for entry in mappings_at(role.spec, "resourceClaims")
        for key, kind in _NAMED.items()
        if isinstance(entry.get(key), str)
    )


def _namespace(document: JsonObject) -> str:
    return str((document.get("metadata") or {}).get("namespace") or DEFAULT_NAMESPACE)


def missing_claims_cause(wanted: Iterable[ClaimReference], beside: Iterable[JsonObject]) -> Cause | None:
    """Why pods with claims would wait forever; None if all claims are given, in the namespaces of the pods."""
    listed = tuple(beside)
    given = {
        ClaimReference(each["kind"], str(each["metadata"].get("name")), _namespace(each))
        for each in (*listed, *of_compute_domains(listed))
        if each["kind"] in _NAMED.values()
    }
    absent = sorted(set(wanted) - given)
    if not absent:
        return None
    names = ", ".join(f"{each.kind} '{each.name}' in namespace '{each.namespace}'" for each in absent)
    return Cause(
        "claim-missing",
        f"the pod's claims for devices do not exist: {names}",
        f"create them before the job ({VERSION}); for a rehearsal, put them into the job's file",
    )


def of_compute_domains(beside: Iterable[JsonObject]) -> tuple[JsonObject, ...]:
    """The templates that NVIDIA's driver would create for ComputeDomains. They request nothing: the rehearsal does not
    run that driver."""
    return tuple(filter(None, map(_channel, beside)))


def _channel(document: JsonObject) -> JsonObject | None:
    """The template that NVIDIA's driver creates for a ComputeDomain."""
    name = value_at(document, "spec", "channel", "resourceClaimTemplate", "name")
    if document["kind"] != "ComputeDomain" or not isinstance(name, str):
        return None
    metadata = {"name": name, "namespace": _namespace(document)}
    return {"apiVersion": VERSION, "kind": TEMPLATE, "metadata": metadata, "spec": {"spec": {}}}


def claim_parts(of_domains: Iterable[JsonObject]) -> Iterator[SimulatedPart]:
    """The entries of the claims of ComputeDomains."""
    for each in of_domains:
        why = "the rehearsal does not run the driver of ComputeDomains"
        yield SimulatedPart(f"{each['kind']} {each['metadata'].get('name')}", "requests no device", why)


def unstated_requirement(document: JsonObject, published: Iterable[PublishedDevices]) -> str:
    """The first attribute or capacity that a claim, a template or a DeviceClass requires, and whose value on these
    devices no source states; empty if there is none."""
    if document["kind"] not in {TEMPLATE, CLAIM, "DeviceClass"}:
        return ""
    names = sorted({(each.driver, name) for each in published for name in each.unstated})
    for text in _texts(document):
        for driver, name in names:
            domain, _, own = name.rpartition("/")
            if re.search(rf"\b{re.escape(own)}\b", text) and (domain or driver) in text:
                return name
    return ""


def _texts(document: JsonObject) -> Iterator[str]:
    """The values of a document, without its keys."""
    waiting: list[Any] = [document]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str):
            yield here
        elif isinstance(here, dict | list):
            waiting += here.values() if isinstance(here, dict) else here


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


def allocated_devices(client: Client) -> Mapping[str, Mapping[str, int]]:
    """Node -> DeviceClass -> the number of devices that claims have, of the drivers that Muster knows."""
    found: dict[str, Counter[str]] = {}
    for claim in client.items(CLAIMS):
        for result in value_at(claim, "status", "allocation", "devices", "results") or ():
            if (name := CLASS_OF_DRIVER.get(result["driver"])) and not result.get("adminAccess"):
                found.setdefault(result["pool"], Counter())[name] += 1
    return found
