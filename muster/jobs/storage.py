"""The file system that a job's pods mount: by a claim of its name, which the FSx CSI driver's add-on makes."""

from typing import Any

from muster.fleet.blueprint import Blueprint, ClusterBlueprint
from muster.fleet.near_miss import did_you_mean
from muster.jobs.ask import Ask
from muster.jobs.fit import DoesNotFit, missing_addons
from muster.jobs.home import DEFAULT, Claim

DRIVER = "fsx-csi-driver"

PATH = "/data"
"""Where pods see it."""

_VOLUME = "data"


def claim(blueprint: Blueprint, ask: Ask) -> Claim:
    """The claim of the file system that is asked for, else of the only one.

    Raises:
        DoesNotFit: there is none, or no driver mounts it, or there are several.
    """
    reasons = missing_addons(blueprint, (DRIVER,))
    name = None
    try:
        name = chosen(blueprint, ask)
    except DoesNotFit as fault:
        reasons += fault.reasons
    if reasons or name is None:
        raise DoesNotFit(*reasons)
    options = blueprint.described.addons.chosen[DRIVER]
    return Claim(name, getattr(options, "namespace", DEFAULT))


def claim_if_any(blueprint: Blueprint, ask: Ask) -> Claim | None:
    """The same, of a job that can do without: None where the cluster has no file system that pods can mount.

    Raises:
        DoesNotFit: one was asked for that is not there, or there are several.
    """
    wanted = ask.storage is not None
    if not wanted and (not blueprint.storage or DRIVER not in blueprint.described.addons.chosen):
        return None
    return claim(blueprint, ask)


def chosen(blueprint: ClusterBlueprint, ask: Ask) -> str:
    """The name of the file system that is asked for, else of the only one.

    Raises:
        DoesNotFit: there is none, or there are several.
    """
    named = [each.name for each in blueprint.storage]
    listed = ", ".join(named) or "none"
    if ask.storage is not None and ask.storage not in named:
        hint = did_you_mean(ask.storage, named)
        raise DoesNotFit(
            f"--storage {ask.storage}: the stack has no file system '{ask.storage}'{hint} (there are: {listed})"
        )
    if not named:
        raise DoesNotFit("the job needs a shared file system; add one below storage:")
    if ask.storage is None and len(named) > 1:
        raise DoesNotFit(f"the stack has several file systems; choose with --storage: {listed}")
    return ask.storage or named[0]


def unmounted(name: str, ask: Ask) -> None:
    """Refuses a file system for a job that mounts none.

    Raises:
        DoesNotFit: one is asked for.
    """
    if ask.storage is not None:
        raise DoesNotFit(f"{name} mounts no file system; leave out --storage {ask.storage}")


def volumes(of: Claim) -> list[dict[str, Any]]:
    """Of a pod: the claim."""
    return [{"name": _VOLUME, "persistentVolumeClaim": {"claimName": of.name}}]


def mounts() -> list[dict[str, Any]]:
    """Of a container: where it is."""
    return [{"name": _VOLUME, "mountPath": PATH}]
