"""What add-ons need: Kubernetes versions, nodes, devices, other add-ons, the instance's metadata."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from muster.addon_sheets import ADDONS, by_pulumi
from muster.addons.addon import Addon as Known
from muster.addons.addon import Reliance, SwitchedNeed
from muster.addons.catalogue import CATALOGUE
from muster.addons.daemon_sets import COREDNS
from muster.addons.values import workloads_of
from muster.addons.workload import Placement, Workload
from muster.blueprint.dra import DRIVERS
from muster.blueprint.node import EFA_RESOURCE
from muster.config.description.node_group import Purpose
from muster.edits import Edit, Remedy, remove, set_to
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Addon, ControlPlane, EksAddon, Fleet, NodeGroup, Ref
from muster.fleet.resources.fleet import KubernetesGroup
from muster.hardware.tables import read_table
from muster.kubernetes_quantity import CPU, format_amounts
from muster.object_cache import cached_by_identity
from muster.plain_data import value_at
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import DRIVERS as PARTS
from muster.policies.lookups.device_plugins import (
    built_in,
    group_offers,
    labelled_node_kinds,
    labelled_node_kinds_of,
    offers,
    offers_device,
    schedulable_on,
)
from muster.policies.lookups.installed_addons import (
    by_eks,
    catalogued,
    installing,
    name_of,
    parts,
    parts_of,
    removal,
)
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.machines import known_machines
from muster.policies.lookups.pod_placement import NodeKind, schedulable
from muster.policies.lookups.pods import most_for_pods
from muster.policies.lookups.versions import kubernetes_numbers, older_than_listed, version_tuple
from muster.scheduling.fit import Schedulable, shortages
from muster.unknown import NotKnown, has_unknown, if_known, stored
from muster.versions import EKS_ADDONS, EKS_CALENDAR, KUBE_PROXY_SKEW

_KUBE_PROXY = "kube-proxy"


def addon_has_what_it_needs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known = catalogued(addon)
    if known is None:
        return
    yield from rule.each(known.needs, partial(_needed, addon, known, fleet, rule), addon.place)
    if addon.installed_by is None:
        yield from rule.each(known.needs_if, partial(_needed_if, addon, fleet, rule), addon.place)
    if addon.place.described and addon.controller is None:
        yield from _too_late(addon, {**known.after, **known.needs}, fleet, rule)


def _too_late(addon: Addon, earlier: Mapping[str, str], fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The advice about add-ons that come before one of Pulumi's, but that a GitOps tool applies: `up` does not wait."""
    for each in fleet.of(Addon):
        if each.controller and (why := earlier.get(each.ref.name)):
            got = f"{addon.ref.name} comes after {each.ref.name}, which {each.controller} applies and `up` does not"
            got += f": {why}"
            other = set_to("pulumi", at=f"/{each.place.path('installed-by')}")
            same = other if by_pulumi(addon.ref.name) else set_to(each.controller, at="installed-by")
            yield rule.advice.finding(addon, got=got, change=same)


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
    elif name not in fleet.need(
        fleet.cluster_facts(existing.name).eks_addons, f"whether {existing.name} has the EKS add-on {name}"
    ):
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


