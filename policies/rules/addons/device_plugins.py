"""Device plugins: the nodes that they run on, and their releases."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from muster.addons.catalogue import CATALOGUE
from muster.blueprint.node import EFA_RESOURCE
from muster.config.description.node_group import Purpose
from muster.edits import remove
from muster.fleet.resources import Addon, Fleet
from muster.fleet.resources.eks import AddonKind
from muster.fleet.resources.fleet import KubernetesGroup
from muster.object_cache import cached_by_identity
from muster.plain_data import mappings_at, value_at
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import DRIVERS, PLUGINS, AddonPart, PartKind, release_of
from muster.policies.lookups.device_plugins import (
    built_in,
    every_node_kind,
    group_names,
    group_offers,
    labelled_node_kinds,
    labelled_node_kinds_of,
    nodes_with,
    offers_device,
    plugin_built_in,
    resource_of,
    schedulable_on,
    why_not_scheduled,
)
from muster.policies.lookups.installed_addons import (
    catalogued,
    comes_before,
    earlier_parts,
    installing,
    parts,
    parts_of,
)
from muster.policies.lookups.pod_placement import HEALTH_TAINT, HYPERPOD, NodeKind, schedulable, untolerated_taints
from muster.scheduling.fit import Schedulable
from muster.unknown import NotKnown, all_of, if_known, known, needed


def group_has_its_device_plugin(group: KubernetesGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # Only for described clusters: a foreign program may install plugins in another project.
    if group.purpose is None:
        return
    offered = group_offers(fleet, group) - ({EFA_RESOURCE} if group.purpose is Purpose.SYSTEM else frozenset())
    serving = [part for part in parts(fleet, *PLUGINS, *DRIVERS) if _serves(part, group, fleet)]
    plugins = {addon.serves: addon.name for addon in CATALOGUE.values()}
    lacking = offered - {resource_of(part.what) for part in serving} - built_in(fleet, group)
    for resource in sorted(lacking):
        chosen = [addon for addon in fleet.of(Addon) if addon.ref.name == plugins[resource] and catalogued(addon)]
        if not known(lambda: [parts_of(addon) for addon in chosen]):
            # It is installed, but its values cannot be read: Helm or the plugin reports it.
            continue
        if fleet.absent:
            raise NotKnown(f"whether another stack offers {resource}: {'; '.join(fleet.absent)}")
        for addon in fleet.of(Addon):
            parts_of(addon)  # raises where one may offer it
        got, change = f"the nodes have {resource}, but no add-on offers it to pods", installing(plugins[resource])
        having = (each for each in parts(fleet, *DRIVERS, *PLUGINS) if each.pods and resource_of(each.what) == resource)
        if kept := next(having, None):
            why = why_not_scheduled(kept, labelled_node_kinds_of(group, fleet)[0])
            got = f"{kept.what} of {kept.name} cannot run on nodes with {resource}: {why}"
            if kept.what in DRIVERS:
                change = f"make the groups, tolerations and affinity of {kept.name} cover these nodes"
        elif chosen:
            got = f"the nodes have {resource}, but the values of {plugins[resource]} turn the plugin off"
            change = remove(at=f"/{chosen[0].place.path('values.devicePlugin.enabled')}")
        yield rule.finding(group, "instance", got=got, change=change)


def _serves(part: AddonPart, group: KubernetesGroup, fleet: Fleet) -> bool:
    """Whether a part serves the group's nodes. A plugin whose own values exclude them counts:
    `plugin-reaches-its-nodes` reports it. A part of another chart counts only for nodes that it can run on."""
    if part.what in PLUGINS and not part.bundled and part.pods:
        return True
    return any(schedulable_on(part, spot) is not Schedulable.NO for spot in labelled_node_kinds_of(group, fleet))


def plugin_reaches_its_nodes(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for part in (each for each in parts_of(addon) if each.what in PLUGINS and each.pods):
        described = part.bundled and addon.place.described  # group-has-its-device-plugin judges it
        if described or any(not other.bundled for other in earlier_parts(part, fleet)):
            continue  # of several plugins only the first is judged
        if not fleet.kubernetes_groups:
            raise NotKnown("the groups of its cluster")
        resource = PLUGINS[part.what]
        having = [spot for spot in labelled_node_kinds(fleet) if if_known(lambda: offers_device(spot, resource, fleet))]
        own = [spot for spot in having if not plugin_built_in(spot, resource, fleet)]
        yield from rule.each(own, partial(_reaches, part, fleet, rule), addon.place)


def _reaches(part: AddonPart, fleet: Fleet, rule: Rule, spot: NodeKind) -> Iterator[Verdict]:
    serving = [*parts(fleet, part.what), *parts(fleet, *(k for k, v in DRIVERS.items() if v is part.what))]
    answers = {schedulable_on(each, spot) for each in serving}
    if answers == {Schedulable.NO}:
        why = why_not_scheduled(part, spot)
        change = f"make its tolerations, affinity and nodeSelector cover the nodes of {spot.name}"
        but_for_affinity = (schedulable({**pod, "affinity": {}}, spot) for pod in part.pods)
        if listed := part.may_list_more and any(each is not Schedulable.NO for each in but_for_affinity):
            why = f"the list of types that Muster knows of it does not have {spot.machine.instance}"
            change = "use a version that lists it, or run the plugin's own chart there, with the type in its values"
        got = f"{part.what} of {part.name} cannot run on {spot.name} with {PLUGINS[part.what]}: {why}"
        yield (rule.advice if listed else rule).finding(part.addon, part.at, got=got, change=change)
    elif Schedulable.YES not in answers:
        raise NotKnown(f"the labels of {spot.name} that {part.what} of {part.name} requires")
    elif part.may_list_more:
        needed(part.addon.version)  # an old one may list fewer types


def plugin_stays_with_its_devices(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine = parts_of(addon)
    if addon.kind is AddonKind.MANIFEST:
        return  # NVIDIA's manifest waits if it finds no device (FAIL_ON_INIT_ERROR), EFA's has a list of types
    nodes = list(labelled_node_kinds(fleet))
    for part in (each for each in mine if each.what in PLUGINS):
        resource = PLUGINS[part.what]
        having = {spot.machine.instance for spot in nodes if if_known(lambda: offers_device(spot, resource, fleet))}
        elsewhere = [
            spot.name
            for spot in nodes
            # Charts select nodes by type: of two groups with one type they select both or neither.
            if spot.machine.instance not in having
            and not if_known(lambda: offers_device(spot, resource, fleet), True)
            and schedulable_on(part, spot) is Schedulable.YES
        ]
        if elsewhere:
            got = f"{part.what} of {part.name} runs on nodes without {resource}: {and_list(elsewhere)}"
            change = f"select nodes that have {resource} by affinity, as its own chart does by default"
            yield rule.finding(addon, part.at, got=got, change=change)


def plugin_tolerates_health_taint(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for part in (each for each in parts_of(addon) if each.what in PLUGINS):
        there = [
            f"ml.{spot.machine.instance}"
            for spot in nodes_with(PLUGINS[part.what], fleet)
            if HYPERPOD in spot.known_labels and schedulable_on(part, spot) is Schedulable.YES
        ]
        tolerant = not any(untolerated_taints(pod, [HEALTH_TAINT]) for pod in part.pods)
        if there and not tolerant:
            got = f"{part.what} of {part.name} on HyperPod's {there[0]} does not tolerate {HEALTH_TAINT}"
            remedy = f"add {{key: {HEALTH_TAINT.key}, operator: Exists}} to its tolerations"
            yield rule.finding(addon, part.at, got=got, change=remedy)


def one_plugin_per_device(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    def judge(part: AddonPart) -> Iterator[Verdict]:
        nodes = nodes_with(PLUGINS[part.what], fleet)
        built_in = [spot for spot in nodes if plugin_built_in(spot, PLUGINS[part.what], fleet)]
        if len(built_in) < len(nodes):  # else addon-serves-a-group reports it
            yield from _beside_the_image(
                part, [spot for spot in built_in if schedulable_on(part, spot) is Schedulable.YES], rule
            )
        yield from _beside(part, nodes, fleet, rule)

    yield from rule.each((part for part in parts_of(addon) if part.what in PLUGINS), judge, addon.place)


def _beside_the_image(part: AddonPart, nodes: Sequence[NodeKind], rule: Rule) -> Iterator[Verdict]:
    if nodes:
        got = f"{part.what} of {part.name} runs on {and_list(group_names(nodes))}, whose image already contains one"
        yield rule.finding(part.addon, part.at, got=got, change="keep it off these nodes by affinity in its values")


def _beside(part: AddonPart, nodes: Sequence[NodeKind], fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Compares a plugin with the first one on each of its nodes, and not with every other one."""
    earlier = earlier_parts(part, fleet)
    if not earlier:
        return
    other = next((each for each in earlier if each.bundled != part.bundled), None)
    if part.what is PartKind.NEURON_PLUGIN and other:
        got = f"{part.name} and {other.name} both create the service account neuron-device-plugin in kube-system"
        yield rule.finding(part.addon, part.at, got=got, change=(part.without, other.without))
        return
    certain, possible = _first_on(fleet)
    answers = {spot: schedulable_on(part, spot) for spot in nodes}
    shared = {spot: certain.get((part.what, spot), part) for spot in nodes if answers[spot] is Schedulable.YES}
    where = [spot for spot, first in shared.items() if comes_before(first.addon, part.addon, fleet)]
    if where:
        other = shared[where[0]]
        on = group_names(spot for spot in where if schedulable_on(other, spot) is Schedulable.YES)
        got = f"{part.name} and {other.name} both run {part.what} on {and_list(on)}"
        yield rule.finding(part.addon, part.at, got=got, change=(part.without, other.without))
        return
    maybe = [possible.get((part.what, spot), part) for spot in nodes if answers[spot] is not Schedulable.NO]
    for first in (each for each in (maybe if nodes else earlier) if comes_before(each.addon, part.addon, fleet)):
        raise NotKnown(f"whether {part.name} and {first.name} run {part.what} on the same node")


