"""The image of a launch template."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.launch_templates import template_of
from muster.unknown import UNKNOWN

_CUSTOM = "CUSTOM"


@rule(
    "custom-image-alone",
    title="A launch template sets an image, or the group sets amiType and versions, not both",
    judges=NodeGroup,
    why="EKS rejects amiType, version and releaseVersion if the template sets an image, and CUSTOM if it sets none.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateNodegroup.html",
        "https://docs.aws.amazon.com/eks/latest/userguide/launch-templates.html",
    ),
    remedy="With an image in the template, remove version and releaseVersion, and remove amiType or set it to CUSTOM.",
    facts=("rules.md#38",),
)
def custom_image_alone(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    template, missing = template_of(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
        return
    if template is None or template.image is None:
        if group.ami_type == _CUSTOM:
            got = f"amiType is {_CUSTOM}, but the launch template sets no image"
            yield rule.finding(group.place, got, "set imageId in the template, or set another amiType")
        return
    beside = [
        name
        for name, value in (("version", group.version), ("releaseVersion", group.release_version))
        if value is not None
    ]
    if group.ami_type is UNKNOWN:
        yield rule.unjudged(group.place, "amiType (known only after `pulumi up`)")
    elif group.ami_type not in (None, _CUSTOM):
        beside.append(f"amiType {group.ami_type}")
    if beside:
        image = "an image" if template.image is UNKNOWN else f"image {template.image}"
        yield rule.finding(
            group.place,
            got=f"the group sets {and_list(beside)}, but the launch template sets {image}",
            remedy=f"remove {and_list(beside)}, or remove imageId from the template",
        )


@rule(
    "image-release-pinned",
    title="The launch template of a self-managed group sets an image",
    judges=NodeGroup,
    why="EKS chooses images only for managed groups. An Auto Scaling group whose template sets no image launches "
    "nothing.",
    source=("https://docs.aws.amazon.com/autoscaling/ec2/userguide/launch-templates.html",),
    remedy="Set an image.",
    facts=("hardware.md#R11",),
)
def image_release_pinned(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.managed:
        return
    template, missing = template_of(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
    elif template is not None and template.of_auto_mode:
        return  # EKS chooses the image
    elif template is None or template.image is None:
        yield rule.finding(group.place, "the launch template sets no image", "set imageId in the launch template")
