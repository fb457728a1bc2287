"""The primary interface, wherever a template lists interfaces."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from policies.reading.templates import interfaces_of
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "primary-interface-present",
    title="A template that lists interfaces lists the primary one, card 0 / device 0",
    judges=LaunchTemplate,
    why="EC2 refuses an instance without an interface at card 0 / device 0.",
    source="EC2 user guide, Network cards; EKS user guide, Run machine learning training with EFA",
    remedy="Add an interface at card 0 / device 0.",
    facts=("rules.md#2", "hardware.md#R2"),
)
def primary_interface_present(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "card", "device")
    if any((nic.card, nic.device) == (0, 0) for nic in nics):
        return
    if missing:
        yield rule.unjudged(template.place, missing)
    elif nics:
        first = some(nic.label for nic in nics[:3])
        yield rule.finding(
            template.place,
            at="interfaces",
            got=f"no interface is at card 0 / device 0 (the first are at {first})",
            remedy="add one of type 'interface' at card 0 / device 0",
        )
