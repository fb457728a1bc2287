"""The options of a job, which node groups its pods go to on EKS and HyperPod, and why a cluster cannot run it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext, GroupNodes
from muster.addons.installation_order import install_order
from muster.addons.values import values_of
from muster.blueprint import labels
from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import Group, KubernetesGroup
from muster.blueprint.hyperpod.auto_resume import ENABLED, NEWEST, RETRIES
from muster.blueprint.hyperpod.node_labels import NODE_HEALTH, Health
from muster.blueprint.node import EFA_RESOURCE
from muster.config.description.addons import addon_entry
from muster.config.description.node_group import Purpose
from muster.hardware.catalogue import Accelerator
from muster.message_text import did_you_mean

Result = TypeVar("Result")

MAX_RETRIES = 2
"""The number in AWS's blog."""

AUTO_RESUME = {ENABLED: "true", RETRIES: str(MAX_RETRIES)}
"""Annotations of a job that HyperPod should resume."""

HEALTHY_NODES = {NODE_HEALTH: Health.SCHEDULABLE.value}
"""The label of nodes that have passed their health checks."""

KUBEFLOW_OPERATOR = "training-operator"
"""The add-on that runs PyTorchJobs, and writes the fields that auto-resume reads."""

HYPERPOD_OPERATOR = "hyperpod-training-operator"
"""The add-on that runs HyperPodPyTorchJobs."""


@dataclass(frozen=True, slots=True)
class JobOptions:
    """The options of a job. By default it uses the one group that fits, with its initial nodes, each of them whole."""

    group: str | None = None
    """The group of the workers; needed if several fit."""
    nodes: int | None = None
    """The number of workers, one per node."""
    beyond_the_group: bool = False
    """Whether more workers than the group's maximum are allowed: a rehearsal lets the scheduler decide."""
    queue: str | None = None
    """The queue of the job: a LocalQueue of Kueue, or for a Volcano job, a Queue of Volcano."""
    priority: str | None = None
    """The priority class of the job, as HyperPod's task governance has them: ``training``."""
    image: str | None = None
    """The container image. Default: the job's own."""
    storage: str | None = None
    """The file system that its pods mount; needed if a cluster has several."""


NO_OPTIONS = JobOptions()
"""All defaults."""


IMAGE_ARCHITECTURE = "x86_64"
"""The architecture of the job images; none of them is multi-architecture."""


class DoesNotFit(ValueError):
    """This cluster cannot run the job with these options. Each reason is one line with its remedy."""

    def __init__(self, *reasons: str) -> None:
        super().__init__("\n".join(reasons))
        self.reasons = reasons


class NoGroup(DoesNotFit):
    """No group of the cluster can run the job."""


class Reasons:
    """Collects the reasons of several steps, so that a user gets all of them at once."""

    def __init__(self) -> None:
        self.listed: list[str] = []

    def of(self, step: Callable[[], Result]) -> Result | None:
        """The result of a step; None if it raises `DoesNotFit`.

        Raises:
            NoGroup: the step raises it. What else the job needs depends on the group that the user adds.
        """
        try:
            return step()
        except NoGroup:
            raise
        except DoesNotFit as fault:
            self.listed += fault.reasons
            return None

    def check(self) -> None:
        """Ends with the reasons, if there are any.

        Raises:
            DoesNotFit: there are.
        """
        if self.listed:
            raise DoesNotFit(*self.listed)


def missing_addons(blueprint: Blueprint, needed: Iterable[str]) -> list[str]:
    """A reason for each add-on that the job needs and that the description has neither directly nor as a part of
    another add-on. The plugins in HyperPod's chart serve only HyperPod's nodes."""
    chosen = blueprint.described.addons.chosen
    missing = [name for name in needed if name not in chosen]
    included = _included_in_charts(blueprint) if missing else frozenset()
    return [
        f"the job needs the add-on '{name}'; {_addon_remedy(blueprint, name)}"
        for name in missing
        if name not in included or (CATALOGUE[name].serves and blueprint.hyperpod is None)
    ]


def _addon_remedy(blueprint: Blueprint, name: str) -> str:
    resumed = blueprint.hyperpod and name == KUBEFLOW_OPERATOR
    return f"add `{f'{name}: {{version: {NEWEST}}}' if resumed else addon_entry(name)}` below addons:"


def _included_in_charts(blueprint: Blueprint) -> frozenset[str]:
    context = AddonContext.of_blueprint(blueprint)
    return frozenset(
        name for step in install_order(context) for name in step.addon.brings(values_of(step.addon, context))
    )


def plugins_of(group: KubernetesGroup, *, efa: bool) -> tuple[str, ...]:
    """The device plugins that a job on a group needs: none for devices that the image or a DRA driver offers.

    Args:
        group: the group.
        efa: whether the job uses EFA.
    """
    nodes = GroupNodes.of_group(group)
    served = nodes.offers - nodes.built_in - nodes.driven - (frozenset() if efa else {EFA_RESOURCE})
    return tuple(name for name, addon in CATALOGUE.items() if addon.serves in served)


