"""What an add-on needs in the cluster: nodes, devices, other add-ons."""

from collections.abc import Iterator, Mapping
from functools import partial

from muster.addons.addon import Addon as Known
from muster.addons.addon import SwitchedNeed
from muster.addons.catalogue import CATALOGUE
from muster.blueprint.dra import DRIVERS
from muster.blueprint.node import EFA_RESOURCE
from muster.config.description.node_group import Purpose
from muster.edits import Remedy, remove, set_to
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Addon, ControlPlane, EksAddon, Fleet
from muster.fleet.resources.fleet import KubernetesGroup
from muster.hardware.catalogue import smallest_with_efa
from muster.message_text import or_list
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.chart_contents import DRIVERS as PARTS
from muster.policies.lookups.device_plugins import (
    built_in,
    group_offers,
    labelled_node_kinds_of,
    offers,
    schedulable_on,
    served_by,
)
from muster.policies.lookups.installed_addons import catalogued, installing, parts, parts_of
from muster.policies.lookups.pod_placement import Schedulable
from muster.unknown import NotKnown, if_known


@rule(
    "addon-has-what-it-needs",
    title="The add-ons that an add-on needs are also installed",
    judges=Addon,
    backends=ON_KUBERNETES,
    why="If an add-on that it needs is missing, its pods do not start, or start and do nothing.",
    source=("https://github.com/kubeflow/trainer/blob/v2.2.0/charts/kubeflow-trainer/values.yaml",),
    remedy="Also add the add-ons that it needs.",
    facts=("addons.md#ordering",),
)
def addon_has_what_it_needs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known = catalogued(addon)
    if known is None:
        return
    yield from rule.each(known.needs, partial(_needed, addon, known, fleet, rule), addon.place)
    if addon.installed_by is None:
        yield from rule.each(known.needs_if, partial(_needed_if, addon, fleet, rule), addon.place)


def _needed(addon: Addon, known: Known, fleet: Fleet, rule: Rule, name: str) -> Iterator[Verdict]:
    """The finding about an add-on that an add-on needs, if it is not installed."""
    if _is_installed(name, fleet):
        return
    got = f"{addon.ref.name} needs {name}: {known.needs[name]}"
    existing = next((plane for plane in fleet.of(ControlPlane) if plane.existing), None)
    if name in CATALOGUE:
        yield rule.finding(addon, got=got, change=_install(name, addon))
    elif existing is None or fleet.gone(ResourceKind.CLUSTER, existing.name):
        return  # Muster pins none for this version
    elif name not in fleet.need(_of_existing(existing, fleet), f"whether {existing.name} has the EKS add-on {name}"):
        remedy = f"have its owner install the EKS add-on {name} on {existing.name} first"
        yield rule.finding(addon, got=got, change=remedy)


def _needed_if(addon: Addon, fleet: Fleet, rule: Rule, need: SwitchedNeed) -> Iterator[Verdict]:
    """The finding about an add-on that an add-on needs because of its values, if it is not installed."""
    own = [chart for chart in fleet.having(Addon, "chart", need.addon) if chart.ref.name not in CATALOGUE]
    before = any(chart.before_addons for chart in own)
    if before or not need.is_on(addon.values) or _is_installed(need.addon, fleet):
        return
    switch = ".".join(need.switch)
    if fleet.having(ControlPlane, "existing", True):
        raise NotKnown(f"whether the cluster has {need.addon}, which `{switch}` needs")
    got = f"`{switch}: true` in the values of {addon.ref.name} needs {need.addon}: {need.why}"
    install = set_to(True, at=f"/addons.charts.{own[0].ref.name}.before-addons") if own else _install(need.addon, addon)
    at = f"values.{switch}"
    yield rule.finding(addon, at, got=got, change=install if addon.place.described else (set_to(False), install))


def _is_installed(name: str, fleet: Fleet) -> bool:
    """Whether an add-on is on the cluster, as far as its programs install it."""
    if name in _names(fleet) or fleet.having(EksAddon, "name", name):
        return True
    if fleet.absent:
        raise NotKnown(f"whether another stack installs {name}: {'; '.join(fleet.absent)}")
    return any(each.name == name for each in fleet.of(EksAddon))


@cached_by_identity(4)
def _names(fleet: Fleet) -> set[str]:
    return {each.ref.name for each in fleet.of(Addon)}


def _install(name: str, before: Addon) -> Remedy:
    return installing(name) if before.place.described else f"install {name} before it"


