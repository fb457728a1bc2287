"""Claims of pods: the rehearsal creates volumes for persistent volume claims, and removes resource claims from pods."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from muster.jobs.job_metadata import DEFAULT_NAMESPACE
from muster.message_text import did_you_mean
from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.outcome import Cause, SimulatedPart


def bind_claims(plane: ControlPlane, namespace: str) -> list[SimulatedPart]:
    """Creates a volume for each unbound claim of a namespace, and waits until the claim is bound."""
    client, simulated = plane.client, []
    path = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims"
    for claim in client.items(path):
        if claim.get("status", {}).get("phase") == "Bound" or claim["spec"].get("volumeName"):
            continue
        name, class_ = claim["metadata"]["name"], claim["spec"].get("storageClassName") or "no class"
        client.apply(_volume(claim))

        def bound(path: str = f"{path}/{name}") -> bool:
            return bool(client.get(path).get("status", {}).get("phase") == "Bound")

        # Otherwise the scheduler finds it unbound, and retries only after a while.
        plane.wait_until(bound, f"the claim {name} was not bound")
        why = f"the rehearsal runs no CSI driver; the cluster needs one for '{class_}'"
        simulated.append(
            SimulatedPart(f"PersistentVolumeClaim {name}", "the rehearsal creates a volume of its size", why)
        )
    return simulated


def missing_volume_claims(plane: ControlPlane, namespace: str, pods: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """The claims that pods of these specs mount and that do not exist."""
    path = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims"
    there = {each["metadata"]["name"] for each in plane.client.items(path)}
    return tuple(sorted(_mounted(pods) - there))


def create_volumes(plane: ControlPlane, namespace: str, names: Iterable[str]) -> None:
    """Creates claims, and a volume for each."""
    for name in names:
        plane.client.apply(
            {
                "apiVersion": "v1",
                "kind": "PersistentVolumeClaim",
                "metadata": {"name": name, "namespace": namespace},
                "spec": {
                    "accessModes": ["ReadWriteMany"],
                    "resources": {"requests": {"storage": "1Gi"}},
                    "storageClassName": "",
                },
            }
        )
    bind_claims(plane, namespace)


def _mounted(pods: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The claims that pods of these specs mount."""
    volumes = (volume for pod in pods for volume in pod.get("volumes") or ())
    return frozenset(str((volume.get("persistentVolumeClaim") or {}).get("claimName") or "") for volume in volumes) - {
        ""
    }


def _volume(claim: JsonObject) -> JsonObject:
    spec, meta = claim["spec"], claim["metadata"]
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": f"rehearsal-{meta['uid']}"},
        "spec": {
            "accessModes": spec.get("accessModes"),
            "capacity": {"storage": spec["resources"]["requests"]["storage"]},
            "claimRef": {"namespace": meta["namespace"], "name": meta["name"]},
            "hostPath": {"path": "/nowhere"},
            "storageClassName": spec.get("storageClassName") or "",
            **({"volumeMode": spec["volumeMode"]} if "volumeMode" in spec else {}),
        },
    }


RESOURCE_CLAIM_MISSING = "resource-claim-missing"

_TEMPLATE, _CLAIM = "ResourceClaimTemplate", "ResourceClaim"


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
        yield from _of_pod(spec, _namespace_of_pods(document, default_namespace))


def _of_pod(spec: JsonObject, namespace: str) -> Iterator[ClaimReference]:
    for each in spec["resourceClaims"]:
        if isinstance(each, dict):
            for key, kind in (("resourceClaimTemplateName", _TEMPLATE), ("resourceClaimName", _CLAIM)):
                if isinstance(each.get(key), str):
                    yield ClaimReference(kind, each[key], namespace)


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


GATE = "muster/resource-claim"
"""The scheduling gate of pods that use a claim or a template that does not exist."""


def is_gated(pod: Mapping[str, Any]) -> bool:
    """Whether a pod waits for a claim, or a template, that does not exist.

    Args:
        pod: its spec.
    """
    return any(each.get("name") == GATE for each in pod.get("schedulingGates") or ())


