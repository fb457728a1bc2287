"""A DRA driver and a device plugin for the same devices of the same nodes."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, Fleet
from policies.reading.landing import Lands
from policies.reading.part import DRIVERS
from policies.reading.parts import parts, parts_of
from policies.reading.plugins import every_spot, lands_on, offers_device, resource_of, whose
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "no-dra-driver-beside-plugin",
    title="A node's devices are offered by a device plugin or by a DRA driver, not by both",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="Neither knows what the other has given away: two pods get the same GPU or the same EFA interface, and no "
    "error says so.",
    source="EKS user guide, device-management-nvidia, -efa, -neuron; dra-driver-nvidia-gpu templates/validation.yaml",
    remedy="Leave one of them out, or keep it off these nodes.",
    facts=("addons.md#surprises-11", "addons.md#conflicts"),
)
def no_dra_driver_beside_plugin(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for driver in (each for each in mine if each.what in DRIVERS):
        resource = resource_of(driver.what)
        nodes = [spot for spot in every_spot(fleet) if offers_device(spot, resource, fleet)]
        for plugin in parts(fleet, DRIVERS[driver.what]):
            met = {spot: {lands_on(driver, spot), lands_on(plugin, spot)} for spot in nodes}
            where = whose(spot for spot, answers in met.items() if answers == {Lands.YES})
            if where:
                got = f"{driver.what} ({driver.name}) and {plugin.what} ({plugin.name}) are both on {some(where)}"
                remedy = f"{driver.without}, or {plugin.without}"
                yield rule.finding(addon.place, at=driver.at, got=got, remedy=remedy)
            elif not nodes or any(Lands.NO not in answers for answers in met.values()):
                yield rule.unjudged(addon.place, f"whether {driver.what} and {plugin.what} meet on a node")
