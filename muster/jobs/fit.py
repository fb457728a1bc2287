"""Which groups of a cluster a job's pods go to, and why a cluster cannot take it."""

from collections.abc import Iterable
from typing import Any

from muster.fleet import labels
from muster.fleet.blueprint import Blueprint, Group
from muster.fleet.description.group import Purpose
from muster.fleet.hardware import Accelerator
from muster.fleet.near_miss import did_you_mean
from muster.fleet.resources import Taint

IMAGE_ARCHITECTURE = "x86_64"
"""What the job images are built for; none of them is multi-architecture."""

_HARD_EFFECTS = frozenset({"NoSchedule", "NoExecute"})


class DoesNotFit(ValueError):
    """A job that this cluster cannot run as asked. Each reason is one line with what to do about it."""

    def __init__(self, *reasons: str) -> None:
        super().__init__("\n".join(reasons))
        self.reasons = reasons


def missing_addons(blueprint: Blueprint, needed: Iterable[str]) -> list[str]:
    """A reason for each add-on that the job needs and the description does not name."""
    chosen = blueprint.described.addons.chosen
    return [
        f"the job needs the add-on '{name}'; add `{name}: {{}}` below addons:" for name in needed if name not in chosen
    ]


def worker_group(blueprint: Blueprint, wanted: str | None) -> Group:
    """The training group with GPUs and EFA, the wanted one where there are several.

    Raises:
        DoesNotFit: none fits, several do and none was wanted, or the wanted one does not.
    """
    names = [group.name for group in blueprint.groups]
    if wanted is not None:
        if wanted not in names:
            raise DoesNotFit(f"no group '{wanted}'{did_you_mean(wanted, names)} (there are: {', '.join(names)})")
        group = blueprint.group(wanted)
        lacking = _lacking(group)
        if lacking:
            raise DoesNotFit(f"group '{wanted}' {lacking}; name a training group with GPUs and EFA")
        return group
    fitting = [group for group in blueprint.groups if not _lacking(group)]
    if not fitting:
        each = "; ".join(f"'{group.name}' {_lacking(group)}" for group in blueprint.groups)
        raise DoesNotFit(f"no training group with GPUs and EFA ({each}); add one below groups:")
    if len(fitting) > 1:
        raise DoesNotFit(f"several groups fit; choose with --group: {', '.join(group.name for group in fitting)}")
    return fitting[0]


def _lacking(group: Group) -> str:
    """Why GPU workers cannot go to a group; empty where they can."""
    machine = group.node.hardware
    if group.described.purpose is not Purpose.TRAINING:
        return f"is for {group.described.purpose.value}"
    if machine.accelerator is not Accelerator.GPU:
        return f"has no GPUs ({machine.instance})"
    if not group.node.efa:
        return f"has no EFA interfaces ({machine.instance}, interfaces: {group.described.layout.value})"
    if machine.architecture != IMAGE_ARCHITECTURE:
        return (
            f"has {machine.architecture} processors, the job's image is for {IMAGE_ARCHITECTURE} ({machine.instance})"
        )
    return ""


def node_count(group: Group, wanted: int | None) -> int:
    """The workers: as many as the group starts with (seed of the EKS guide: 2 of at most 3), or the wanted number.

    Raises:
        DoesNotFit: more than the group may ever have.
    """
    most = group.described.nodes.max
    if wanted is not None and wanted > most:
        raise DoesNotFit(
            f"--nodes {wanted} is more than group '{group.name}' may have ({most}); "
            f"give at most {most}, or raise groups.{group.name}.nodes"
        )
    return wanted or max(1, group.described.nodes.start)


def launcher_group(blueprint: Blueprint) -> Group:
    """The system group the launcher goes to: one the image runs on, untainted before tainted.

    Raises:
        DoesNotFit: there is none.
    """
    system = [group for group in blueprint.groups if group.described.purpose is Purpose.SYSTEM]
    if not system:
        raise DoesNotFit("the launcher needs a system group; add a group with `for: system` below groups:")
    able = [group for group in system if group.node.hardware.architecture == IMAGE_ARCHITECTURE]
    if not able:
        each = ", ".join(f"{group.name}: {group.node.hardware.architecture}" for group in system)
        raise DoesNotFit(
            f"the launcher's image is for {IMAGE_ARCHITECTURE} and no system group is ({each}); add one below groups:"
        )
    return min(able, key=lambda group: sum(taint.effect in _HARD_EFFECTS for taint in group.node_group.taints))


def launcher_selector(blueprint: Blueprint, group: Group) -> dict[str, str]:
    """Nodes for the launcher: any system node, and of several system groups the one its tolerations are made for."""
    system = sum(other.described.purpose is Purpose.SYSTEM for other in blueprint.groups)
    return selector(group, labels.PURPOSE) if system == 1 else selector(group, labels.PURPOSE, labels.GROUP)


def selector(group: Group, *keys: str) -> dict[str, str]:
    """A node selector by some of the group's labels, with the values its nodes really carry: a user may set his own."""
    carried = dict(group.node_group.labels)
    return {key: carried[key] for key in keys}


def tolerations(taints: Iterable[Taint]) -> list[dict[str, Any]]:
    """Exactly these taints, in a stable order."""
    return [
        {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
        for taint in sorted(taints)
    ]
