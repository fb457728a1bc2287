"""Whether a queue of Volcano's takes a job while nothing else runs, by arithmetic over its limits."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from muster import kubernetes_quantity
from muster.jobs.manifest import Field
from muster.jobs.pod_requests import PodRequests, amount
from muster.jobs.pod_roles import JobRoles, Role
from muster.message_text import did_you_mean

KIND = ("batch.volcano.sh/v1alpha1", "Job")
QUEUE = ("scheduling.volcano.sh/v1beta1", "Queue")

_VOLCANO_DEFAULT, _ROOT = "default", "root"
"""The queues that Volcano makes: of jobs that name none, and of all others."""


@dataclass(frozen=True, slots=True)
class QueueRefusal:
    """Why Volcano takes a job into no queue."""

    said: str
    remedy: str


def queue_refusal(job: Any, shape: JobRoles, documents: Iterable[Any]) -> QueueRefusal | None:
    """Why the job's queue does not take it; None where it does, or where it is no job of Volcano's.

    Args:
        job: its manifest.
        shape: what it comes to.
        documents: of the cluster and of the job's file: all of Volcano's queues, but for those it makes itself.

    Raises:
        MalformedJob: one of them is not what it must be.
    """
    if (shape.api_version, shape.kind) != KIND:
        return None
    queues = _named(documents)
    name = Field(job).at("spec", "queue").text(_VOLCANO_DEFAULT) or _VOLCANO_DEFAULT
    if name == _ROOT:
        return QueueRefusal(f"the queue '{_ROOT}' takes no jobs: all others are below it", _other(queues, name))
    if name not in queues and name != _VOLCANO_DEFAULT:
        listed = f"{did_you_mean(name, queues)} (there are: {', '.join([_VOLCANO_DEFAULT, *queues])})"
        return QueueRefusal(
            f"there is no queue '{name}'{listed}", f"add '{name}' below addons.volcano.queues:, or name one"
        )
    below = sorted(each for each, queue in queues.items() if queue.at("spec", "parent").value == name)
    if below:
        message = f"the queue '{name}' takes no jobs: {', '.join(below)} below it do"
        return QueueRefusal(message, f"name {' or '.join(below)} in spec.queue")
    least = _least(shape)
    for above in _upwards(name, queues):
        limits = queues[above].at("spec", "capability")
        for resource in limits.mapping():
            requested, limit = least.get(resource, 0), amount(resource, limits.at(resource))
            if requested > limit:
                cannot, has = kubernetes_quantity.format_amounts(resource, requested, limit)
                message = f"it cannot do without {cannot} {resource}, and the queue '{above}' has {has} at most"
                return QueueRefusal(message, f"raise capability of the queue '{above}', or let the job ask for less")
    return None


def _named(documents: Iterable[Any]) -> dict[str, Field]:
    fields = [Field(each) for each in documents if isinstance(each, Mapping)]
    queues = (each for each in fields if (each.at("apiVersion").value, each.at("kind").value) == QUEUE)
    return {each.required("metadata", "name").text(): each for each in queues}


def _other(queues: Mapping[str, Field], name: str) -> str:
    return f"name {' or '.join(each for each in (_VOLCANO_DEFAULT, *queues) if each != name)} in spec.queue"


def _upwards(name: str, queues: Mapping[str, Field]) -> list[str]:
    """The queue, and those that it is a part of, as far as they are given."""
    found: list[str] = []
    while name in queues and name not in found:
        found.append(name)
        name = queues[name].at("spec", "parent").text()
    return found


def _least(shape: JobRoles) -> PodRequests:
    """What the job cannot do without: the pods that each role needs, then more in order up to what the job needs."""
    total: PodRequests = {}
    left = shape.needed - sum(role.needed for role in shape.roles)
    for role in shape.roles:
        more = min(left, role.pods - role.needed)
        left -= more
        _add(total, role, role.needed + more)
    return total


def _add(total: PodRequests, role: Role, pods: int) -> None:
    for resource, number in role.asks.items():
        total[resource] = total.get(resource, 0) + number * pods
