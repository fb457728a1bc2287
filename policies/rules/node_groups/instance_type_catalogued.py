"""Instance types that the catalogue does not have."""

import re
from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ComputeResource, Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import AnyGroup
from muster.hardware.catalogue import instance_types
from muster.hardware.hyperpod_types import ML
from muster.hardware.type_names import nearest_type
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.launch_templates import template_of

_ACCELERATED = re.compile(r"(p|g|gr|trn|inf|dl)\d")
"""EC2's families of GPUs, Trainium and the like. For other families, rules about training report what
they miss."""


@rule(
    "instance-type-catalogued",
    title="An accelerated instance type is one whose hardware Muster has looked up",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup | InstanceGroup | ComputeResource,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Interfaces, addresses, huge pages and what pods may ask for are judged by the type's row of the catalogue. "
    "Without one these rules judge nothing, and a type that does not exist looks no different.",
    source="EC2 DescribeInstanceTypes; Muster's own catalogue of hardware",
    remedy="Check the name, or add the type's row to the catalogue.",
    facts=("hardware.md#R25",),
)
def instance_type_catalogued(group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    named, missing = _types(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
    prefix = ML if isinstance(group, InstanceGroup) else ""
    known = set(instance_types())
    for each in sorted({each.removeprefix(ML) for each in named} - known):
        if _ACCELERATED.match(each):
            near = nearest_type(each, known)
            meant = f"; did you mean '{prefix}{near}'?" if near else ""
            yield rule.finding(
                group.place,
                at="instance",
                got=f"{prefix}{each} is not catalogued{meant}",
                remedy="check the name (`muster hardware` lists the types), or add its row to the catalogue",
            )


def _types(group: AnyGroup, fleet: Fleet) -> tuple[tuple[str, ...], str]:
    """A group's instance types, and what is unknown. AWS knows those of a reservation."""
    if group.instance_types is UNKNOWN:
        return (), "the instance types, not known before creation"
    if group.instance_types or not isinstance(group, NodeGroup):
        return group.instance_types, ""
    template, missing = template_of(group, fleet)
    if template is not None and template.instance is UNKNOWN:
        return (), "the instance type, not known before creation"
    return (str(template.instance),) if template and template.instance else (), missing
