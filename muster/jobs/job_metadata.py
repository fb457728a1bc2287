"""A job's namespace, its queue of Kueue or Volcano, and the file system that its pods mount."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from muster.blueprint.cluster import Blueprint, ClusterBlueprint
from muster.blueprint.hyperpod.task_governance import governance_of, priority_class, team_namespace, team_queue
from muster.jobs.group_selection import DoesNotFit, JobOptions, missing_addons
from muster.jobs.pod_roles import PRIORITY_LABEL, QUEUE_LABEL
from muster.message_text import did_you_mean

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
    if queue and claim and queue.namespace != claim.namespace:
        raise DoesNotFit(
            f"the queue '{queue.name}' accepts jobs of the namespace '{queue.namespace}', but the claim '{claim.name}' "
            f"is in '{claim.namespace}'; choose another --queue, or set the same namespace for both below addons:"
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
    named = _named(chosen[KUEUE])
    name = _one(ask.queue, named, "LocalQueue")
    return KueueQueue(name, getattr(named[name], "namespace", DEFAULT_NAMESPACE)) if name else None


def _team_queue(blueprint: Blueprint, ask: JobOptions) -> KueueQueue | None:
    """The LocalQueue of the requested team, else of the only one. `--queue` accepts the name of a team or of its queue.
    Without teams in the description, SageMaker's queues are unknown, and any name is accepted."""
    governance = governance_of(blueprint)
    if governance is None or not governance.teams:
        priority = priority_class(ask.priority) if ask.priority else None
        return KueueQueue(ask.queue, priority=priority) if ask.queue else None
    if ask.priority is not None and ask.priority not in governance.priorities:
        listed = ", ".join(governance.priorities) or "none"
        hint = did_you_mean(ask.priority, governance.priorities)
        raise DoesNotFit(
            f"--priority {ask.priority}: the stack has no priority class '{ask.priority}'{hint} (priorities: {listed})"
        )
    by_queue = {team_queue(team): team for team in governance.teams}
    team = _one(by_queue.get(str(ask.queue), ask.queue), governance.teams, "team")
    assert team is not None, "a description with teams has at least one"
    return KueueQueue(
        team_queue(team), team_namespace(team), priority_class(ask.priority) if ask.priority is not None else None
    )


def volcano_queue(blueprint: Blueprint, ask: JobOptions) -> str:
    """Volcano's Queue for a job: the requested one, else the stack's only one, else Volcano's own.

    Raises:
        DoesNotFit: there is none with that name, or there are several.
    """
    named = _named(blueprint.described.addons.chosen.get(VOLCANO))
    if ask.queue == VOLCANO_DEFAULT or (ask.queue is None and not named):
        return VOLCANO_DEFAULT
    return _one(ask.queue, named, "Queue") or VOLCANO_DEFAULT


def queue_names(blueprint: Blueprint) -> tuple[str, ...]:
    """The names of all queues of the stack, of any add-on."""
    chosen = blueprint.described.addons.chosen
    governance = governance_of(blueprint) if _GOVERNED in chosen else None
    if governance and governance.teams:
        return tuple(governance.teams)
    return tuple(dict.fromkeys(name for addon in (KUEUE, VOLCANO) for name in _named(chosen.get(addon))))


def _named(options: Any) -> Mapping[str, Any]:
    """The queues in an add-on's options."""
    return getattr(options, "queues", None) or {}


def _one(wanted: str | None, named: Mapping[str, Any], kind: str) -> str | None:
    every = tuple(named)
    listed = ", ".join(every) or "none"
    if wanted is not None and wanted not in every:
        raise DoesNotFit(
            f"--queue {wanted}: the stack has no {kind} '{wanted}'{did_you_mean(wanted, every)} (queues: {listed})"
        )
    if wanted is None and len(every) > 1:
        raise DoesNotFit(f"the stack has several {kind}s; choose with --queue: {listed}")
    return wanted or next(iter(every), None)


DRIVER = "fsx-csi-driver"


def file_system_claim(blueprint: Blueprint, ask: JobOptions) -> FileSystemClaim:
    """The claim of the requested file system, else of the only one.

    Raises:
        DoesNotFit: there is none, or no driver mounts it, or there are several.
    """
    reasons = missing_addons(blueprint, (DRIVER,))
    name = None
    try:
        name = chosen_file_system(blueprint, ask)
    except DoesNotFit as fault:
        reasons += fault.reasons
    if reasons or name is None:
        raise DoesNotFit(*reasons)
    options = blueprint.described.addons.chosen[DRIVER]
    return FileSystemClaim(name, getattr(options, "namespace", DEFAULT_NAMESPACE))


def optional_file_system_claim(blueprint: Blueprint, ask: JobOptions) -> FileSystemClaim | None:
    """The same, for a job that does not require it: None if the cluster has no file system that pods can mount.

    Raises:
        DoesNotFit: the requested one does not exist, or there are several.
    """
    wanted = ask.storage is not None
    if not wanted and (not blueprint.storage or DRIVER not in blueprint.described.addons.chosen):
        return None
    return file_system_claim(blueprint, ask)


def chosen_file_system(blueprint: ClusterBlueprint, ask: JobOptions) -> str:
    """The name of the requested file system, else of the only one.

    Raises:
        DoesNotFit: there is none, or there are several.
    """
    named = [each.name for each in blueprint.storage]
    listed = ", ".join(named) or "none"
    if ask.storage is not None and ask.storage not in named:
        hint = did_you_mean(ask.storage, named)
        raise DoesNotFit(
            f"--storage {ask.storage}: the stack has no file system '{ask.storage}'{hint} (file systems: {listed})"
        )
    if not named:
        raise DoesNotFit("the job needs a shared file system; add one below storage:")
    if ask.storage is None and len(named) > 1:
        raise DoesNotFit(f"the stack has several file systems; choose with --storage: {listed}")
    return ask.storage or named[0]
