"""Network cards that the instance does not have."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from policies.reading.templates import hardware_missing, interfaces_of
from policies.rule import Rule, Verdict, rule
from policies.words import cards, number


@rule(
    "interface-card-exists",
    title="Interfaces sit on network cards that the instance has",
    judges=LaunchTemplate,
    why="EC2 refuses an interface on a network card that the instance type does not have.",
    source="EC2 DescribeInstanceTypes, NetworkInfo.NetworkCards",
    remedy="Use card indexes below the type's number of network cards (`muster hardware TYPE`).",
    facts=("rules.md#3", "hardware.md#R3"),
)
def interface_card_exists(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "card")
    if missing:
        yield rule.unjudged(template.place, missing)
    used = {nic.card for nic in nics if isinstance(nic.card, int)} - {0}  # every instance has card 0
    hardware = fleet.hardware_of(template)
    if used and hardware is None:
        yield rule.unjudged(template.place, hardware_missing(template, fleet))
    elif hardware and (beyond := [card for card in used if card >= hardware.network_cards]):
        has = number(hardware.network_cards, "network card")
        yield rule.finding(
            template.place,
            at="interfaces",
            got=f"interfaces sit on {cards(beyond)}; {hardware.instance} has {has}",
            remedy=f"use cards below {hardware.network_cards}, or another instance type",
        )