def _of_existing(plane: ControlPlane, fleet: Fleet) -> Mapping[str, str] | None:
    """The EKS add-ons of an existing cluster; None if they are not stated."""
    known = fleet.facts.clusters.get(str(plane.name)) if fleet.facts else None
    return known.eks_addons if known else None


@rule(
    "addon-serves-a-group",
    title="At least one group has the devices that a device plugin or a DRA driver offers",
    judges=Addon,
    backends=ON_KUBERNETES,
    why="Muster derives a plugin's nodes from the groups that it serves. If no group has its devices, the API server "
    "rejects the chart (an empty list of instance types), or the plugin runs nowhere.",
    source=(
        "https://github.com/aws/eks-charts/blob/v0.0.242/stable/aws-efa-k8s-device-plugin/templates/daemonset.yaml",
        "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#NodeSelectorRequirement",
    ),
    remedy="Remove the add-on, or give a group the hardware that it serves.",
    facts=("addons.md#surprises-1", "pains.md#10"),
)
def addon_serves_a_group(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    serves = served_by(addon) or (DRIVERS.get(addon.ref.name) if catalogued(addon) else None)
    if serves is None:
        return
    if not fleet.kubernetes_groups:
        # Add-ons in a separate stack: another program registers the cluster's groups.
        raise NotKnown("the devices of every group")
    offered = offers(fleet)
    having = [group for group in fleet.kubernetes_groups if serves in group_offers(fleet, group)]
    if not having:
        got, change = _without_devices(serves, fleet)
        has = f" (the groups have {and_list(offered)})" if offered else ""
        does = "offers the devices of" if addon.ref.name in DRIVERS else "makes nodes offer"
        yield rule.finding(addon, got=f"{addon.ref.name} {does} {serves}, which {got}{has}", change=change)
    elif all(serves in built_in(fleet, group) for group in having):
        if addon.ref.name in DRIVERS and _runs_on_any(addon, having, fleet):
            return  # no-dra-driver-beside-plugin reports it
        whose = and_list(group.ref.name for group in having)
        got = f"the Bottlerocket image of {whose} already offers {serves} by itself"
        yield rule.finding(addon, got=got, change=remove())
    elif driver := _driver_of_all(addon, serves, having, fleet):
        got = f"{driver} serves every group with {serves}, so {addon.ref.name} runs on no node"
        remedy = f"remove {addon.ref.name}, or set groups of {driver} to the groups whose devices pods claim"
        if driver == "nvidia-dra-driver":
            remedy += f"; for ComputeDomains alone, set values: {{resources: {{gpus: {{enabled: false}}}}}} of {driver}"
        yield rule.finding(addon, got=got, change=remedy)


def _runs_on_any(addon: Addon, groups: list[KubernetesGroup], fleet: Fleet) -> bool:
    spots = [spot for group in groups for spot in labelled_node_kinds_of(group, fleet)]
    mine = if_known(lambda: parts_of(addon), ())
    return any(schedulable_on(part, spot) is not Schedulable.NO for part in mine for spot in spots)


def _driver_of_all(addon: Addon, serves: str, having: list[KubernetesGroup], fleet: Fleet) -> str | None:
    """Muster's DRA driver that serves all groups with these devices, so that the plugin has none; None otherwise."""
    if addon.ref.name in DRIVERS or _runs_on_any(addon, having, fleet):
        return None
    spots = [spot for group in having for spot in labelled_node_kinds_of(group, fleet)]
    drivers = (part for part in parts(fleet, *PARTS) if DRIVERS.get(part.name) == serves)
    reaching = (each for each in drivers if all(schedulable_on(each, spot) is Schedulable.YES for spot in spots))
    return next((each.name for each in reaching), None)


def _without_devices(serves: str, fleet: Fleet) -> tuple[str, tuple[Remedy, ...]]:
    """Why no group has a device, and the remedy. For EFA, a larger size of the family often has some."""
    groups = [each for each in fleet.kubernetes_groups if each.purpose is not Purpose.SYSTEM]
    spots = [spot for group in groups for spot in labelled_node_kinds_of(group, fleet)]
    machines = {spot.machine.instance: spot.machine for spot in spots}
    if serves != EFA_RESOURCE or not machines or any(each.max_efa for each in machines.values()):
        return "no group has", (remove(),)
    larger = [each for each in map(smallest_with_efa, sorted({each.family for each in machines.values()})) if each]
    use = (f"use {or_list(larger)} (the smallest with EFA)",) if larger else ()
    return f"{and_list(machines)} {singular_or_plural(machines, 'does', 'do')} not have", (remove(), *use)
