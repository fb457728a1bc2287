"""Groups that leave their instance type to EKS."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, NodeGroup
from policies.reading.targets import on_block
from policies.reading.templates import template_of
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "instance-type-stated",
    title="A group or its launch template says the instance type",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup,
    why="Where neither does, EKS takes t3.medium without a word, and an Auto Scaling group launches nothing.",
    source="EKS API, CreateNodegroup",
    remedy="Say the instance type in the template.",
    facts=("rules.md#38",),
)
def instance_type_stated(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    template, missing = template_of(group, fleet)
    if group.instance_types != () or on_block(group, fleet):
        return  # a Capacity Block's template must say it: capacity-block-template
    if missing:
        yield rule.unjudged(group.place, missing)
    elif template is None or template.instance is None:
        yield rule.finding(
            group.place,
            at="instance",
            got="neither the group nor its launch template says an instance type",
            remedy="say it in the launch template"
            + ("; EKS would take t3.medium" if group.managed else ", or in the group's mixedInstancesPolicy"),
        )
