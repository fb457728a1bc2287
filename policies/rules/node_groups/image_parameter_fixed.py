"""Image parameters that move."""

import re
from collections.abc import Iterator

from muster.fleet.ami import RESOLVED_BY_EC2
from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, NodeGroup
from policies.reading.templates import template_of
from policies.rule import Rule, Severity, Verdict, rule

_MOVES = re.compile(r"/(recommended|latest)(/[a-z_]+)?$")
"""What a version of the parameter (`:3`) or a label follows does not move."""


@rule(
    "image-parameter-fixed",
    title="The image's SSM parameter is one that does not move",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup,
    why="EC2 reads the parameter at each launch: behind `recommended` and `latest` the image changes by itself, and a "
    "node that is replaced runs another driver than those beside it.",
    source="EC2 Auto Scaling user guide, Use Systems Manager parameters instead of AMI IDs",
    remedy="Name the parameter of one release.",
    facts=("hardware.md#c2",),
)
def image_parameter_fixed(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    template, missing = template_of(group, fleet)
    if group.managed:
        return  # image-parameter-not-managed refuses every parameter there
    if missing:
        yield rule.unjudged(group.place, missing)
    image = template.image if template and isinstance(template.image, str) else ""
    if image.startswith(RESOLVED_BY_EC2) and _MOVES.search(image):
        path = image.removeprefix(RESOLVED_BY_EC2)
        yield rule.finding(
            group.place,
            at="image",
            got=f"the image is whatever {path} says at a launch",
            remedy="name the parameter of one release, or the image's id "
            f"(`aws ssm get-parameter --name {path} --query Parameter.Value --output text`)",
        )
