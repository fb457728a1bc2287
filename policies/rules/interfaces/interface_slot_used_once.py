"""Interfaces that want the same place."""

from collections import defaultdict
from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from policies.reading.templates import interfaces_of
from policies.rule import Rule, Verdict, rule
from policies.words import number


@rule(
    "interface-slot-used-once",
    title="No two interfaces share a card and device index",
    judges=LaunchTemplate,
    why="EC2 refuses a launch in which two interfaces have the same network card and device index.",
    source="EC2 API, InstanceNetworkInterfaceSpecification",
    remedy="Give every interface its own card and device index.",
    facts=("rules.md#2", "hardware.md#R2"),
)
def interface_slot_used_once(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "card", "device")
    if missing:
        yield rule.unjudged(template.place, missing)
    slots = defaultdict(list)
    for nic in nics:
        slots[nic.label].append(nic)
    for label, sharing in slots.items():
        # Several EFA interfaces on one card are one-efa-per-card's finding, on whatever device.
        if len(sharing) > 1 and not all(nic.is_efa is True for nic in sharing):
            yield rule.finding(
                template.place,
                at="interfaces",
                got=f"{number(len(sharing), 'interface')} are at {label}",
                remedy=f"keep one at {label} and give the others the next free device index",
            )
