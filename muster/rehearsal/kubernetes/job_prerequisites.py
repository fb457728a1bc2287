"""Objects that are created before a job: its namespace, claims with volumes, configuration, and the queues of the
description."""

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping

from muster.jobs.kinds import train_job
from muster.jobs.pod_roles import JobRoles
from muster.message_text import list_names
from muster.rehearsal.kubernetes.addons import is_volcano_queue
from muster.rehearsal.kubernetes.client import ApiError, Client, JsonObject
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.kueue import is_of_kueue, queues_are_ready
from muster.rehearsal.kubernetes.rehearsed_kinds import is_rehearsed
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.outcome import SimulatedPart

_OF_EVERY_CLUSTER = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})
_BOUND_SECONDS = 5.0
"""Seconds for a claim to be bound to the volume that it names: its controller looks at it each second."""
_FIRST = frozenset({"Namespace", "PriorityClass", "ServiceAccount"})


class ObjectRejected(RehearsalError):
    """An object of the job's file that cannot be rehearsed."""

    def __init__(self, thing: JsonObject, message: str) -> None:
        self.kind, self.name = thing["kind"], str(thing["metadata"].get("name", ""))
        super().__init__(f"{f'{self.kind} {self.name}'.strip()}, which belongs to the job: {message}")


def create_prerequisites(plane: ControlPlane, namespace: str, beside: Iterable[JsonObject]) -> list[SimulatedPart]:
    """Creates the job's namespace and its other objects. Returns those that are simulated or left out.

    Args:
        plane: the control plane.
        namespace: the job's.
        beside: the objects as they are sent.

    Raises:
        RehearsalError: the control plane rejects one of the objects.
    """
    client = plane.client
    given = [each for each in beside if not is_of_kueue(each) and _is_read(each, client)]
    client.create_namespaces({namespace, *map(_namespace, given)})
    accounts = f"/api/v1/namespaces/{namespace}/serviceaccounts"
    plane.wait_until(lambda: bool(client.items(accounts)), f"the namespace {namespace} did not get a service account")
    left = []
    for thing in sorted(given, key=lambda each: each["kind"] not in _FIRST):
        what = f"{thing['kind']} {thing['metadata'].get('name', '')}".strip()
        if not is_rehearsed(thing) or not client.knows(thing["apiVersion"], thing["kind"]):
            left.append(SimulatedPart(what, "left out", f"a rehearsal has no {thing['kind']} of {thing['apiVersion']}"))
            continue
        _apply(client, thing)
        if is_volcano_queue(thing):
            plane.wait_for_queue(thing["metadata"]["name"])
    left += bind_claims(plane, namespace)
    # A claim that names its volume is bound, or does not match it; then the scheduler says so.
    with contextlib.suppress(RehearsalError):
        plane.wait_until(lambda: not unbound_claims(client, namespace), "claims are not bound", _BOUND_SECONDS)
    return left


def create_queues(plane: ControlPlane, objects: Iterable[JsonObject]) -> None:
    """Creates Kueue's webhooks, its objects and their namespaces; returns once Kueue has processed its queues.

    Raises:
        RehearsalError: Kueue did not become ready, or rejects one of the objects.
    """
    plane.create_job_webhooks()
    given = tuple(objects)
    plane.client.create_namespaces({_namespace(each) for each in given if each["kind"] == "LocalQueue"})
    for thing in sorted(given, key=lambda each: each["kind"] != "Namespace"):
        _apply(plane.client, thing)
    plane.wait_until(lambda: queues_are_ready(plane.client), "Kueue did not process its queues")


def _apply(client: Client, thing: JsonObject) -> None:
    try:
        client.apply(thing)
    except ApiError as fault:
        raise ObjectRejected(thing, f"the control plane rejects it: {fault}") from None


def missing_prerequisites(
    shape: JobRoles, beside: Iterable[JsonObject], namespaces: Collection[str] = ()
) -> Iterator[str]:
    """What the job's pods need in its namespace, but is not in the job's file: ``Secret hf-token``. The cluster must
    have it.

    Args:
        shape: the job.
        beside: the other objects of its file.
        namespaces: those that the cluster has.
    """
    given = {(each["kind"], each["metadata"].get("name")) for each in beside}
    if shape.namespace not in {*_OF_EVERY_CLUSTER, *namespaces} and ("Namespace", shape.namespace) not in given:
        yield f"Namespace {shape.namespace}"
    needed = {need for role in shape.roles for need in _needs(role.spec)}
    yield from sorted(f"{kind} {name}" for kind, name in needed - given)


def _needs(spec: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """ConfigMaps and Secrets that a container needs to start, or to pull its image."""
    for each in _mappings(spec):
        listed = each.get("imagePullSecrets")
        for named in listed if isinstance(listed, list) else ():
            if isinstance(named, Mapping) and isinstance(named.get("name"), str):
                yield "Secret", str(named["name"])
        for key, kind, field in (
            ("configMapRef", "ConfigMap", "name"),
            ("configMapKeyRef", "ConfigMap", "name"),
            ("configMap", "ConfigMap", "name"),
            ("secretRef", "Secret", "name"),
            ("secretKeyRef", "Secret", "name"),
            ("secret", "Secret", "secretName"),
        ):
            found = each.get(key)
            if isinstance(found, Mapping) and not found.get("optional") and isinstance(found.get(field), str):
                yield kind, str(found[field])


def _mappings(value: object) -> Iterator[Mapping[str, object]]:
    if isinstance(value, Mapping):
        yield value
    for each in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _mappings(each)


def _is_read(thing: JsonObject, client: Client) -> bool:
    """Whether a program of the rehearsal reads it: Kubeflow Trainer reads a TrainJob's runtime, if it runs."""
    return thing["apiVersion"] != train_job.VERSION or client.knows(thing["apiVersion"], thing["kind"])


def _namespace(thing: JsonObject) -> str:
    return str(thing["metadata"].get("namespace") or "default")


def unbound_claims(client: Client, namespace: str) -> list[JsonObject]:
    """The volume claims of a namespace that have no volume."""
    claims = client.items(f"/api/v1/namespaces/{namespace}/persistentvolumeclaims")
    return [claim for claim in claims if claim.get("status", {}).get("phase") != "Bound"]


def bind_claims(plane: ControlPlane, namespace: str) -> list[SimulatedPart]:
    """Creates a volume for each unbound claim of a namespace that names none, and waits until these claims are
    bound."""
    client, simulated = plane.client, {}
    for claim in unbound_claims(client, namespace):
        if claim["spec"].get("volumeName"):
            continue
        name, class_ = claim["metadata"]["name"], claim["spec"].get("storageClassName") or "no class"
        client.apply(_volume(claim))
        why = f"the rehearsal runs no CSI driver; the cluster needs one for '{class_}'"
        what = "the rehearsal creates a volume of its size"
        simulated[name] = SimulatedPart(f"PersistentVolumeClaim {name}", what, why)

    def bound() -> bool:
        return simulated.keys().isdisjoint(each["metadata"]["name"] for each in unbound_claims(client, namespace))

    # Otherwise the scheduler finds them unbound, and retries only after a while.
    plane.wait_until(bound, f"the claims {list_names(simulated)} were not bound")
    return list(simulated.values())


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
