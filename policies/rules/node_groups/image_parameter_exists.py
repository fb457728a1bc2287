"""Whether there is an image where a group looks for one."""

from collections.abc import Iterator

from muster.fleet.ami import AL2, AMI_TYPES, ami_type_of_parameter, parameter_of
from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.asked import was_asked
from policies.reading.kubernetes_versions import is_offered
from policies.reading.machines import kubernetes_of
from policies.reading.templates import template_of
from policies.rule import Rule, Verdict, rule


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
        return  # image-fits-hardware says what is not known
    path = parameter_of(image, group.ami_type, version, managed=group.managed)
    named = ami_type_of_parameter(path or "")
    # That version, or Amazon Linux 2 for it, is gone: other rules say so.
    gone = named is not None and (AMI_TYPES[named[0]].system == AL2 or not is_offered(named[1], fleet))
    if path is None or gone or fleet.facts is None:
        return
    known = fleet.facts.image_parameters
    if path not in known:
        if was_asked(fleet):
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
