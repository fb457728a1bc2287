"""A device plugin against the groups it would run on."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, Fleet
from policies.reading.catalogued import catalogued
from policies.reading.offers import built_in, group_offers, offers
from policies.rule import Rule, Verdict, rule
from policies.words import some


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
    serves = getattr(catalogued(addon), "serves", None)
    offered = offers(fleet)
    if serves is None:
        return
    having = [group for group in fleet.kubernetes_groups if serves in (group_offers(fleet, group) or ())]
    if offered is None or not fleet.kubernetes_groups:
        # Add-ons in a stack of their own: the cluster's groups are registered by another program.
        yield rule.unjudged(addon.place, "the devices of every group")
    elif not having:
        yield rule.finding(
            addon.place,
            got=f"{addon.ref.name} makes nodes offer {serves}, which no group has (groups have {some(offered)})",
            remedy="remove the add-on",
        )
    elif all(serves in built_in(fleet, group) for group in having):
        whose = some(group.ref.name for group in having)
        got = f"the image of {whose} is Bottlerocket's: it offers {serves} by itself"
        yield rule.finding(addon.place, got=got, remedy="remove the add-on")
