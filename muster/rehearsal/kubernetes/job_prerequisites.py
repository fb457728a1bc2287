"""Objects that are created before a job: its namespace, claims, configuration, and the queues of the description."""

from collections.abc import Iterable, Iterator, Mapping

from addons.context import AddonContext
from addons.installation_order import install_order
from muster.blueprint.kubernetes import Blueprint
from muster.jobs.kinds import train_job
from muster.jobs.pod_roles import JobRoles
from muster.rehearsal.kubernetes.addons import defined_kinds, is_volcano_queue
from muster.rehearsal.kubernetes.claim_stand_ins import bind_claims
from muster.rehearsal.kubernetes.client import ApiError, Client, JsonObject
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.kueue import is_of_kueue, objects, queues_are_ready
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.outcome import StandIn

_OF_EVERY_CLUSTER = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})
_FIRST = frozenset({"Namespace", "CustomResourceDefinition", "PriorityClass", "ServiceAccount"})


def create_prerequisites(plane: ControlPlane, namespace: str, beside: Iterable[JsonObject]) -> list[StandIn]:
    """Makes the job's namespace and creates what goes with it. Returns what of it is simulated or left out.

    Raises:
        RehearsalError: the control plane refuses one of the objects.
    """
    client = plane.client
    given = [each for each in beside if not is_of_kueue(each) and _is_read(each, client)]
    for each in sorted({namespace, *map(_namespace, given)} - _OF_EVERY_CLUSTER):
        client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": each}})
    accounts = f"/api/v1/namespaces/{namespace}/serviceaccounts"
    plane.wait_until(lambda: bool(client.items(accounts)), f"no service account came to be in {namespace}")
    defined, left = set(defined_kinds(given)), []
    for thing in sorted(given, key=lambda each: each["kind"] not in _FIRST):
        what = f"{thing['kind']} {thing['metadata'].get('name', '')}".strip()
        if thing["kind"] not in defined and not client.knows(thing["apiVersion"], thing["kind"]):
            left.append(StandIn(what, "left out", f"the control plane knows no {thing['apiVersion']} {thing['kind']}"))
            continue
        _apply(client, thing)
        if is_volcano_queue(thing):
            plane.wait_for_queue(thing["metadata"]["name"])
    return [*left, *bind_claims(plane, namespace)]


def create_queues(plane: ControlPlane, objects: Iterable[JsonObject]) -> None:
    """Creates Kueue's webhooks, its objects and their namespaces; returns once Kueue has looked at its queues.

    Raises:
        RehearsalError: Kueue did not become ready, or refuses one of the objects.
    """
    plane.create_job_webhooks()
    given = tuple(objects)
    for namespace in sorted(set(map(_namespace, filter(_is_local_queue, given))) - _OF_EVERY_CLUSTER):
        plane.client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    for thing in sorted(given, key=lambda each: each["kind"] != "Namespace"):
        _apply(plane.client, thing)
    plane.wait_until(lambda: queues_are_ready(plane.client), "Kueue did not look at its queues")


def _is_local_queue(thing: JsonObject) -> bool:
    return is_of_kueue(thing) and thing["kind"] == "LocalQueue"


def _apply(client: Client, thing: JsonObject) -> None:
    what = f"{thing['kind']} {thing['metadata'].get('name', '')}".strip()
    try:
        client.apply(thing)
    except ApiError as fault:
        raise RehearsalError(f"the control plane refuses the {what} beside the job: {fault}") from None


def missing_prerequisites(shape: JobRoles, beside: Iterable[JsonObject]) -> Iterator[str]:
    """What the job's pods need of its namespace that is not beside it: pods start only where the cluster has it."""
    given = {(each["kind"], each["metadata"].get("name")) for each in beside}
    if shape.namespace not in _OF_EVERY_CLUSTER and ("Namespace", shape.namespace) not in given:
        yield f"the namespace '{shape.namespace}' is not in the file: it is made here, see that the cluster has it"
    needed = {need for role in shape.roles for need in _needs(role.spec)}
    if lacking := sorted(f"{kind} {name}" for kind, name in needed - given):
        yield f"pods start only where the cluster has {', '.join(lacking)}: not in the file, and not looked at"


def _needs(spec: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """ConfigMaps and Secrets without which a container is not made."""
    for each in _mappings(spec):
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
    """Whether something here reads it: of a TrainJob's runtime Kubeflow Trainer, where it runs."""
    return thing["apiVersion"] != train_job.VERSION or client.knows(thing["apiVersion"], thing["kind"])


def _namespace(thing: JsonObject) -> str:
    return str(thing["metadata"].get("namespace") or "default")


def queue_objects(blueprint: Blueprint, beside: Iterable[JsonObject] = ()) -> tuple[JsonObject, ...]:
    """Kueue's objects, and the namespaces they are in. One of the file replaces the cluster's.

    Args:
        blueprint: the cluster.
        beside: the other objects of the job's file.
    """
    context = AddonContext.of_blueprint(blueprint)
    own = (each for turn in install_order(context) for each in turn.addon.objects(context))
    return tuple({_named(each): each for each in objects((*own, *beside))}.values())


def _named(thing: JsonObject) -> tuple[str, str, str]:
    metadata = thing.get("metadata") or {}
    return str(thing.get("kind")), str(metadata.get("namespace", "default")), str(metadata.get("name"))
