"""A group's devices, and the plugins that offer them."""

from collections.abc import Iterator

from muster.addons.catalogue import CATALOGUE
from muster.blueprint.dra import DRIVERS as DRA_DRIVERS
from muster.edits import Remedy, add, remove
from muster.fleet.resources import Addon, Fleet
from muster.fleet.resources.fleet import KubernetesGroup
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import DRIVERS, PLUGINS, AddonPart
from muster.policies.lookups.device_plugins import (
    built_in,
    group_offers,
    labelled_node_kinds_of,
    resource_of,
    schedulable_on,
    why_not_scheduled,
)
from muster.policies.lookups.installed_addons import catalogued, installing, parts, parts_of
from muster.policies.lookups.pod_placement import Schedulable
from muster.unknown import NotKnown, known


def group_has_its_device_plugin(group: KubernetesGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # Only for described clusters: a foreign program may install plugins in another project.
    if group.purpose is None:
        return
    offered = group_offers(fleet, group)
    serving = [part for part in parts(fleet, *PLUGINS, *DRIVERS) if _serves(part, group, fleet)]
    plugins = {addon.serves: addon.name for addon in CATALOGUE.values()}
    drivers = {resource: name for name, resource in DRA_DRIVERS.items()}
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
        if kept := [each for each in parts(fleet, *DRIVERS) if each.pods and resource_of(each.what) == resource]:
            driver, spot = kept[0], labelled_node_kinds_of(group, fleet)[0]
            change: tuple[Remedy, ...] = (f"make tolerations and affinity of {driver.name} cover these nodes",)
            if driver.name == drivers.get(resource) and not _names(driver, group):
                change = (add(group.ref.name, at=f"/addons.{driver.name}.groups"), installing(plugins[resource]))
            got = (
                f"{driver.what} ({driver.name}) cannot run on nodes with {resource}: {why_not_scheduled(driver, spot)}"
            )
            yield rule.finding(group, "instance", got=got, change=change)
            continue
        if chosen:
            got = f"the nodes have {resource}, but the values of {plugins[resource]} turn the plugin off"
            switch = chosen[0].place.path("values.devicePlugin.enabled")
            yield rule.finding(group, "instance", got=got, change=remove(at=f"/{switch}"))
            continue
        got = f"the nodes have {resource}, but no add-on offers it to pods"
        yield rule.finding(group, "instance", got=got, change=installing(plugins[resource]))


def _names(driver: AddonPart, group: KubernetesGroup) -> bool:
    """Whether the affinity of a driver names the group: if Muster derives it, the driver serves the group."""
    return any(f"'{group.ref.name}'" in str(pod.get("affinity")) for pod in driver.pods)


def _serves(part: AddonPart, group: KubernetesGroup, fleet: Fleet) -> bool:
    """Whether a part serves the group's nodes. A plugin whose own values exclude them counts:
    `plugin-reaches-its-nodes` reports it. A part of another chart counts only for nodes that it can run on."""
    if part.what in PLUGINS and not part.bundled and part.pods:
        return True
    return any(schedulable_on(part, spot) is not Schedulable.NO for spot in labelled_node_kinds_of(group, fleet))
