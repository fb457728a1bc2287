"""A device plugin's placement against the nodes that have nothing for it."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Addon, Fleet
from muster.fleet.resources.addon import Kind
from policies.reading.landing import Lands
from policies.reading.part import PLUGINS
from policies.reading.parts import parts_of
from policies.reading.plugins import labelled_spots, lands_on, offers_device
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import agree, some


@rule(
    "plugin-stays-with-its-devices",
    title="A device plugin runs on no node without its devices",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="Where it finds no device it ends and is started again, for ever: the EFA plugin on a type that could have "
    "EFA, in a group whose template asks for none.",
    source="aws/sagemaker-hyperpod-cli#367; aws/eks-charts#1239",
    remedy="Let its affinity choose the nodes that have the devices.",
    facts=("rules.md#46", "pains.md#10"),
)
def plugin_stays_with_its_devices(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    if addon.kind is Kind.MANIFEST:
        return  # NVIDIA's own waits where it finds no device (FAIL_ON_INIT_ERROR), EFA's has its list of types
    nodes = list(labelled_spots(fleet))
    for part in (each for each in mine if each.what in PLUGINS):
        resource = PLUGINS[part.what]
        having = {spot.machine.instance for spot in nodes if offers_device(spot, resource, fleet)}
        elsewhere = [
            spot.name
            for spot in nodes
            # Charts choose by type: of two groups of one type they reach both or neither.
            if spot.machine.instance not in having
            and offers_device(spot, resource, fleet) is False
            and lands_on(part, spot) is Lands.YES
        ]
        if elsewhere:
            lacking = f"{some(elsewhere)}, which {agree(elsewhere, 'has', 'have')} no {resource}"
            got = f"{part.what} of {part.name} is on {lacking}"
            remedy = (
                "leave affinity and instance types out of its values" if part.at else "choose its nodes by affinity"
            )
            yield rule.finding(addon.place, at=part.at, got=got, remedy=remedy)
