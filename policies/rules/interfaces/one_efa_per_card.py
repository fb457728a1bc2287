"""EFA interfaces against network cards."""

from collections import Counter
from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from policies.reading.templates import interfaces_of
from policies.rule import Rule, Verdict, rule
from policies.words import number


@rule(
    "one-efa-per-card",
    title="A network card carries one EFA interface at most",
    judges=LaunchTemplate,
    why="EC2 refuses the launch: a network card takes one efa or efa-only interface.",
    source="EKS user guide, Run machine learning training with EFA; Karpenter ec2nodeclass.go",
    remedy="Spread the EFA interfaces, one on each EFA-capable card.",
    facts=("rules.md#1", "hardware.md#R1", "pains.md#12"),
)
def one_efa_per_card(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "card", "type")
    if missing:
        yield rule.unjudged(template.place, missing)
    for card, count in sorted(Counter(nic.card for nic in nics if nic.is_efa is True).items()):
        if count > 1:
            yield rule.finding(
                template.place,
                at="interfaces",
                got=f"network card {card} carries {number(count, 'EFA interface')}",
                remedy=f"keep one on card {card} and give the others cards of their own",
            )
