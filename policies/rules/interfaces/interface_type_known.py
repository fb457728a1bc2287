"""The word that says what an interface is."""

from collections.abc import Iterator

from muster.fleet.interfaces import InterfaceType
from muster.fleet.near_miss import did_you_mean
from muster.fleet.resources import Fleet, LaunchTemplate
from policies.reading.templates import interfaces_of
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "interface-type-known",
    title="An interface is of type interface, efa or efa-only",
    judges=LaunchTemplate,
    why="EC2 refuses any other word; the provider passes it on unread, so it fails after other resources exist.",
    source="EC2 API, LaunchTemplateInstanceNetworkInterfaceSpecificationRequest.InterfaceType",
    remedy="Write interface, efa or efa-only.",
    facts=("rules.md#4",),
)
def interface_type_known(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "type")
    if missing:
        yield rule.unjudged(template.place, missing)
    known = [kind.value for kind in InterfaceType]
    for word in sorted({str(nic.type) for nic in nics} - set(known)):
        where = some(nic.label for nic in nics if nic.type == word)
        yield rule.finding(
            template.place,
            at="interfaces",
            got=f"the interface type at {where} is '{word}'{did_you_mean(word, known)}",
            remedy="write one of interface, efa and efa-only there",
        )
