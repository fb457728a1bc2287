"""A group's devices against the plugins that would offer them."""

from collections.abc import Iterator

from addons.catalogue import CATALOGUE
from muster.fleet.resources import Addon, Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import KubernetesGroup
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.chart_contents import DRIVERS, PLUGINS, AddonPart
from policies.lookups.device_plugins import (
    built_in,
    group_offers,
    labelled_node_kinds_of,
    resource_of,
    schedulable_on,
    why_not_scheduled,
)
from policies.lookups.installed_addons import catalogued, parts, parts_of
from policies.lookups.scheduling import Schedulable


@rule(
    "group-has-its-device-plugin",
    title="Every group's devices are offered by a device plugin",
    judges=NodeGroup | InstanceGroup,
    backends=("eks", "hyperpod"),
    why="Without its plugin a node offers no GPUs and no EFA: it costs the same, and every job waits for ever.",
    source="EKS user guide, ml-eks-k8s-device-plugin and node-efa",
    remedy="Add the plugin under addons.",
    facts=("pains.md#10", "pains.md#22", "addons.md#surprises-1"),
)
def group_has_its_device_plugin(group: KubernetesGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # Only where Muster describes the cluster: a foreign program may install plugins in another project.
    if group.purpose is None:
        return
    offered = group_offers(fleet, group)
    if offered is None:
        yield rule.unjudged(group.place, "its devices")
        return
    serving = [part for part in parts(fleet, *PLUGINS, *DRIVERS) if _serves(part, group, fleet)]
    plugins = {addon.serves: addon.name for addon in CATALOGUE.values()}
    lacking = offered - {resource_of(part.what) for part in serving} - built_in(fleet, group)
    missing = [why for addon in fleet.of(Addon) if (why := parts_of(addon)[1])]
    for resource in sorted(lacking):
        chosen = [addon for addon in fleet.of(Addon) if addon.ref.name == plugins[resource] and catalogued(addon)]
        if any(parts_of(addon)[1] for addon in chosen):
            # It is installed, and its values cannot be read: addon-values-have-a-form reports it.
            continue
        if fleet.absent or missing:
            stacks = f"whether another stack offers {resource}: {'; '.join(fleet.absent)}"
            yield rule.unjudged(group.place, stacks if fleet.absent else missing[0])
            continue
        if kept := [each for each in parts(fleet, *DRIVERS) if each.pods and resource_of(each.what) == resource]:
            driver, spot = kept[0], labelled_node_kinds_of(group, fleet)[0]
            yield rule.finding(
                group.place,
                at="instance",
                got=f"its nodes have {resource}, and {driver.what} ({driver.name}) is kept off them: "
                f"{why_not_scheduled(driver, spot)}",
                remedy=f"let the tolerations and the affinity of {driver.name} cover these nodes",
            )
            continue
        if chosen:
            switch = "devicePlugin.enabled: false"
            yield rule.finding(
                group.place,
                at="instance",
                got=f"its nodes have {resource}, and the values of {plugins[resource]} turn the plugin off",
                remedy=f"remove {switch} from its values",
            )
            continue
        yield rule.finding(
            group.place,
            at="instance",
            got=f"its nodes have {resource}, which no add-on offers to pods",
            remedy=f"add `{plugins[resource]}: {{}}` under addons",
        )


def _serves(part: AddonPart, group: KubernetesGroup, fleet: Fleet) -> bool:
    """Whether a part serves the group's nodes. A plugin that its own values keep off them counts:
    `plugin-reaches-its-nodes` reports it. A part of another chart counts only for nodes that it can run on."""
    if part.what in PLUGINS and not part.bundled and part.pods:
        return True
    return any(schedulable_on(part, spot) is not Schedulable.NO for spot in labelled_node_kinds_of(group, fleet))
