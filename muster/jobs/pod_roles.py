"""The roles of a job's pods, and the pods that the job's controller would create for them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from graphlib import CycleError, TopologicalSorter
from typing import Any, Self

from muster.jobs.manifest import MAX_PODS, Field, MalformedJob, name_of, namespace_of
from muster.jobs.pod_requests import PodRequests, pod_requests
from muster.message_text import did_you_mean

QUEUE_LABEL = "kueue.x-k8s.io/queue-name"
PRIORITY_LABEL = "kueue.x-k8s.io/priority-class"
"""The label of a job with its LocalQueue of Kueue."""

DEFAULT_SCHEDULER = "default-scheduler"


class Controller(Enum):
    """The controller that creates a job's pods in a rehearsal."""

    KUBERNETES = "Kubernetes"
    """Kubernetes' own controllers; a Pod needs none."""
    TRAINING_OPERATOR = "the Kubeflow training operator"
    MPI_OPERATOR = "the MPI operator"
    JOBSET = "the JobSet controller"
    TRAINER = "Kubeflow Trainer, by a JobSet"
    VOLCANO = "Volcano"
    KUBERAY = "the KubeRay operator"
    REHEARSAL = "the rehearsal"
    """The rehearsal does not run the job's controller: `pods_of` creates the pods."""


BY_DEFAULT_SCHEDULER = frozenset(
    {
        *(Controller.REHEARSAL, Controller.MPI_OPERATOR, Controller.JOBSET, Controller.TRAINER),
        *(Controller.VOLCANO, Controller.KUBERAY),
    }
)
"""Controllers whose pods the default scheduler places in a rehearsal if their own scheduler does not run."""


@dataclass(frozen=True, slots=True)
class Role:
    """Pods of a job with the same template."""

    name: str
    """``worker``: unique in the job; simulated pods have it as the label `muster/role`."""
    pods: int
    needed: int
    """How many of them the job needs to continue."""
    template: Field
    """The user's pod template, without additions of the controller, except for whole containers that continue to run
    (KubeRay's autoscaler)."""
    after: tuple[str, ...] = ()
    """Roles that must run before its pods are created."""

    @property
    def spec(self) -> Mapping[str, Any]:
        """The template's pod spec."""
        return self.template.at("spec").mapping()

    @property
    def asks(self) -> PodRequests:
        """The requests of one of its pods."""
        return pod_requests(self.spec, (*self.template.path, "spec"))


@dataclass(frozen=True, slots=True)
class JobRoles:
    """A job as a rehearsal uses it."""

    api_version: str
    kind: str
    name: str
    namespace: str
    controller: Controller
    runs_by: str
    """The name of the controller on a real cluster: ``the MPI operator``."""
    roles: tuple[Role, ...]
    needed: int
    """How many pods of the whole job must run so that it continues; at least the number that its roles need
    together."""
    queue: str | None = None
    """Kueue's LocalQueue, if the job sets one."""
    schedulers: tuple[str, ...] = ()
    """The schedulers of its pods, besides the default one."""
    notes: tuple[str, ...] = ()
    """The differences of a rehearsal from a real cluster, and its unknown values; one line each."""

    @classmethod
    def of(
        cls,
        job: Field,
        controller: Controller,
        roles: Iterable[Role],
        *,
        runs_by: str = "",
        needed: int | None = None,
        suspend: tuple[str, ...] = (),
        notes: Iterable[str] = (),
    ) -> Self:
        """The roles of a document.

        Args:
            job: the document.
            controller: what creates its pods in a rehearsal.
            roles: in the order of the document.
            runs_by: the name of its controller on a real cluster, if it is another one.
            needed: the number of pods that must run. Default: the sum of the roles' numbers.
            suspend: the path of the field that suspends it.
            notes: of its kind.

        Raises:
            MalformedJob: duplicate, unknown or circular roles, too many pods, or malformed amounts.
        """
        listed = tuple(roles)
        _orderly(listed)
        pods = sum(role.pods for role in listed)
        if pods > MAX_PODS:
            raise MalformedJob(f"the job has {_number_text(pods)} pods; a rehearsal supports at most {MAX_PODS}")
        for role in listed:
            _ = role.asks  # raises if amounts are malformed
        return cls(
            api_version=job.at("apiVersion").text(),
            kind=job.at("kind").text(),
            name=name_of(job),
            namespace=namespace_of(job),
            controller=controller,
            runs_by=runs_by or controller.value,
            roles=listed,
            needed=sum(role.needed for role in listed) if needed is None else needed,
            queue=job.at("metadata", "labels").texts().get(QUEUE_LABEL),
            schedulers=tuple(sorted(set(_schedulers(listed)) - {"", DEFAULT_SCHEDULER})),
            notes=(*_suspended(job, suspend), *notes),
        )

    @property
    def pods(self) -> int:
        """The number of all its pods."""
        return sum(role.pods for role in self.roles)

    def goes_on(self, running: Mapping[str, int]) -> bool:
        """Whether the job continues with these numbers of running pods of each role."""
        enough = all(running.get(role.name, 0) >= role.needed for role in self.roles)
        return enough and sum(running.get(role.name, 0) for role in self.roles) >= self.needed


def _suspended(job: Field, at: tuple[str, ...]) -> Iterator[str]:
    if at and job.at(*at).flag():
        where = ".".join(at)
        yield f"the job is suspended ({where}), so it has no pods until it is resumed, for example by Kueue"


def _number_text(number: int) -> str:
    return str(number) if number < 10**12 else "far too many"


def _orderly(roles: tuple[Role, ...]) -> None:
    names = [role.name for role in roles]
    for name in names:
        if names.count(name) > 1:
            raise MalformedJob(f"two groups of pods are named '{name}'; give each its own name")
    for role in roles:
        for first in role.after:
            if first not in names:
                hint = f"{did_you_mean(first, names)} (roles: {', '.join(names)})"
                raise MalformedJob(f"'{role.name}' must start after '{first}', which does not exist{hint}")
    try:
        tuple(TopologicalSorter({role.name: role.after for role in roles}).static_order())
    except CycleError as fault:
        circle = " after ".join(f"'{name}'" for name in fault.args[1])
        raise MalformedJob(f"the start order is circular: {circle}; remove one of these dependencies") from None


def _schedulers(roles: Iterable[Role]) -> Iterator[str]:
    for role in roles:
        yield role.template.at("spec", "schedulerName").text()
