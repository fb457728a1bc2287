"""Where a node group sets its instance types, and how many."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, NodeGroup
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.capacity_targets import on_block
from muster.policies.lookups.launch_templates import template_of
from muster.unknown import UNKNOWN


@rule(
    "instance-type-stated",
    title="A group or its launch template sets the instance type",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup,
    why="If neither does, EKS uses t3.medium without a warning, and an Auto Scaling group launches nothing.",
    source=("https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateNodegroup.html",),
    remedy="Set the instance type in the template.",
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
            got="neither the group nor its launch template sets an instance type",
            remedy="set instanceType in the launch template"
            + (": EKS would use t3.medium" if group.managed else ", or set types in the group's mixedInstancesPolicy"),
        )


@rule(
    "instance-type-stated-once",
    title="The group or its launch template sets the instance type, not both",
    judges=NodeGroup,
    why="EKS rejects a group that sets instanceTypes if its template also sets an instance type.",
    source=("https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateNodegroup.html",),
    remedy="Set it in one place: for reservations and Capacity Blocks, in the template.",
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
            yield rule.unjudged(group.place, "instanceTypes (known only after `pulumi up`)")
        else:
            yield rule.finding(
                group.place,
                got=f"the group sets instanceTypes to {and_list(group.instance_types)}, but the template also sets "
                f"instanceType to {and_list([template.instance])}",
                remedy="remove instanceTypes from the group, or instanceType from the template",
            )
