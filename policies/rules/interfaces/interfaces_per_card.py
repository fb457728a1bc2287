"""How many interfaces a network card takes."""

from collections import Counter
from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from policies.reading.templates import hardware_missing, interfaces_of
from policies.rule import Rule, Verdict, rule


@rule(
    "interfaces-per-card",
    title="A network card carries no more interfaces than its limit",
    judges=LaunchTemplate,
    why="EC2 refuses the launch with AttachmentLimitExceeded; p5.48xlarge takes two interfaces on each card.",
    source="EC2 DescribeInstanceTypes, NetworkCards.MaximumNetworkInterfaces",
    remedy="Take interfaces off the card (`muster hardware TYPE` shows the limits).",
    facts=("rules.md#3", "hardware.md#R3"),
)
def interfaces_per_card(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "card")
    if missing:
        yield rule.unjudged(template.place, missing)
    hardware = fleet.hardware_of(template)
    # A slot taken twice, a device index beyond 1 and a card beyond the last are findings of other rules.
    slots = {
        (nic.card, nic.device) for nic in nics if isinstance(nic.card, int) and (nic.card == 0 or nic.device in (0, 1))
    }
    on_card = Counter(card for card, _ in slots)
    if hardware is None:
        if max(on_card.values(), default=0) > 1:
            yield rule.unjudged(template.place, hardware_missing(template, fleet))
        return
    for card, count in sorted(on_card.items()):
        limit = hardware.enis_card0 if card == 0 else hardware.enis_other_cards
        if limit is None and card < hardware.network_cards and count > 1:
            yield rule.unjudged(template.place, f"how many interfaces card {card} of {hardware.instance} takes")
        elif limit is not None and count > limit:
            yield rule.finding(
                template.place,
                at="interfaces",
                got=f"card {card} carries {count} interfaces; on {hardware.instance} it takes {limit}",
                remedy=f"take {count - limit} off card {card}",
            )
