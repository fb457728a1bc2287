"""Volcano's PodGroup of a job: Volcano's message on why it waits."""

from dataclasses import dataclass

from muster.rehearsal.kubernetes.client import Client, JsonObject, NotFound
from muster.rehearsal.kubernetes.operators import VOLCANO_SCHEDULING

_GROUPS = f"/apis/{VOLCANO_SCHEDULING}/namespaces/{{}}/podgroups"
_UNSCHEDULABLE = "Unschedulable"
"""The type of a PodGroup's condition, and the reason of events about it."""


@dataclass(frozen=True, slots=True)
class PodGroup:
    """A PodGroup that is not scheduled."""

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
    return PodGroup(message, enqueued) if message else None


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
