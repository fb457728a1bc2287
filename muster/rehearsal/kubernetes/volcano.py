"""Volcano: the file of its scheduler, and its message on why the PodGroup of a job waits."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from muster.plain_data import mappings_at, value_at
from muster.rehearsal.kubernetes.client import Client, JsonObject, NotFound
from muster.rehearsal.machine_limits import RehearsalError

SCHEDULING = "scheduling.volcano.sh/v1beta1"
"""The apiVersion of Volcano's queues and PodGroups."""

_GROUPS = f"/apis/{SCHEDULING}/namespaces/{{}}/podgroups"
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


_CLAIMS = "predicate.DynamicResourceAllocationEnable"
_OVERRIDE = "addons.volcano.values: custom.scheduler_config_override"
_KEYS = frozenset({"actions", "configurations", "tiers"})
_PLUGINS = frozenset(
    (
        *("binpack", "capacity", "cdp", "conformance", "deviceshare", "drf", "gang", "network-topology-aware"),
        *("nodegroup", "nodeorder", "numaaware", "overcommit", "pdb", "predicates", "priority", "proportion"),
        *("resource-strategy-fit", "resourcequota", "sla", "task-topology", "tdm"),
    )
)
"""The plugins of its scheduler (`pkg/scheduler/plugins` of Volcano 1.14) that call no address."""


def scheduler_configuration(manifests: list[JsonObject], values: Mapping[str, Any], *, claims: bool) -> str:
    """The file of Volcano's scheduler: its chart's own, or the one that the chart's values have.

    Args:
        manifests: Volcano's manifests.
        values: the values of its chart.
        claims: whether it allocates claims for devices unless the file sets otherwise. 1.15.0 does by default (its
            release notes). The rehearsal runs an older version, whose default is false.

    Raises:
        RehearsalError: the file cannot be read, or has a part that could call an address.
    """
    own = value_at(values, "custom", "scheduler_config_override")
    maps = (each for each in manifests if each["metadata"]["name"] == "volcano-scheduler-configmap")
    try:
        found = yaml.safe_load(str(own or next(iter(next(maps)["data"].values()))))
    except yaml.YAMLError as fault:
        raise RehearsalError(f"{_OVERRIDE} is not YAML: {fault}") from None
    if not isinstance(found, dict):
        raise RehearsalError(f"{_OVERRIDE} is not a mapping; give the file of Volcano's scheduler")
    plugins = [plugin for tier in mappings_at(found, "tiers") for plugin in mappings_at(tier, "plugins")]
    unknown = [str(each) for each in found if each not in _KEYS]
    unknown += [str(name) for each in plugins if (name := each.get("name")) not in _PLUGINS]
    if unknown:
        raise RehearsalError(f"{_OVERRIDE} has {', '.join(unknown)}, which a rehearsal does not run; leave it out")
    for plugin in plugins if claims else ():
        arguments = plugin.get("arguments") or {}
        if plugin["name"] == "predicates" and isinstance(plugin, dict) and isinstance(arguments, dict):
            plugin["arguments"] = {_CLAIMS: True, **arguments}
    return json.dumps(found, default=str)  # str: YAML may contain dates
