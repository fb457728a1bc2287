"""Addresses on interfaces that carry no IP."""

from collections.abc import Iterator

from muster.fleet.interfaces import InterfaceType
from muster.fleet.resources import Fleet, LaunchTemplate
from policies.reading.templates import interfaces_of
from policies.rule import Rule, Verdict, rule
from policies.words import agree, some


@rule(
    "efa-only-without-address",
    title="An efa-only interface asks for no IP address or prefix",
    judges=LaunchTemplate,
    why="An efa-only interface carries no IP: EC2 refuses addresses, address counts and prefixes on it.",
    source="EC2 user guide, EFA interfaces for accelerated instance types",
    remedy="Drop the addresses, or make the interface 'efa'.",
    facts=("rules.md#4",),
)
def efa_only_without_address(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "type")
    if missing:
        yield rule.unjudged(template.place, missing)
    asking = [nic.label for nic in nics if nic.type == InterfaceType.EFA_ONLY and nic.addresses]
    if asking:
        yield rule.finding(
            template.place,
            at="interfaces",
            got=f"the efa-only {agree(asking, 'interface', 'interfaces')} at {some(asking)} "
            f"{agree(asking, 'asks', 'ask')} for IP addresses",
            remedy=f"remove the addresses and prefixes at {some(asking)}, or make the type 'efa'",
        )