_First = Mapping[tuple[PartKind, NodeKind], AddonPart]


@cached_by_identity(4)
def _first_on(fleet: Fleet) -> tuple[_First, _First]:
    """The first plugin of each kind that runs on each node, and the first that may run there."""
    certain: dict[tuple[PartKind, NodeKind], AddonPart] = {}
    possible: dict[tuple[PartKind, NodeKind], AddonPart] = {}
    for part in parts(fleet, *PLUGINS):
        for spot in nodes_with(PLUGINS[part.what], fleet):
            answer = schedulable_on(part, spot)
            if answer is Schedulable.YES:
                certain.setdefault((part.what, spot), part)
            if answer is not Schedulable.NO:
                possible.setdefault((part.what, spot), part)
    return certain, possible


_FIRST, _MENDED = (0, 19, 0), (0, 19, 3)


def nvidia_plugin_spares_efa(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    def judge(part: AddonPart) -> Iterator[Verdict]:
        nodes = [
            spot
            for spot in nodes_with(EFA_RESOURCE, fleet)
            if offers_device(spot, PLUGINS[part.what], fleet) and schedulable_on(part, spot) is not Schedulable.NO
        ]
        if (nodes or any(parts(fleet, PartKind.EFA_PLUGIN))) and all_of(
            lambda: _asked(part) or _FIRST <= release_of(part, part.version) < _MENDED,
            lambda: _asked(part) is not False,
        ):
            holders, asked = group_names(nodes), if_known(lambda: _asked(part))
            where = f"on nodes with EFA ({and_list(holders)})" if nodes else "on a cluster with the EFA device plugin"
            which = f"of {part.name} with mofedEnabled" if asked else f"{part.version} of {part.name}"
            got = f"{part.what} {which} mounts /dev/infiniband into pods with GPUs {where}"
            off = "set mofedEnabled: false, or MOFED_ENABLED=false in its env"
            change = off if asked else (f"use {'.'.join(map(str, _MENDED))} or newer", off)
            yield rule.finding(addon, part.at, got=got, change=change)

    plugins = [part for part in parts_of(addon) if part.what is PartKind.NVIDIA_PLUGIN]
    yield from rule.each(plugins, judge, addon.place)


def _asked(part: AddonPart) -> bool | None:
    """Whether its values ask it to mount the devices; None if they leave it to the version.

    Raises:
        NotKnown: a ConfigMap decides.
    """
    if isinstance(given := value_at(part.values, "mofedEnabled"), bool):
        return given
    for each in mappings_at(part.values, "env"):
        if value_at(each, "name") == "MOFED_ENABLED":
            return str(value_at(each, "value")).lower() != "false"
    if any(value_at(part.values, "config", key) for key in ("map", "data", "name")):
        raise NotKnown(f"the value of mofedEnabled in the plugin's configuration, in the values of {part.name}")
    return None


_LEAST_IMAGE, _LEAST_CHART = (0, 5, 6), (0, 5, 10)
"""The first image of the EFA plugin that distinguishes NVLink's devices from EFA interfaces, and its chart."""


def efa_plugin_knows_p6(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for part in (each for each in parts_of(addon) if each.what is PartKind.EFA_PLUGIN):
        nodes = [spot for spot in every_node_kind(fleet) if spot.machine.efa_lookalikes]
        where = [spot for spot in nodes if schedulable_on(part, spot) is not Schedulable.NO]
        given, least, what, at = _deciding_version(part)
        if where and release_of(part, given) < least:
            wanted = ".".join(map(str, least))
            spot = where[0]
            got = f"{what} {given} of {part.name} offers NVLink's devices on {spot.name} as EFA interfaces"
            yield rule.finding(addon, at, got=got, change=f"use {what} {wanted} or newer")


def _deciding_version(part: AddonPart) -> tuple[object, tuple[int, ...], str, str]:
    """The version that decides (the image's if a tag is set, else the chart's), its minimum, its noun and its path."""
    if tag := value_at(part.values, "image", "tag"):
        return tag, _LEAST_IMAGE, "image", f"{part.at}.image.tag"
    return part.version, _LEAST_CHART, "chart", "version"  # HyperPod's chart contains a newer one
