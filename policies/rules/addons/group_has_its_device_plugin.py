"""A group's devices against the plugins that would offer them."""

from collections.abc import Iterator

from addons.catalogue import CATALOGUE
from muster.fleet.resources import Addon, Fleet, NodeGroup
from policies.reading.offers import built_in, group_offers
from policies.rule import Rule, Verdict, rule


@rule(
    "group-has-its-device-plugin",
    title="Every group's devices are offered by a device plugin",
    judges=NodeGroup,
    why="Without its plugin a node offers no GPUs and no EFA: it costs the same, and every job waits for ever.",
    source="EKS user guide, ml-eks-k8s-device-plugin and node-efa",
    remedy="Add the plugin under addons.",
    facts=("addons.md#surprises-1", "pains.md#10"),
)
def group_has_its_device_plugin(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # Only where Muster describes the cluster: a foreign program may install plugins in another project.
    if group.purpose is None:
        return
    installed = {CATALOGUE[addon.ref.name].serves for addon in fleet.of(Addon) if addon.ref.name in CATALOGUE}
    plugins = {addon.serves: addon.name for addon in CATALOGUE.values()}
    offered = group_offers(fleet, group)
    if offered is None:
        yield rule.unjudged(group.place, "its devices")
        return
    for resource in sorted(offered - installed - built_in(fleet, group)):
        yield rule.finding(
            group.place,
            at="instance",
            got=f"its nodes have {resource}, which no add-on offers to pods",
            remedy=f"add `{plugins[resource]}: {{}}` under addons",
        )
