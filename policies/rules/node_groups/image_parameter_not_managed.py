"""Image parameters in the templates of managed groups."""

from collections.abc import Iterator

from muster.fleet.ami import RESOLVED_BY_EC2
from muster.fleet.resources import Fleet, NodeGroup
from policies.reading.templates import template_of
from policies.rule import Rule, Verdict, rule


@rule(
    "image-parameter-not-managed",
    title="A managed group's template names its image by id, not by an SSM parameter",
    judges=NodeGroup,
    why="EKS looks the parameter up with a role that may not read it (Client.SsmAccessDenied), and the group fails.",
    source="containers-roadmap#1951; terraform-provider-aws#39069",
    remedy="Look the parameter up and name the id, or make the group self-managed.",
    facts=("hardware.md#c2",),
)
def image_parameter_not_managed(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not group.managed:
        return
    template, missing = template_of(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
    image = template.image if template and isinstance(template.image, str) else ""
    if image.startswith(RESOLVED_BY_EC2):
        path = image.removeprefix(RESOLVED_BY_EC2)
        yield rule.finding(
            group.place,
            at="image",
            got=f"EKS cannot read the image's parameter {path}",
            remedy=f"name the id that `aws ssm get-parameter --name {path} --query Parameter.Value --output text` "
            "prints, or make the group self-managed",
        )
