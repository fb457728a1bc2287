"""Instance types in the group and in its template."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.targets import on_block
from policies.reading.templates import template_of
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "instance-type-stated-once",
    title="The instance type stands in the group or in its launch template, not in both",
    judges=NodeGroup,
    why="EKS refuses a group that says instanceTypes while its template says an instance type.",
    source="EKS API, CreateNodegroup",
    remedy="Say it in one place: in the template for reservations and Capacity Blocks.",
    facts=("rules.md#38",),
)
def instance_type_stated_once(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    template, missing = template_of(group, fleet)
    if not group.managed or group.instance_types == () or on_block(group, fleet):
        # An Auto Scaling group's own types stand before its template's.
        return  # a Capacity Block's group lists none at all: capacity-block-managed-group
    if missing:
        yield rule.unjudged(group.place, missing)
    elif template and template.instance is not None:
        if group.instance_types is UNKNOWN:
            yield rule.unjudged(group.place, "instanceTypes, not known before creation")
        else:
            yield rule.finding(
                group.place,
                got=f"instanceTypes {some(group.instance_types)} beside {some([template.instance])} in the template",
                remedy="remove instanceTypes from the group, or instanceType from the template",
            )
