"""EFA interfaces that the instance has and the template leaves out."""

from collections.abc import Iterator

from muster.fleet.description.group_core import Purpose
from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, LaunchTemplate
from policies.reading.templates import hardware_missing, interfaces_of
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "efa-used-fully",
    title="A training node uses every EFA interface its type has",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=LaunchTemplate,
    why="Each missing interface is bandwidth that is paid for and not used; EFA cannot be added to a running instance.",
    source="EC2 user guide, EFA interfaces for accelerated instance types",
    remedy="Use as many EFA interfaces as the type takes.",
    facts=("rules.md#5", "rules.md#11", "hardware.md#R5"),
)
def efa_used_fully(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    training = any(group.purpose is Purpose.TRAINING for group in fleet.groups_of(template))
    _, missing = interfaces_of(template, "type")
    used = len(template.efa_interfaces)
    if not (training or used or missing):
        return
    hardware = fleet.hardware_of(template)
    if hardware is None or missing:
        yield rule.unjudged(template.place, missing or hardware_missing(template, fleet))
    elif used < hardware.max_efa:
        yield rule.finding(
            template.place,
            at="interfaces",
            got=f"{used} of the {hardware.max_efa} EFA interfaces of {hardware.instance}",
            remedy="leave `interfaces` out, or say aws or classic"
            if not used
            else "add the others, one on each EFA-capable card",
        )
