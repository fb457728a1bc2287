"""Volcano's queues, by arithmetic: whether one would take a job, were nothing else running.

Volcano is in no package registry, so nobody is asked. After volcano-sh/volcano v1.15.0:
`pkg/webhooks/admission/jobs/validate/admit_job.go` (a job goes to a queue that is there and has none below it),
`pkg/scheduler/plugins/proportion/proportion.go` (`AddJobEnqueueableFn`: what the job cannot do without is no more than
the queue's capability), `pkg/controllers/job/job_controller_actions.go` (`calcPGMinResources`: what that is).

Not judged: weights, what others run, guarantees, priorities of tasks.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from muster.fleet import amounts
from muster.fleet.near_miss import did_you_mean
from muster.jobs.asks import Asks, amount
from muster.jobs.reading import Field
from muster.jobs.shape import Role, Shape

KIND = ("batch.volcano.sh/v1alpha1", "Job")
QUEUE = ("scheduling.volcano.sh/v1beta1", "Queue")

_DEFAULT, _ROOT = "default", "root"
"""The queues that Volcano makes: of jobs that name none, and of all others."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why Volcano takes a job into no queue."""

    said: str
    remedy: str


def refusal(job: Any, shape: Shape, documents: Iterable[Any]) -> Refusal | None:
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
    name = Field(job).at("spec", "queue").text(_DEFAULT) or _DEFAULT
    if name == _ROOT:
        return Refusal(f"the queue '{_ROOT}' takes no jobs: all others are below it", _other(queues, name))
    if name not in queues and name != _DEFAULT:
        listed = f"{did_you_mean(name, queues)} (there are: {', '.join([_DEFAULT, *queues])})"
        return Refusal(f"there is no queue '{name}'{listed}", f"add '{name}' below addons.volcano.queues:, or name one")
    below = sorted(each for each, queue in queues.items() if queue.at("spec", "parent").value == name)
    if below:
        said = f"the queue '{name}' takes no jobs: {', '.join(below)} below it do"
        return Refusal(said, f"name {' or '.join(below)} in spec.queue")
    least = _least(shape)
    for above in _upwards(name, queues):
        limits = queues[above].at("spec", "capability")
        for resource in limits.mapping():
            asked, limit = least.get(resource, 0), amount(resource, limits.at(resource))
            if asked > limit:
                cannot, has = amounts.amounts(resource, asked, limit)
                said = f"it cannot do without {cannot} {resource}, and the queue '{above}' has {has} at most"
                return Refusal(said, f"raise capability of the queue '{above}', or let the job ask for less")
    return None


def _named(documents: Iterable[Any]) -> dict[str, Field]:
    fields = [Field(each) for each in documents if isinstance(each, Mapping)]
    queues = (each for each in fields if (each.at("apiVersion").value, each.at("kind").value) == QUEUE)
    return {each.required("metadata", "name").text(): each for each in queues}


def _other(queues: Mapping[str, Field], name: str) -> str:
    return f"name {' or '.join(each for each in (_DEFAULT, *queues) if each != name)} in spec.queue"


def _upwards(name: str, queues: Mapping[str, Field]) -> list[str]:
    """The queue, and those that it is a part of, as far as they are given."""
    found: list[str] = []
    while name in queues and name not in found:
        found.append(name)
        name = queues[name].at("spec", "parent").text()
    return found


def _least(shape: Shape) -> Asks:
    """What the job cannot do without: the pods that each role needs, then more in order up to what the job needs."""
    total: Asks = {}
    left = shape.needed - sum(role.needed for role in shape.roles)
    for role in shape.roles:
        more = min(left, role.pods - role.needed)
        left -= more
        _add(total, role, role.needed + more)
    return total


def _add(total: Asks, role: Role, pods: int) -> None:
    for resource, number in role.asks.items():
        total[resource] = total.get(resource, 0) + number * pods
