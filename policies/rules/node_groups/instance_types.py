"""Where a node group names its instance types, and how many."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, NodeGroup
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.capacity_targets import on_block
from policies.lookups.launch_templates import template_of


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
        return  # a Capacity Block's template must have the type: capacity-block-template
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
        # An Auto Scaling group's own types override its template's.
        return  # a Capacity Block's group lists none at all: capacity-block-managed-group
    if missing:
        yield rule.unjudged(group.place, missing)
    elif template and template.instance is not None:
        if group.instance_types is UNKNOWN:
            yield rule.unjudged(group.place, "instanceTypes, not known before creation")
        else:
            yield rule.finding(
                group.place,
                got=f"instanceTypes {and_list(group.instance_types)} beside {and_list([template.instance])} in the "
                "template",
                remedy="remove instanceTypes from the group, or instanceType from the template",
            )


_MOST = 20


@rule(
    "instance-types-at-most-twenty",
    title="A group lists 20 instance types at most",
    severity=Severity.LOW,
    judges=NodeGroup,
    why="EKS refuses a longer list.",
    source="EKS API, CreateNodegroup",
    remedy="List 20 at most.",
    facts=("rules.md#38",),
)
def instance_types_at_most_twenty(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not group.managed:
        return  # EC2 Auto Scaling has limits of its own
    if group.instance_types is UNKNOWN:
        yield rule.unjudged(group.place, "instanceTypes, not known before creation")
    elif len(group.instance_types) > _MOST:
        beyond = len(group.instance_types) - _MOST
        yield rule.finding(group.place, f"{len(group.instance_types)} instance types", f"remove {beyond} of them")
