"""Claims of Dynamic Resource Allocation: the devices of nodes, what pods request, and what is missing.

The real scheduler allocates the devices. Claims of ComputeDomains, whose driver does not run, request nothing. A claim
with a requirement on an attribute whose value no source states (`muster.hardware.dra_devices`) is not rehearsed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from muster.blueprint.dra import CLASS_OF_DRIVER
from muster.blueprint.gpu_sharing import GPU
from muster.blueprint.node import DEVICE_CLASSES, EFA_RESOURCE
from muster.hardware.dra_devices import PublishedDevices
from muster.jobs.job_metadata import DEFAULT_NAMESPACE
from muster.jobs.pod_roles import Role
from muster.message_text import list_names
from muster.plain_data import mappings_at, value_at
from muster.rehearsal.kubernetes.client import Client, JsonObject
from muster.rehearsal.outcome import Cause, SimulatedPart

VERSION = "resource.k8s.io/v1"

TEMPLATE, CLAIM = "ResourceClaimTemplate", "ResourceClaim"

KINDS = frozenset({TEMPLATE, CLAIM, "DeviceClass"})
"""The kinds of objects that describe claims."""


class ClaimReference(NamedTuple):
    """A claim, or a template of claims."""

    kind: str
    name: str
    namespace: str = DEFAULT_NAMESPACE
    """A pod uses only claims in its namespace."""


def claim_references(
    documents: Iterable[JsonObject], default_namespace: str = DEFAULT_NAMESPACE
) -> frozenset[ClaimReference]:
    """The claims and templates that the pods of documents use.

    Args:
        documents: with pod templates in them.
        default_namespace: the namespace of the pods that a runtime of the whole cluster describes.
    """
    return frozenset(found for each in documents for found in _named(each, default_namespace))


def _named(document: JsonObject, default_namespace: str) -> Iterator[ClaimReference]:
    for spec in _pod_specs(document):
        for entry in spec["resourceClaims"]:
            yield from _reference(entry, _namespace_of_pods(document, default_namespace))


def _reference(entry: Any, namespace: str) -> Iterator[ClaimReference]:
    """The claim or template of an entry of `resourceClaims`; the API server rejects an entry with both."""
    if isinstance(entry, dict):
        for key, kind in (("resourceClaimTemplateName", TEMPLATE), ("resourceClaimName", CLAIM)):
            if isinstance(entry.get(key), str):
                yield ClaimReference(kind, entry[key], namespace)


def _namespace_of_pods(document: JsonObject, default_namespace: str) -> str:
    return default_namespace if document.get("kind") in _OF_THE_CLUSTER else _namespace(document)


_OF_THE_CLUSTER = frozenset({"ClusterTrainingRuntime"})
"""Kinds with pod templates that are in no namespace."""


def _namespace(document: JsonObject) -> str:
    return str((document.get("metadata") or {}).get("namespace") or DEFAULT_NAMESPACE)


def _pod_specs(value: Any) -> Iterator[JsonObject]:
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            if isinstance(here.get("containers"), list) and isinstance(here.get("resourceClaims"), list):
                yield here
            waiting += here.values()
        elif isinstance(here, list):
            waiting += here


def unused_claims(pod: Mapping[str, Any]) -> tuple[str, ...]:
    """The entries of a pod's `resourceClaims` that none of its containers has: Kubernetes allocates their devices, and
    no container gets them."""
    containers = (each for key in ("containers", "initContainers") for each in mappings_at(pod, key))
    used = {each.get("name") for container in containers for each in mappings_at(container, "resources", "claims")}
    names = (each.get("name") for each in mappings_at(pod, "resourceClaims"))
    return tuple(each for each in names if isinstance(each, str) and each not in used)


def unused_claims_notes(roles: Iterable[Role]) -> Iterator[str]:
    """A note for each role whose pods have such claims."""
    for role in roles:
        if names := unused_claims(role.spec):
            entries = ", ".join(f"{{name: {each}}}" for each in names)
            yield (
                f"no container of '{role.name}' uses the claim{'s' if len(names) > 1 else ''} "
                f"{list_names(map(repr, names))}: Kubernetes allocates the devices, but no container gets them; add "
                f"claims: [{entries}] to the container's resources"
            )


def missing_claims_cause(wanted: Iterable[ClaimReference], beside: Iterable[JsonObject]) -> Cause | None:
    """Why pods with claims would wait forever; None if all claims are given, in the namespaces of the pods."""
    listed = tuple(beside)
    given = {_own(each) for each in (*listed, *map(_channel, listed)) if each and each["kind"] in {TEMPLATE, CLAIM}}
    absent = sorted(set(wanted) - given)
    if not absent:
        return None
    names = ", ".join(f"{each.kind} '{each.name}' in namespace '{each.namespace}'" for each in absent)
    return Cause(
        "claim-missing",
        f"the pod's claims for devices do not exist: {names}",
        f"create them before the job ({VERSION}); for a rehearsal, put them into the job's file",
    )


def _own(document: JsonObject) -> ClaimReference:
    return ClaimReference(document["kind"], str(document["metadata"].get("name")), _namespace(document))


_COMPUTE_DOMAIN_CLASSES = frozenset({"compute-domain-default-channel.nvidia.com", "compute-domain-daemon.nvidia.com"})
"""The DeviceClasses of ComputeDomains (dra-driver-nvidia-gpu, `templates/deviceclass-compute-domain-*.yaml`)."""


def of_compute_domains(beside: Iterable[JsonObject]) -> tuple[JsonObject, ...]:
    """The claims and templates of ComputeDomains, those that NVIDIA's driver would create among them. They request
    nothing: the rehearsal does not run that driver."""
    listed = tuple(beside)
    own = (each for each in listed if each["kind"] in {TEMPLATE, CLAIM} and _classes(each) & _COMPUTE_DOMAIN_CLASSES)
    return tuple(map(_without_requests, (*filter(None, map(_channel, listed)), *own)))


def _channel(document: JsonObject) -> JsonObject | None:
    """The template that NVIDIA's driver creates for a ComputeDomain."""
    name = value_at(document, "spec", "channel", "resourceClaimTemplate", "name")
    if document["kind"] != "ComputeDomain" or not isinstance(name, str):
        return None
    return {"apiVersion": VERSION, "kind": TEMPLATE, "metadata": {"name": name, "namespace": _namespace(document)}}


