"""The queue that a job is sent to, where the cluster has one that takes such jobs."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.blueprint import Blueprint
from muster.fleet.near_miss import did_you_mean
from muster.jobs.ask import Ask
from muster.jobs.fit import DoesNotFit
from muster.jobs.home import DEFAULT, Queue

KUEUE, VOLCANO = "kueue", "volcano"

_GOVERNED = "hyperpod-task-governance"
"""Brings a Kueue along, with a LocalQueue for each team: they are made elsewhere, and not known here."""

VOLCANO_DEFAULT = "default"
"""The Queue that Volcano makes for itself."""


def of_kueue(blueprint: Blueprint, ask: Ask) -> Queue | None:
    """The LocalQueue of Kueue's for a job: the one that is asked for, else the only one; None where nobody needs one.

    Raises:
        DoesNotFit: there is none of that name, or there are several, or it could not let the job in.
    """
    chosen = blueprint.described.addons.chosen
    if _GOVERNED in chosen:
        return Queue(ask.queue) if ask.queue else None
    if KUEUE not in chosen:
        if ask.queue is None:
            return None
        remedy = f"add `{KUEUE}: {{}}` below addons:, or leave it out"
        raise DoesNotFit(f"--queue {ask.queue}: the stack has no Kueue; {remedy}")
    named = _named(chosen[KUEUE])
    name = _one(ask.queue, named, "LocalQueue")
    return Queue(name, getattr(named[name], "namespace", DEFAULT)) if name else None


def of_volcano(blueprint: Blueprint, ask: Ask) -> str:
    """The Queue of Volcano's for a job: the one that is asked for, else the stack's only one, else Volcano's own.

    Raises:
        DoesNotFit: there is none of that name, or there are several.
    """
    named = _named(blueprint.described.addons.chosen.get(VOLCANO))
    if ask.queue == VOLCANO_DEFAULT or (ask.queue is None and not named):
        return VOLCANO_DEFAULT
    return _one(ask.queue, named, "Queue") or VOLCANO_DEFAULT


def every(blueprint: Blueprint) -> tuple[str, ...]:
    """The names of all queues that the stack has, whosever they are."""
    chosen = blueprint.described.addons.chosen
    return tuple(dict.fromkeys(name for addon in (KUEUE, VOLCANO) for name in _named(chosen.get(addon))))


def _named(options: Any) -> Mapping[str, Any]:
    """The queues that an add-on's options name."""
    return getattr(options, "queues", None) or {}


def _one(wanted: str | None, named: Mapping[str, Any], kind: str) -> str | None:
    every = tuple(named)
    listed = ", ".join(every) or "none"
    if wanted is not None and wanted not in every:
        raise DoesNotFit(
            f"--queue {wanted}: the stack has no {kind} '{wanted}'{did_you_mean(wanted, every)} (there are: {listed})"
        )
    if wanted is None and len(every) > 1:
        raise DoesNotFit(f"the stack has several {kind}s; choose with --queue: {listed}")
    return wanted or next(iter(every), None)