def addon_serves_a_group(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known = catalogued(addon)
    serves = (known.serves or DRIVERS.get(addon.ref.name)) if known else None
    if serves is None:
        return
    if not fleet.kubernetes_groups:
        # Add-ons in a separate stack: another program registers the cluster's groups.
        raise NotKnown("the devices of every group")
    offered = offers(fleet)
    having = [group for group in fleet.kubernetes_groups if serves in group_offers(fleet, group)]
    # Of an image's plugin beside a driver, no-dra-driver-beside-plugin tells.
    mine = if_known(lambda: parts_of(addon), ())
    runs = any(schedulable_on(part, spot) is not Schedulable.NO for part in mine for spot in _nodes(having, fleet))
    if not having:
        got = f"{addon.ref.name} is for {serves}, but the groups have {and_list(offered) if offered else 'no devices'}"
        yield rule.finding(addon, got=got, change=(remove(), *_with_efa(serves, fleet)))
    elif all(serves in built_in(fleet, group) for group in having):
        if not (runs and addon.ref.name in DRIVERS):
            got = f"the Bottlerocket image of {and_list(group.ref.name for group in having)} already offers {serves}"
            yield rule.finding(addon, got=got, change=remove())
    elif addon.ref.name not in DRIVERS and not runs and (driver := _driver_of_all(serves, having, fleet)):
        got = f"{driver} serves every group with {serves}, so {addon.ref.name} runs on no node"
        change = f"set groups of {driver} to the groups whose devices pods claim"
        yield rule.finding(addon, got=got, change=(removal(addon), change))


def _with_efa(serves: str, fleet: Fleet) -> Iterator[Edit]:
    """The edits that give training nodes the EFA interfaces of their type."""
    for group in fleet.of(NodeGroup) if serves == EFA_RESOURCE else ():
        if group.purpose is Purpose.TRAINING and any(each.max_efa for each in known_machines(group, fleet)):
            yield set_to("aws", "classic", at=f"/{group.place.path('interfaces')}")


def _driver_of_all(serves: str, having: list[KubernetesGroup], fleet: Fleet) -> str | None:
    """Muster's DRA driver that serves all groups with these devices."""
    drivers = (part for part in parts(fleet, *PARTS) if DRIVERS.get(part.name) == serves)
    spots = _nodes(having, fleet)
    reaching = (each for each in drivers if all(schedulable_on(each, spot) is Schedulable.YES for spot in spots))
    return next((each.name for each in reaching), None)


def _nodes(groups: list[KubernetesGroup], fleet: Fleet) -> list[NodeKind]:
    return [spot for group in groups for spot in labelled_node_kinds_of(group, fleet)]


def addon_supports_kubernetes(addon: Addon | EksAddon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from _too_old(addon, fleet, rule)
    if isinstance(addon, EksAddon):
        return
    pin = ADDONS.get(addon.ref.name) if catalogued(addon) else None
    # Muster does not know what a version that the user chose instead supports.
    if pin is None or addon.version != pin.version:
        return
    first, last = pin.kubernetes

    def judge(plane: ControlPlane) -> Iterator[Verdict]:
        version = kubernetes_numbers(plane)
        if _is_run(str(plane.kubernetes), fleet) and not _supported(version, first, last):
            named = f"{first} to {last}" if last else f"{first} and newer"
            got = f"{addon.ref.name} {pin.version} is for Kubernetes {named}, but the cluster has {plane.kubernetes}"
            nearest = first if last is None or version < (version_tuple(first) or ()) else last
            # A project lists the versions that it has tested: a later version may work.
            newer = version >= (version_tuple(first) or ())
            leveled = rule.advice if newer else rule
            other = f"use a version of {addon.ref.name} that supports {plane.kubernetes}"
            yield leveled.finding(addon, got=got, change=(f"use Kubernetes {nearest}", other))

    yield from rule.each(fleet.of(ControlPlane), judge, addon.place)


def _too_old(addon: Addon | EksAddon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The finding about a version that the cluster's Kubernetes is too new for, or too old."""
    name = if_known(lambda: name_of(addon))
    if name == _KUBE_PROXY:
        found = _skewed(addon, fleet)
    elif older := older_than_listed(str(name), lambda: addon.version, fleet):
        least, plane = older
        found = f"is older than {least}, the oldest for Kubernetes {plane.kubernetes}", f"use {least} or newer", plane
    else:
        return
    if found:
        got, change, plane = found
        # Of a Kubernetes that is newer than the calendar nothing is certain.
        certain = by_eks(addon) and str(plane.kubernetes) in EKS_CALENDAR
        if pinned := EKS_ADDONS.get(str(plane.kubernetes), {}).get(str(name)):
            change = set_to(pinned, at="version" if isinstance(addon, Addon) else "")
        yield (rule if certain else rule.advice).finding(addon, got=f"{name} {addon.version} {got}", change=change)


def _skewed(addon: Addon | EksAddon, fleet: Fleet) -> tuple[str, Remedy, ControlPlane] | None:
    """How far a kube-proxy is from the control plane, if it is too far, and the remedy."""
    version = version_tuple(addon.version)
    planes = sorted((each for each in fleet.of(ControlPlane) if each.kubernetes), key=kubernetes_numbers)
    if version is None or not planes:
        return None
    plane = planes[0]  # of several clusters it is not known whose it is
    oldest, newest = kubernetes_numbers(plane), kubernetes_numbers(planes[-1])
    which = f"the control plane, which has {plane.kubernetes}"
    if version[:2] > newest:
        return f"is newer than {which}", "use that of the control plane", plane
    if (*oldest[:1], oldest[1] - KUBE_PROXY_SKEW) > version[:2]:
        got = f"is more than {KUBE_PROXY_SKEW} minor versions older than {which}"
        return got, "use that of the control plane", plane
    return None


def _supported(version: tuple[int, ...], first: str, last: str | None) -> bool:
    return (version_tuple(first) or ()) <= version and (last is None or version <= (version_tuple(last) or ()))


def _is_run(version: str, fleet: Fleet) -> bool:
    """Whether EKS still runs clusters of a version; kubernetes-version-supported reports all others."""
    return version in EKS_CALENDAR and fleet.as_of <= EKS_CALENDAR[version].extended_ends


def values_leave_what_is_needed(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known = catalogued(addon)
    if known is None or not (addon.derived or addon.place.described):
        return
    replaced = [each for each in known.relies_on if _is_replaced(each, addon)]
    for each in replaced:
        if each.chart and fleet.having(Addon, "chart", each.chart):
            continue
        path = each.at.split(".")
        given, expected = value_at(addon.values, *path), value_at(addon.derived, *path)
        got = f"{each.at} of {addon.ref.name} is {json.dumps(given)}, not {json.dumps(expected)}: {each.why}"
        there = bool(each.chart) and bool(fleet.having(ControlPlane, "existing", True))  # it may have the chart
        leveled = rule if each.fails and not there else rule.advice
        yield leveled.finding(addon, f"values.{each.at}", got=got, change=set_to(expected))
    if replaced or has_unknown(addon.values):
        return
    # What makes nodes offer devices, the rules about device plugins judge.
    before, after = (
        [each.name for each in workloads_of(known, values) if each.replicas and not (each.serves or known.serves)]
        for values in (addon.derived, addon.values)
    )
    if before and not after:
        got = f"with these values {addon.ref.name} does not run {and_list(before)}"
        level = rule if known.runs or known.loses else rule.advice
        change = "remove what turns it off from its values, or remove the add-on"
        yield level.finding(addon, "values", got=got, change=change)


def _is_replaced(reliance: Reliance, addon: Addon) -> bool:
    """Whether a value that the cluster relies on is another one."""
    path, switch = reliance.at.split("."), reliance.switch
    if switch and value_at(addon.values, *switch.split(".")) is False:
        return False
    expected = value_at(addon.derived, *path)
    return bool(expected) and value_at(addon.values, *path) != expected


def addon_pods_have_nodes(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known = catalogued(addon)
    if known is None or not _all_nodes_are_known(fleet) or has_unknown(addon.values):
        return
    for workload in workloads_of(known, addon.values):
        if off := _kept_off(workload, known, labelled_node_kinds(fleet), fleet):
            got = f"the pods of {workload.name} cannot run on any node of {and_list({spot.name for spot in off})}"
            change = "change nodeSelector, affinity or tolerations in its values so that they can, or remove the add-on"
            yield rule.finding(addon, "values", got=got, change=change)


@cached_by_identity(4)
def _all_nodes_are_known(fleet: Fleet) -> bool:
    """Whether the cluster has no other nodes (an existing cluster's, another program's, Karpenter's), and all types are
    known."""
    existing = any(plane.existing for plane in fleet.of(ControlPlane))
    groups = fleet.kubernetes_groups
    described = bool(groups) and all(group.purpose is not None for group in groups)
    if any("karpenter" in str(stored(each, "chart")) for each in fleet.of(Addon)):
        return False
    return described and not existing and all(labelled_node_kinds_of(group, fleet) for group in groups)


def _kept_off(workload: Workload, known: Known, spots: tuple[NodeKind, ...], fleet: Fleet) -> list[NodeKind]:
    """The nodes that the pods should run on, if they can run on none of them: any for a Deployment, those with the
    device for an exporter."""
    if workload.kind == "Deployment":
        # If every group is tainted, untainted-group reports it.
        meant = [spot for spot in spots if _takes({"tolerations": workload.placement.tolerations}, spot)]
        runs = [spot for spot in spots if _takes(workload.placement.pod_spec, spot)]
    else:
        meant = [spot for spot in spots if known.exports and offers_device(spot, known.exports, fleet)]
        runs = [spot for spot in meant if _takes(workload.placement.pod_spec, spot)]
    if runs and not any(spot.whole for spot in runs):
        raise NotKnown(f"the labels and taints of {and_list({spot.name for spot in runs})}")
    return [] if runs else meant


def operators_fit_nodes(plane: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not _all_nodes_are_known(fleet):
        return
    spots = labelled_node_kinds(fleet)
    homes: set[Ref] = set()
    taken: Counter[str] = Counter()
    for each in _deployments(fleet):
        homes |= {spot.group.ref for spot in spots if spot.group and _takes(each.placement.pod_spec, spot)}
        taken.update({resource: amount for resource, amount in each.takes.items() if resource in (CPU, "memory")})
    room: Counter[str] = Counter()
    groups = [group for group in fleet.kubernetes_groups if group.ref in homes]
    for group in groups:
        kinds = [most_for_pods(spot, fleet) for spot in labelled_node_kinds_of(group, fleet)]
        room.update({each: group.nodes_max * max(kind[each] for kind in kinds) for each in (CPU, "memory")})
    lacking = shortages(taken, room) if groups else {}
    if lacking:
        many, few = (
            and_list(f"{format_amounts(each, taken[each], have)[i]} of {each}" for each, have in lacking.items())
            for i in (0, 1)
        )
        names = and_list(group.ref.name for group in groups)
        got = (
            f"the add-ons' Deployments request {many}, but the nodes on which they may run ({names}) have {few} at most"
        )
        change = "use more or larger nodes there"
        yield rule.finding(groups[0], "instance", got=got, change=change)


def _deployments(fleet: Fleet) -> Iterator[Workload]:
    """The Deployments of the catalog's add-ons, as far as their requests are known, and CoreDNS."""
    if fleet.having(EksAddon, "name", COREDNS.name):
        yield COREDNS
    for addon in fleet.of(Addon):
        known = catalogued(addon)
        for each in workloads_of(known, addon.values) if known and not has_unknown(addon.values) else ():
            with suppress(ValueError):  # an amount that is none, which the API server reports
                if each.kind == "Deployment" and each.takes:
                    yield each


def _takes(pod_spec: dict[str, object], spot: NodeKind) -> bool:
    return schedulable(pod_spec, spot) is not Schedulable.NO


def chart_reaches_metadata(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = if_known(lambda: name_of(addon))
    row = next((each for each in read_table(*_METADATA) if each["chart"] == name), None)
    if row is None or _is_told(addon.values, row):
        return
    if not fleet.kubernetes_groups:
        raise NotKnown("the groups of its cluster")
    pod_spec = Placement.of(addon.values).pod_spec
    spots = [each for each in labelled_node_kinds(fleet) if schedulable(pod_spec, each) is not Schedulable.NO]
    if spots and all(_answers_only_itself(each, fleet) for each in spots):
        nodes = and_list({each.name for each in spots})
        got = f"the pods of {addon.ref.name} ask the instance's metadata for {row['asks']}, with hop limit 1 on {nodes}"
        yield rule.finding(addon, "values", got=got, change=f"set {row['remedy']} in its values")


_METADATA = ("instance_metadata.csv", "muster.addons.catalogue")
"""The charts whose pods exit where the instance's metadata service does not answer, with the values that replace it
(alternatives, each of one or several paths), and which of them are on by default. Read in the charts and their
controllers: kubernetes-sigs/aws-load-balancer-controller 225f445 (`pkg/aws/cloud.go`),
aws/aws-application-networking-k8s 03d6abe (`pkg/config/controller_config.go`), aws/aws-node-termination-handler
62a8761. Not listed are the CSI drivers of EBS and FSx, which then ask Kubernetes, and controllers that ask for their
Region alone, which the webhook of their role sets."""


def _is_told(values: Mapping[str, Any], row: Mapping[str, str]) -> bool:
    def is_set(path: str) -> bool:
        given = value_at(values, *path.split("."))
        return path in row["default_on"].split() if given is None else bool(given)

    return any(all(map(is_set, each.split())) for each in row["replaced_by"].split("|"))


def _answers_only_itself(spot: NodeKind, fleet: Fleet) -> bool:
    """Whether the metadata service of a node answers only what uses the node's own network."""
    group = spot.group
    if not isinstance(group, NodeGroup):
        return False  # AWS does not document the limit of HyperPod's instances
    template = template_of(group, fleet)
    return template is not None and template.hop_limit == 1
