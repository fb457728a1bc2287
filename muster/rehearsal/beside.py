"""What goes with a job onto the control plane: its namespace, claims, configuration; and what of it cannot go."""

from collections.abc import Iterable, Iterator, Mapping

from muster.jobs.kinds import train_job
from muster.jobs.kueue import VERSIONS
from muster.jobs.shape import Shape
from muster.rehearsal.claims import bind
from muster.rehearsal.client import ApiError, Json
from muster.rehearsal.control_plane import ControlPlane
from muster.rehearsal.faults import RehearsalFault
from muster.rehearsal.installed import own_kinds
from muster.rehearsal.outcome import StandIn

_OF_EVERY_CLUSTER = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})
_READ = frozenset({*VERSIONS, train_job.VERSION})
"""Of Kueue's queues and of TrainJobs' runtimes, which the rehearsal itself reads."""
_FIRST = frozenset({"Namespace", "CustomResourceDefinition", "PriorityClass", "ServiceAccount"})


def prepare(plane: ControlPlane, namespace: str, beside: Iterable[Json]) -> list[StandIn]:
    """Makes the job's namespace and creates what goes with it; what is played or left out of it.

    Raises:
        RehearsalFault: the control plane refuses one of the objects.
    """
    client, given = plane.client, [each for each in beside if each["apiVersion"] not in _READ]
    for each in sorted({namespace, *map(_namespace, given)} - _OF_EVERY_CLUSTER):
        client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": each}})
    accounts = f"/api/v1/namespaces/{namespace}/serviceaccounts"
    plane.wait_until(lambda: bool(client.items(accounts)), f"no service account came to be in {namespace}")
    defined, left = set(own_kinds(given)), []
    for thing in sorted(given, key=lambda each: each["kind"] not in _FIRST):
        what = f"{thing['kind']} {thing['metadata'].get('name', '')}".strip()
        if thing["kind"] not in defined and not client.knows(thing["apiVersion"], thing["kind"]):
            left.append(StandIn(what, "left out", f"the control plane knows no {thing['apiVersion']} {thing['kind']}"))
            continue
        try:
            client.apply(thing)
        except ApiError as fault:
            raise RehearsalFault(f"the control plane refuses the {what} beside the job: {fault}") from None
    return [*left, *bind(plane, namespace)]


def unknown(shape: Shape, beside: Iterable[Json]) -> Iterator[str]:
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


def _namespace(thing: Json) -> str:
    return str(thing["metadata"].get("namespace") or "default")
