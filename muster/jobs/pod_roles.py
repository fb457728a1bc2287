"""The roles of a job's pods, and the pods that the job's own controller would make of them."""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from enum import Enum
from graphlib import CycleError, TopologicalSorter
from typing import Any, Self

from muster.jobs.manifest import MAX_PODS, Field, MalformedJob, name_of, namespace_of
from muster.jobs.pod_requests import PodRequests, pod_requests
from muster.message_text import did_you_mean

QUEUE_LABEL = "kueue.x-k8s.io/queue-name"
"""On a job: the LocalQueue of Kueue's that it is sent to."""

DEFAULT_SCHEDULER = "default-scheduler"


class Controller(Enum):
    """What creates a job's pods in a rehearsal."""

    KUBERNETES = "Kubernetes"
    """Its own controllers; a Pod needs none."""
    TRAINING_OPERATOR = "the Kubeflow training operator"
    MPI_OPERATOR = "the MPI operator"
    JOBSET = "the JobSet controller"
    TRAINER = "Kubeflow Trainer, by a JobSet"
    VOLCANO = "Volcano"
    KUBERAY = "the KubeRay operator"
    STAND_IN = "a stand-in"
    """The job's own controller does not run here: `pods_of` makes its pods."""


BY_DEFAULT_SCHEDULER = frozenset(
    {
        *(Controller.STAND_IN, Controller.MPI_OPERATOR, Controller.JOBSET, Controller.TRAINER),
        *(Controller.VOLCANO, Controller.KUBERAY),
    }
)
"""Controllers whose pods the default scheduler places in a rehearsal where they name a scheduler that does not run."""


@dataclass(frozen=True, slots=True)
class Role:
    """Pods of a job that are made from one template."""

    name: str
    """``worker``: unique in the job; stand-in pods carry it as the label `muster/role`."""
    pods: int
    needed: int
    """How many of them the job needs to go on."""
    template: Mapping[str, Any]
    """The pod template as the user wrote it. What the controller adds is not in it, but for whole containers that
    stay (KubeRay's autoscaler)."""
    after: tuple[str, ...] = ()
    """Roles that must run before its pods are made."""

    @property
    def spec(self) -> Mapping[str, Any]:
        """The template's pod spec."""
        found: Mapping[str, Any] = self.template["spec"]
        return found

    @property
    def asks(self) -> PodRequests:
        """What one of its pods asks of a node."""
        return pod_requests(self.spec)


@dataclass(frozen=True, slots=True)
class JobRoles:
    """A job, as a rehearsal sees it."""

    api_version: str
    kind: str
    name: str
    namespace: str
    controller: Controller
    runs_by: str
    """The name of what runs it on a real cluster: ``the MPI operator``."""
    roles: tuple[Role, ...]
    needed: int
    """How many pods of the whole job must run for it to go on; never less than its roles need together."""
    queue: str | None = None
    """Kueue's LocalQueue, where the job names one."""
    schedulers: tuple[str, ...] = ()
    """The schedulers that its pods ask for, beside the default one."""
    notes: tuple[str, ...] = ()
    """How a rehearsal differs from a real cluster, and what it cannot know; a line each."""

    @classmethod
    def of(
        cls,
        job: Field,
        controller: Controller,
        runs_by: str,
        roles: Iterable[Role],
        *,
        needed: int | None = None,
        notes: Iterable[str] = (),
    ) -> Self:
        """The shape of a document.

        Raises:
            MalformedJob: roles of one name, after unknown ones or in a circle, too many pods, amounts that are none.
        """
        listed = tuple(roles)
        _orderly(listed)
        pods = sum(role.pods for role in listed)
        if pods > MAX_PODS:
            raise MalformedJob(f"the job has {_number_text(pods)} pods; a rehearsal takes at most {MAX_PODS}")
        for role in listed:
            pod_requests(role.spec, f"the pod template of '{role.name}': spec")
        return cls(
            api_version=job.at("apiVersion").text(),
            kind=job.at("kind").text(),
            name=name_of(job),
            namespace=namespace_of(job),
            controller=controller,
            runs_by=runs_by,
            roles=listed,
            needed=sum(role.needed for role in listed) if needed is None else needed,
            queue=job.at("metadata", "labels").texts().get(QUEUE_LABEL),
            schedulers=tuple(sorted(set(_schedulers(listed)) - {"", DEFAULT_SCHEDULER})),
            notes=tuple(notes),
        )

    @property
    def pods(self) -> int:
        """All of them."""
        return sum(role.pods for role in self.roles)

    def role(self, name: str) -> Role:
        """The role of that name.

        Raises:
            KeyError: there is none.
        """
        return {role.name: role for role in self.roles}[name]

    def goes_on(self, running: Mapping[str, int]) -> bool:
        """Whether the job does, with so many pods of each role running."""
        enough = all(running.get(role.name, 0) >= role.needed for role in self.roles)
        return enough and sum(running.get(role.name, 0) for role in self.roles) >= self.needed


def suspended_note(at: str) -> str:
    """The note about a job that is suspended.

    Args:
        at: where: ``spec.suspend``.
    """
    return f"it is suspended ({at}): no pods are made until it is resumed, by Kueue for one"


def _number_text(number: int) -> str:
    return str(number) if number < 10**12 else "far too many"


def _orderly(roles: tuple[Role, ...]) -> None:
    names = [role.name for role in roles]
    for name in names:
        if names.count(name) > 1:
            raise MalformedJob(f"two groups of pods are named '{name}'; give each a name of its own")
    for role in roles:
        for first in role.after:
            if first not in names:
                hint = f"{did_you_mean(first, names)} (there are: {', '.join(names)})"
                raise MalformedJob(f"'{role.name}' is to start after '{first}', which is not there{hint}")
    try:
        tuple(TopologicalSorter({role.name: role.after for role in roles}).static_order())
    except CycleError as fault:
        circle = " after ".join(f"'{name}'" for name in fault.args[1])
        raise MalformedJob(f"nothing can start first: {circle}; take one of them out") from None


def _schedulers(roles: Iterable[Role]) -> Iterator[str]:
    for role in roles:
        yield Field(role.spec, f"the pod template of '{role.name}': spec").at("schedulerName").text()


ROLE_LABEL = "muster/role"
"""The role's name, on every stand-in pod."""

Pod = dict[str, Any]


def pod_from_template(
    template: Mapping[str, Any],
    name: str,
    namespace: str,
    role: str,
    *,
    labels: Mapping[str, str],
) -> Pod:
    """A pod from a template.

    Args:
        template: the user's.
        name: the pod's.
        namespace: the job's: pods are never made elsewhere.
        role: which of the job's.
        labels: the controller's; they win over the template's.
    """
    written = Field(template)
    own = {**written.at("metadata", "labels").texts(), **labels, ROLE_LABEL: role}
    annotations = dict(written.at("metadata", "annotations").texts())
    spec = {**deepcopy(dict(written.at("spec").mapping())), "schedulerName": None}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "labels": own,
            **({"annotations": annotations} if annotations else {}),
        },
        "spec": {key: value for key, value in spec.items() if value is not None and value != ""},
    }
