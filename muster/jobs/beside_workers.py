"""Pods that stand beside the workers: a shell, a dashboard. They compute nothing, and go to the system nodes."""

from typing import Any

from muster.fleet.blueprint import Blueprint, KubernetesGroup
from muster.fleet.description.group_core import Purpose
from muster.jobs.ask import Ask
from muster.jobs.fit import DoesNotFit, launcher_group, launcher_selector
from muster.jobs.share import tolerating

_SIZES = ("group", "nodes", "devices", "efa", "memory", "huge_pages", "queue")


def group_of(blueprint: Blueprint) -> KubernetesGroup | None:
    """The system group it goes to; None where the cluster's system nodes are no group of this description.

    Raises:
        DoesNotFit: no image of ours runs on any of them.
    """
    if not any(group.described.purpose is Purpose.SYSTEM for group in blueprint.groups):
        return None
    return launcher_group(blueprint)


def placement(blueprint: Blueprint) -> dict[str, Any]:
    """Where it goes.

    Raises:
        DoesNotFit: no image of ours runs on any system node.
    """
    group = group_of(blueprint)
    if group is None:
        return {"nodeSelector": {"kubernetes.io/arch": "amd64"}}
    return {"nodeSelector": launcher_selector(blueprint, group), **tolerating(group)}


def unsized(name: str, ask: Ask) -> None:
    """Refuses what is said of workers.

    Raises:
        DoesNotFit: something is.
    """
    said = [f"--{each.replace('_', '-')}" for each in _SIZES if getattr(ask, each) is not None]
    if said:
        raise DoesNotFit(f"{name} has no workers that could be sized or sent to a queue; leave out {', '.join(said)}")


def resources(cpu: str, memory: str) -> dict[str, dict[str, str]]:
    """A container's `resources`: requests equal limits."""
    return {"limits": {"cpu": cpu, "memory": memory}, "requests": {"cpu": cpu, "memory": memory}}