def unfit(group: Group, lacking: Callable[[Any], str], *, efa: bool = True) -> str:
    """Why a group cannot have a job's workers; empty if it can.

    Args:
        group: the group.
        lacking: returns why it lacks the job's own requirements; empty if it has them.
        efa: whether the job uses EFA.
    """
    machine, purpose = group.node.hardware, group.described.purpose
    if purpose is not Purpose.TRAINING:
        return f"is for {purpose.value}"
    if reason := lacking(group):
        return reason
    if efa and not group.node.efa:
        return f"has no EFA interfaces ({machine.instance} can have {machine.max_efa})"
    if efa and machine.architecture != IMAGE_ARCHITECTURE:
        return f"has {machine.architecture} processors ({machine.instance}), but the job is for {IMAGE_ARCHITECTURE}"
    return ""


def no_gpus(group: Group) -> str:
    """Why its nodes cannot run a job for GPUs; empty if they have GPUs."""
    machine = group.node.hardware
    return "" if machine.accelerator is Accelerator.GPU else f"has no GPUs ({machine.instance})"


def chosen_group(why: Mapping[str, str], wanted: str | None, having: str, below: str = "groups:") -> str:
    """The name of the workers' group.

    Args:
        why: group -> why it does not fit; empty if it fits.
        wanted: its name, if the user gives one.
        having: all that a group must have, for messages.
        below: the description's key of the groups.

    Raises:
        DoesNotFit: none fits, several fit and none is requested, or the requested one does not fit.
    """
    if wanted is not None:
        if wanted not in why:
            raise DoesNotFit(f"no group '{wanted}'{did_you_mean(wanted, why)} (groups: {', '.join(why)})")
        if why[wanted]:
            raise DoesNotFit(f"group '{wanted}' {why[wanted]}; choose a training group with {having}")
        return wanted
    fitting = [name for name, reason in why.items() if not reason]
    if not fitting:
        each = "; ".join(f"'{name}' {reason}" for name, reason in why.items())
        raise NoGroup(f"no training group with {having} ({each}); add one below {below}")
    if len(fitting) > 1:
        raise DoesNotFit(f"several groups fit; choose with --group: {', '.join(fitting)}")
    return fitting[0]


def named(option: str, wanted: str | None, known: Iterable[str], noun: str) -> str | None:
    """The name that an option gives, else the only one that is known; None if none is.

    Raises:
        DoesNotFit: the given one does not exist, or there are several and none is given.
    """
    names = tuple(known)
    listed = ", ".join(names) or "none"
    if wanted is not None and wanted not in names:
        hint = did_you_mean(wanted, names)
        raise DoesNotFit(f"--{option} {wanted}: the stack has no {noun} '{wanted}'{hint} (it has {listed})")
    if wanted is None and len(names) > 1:
        raise DoesNotFit(f"the stack has several {noun}s; choose with --{option}: {listed}")
    return wanted or next(iter(names), None)


def node_count(group: Group, ask: JobOptions, at: str = "groups") -> int:
    """The number of workers: the number in the options, otherwise the group's initial number of nodes. A group of
    Karpenter has no nodes at first: the job uses all that it may have.

    Args:
        group: the workers' group.
        ask: the options.
        at: the place of groups in the description.

    Raises:
        DoesNotFit: it is more than the group's maximum, unless the options allow that.
    """
    most = group.described.nodes.max
    if ask.nodes is not None and ask.nodes > most and not ask.beyond_the_group:
        raise DoesNotFit(
            f"--nodes {ask.nodes} is more than the maximum of group '{group.name}' ({most}); "
            f"give at most {most}, or raise {at}.{group.name}.nodes"
        )
    return ask.nodes or (most if group.described.by_karpenter else max(1, group.described.nodes.start))


def launcher_group(blueprint: Blueprint) -> KubernetesGroup:
    """The system group of the launcher: one with the processors of the image, preferably without taints.

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
            f"the launcher's image is for {IMAGE_ARCHITECTURE}, but no system group has such processors ({each}); add "
            "one below groups:"
        )
    return min(able, key=lambda group: sum(taint.blocks for taint in group.taints))


def launcher_selector(blueprint: Blueprint, group: KubernetesGroup) -> dict[str, str]:
    """The launcher's node selector: any system node; with several system groups, a node of its group."""
    system = sum(other.described.purpose is Purpose.SYSTEM for other in blueprint.groups)
    return selector(group, labels.PURPOSE) if system == 1 else selector(group, labels.PURPOSE, labels.GROUP)


def selector(group: KubernetesGroup, *keys: str) -> dict[str, str]:
    """A node selector by some of the group's labels, whose values a user may set."""
    labelled = dict(group.labels)
    return {key: labelled[key] for key in keys}


def tolerations_of(group: KubernetesGroup) -> dict[str, Any]:
    """A pod's `tolerations` for a group's taints; empty if it has none."""
    listed = [
        {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
        for taint in sorted(group.taints)
    ]
    return {"tolerations": listed} if listed else {}
