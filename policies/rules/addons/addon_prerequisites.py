"""What an add-on needs of the cluster: nodes, devices, other add-ons."""

from collections.abc import Iterator, Mapping

from addons.addon import Addon as Known
from addons.addon import SwitchedNeed
from addons.catalogue import CATALOGUE
from muster.blueprint.node import EFA_RESOURCE
from muster.config.description.node_group import Purpose
from muster.finding import Level
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Addon, ControlPlane, EksAddon, Fleet
from muster.fleet.resources.fleet import EKS, HYPERPOD
from muster.hardware.catalogue import smallest_with_efa
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, or_list, singular_or_plural
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.device_plugins import built_in, group_offers, offers, served_by, trains_without_devices
from policies.lookups.installed_addons import catalogued
from policies.lookups.machines import machines_of

_OF = {"eks-node-monitoring-agent": EKS, "hyperpod": HYPERPOD}
"""Add-on -> whose nodes it is for."""

_WHY = {
    "eks-node-monitoring-agent": "it keeps off nodes that HyperPod runs, whose own agent (`hyperpod`) watches them",
    "hyperpod": "what it brings is for nodes that HyperPod runs, and the cluster has none",
}


@rule(
    "addon-has-a-use",
    title="The cluster has nodes that an add-on is for",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="HyperPod's chart brings agents and plugins for HyperPod's nodes, EKS's node monitoring agent keeps off them. "
    "Where there are no others they take pods and rights on the cluster, and do nothing.",
    source="aws/eks-node-monitoring-agent v1.6.7 charts; aws/sagemaker-hyperpod-cli helm_chart/HyperPodHelmChart",
    remedy="Remove the add-on.",
    facts=("addons.md#add-ons",),
)
def addon_has_a_use(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = addon.ref.name
    if name not in _OF or not catalogued(addon) or _OF[name] in fleet.backends:
        return
    # Nodes outside of this program: an existing cluster's, or all of them where the program has only add-ons.
    others = not fleet.kubernetes_groups or any(plane.existing for plane in fleet.of(ControlPlane))
    if not others:
        yield rule.finding(addon.place, got=f"{name} has nothing to do: {_WHY[name]}", remedy=f"remove {name}")


@rule(
    "addon-has-what-it-needs",
    title="What an add-on needs is installed, too",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="Without it its pods do not start, or start and do nothing.",
    source="kubeflow/trainer charts/kubeflow-trainer/values.yaml, jobset.install; addons/, from the projects' own "
    "documentation",
    remedy="Choose what it needs, too.",
    facts=("addons.md#ordering",),
)
def addon_has_what_it_needs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known = catalogued(addon)
    if known is None:
        return
    chosen = {each.ref.name for each in fleet.of(Addon)}
    by_eks = {each.name for each in fleet.of(EksAddon)}
    existing = next((plane for plane in fleet.of(ControlPlane) if plane.existing), None)
    for name, why in known.needs.items():
        if name in chosen or name in by_eks:
            continue
        got = f"{addon.ref.name} needs {name}: {why}"
        if fleet.absent:
            yield rule.unjudged(addon.place, f"whether another stack installs {name}: {'; '.join(fleet.absent)}")
        elif UNKNOWN in by_eks:
            yield rule.unjudged(addon.place, f"which EKS add-ons there are: {addon.ref.name} needs {name}")
        elif name in CATALOGUE:
            yield rule.finding(addon.place, got=got, remedy=_add(name))
        elif existing is None or fleet.gone(ResourceKind.CLUSTER, existing.name):
            continue  # eks-addons-pinned reports that there is none for this version
        elif (there := _of_existing(existing, fleet)) is None:
            yield rule.unjudged(addon.place, fleet.missing(f"whether {existing.name} has the EKS add-on {name}"))
        elif name not in there:
            remedy = f"have its owner install the EKS add-on {name} on {existing.name} first"
            yield rule.finding(addon.place, got=got, remedy=remedy)
    yield from _unmet_switches(addon, known, fleet, rule)


def _unmet_switches(addon: Addon, known: Known, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """What an add-on needs by its values, and is not there."""
    there = {each.ref.name for each in fleet.of(Addon)} | {each.name for each in fleet.of(EksAddon)}
    existing = any(plane.existing for plane in fleet.of(ControlPlane))
    is_known = not fleet.absent and not existing and UNKNOWN not in there
    for each in _switched_needs(addon, known):
        switch = ".".join(each.switch)
        own = [chart for chart in fleet.of(Addon) if chart.chart == each.addon and chart.ref.name not in CATALOGUE]
        if each.addon in there or any(chart.before_addons for chart in own):
            continue
        if is_known:
            got = f"`{switch}: true` of {addon.ref.name} needs {each.addon}: {each.why}"
            remedy = f"add before-addons: true to addons.charts.{own[0].ref.name}" if own else _add(each.addon)
            yield rule.finding(addon.place, at=f"values.{switch}", got=got, remedy=remedy)
        else:
            yield rule.unjudged(addon.place, f"whether the cluster has {each.addon}, for `{switch}`")


def _switched_needs(addon: Addon, known: Known) -> tuple[SwitchedNeed, ...]:
    if addon.values is UNKNOWN or addon.installed_by is not None:
        return ()
    return tuple(each for each in known.needs_if if each.is_on(addon.values))


def _add(name: str) -> str:
    return f"add `{name}: {{}}` under addons"


def _of_existing(plane: ControlPlane, fleet: Fleet) -> Mapping[str, str] | None:
    """The EKS add-ons of a cluster that was there before; None where it is not stated."""
    known = fleet.facts.clusters.get(str(plane.name)) if fleet.facts else None
    return known.eks_addons if known else None


@rule(
    "addon-serves-a-group",
    title="A device plugin has a group whose devices it offers",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="A plugin's placement is derived from the groups it serves; with none its chart is refused by the API server "
    "(an empty list of instance types) or runs nowhere.",
    source="aws-efa-k8s-device-plugin templates/daemonset.yaml; Kubernetes API, NodeSelectorRequirement",
    remedy="Remove the add-on, or give a group the hardware it serves.",
    facts=("addons.md#surprises-1", "pains.md#10"),
)
def addon_serves_a_group(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    serves = served_by(addon)
    offered = offers(fleet)
    if serves is None:
        return
    having = [group for group in fleet.kubernetes_groups if serves in (group_offers(fleet, group) or ())]
    if offered is None or not fleet.kubernetes_groups:
        # Add-ons in a stack of their own: the cluster's groups are registered by another program.
        yield rule.unjudged(addon.place, "the devices of every group")
    elif not having:
        if any(trains_without_devices(each, fleet) for each in fleet.kubernetes_groups):
            return  # training-group-has-devices names the group
        got, remedy = _without_devices(serves, fleet)
        has = f" (groups have {and_list(offered)})" if offered else ""
        yield rule.finding(
            addon.place, got=f"{addon.ref.name} makes nodes offer {serves}, which {got}{has}", remedy=remedy
        )
    elif all(serves in built_in(fleet, group) for group in having):
        whose = and_list(group.ref.name for group in having)
        got = f"the image of {whose} is Bottlerocket's: it offers {serves} by itself"
        yield rule.finding(addon.place, got=got, remedy="remove the add-on")


def _without_devices(serves: str, fleet: Fleet) -> tuple[str, str]:
    """Why no group has a device, and what to do. Of EFA a larger size of a family often has some."""
    groups = [each for each in fleet.kubernetes_groups if each.purpose is not Purpose.SYSTEM]
    machines = {machine.instance: machine for group in groups for machine in machines_of(group, fleet)[0]}
    if serves != EFA_RESOURCE or not machines or any(each.max_efa for each in machines.values()):
        return "no group has", "remove the add-on"
    larger = [each for each in map(smallest_with_efa, sorted({each.family for each in machines.values()})) if each]
    remedy = f"remove the add-on, or take {or_list(larger)}, the smallest with EFA" if larger else "remove the add-on"
    return f"{and_list(machines)} {singular_or_plural(machines, 'does', 'do')} not have", remedy