def remove_claims(
    document: JsonObject, absent: Collection[ClaimReference] = (), default_namespace: str = DEFAULT_NAMESPACE
) -> JsonObject:
    """The same document, with pods without claims. A gate blocks the scheduling of those with an absent claim.

    Args:
        document: with pod templates in it.
        absent: claims and templates that do not exist.
        default_namespace: the namespace of the pods that a runtime of the whole cluster describes.
    """
    kept: JsonObject = _without(document, absent, _namespace_of_pods(document, default_namespace))
    return kept


def _without(value: Any, absent: Collection[ClaimReference], namespace: str) -> Any:
    if isinstance(value, list):
        return [_without(each, absent, namespace) for each in value]
    if not isinstance(value, dict):
        return value
    kept = {key: _without(each, absent, namespace) for key, each in value.items()}
    if isinstance(kept.get("containers"), list) and isinstance(kept.get("resourceClaims"), list):
        # The API server rejects a gate on a pod that sets its node.
        if not kept.get("nodeName") and not set(_of_pod(kept, namespace)).isdisjoint(absent):
            kept["schedulingGates"] = [*(kept.get("schedulingGates") or ()), {"name": GATE}]
        del kept["resourceClaims"]
        for key in ("containers", "initContainers"):
            for container in kept.get(key) or ():
                if isinstance(container, dict) and isinstance(container.get("resources"), dict):
                    container["resources"].pop("claims", None)
    return kept


def _given(beside: Iterable[JsonObject]) -> Iterator[ClaimReference]:
    for each in beside:
        if each["kind"] in {_TEMPLATE, _CLAIM}:
            yield ClaimReference(each["kind"], str(each["metadata"].get("name")), _namespace(each))
        elif each["kind"] == "ComputeDomain":  # NVIDIA's DRA driver creates its template
            template: Any = each
            for key in ("spec", "channel", "resourceClaimTemplate"):
                template = template.get(key) if isinstance(template, dict) else None
            if isinstance(template, dict):
                yield ClaimReference(_TEMPLATE, str(template.get("name")), _namespace(each))


def absent_claims(wanted: Iterable[ClaimReference], beside: Iterable[JsonObject]) -> tuple[ClaimReference, ...]:
    """The claims that are not given in the namespaces of the pods."""
    given = set(_given(beside))
    return tuple(sorted(each for each in wanted if each not in given))


def missing_claims_cause(wanted: Iterable[ClaimReference], beside: Iterable[JsonObject]) -> Cause | None:
    """Why pods with claims would wait forever; None if all claims are given, in the namespaces of the pods."""
    given, absent = set(_given(beside)), absent_claims(wanted, beside)
    if not absent:
        return None
    listed = ", ".join(f"{each.kind} '{each.name}'" for each in absent)
    first = absent[0]
    elsewhere = sorted(each.namespace for each in given if each[:2] == first[:2])
    known = [each.name for each in given if (each.kind, each.namespace) == (first.kind, first.namespace)]
    hint = (
        f"; there is one in namespace '{elsewhere[0]}', but the pods are in '{first.namespace}'"
        if elsewhere
        else did_you_mean(first.name, known)
    )
    return Cause(
        RESOURCE_CLAIM_MISSING,
        f"the pod's claims for devices do not exist: {listed}{hint}",
        "create them before the job, in the job's namespace; for a rehearsal, put them into the job's file",
    )


def simulated_claim_parts(
    wanted: Iterable[ClaimReference], absent: Collection[ClaimReference] = ()
) -> Iterator[SimulatedPart]:
    """The entries of claims that the rehearsal removes from pods, and of the gate of pods that use absent claims."""
    for each in sorted(wanted):
        why = "the rehearsal runs no DRA driver, so it does not count the requested devices"
        name, left_out = f"{each.kind} {each.name}", "removed from the pods that use it"
        if each in absent:
            yield SimulatedPart(
                name, "a scheduling gate of the pods that use it", "it does not exist, so they wait for it"
            )
        else:
            yield SimulatedPart(name, left_out, why)
