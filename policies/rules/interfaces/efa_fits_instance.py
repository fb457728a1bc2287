"""EFA interfaces against what the instance type takes."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from policies.reading.templates import hardware_missing, interfaces_of
from policies.rule import Rule, Verdict, rule
from policies.words import cards


@rule(
    "efa-fits-instance",
    title="EFA interfaces sit on EFA-capable cards, and are no more than the type takes",
    judges=LaunchTemplate,
    why="The number of EFA interfaces is not the number of cards: p6-b300 has 17 cards, takes 16, none on card 0. "
    "EC2 refuses the launch with AttachmentLimitExceeded.",
    source="EC2 DescribeInstanceTypes, EfaInfo.MaximumEfaInterfaces; eksctl#8685",
    remedy="Put EFA interfaces on the type's EFA-capable cards only (`muster hardware TYPE`).",
    facts=("rules.md#5", "rules.md#13", "hardware.md#R1", "pains.md#12"),
)
def efa_fits_instance(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "card", "type")
    if missing:
        yield rule.unjudged(template.place, missing)
    hardware = fleet.hardware_of(template)
    efa = template.efa_interfaces
    if not efa or hardware is None:
        if efa:
            yield rule.unjudged(template.place, hardware_missing(template, fleet))
        return
    used = {nic.card for nic in nics if nic.is_efa is True and isinstance(nic.card, int)}
    wrong = {card for card in used if card < hardware.network_cards} - set(hardware.efa_cards)
    takes = f"takes EFA on {cards(hardware.efa_cards)}" if hardware.efa_cards else "has no EFA"
    if wrong:
        got = f"EFA sits on {cards(wrong)}; {hardware.instance} {takes}"
        remedy = f"move it off {cards(wrong)}" if hardware.efa_cards else "use plain interfaces, or a type with EFA"
        yield rule.finding(template.place, at="interfaces", got=got, remedy=remedy)
    elif len(efa) > hardware.max_efa and missing:
        # Where every card is known, more than fit are two on a card or one beyond the last: other rules' findings.
        got = f"{len(efa)} EFA interfaces; {hardware.instance} takes {hardware.max_efa}"
        yield rule.finding(template.place, at="interfaces", got=got, remedy=f"keep {hardware.max_efa} of them")
