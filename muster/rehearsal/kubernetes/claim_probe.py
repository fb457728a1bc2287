"""Which devices a claim's requests match, according to the scheduler itself.

For each request and node, a pod with a claim for all devices that match is placed on the node. The claim has
`adminAccess`, so the scheduler also allocates devices that other claims have (Kubernetes, "Dynamic Resource
Allocation", Admin access). The allocation is the answer. So Muster does not evaluate CEL.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from muster.rehearsal.kubernetes.causes.device_claims import Matching, unmet_claim
from muster.rehearsal.kubernetes.causes.pending_pod import PendingPod
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, LiveNode
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.pod_lifecycle import scheduler_message
from muster.rehearsal.kubernetes.resource_claims import Request
from muster.rehearsal.kubernetes.resource_slices import CLAIMS, SLICES, VERSION, allocation_of
from muster.rehearsal.outcome import Cause
from muster.scheduling.fit import may_be_on

_NAMESPACE = "muster-claims"
_ADMIN_ACCESS = {"resource.kubernetes.io/admin-access": "true"}
"""The label of namespaces in which claims can have `adminAccess`."""


def claim_cause(plane: ControlPlane, pending: PendingPod, snapshot: ClusterSnapshot) -> Cause | None:
    """Why no node can satisfy the claims of a pod; None if a node can, as far as the requests and constraints tell.

    Raises:
        RehearsalError: the scheduler does not answer in time.
    """
    nodes = [node for node in snapshot.nodes if may_be_on(pending.constraints, node)]
    with _probes(plane):
        for reference, spec in pending.claims:
            matching = tuple(_matching(plane, nodes, spec.requests))
            if (found := unmet_claim(f"{reference.kind} {reference.name}", spec, matching)) is not None:
                return found
    return None


@contextmanager
def _probes(plane: ControlPlane) -> Iterator[None]:
    """The namespace of the probes; their pods and claims are deleted at the end."""
    client = plane.client
    client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": _NAMESPACE, "labels": _ADMIN_ACCESS}})
    accounts = f"/api/v1/namespaces/{_NAMESPACE}/serviceaccounts"
    plane.wait_until(lambda: bool(client.items(accounts)), f"the namespace {_NAMESPACE} did not get a service account")
    try:
        yield
    finally:
        client.delete(f"/api/v1/namespaces/{_NAMESPACE}/pods", gracePeriodSeconds=0)
        client.delete(f"/apis/{VERSION}/namespaces/{_NAMESPACE}/resourceclaims")


def _matching(plane: ControlPlane, nodes: Iterable[LiveNode], requests: Iterable[Request]) -> Iterator[Matching]:
    client, requests = plane.client, tuple(requests)
    used = frozenset(
        _device(result)
        for claim in client.items(CLAIMS)
        for result in allocation_of(claim)
        if not result.get("adminAccess")
    )
    published = {each["spec"].get("nodeName"): each for each in client.items(SLICES)}
    attributes = dict(_attributes(client.items(SLICES)))
    answers: dict[tuple[str, int], frozenset[str]] = {}
    for node in nodes:
        if node.name not in published:
            continue
        devices: dict[str, frozenset[str]] = {}
        for number, request in enumerate(requests):
            # The nodes of a group publish the same devices.
            key = node.group, number
            if key not in answers:
                answers[key] = _ask(plane, node, number, request)
            names = {each.rpartition("/")[2] for each in answers[key]}
            devices[request.name] = frozenset(
                each for each in attributes if each.split("/")[1] == node.name and each.rpartition("/")[2] in names
            )
        yield Matching(node, devices, used, attributes)


def _ask(plane: ControlPlane, node: LiveNode, number: int, request: Request) -> frozenset[str]:
    """The devices of a node that match a request; none if the scheduler allocates none."""
    client, name = plane.client, f"{node.name}-{number}"
    exactly = {
        "deviceClassName": request.device_class,
        "selectors": [{"cel": {"expression": each}} for each in request.selectors],
        "allocationMode": "All",
        "adminAccess": True,
    }
    metadata = {"name": name, "namespace": _NAMESPACE}
    spec = {"devices": {"requests": [{"name": "probe", "exactly": exactly}]}}
    client.create({"apiVersion": VERSION, "kind": "ResourceClaim", "metadata": metadata, "spec": spec})
    client.create({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": _pod(node.name, name)})
    path = f"/api/v1/namespaces/{_NAMESPACE}/pods/{name}"

    def answered() -> bool:
        pod = client.get(path)
        return bool(pod["spec"].get("nodeName") or scheduler_message(pod))

    plane.wait_until(answered, "the scheduler did not evaluate a claim")
    claim = client.get(f"/apis/{VERSION}/namespaces/{_NAMESPACE}/resourceclaims/{name}")
    return frozenset(map(_device, allocation_of(claim)))


def _pod(node: str, claim: str) -> dict[str, Any]:
    """A pod that only the claim keeps off a node."""
    here = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}
    return {
        "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [here]}}},
        "tolerations": [{"operator": "Exists"}],
        "resourceClaims": [{"name": "devices", "resourceClaimName": claim}],
        "containers": [{"name": "probe", "image": "probe", "resources": {"claims": [{"name": "devices"}]}}],
    }


def _device(of: Mapping[str, Any]) -> str:
    return f"{of['driver']}/{of['pool']}/{of['device']}"


def _attributes(slices: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every device, with its attributes. Their names have a domain: the driver's, if the slice leaves it out."""
    for each in slices:
        driver, pool = each["spec"]["driver"], each["spec"]["pool"]["name"]
        for device in each["spec"].get("devices") or ():
            found = {
                (name if "/" in name else f"{driver}/{name}"): next(iter(value.values()), None)
                for name, value in (device.get("attributes") or {}).items()
            }
            yield f"{driver}/{pool}/{device['name']}", found
