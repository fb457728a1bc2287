"""Volcano's PodGroup of a job: its queue, and Volcano's message on why it waits."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from muster.jobs.manifest import Field
from muster.jobs.pod_requests import PodRequests, amount
from muster.jobs.pod_roles import JobRoles
from muster.kubernetes_quantity import format_amounts
from muster.rehearsal.kubernetes.client import Client, JsonObject, NotFound
from muster.rehearsal.kubernetes.control_plane import QUEUES
from muster.rehearsal.kubernetes.operators import VOLCANO_SCHEDULING

_GROUPS = f"/apis/{VOLCANO_SCHEDULING}/namespaces/{{}}/podgroups"
_UNSCHEDULABLE = "Unschedulable"
"""The type of a PodGroup's condition, and the reason of events about it."""


@dataclass(frozen=True, slots=True)
class PodGroup:
    """A PodGroup that is not scheduled."""

    queue: str
    said: str
    """Volcano's message."""
    enqueued: bool
    """Whether Volcano has admitted it to its queue. Before that, the controller of a Job creates no pods."""


def waiting_pod_group(client: Client, namespace: str) -> PodGroup | None:
    """The newest PodGroup of a namespace that Volcano has a message about; None if there is none, or if all are
    scheduled."""
    try:
        groups = client.items(_GROUPS.format(namespace))
    except NotFound:
        return None
    newest = max(groups, key=lambda each: str(each["metadata"]["creationTimestamp"]), default=None)
    if newest is None:
        return None
    status = newest.get("status") or {}
    enqueued = status.get("phase") not in {None, "", "Pending"}
    message = _condition(status) if enqueued else _event(client, newest)
    return PodGroup(newest["spec"].get("queue") or "", message, enqueued) if message else None


def _condition(status: JsonObject) -> str:
    """The message of the condition; empty if the group is scheduled."""
    newest = max(status.get("conditions") or (), key=lambda each: str(each["lastTransitionTime"]), default=None)
    return str(newest.get("message", "")) if newest and newest["type"] == _UNSCHEDULABLE else ""


def _event(client: Client, group: JsonObject) -> str:
    """The newest event on why it is not admitted to its queue. Warnings are left out: they count its pods, of which
    there are none yet."""
    meta = group["metadata"]
    selector = f"involvedObject.uid={meta['uid']},reason={_UNSCHEDULABLE},type=Normal"
    events = client.items(f"/api/v1/namespaces/{meta['namespace']}/events", fieldSelector=selector)
    newest = max(events, key=lambda each: str(each.get("lastTimestamp") or ""), default=None)
    return str(newest["message"]) if newest else ""


@dataclass(frozen=True, slots=True)
class QueueShortfall:
    """A queue whose limit of a resource is below what a job needs."""

    queue: str
    said: str


def queue_shortfall(client: Client, name: str, job: JobRoles) -> QueueShortfall | None:
    """The resource of which the queue, or one above it, has too little for the job; None if they have enough."""
    least = _least(job)
    for queue in _upwards(client, name):
        limits = Field(queue).at("spec", "capability")
        for resource in limits.mapping():
            requested, limit = least.get(resource, 0), amount(resource, limits.at(resource))
            if requested > limit:
                cannot, has = format_amounts(resource, requested, limit)
                own = str(queue["metadata"]["name"])
                text = f"the job needs {cannot} {resource}, but Volcano's queue '{own}' has at most {has}"
                return QueueShortfall(own, text)
    return None


def _upwards(client: Client, name: str) -> Iterator[JsonObject]:
    seen: set[str] = set()
    while name and name not in seen:
        seen.add(name)
        try:
            queue = client.get(f"{QUEUES}/{name}")
        except NotFound:
            return
        yield queue
        name = str(queue["spec"].get("parent") or "")


def _least(job: JobRoles) -> Mapping[str, int]:
    """What the job needs at least: the pods that each role needs, then more in order up to what the job needs."""
    total: PodRequests = {}
    left = job.needed - sum(role.needed for role in job.roles)
    for role in job.roles:
        more = min(left, role.pods - role.needed)
        left -= more
        for resource, number in role.asks.items():
            total[resource] = total.get(resource, 0) + number * (role.needed + more)
    return total
