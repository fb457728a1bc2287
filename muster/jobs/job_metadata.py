"""A job's namespace, its queue of Kueue or Volcano, and the file system that its pods mount."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from muster.blueprint.cluster import Blueprint, ClusterBlueprint
from muster.blueprint.hyperpod.task_governance import governance_of, priority_class, team_namespace, team_queue
from muster.jobs.group_selection import DoesNotFit, JobOptions, Reasons, missing_addons, named
from muster.jobs.pod_roles import PRIORITY_LABEL, QUEUE_LABEL

DEFAULT_NAMESPACE = "default"
"""The namespace of jobs that set none, unless kubectl's context sets one."""


class KueueQueue(NamedTuple):
    """A LocalQueue of Kueue."""

    name: str
    namespace: str = DEFAULT_NAMESPACE
    priority: str | None = None
    """The WorkloadPriorityClass of the job."""

    @property
    def labels(self) -> dict[str, str]:
        """The labels by which a job is in the queue."""
        return {QUEUE_LABEL: self.name, **({PRIORITY_LABEL: self.priority} if self.priority else {})}


class FileSystemClaim(NamedTuple):
    """A claim on a file system."""

    name: str
    namespace: str = DEFAULT_NAMESPACE
    more_namespaces: tuple[str, ...] = ()
    """Other namespaces that have it."""


def object_metadata(
    name: str,
    queue: KueueQueue | None = None,
    claim: FileSystemClaim | None = None,
    annotations: Mapping[str, str] | None = None,
    default_namespace: str = DEFAULT_NAMESPACE,
) -> dict[str, Any]:
    """A job's metadata, without empty fields. Its namespace is `default_namespace` if it has neither queue nor claim.

    Raises:
        DoesNotFit: the queue and the claim are in two namespaces.
    """
    if queue and claim and queue.namespace not in (claim.namespace, *claim.more_namespaces):
        raise DoesNotFit(
            f"the queue '{queue.name}' accepts jobs of the namespace '{queue.namespace}', but the claim '{claim.name}' "
            f"is in '{claim.namespace}'; choose another --queue, or add the namespace to more-namespaces of the driver"
        )
    namespace = next((each.namespace for each in (queue, claim) if each), default_namespace)
    fields = {
        "namespace": "" if namespace == DEFAULT_NAMESPACE else namespace,
        "labels": queue.labels if queue else {},
        "annotations": dict(annotations or {}),
    }
    return {"name": name, **{key: value for key, value in fields.items() if value}}


KUEUE, VOLCANO = "kueue", "volcano"

_GOVERNED = "hyperpod-task-governance"
"""This add-on contains Kueue, with a LocalQueue for each team."""

VOLCANO_DEFAULT = "default"
"""The Queue that Volcano creates itself."""


def kueue_queue(blueprint: Blueprint, ask: JobOptions) -> KueueQueue | None:
    """Kueue's LocalQueue for a job: the requested one, else the only one; None if none is needed.

    Raises:
        DoesNotFit: there is none with that name, or there are several, or it could not admit the job.
    """
    chosen = blueprint.described.addons.chosen
    if _GOVERNED in chosen:
        return _team_queue(blueprint, ask)
    if ask.priority is not None:
        raise DoesNotFit(
            f"--priority {ask.priority}: the stack has no priority classes; add `{_GOVERNED}: {{}}` below addons: and "
            "hyperpod.task-governance.priorities, or leave out --priority"
        )
    if KUEUE not in chosen:
        if ask.queue is None:
            return None
        remedy = f"add `{KUEUE}: {{}}` below addons:, or leave out --queue"
        raise DoesNotFit(f"--queue {ask.queue}: the stack has no Kueue; {remedy}")
    queues = _queues(chosen[KUEUE])
    name = named("queue", ask.queue, queues, "LocalQueue")
    return KueueQueue(name, getattr(queues[name], "namespace", DEFAULT_NAMESPACE)) if name else None


def _team_queue(blueprint: Blueprint, ask: JobOptions) -> KueueQueue | None:
    """The LocalQueue of the requested team, else of the only one. `--queue` accepts the name of a team or of its queue.
    Without teams in the description, SageMaker's queues are unknown, and any name is accepted."""
    governance = governance_of(blueprint)
    if governance is None or not governance.teams:
        priority = priority_class(ask.priority) if ask.priority else None
        return KueueQueue(ask.queue, priority=priority) if ask.queue else None
    if ask.priority is not None:
        named("priority", ask.priority, governance.priorities, "priority class")
    by_queue = {team_queue(team): team for team in governance.teams}
    team = named("queue", by_queue.get(str(ask.queue), ask.queue), governance.teams, "team")
    assert team is not None, "a description with teams has at least one"
    return KueueQueue(
        team_queue(team), team_namespace(team), priority_class(ask.priority) if ask.priority is not None else None
    )


def volcano_queue(blueprint: Blueprint, ask: JobOptions) -> str:
    """Volcano's Queue for a job: the requested one, else the stack's only one, else Volcano's own.

    Raises:
        DoesNotFit: there is none with that name, or there are several.
    """
    queues = _queues(blueprint.described.addons.chosen.get(VOLCANO))
    if ask.queue == VOLCANO_DEFAULT or (ask.queue is None and not queues):
        return VOLCANO_DEFAULT
    return named("queue", ask.queue, queues, "Queue") or VOLCANO_DEFAULT


def queue_names(blueprint: Blueprint) -> tuple[str, ...]:
    """The names of all queues of the stack, of any add-on."""
    chosen = blueprint.described.addons.chosen
    governance = governance_of(blueprint) if _GOVERNED in chosen else None
    if governance and governance.teams:
        return tuple(governance.teams)
    return tuple(dict.fromkeys(name for addon in (KUEUE, VOLCANO) for name in _queues(chosen.get(addon))))


def _queues(options: Any) -> Mapping[str, Any]:
    """The queues in an add-on's options."""
    return getattr(options, "queues", None) or {}


def file_system_claim(blueprint: Blueprint, ask: JobOptions) -> FileSystemClaim:
    """The claim of the requested file system, else of the only one.

    Raises:
        DoesNotFit: there is none, or no driver mounts it, or there are several.
    """
    reasons = Reasons()
    name = reasons.of(lambda: chosen_file_system(blueprint, ask)) or ""
    drivers = [each.kind.driver for each in blueprint.storage if each.name == name]
    reasons.listed += missing_addons(blueprint, drivers if blueprint.storage else ("fsx-csi-driver",))
    reasons.check()
    options = blueprint.described.addons.chosen[drivers[0]]
    more = getattr(options, "more_namespaces", ())
    return FileSystemClaim(name, getattr(options, "namespace", DEFAULT_NAMESPACE), more)


def chosen_file_system(blueprint: ClusterBlueprint, ask: JobOptions) -> str:
    """The name of the requested file system, else of the only one. A bucket is none: jobs change files.

    Raises:
        DoesNotFit: there is none, or there are several.
    """
    names = [each.name for each in blueprint.storage if each.kind.service]
    found = named("storage", ask.storage, names, "file system")
    if found is None:
        raise DoesNotFit("the job needs a shared file system; add one below storage:")
    return found