def _without_requests(document: JsonObject) -> JsonObject:
    return {**document, "spec": {"spec": {}} if document["kind"] == TEMPLATE else {}}


def _classes(document: JsonObject) -> frozenset[str]:
    """The DeviceClasses that a claim or template requests."""
    spec = value_at(document, *(("spec", "spec") if document["kind"] == TEMPLATE else ("spec",)))
    return frozenset(
        str(value_at(each, "exactly", "deviceClassName")) for each in mappings_at(spec, "devices", "requests")
    )


def claim_parts(of_domains: Iterable[JsonObject]) -> Iterator[SimulatedPart]:
    """The entries of the claims of ComputeDomains."""
    for each in of_domains:
        why = "the rehearsal does not run the driver of ComputeDomains"
        yield SimulatedPart(f"{each['kind']} {each['metadata'].get('name')}", "requests no device", why)


def unstated_requirement(document: JsonObject, published: Iterable[PublishedDevices]) -> str:
    """The first attribute or capacity that a claim, a template or a DeviceClass requires, and whose value on these
    devices no source states; empty if there is none."""
    if document["kind"] not in KINDS:
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


def allocated_devices(client: Client) -> dict[str, dict[str, int]]:
    """Node -> DeviceClass -> the number of devices that claims have, of the drivers that Muster knows."""
    found: dict[str, dict[str, int]] = {}
    for claim in client.items(CLAIMS):
        for result in value_at(claim, "status", "allocation", "devices", "results") or ():
            if (name := CLASS_OF_DRIVER.get(result["driver"])) and not result.get("adminAccess"):
                of_node = found.setdefault(result["pool"], {})
                of_node[name] = of_node.get(name, 0) + 1
    return found
