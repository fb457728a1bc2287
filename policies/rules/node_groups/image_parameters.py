"""SSM parameters of images."""

import re
from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, NodeGroup
from muster.hardware.ami import AL2, AMI_TYPES, RESOLVED_BY_EC2, ami_type_of_parameter, image_parameter
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.account_facts import facts_observed
from policies.lookups.launch_templates import template_of
from policies.lookups.machines import kubernetes_of
from policies.lookups.versions import is_offered


@rule(
    "image-parameter-exists",
    title="There is an image for the group's Kubernetes version, accelerator and architecture",
    judges=NodeGroup,
    why="EC2 reads the parameter at each launch, and launches nothing where there is none: the Auto Scaling group "
    "tries for ever. EKS refuses a managed group of an image that it does not have.",
    source="EKS user guide, retrieve-ami-id; EC2 Auto Scaling user guide, Use Systems Manager parameters instead of "
    "AMI IDs",
    remedy="Name a release that there is.",
    facts=("hardware.md#R11",),
)
def image_parameter_exists(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    template, missing = template_of(group, fleet)
    version, _ = kubernetes_of(group, fleet)
    image = template.image if template else None
    if missing or image is UNKNOWN or group.ami_type is UNKNOWN:
        return  # image-fits-hardware reports unknown values
    path = image_parameter(image, group.ami_type, version, managed=group.managed)
    named = ami_type_of_parameter(path or "")
    # That version, or Amazon Linux 2 for it, is gone: other rules report it.
    gone = named is not None and (AMI_TYPES[named[0]].system == AL2 or not is_offered(named[1], fleet))
    if path is None or gone or fleet.facts is None:
        return
    known = fleet.facts.image_parameters
    if path not in known:
        if facts_observed(fleet):
            yield rule.unjudged(group.place, fleet.missing(f"whether there is an image parameter {path}"))
    elif known[path] is None:
        yield rule.finding(
            group.place,
            at="image",
            got=f"{fleet.region or 'the Region'} has no SSM parameter {path}",
            remedy=_remedy(path, fleet, managed=group.managed, version=named[1] if named else None),
        )


def _remedy(path: str, fleet: Fleet, *, managed: bool, version: str | None) -> str:
    if managed:
        return f"take another Kubernetes version than {version}, another image or an image of your own"
    if version is None:
        return "write the path of one that there is (`aws ssm describe-parameters` lists yours)"
    region = f" --region {fleet.region}" if fleet.region else ""
    above = path.rsplit("/", 2)[0]
    listing = f"`aws ssm get-parameters-by-path --recursive --path {above}{region}` lists those there are"
    return f"name the parameter of another release (image: {{custom: {{ssm: ...}}}}): {listing}"


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
