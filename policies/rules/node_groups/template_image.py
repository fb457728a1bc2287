"""The image of a launch template."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from muster.unknown import UNKNOWN
from muster.versions import IMAGE_RELEASES
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.launch_templates import is_described, template_of
from policies.lookups.machines import kubernetes_of

_CUSTOM = "CUSTOM"


@rule(
    "custom-image-alone",
    title="A template with an image of its own, or an amiType and versions in the group: not both",
    judges=NodeGroup,
    why="EKS refuses amiType, version and releaseVersion beside a template's own image, and CUSTOM without one.",
    source="EKS API, CreateNodegroup; EKS user guide, Customize managed nodes with launch templates",
    remedy="With an image of your own, leave amiType (or say CUSTOM), version and releaseVersion out.",
    facts=("rules.md#38",),
)
def custom_image_alone(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    template, missing = template_of(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
        return
    if template is None or template.image is None:
        if group.ami_type == _CUSTOM:
            got = f"amiType {_CUSTOM}, and no image in the launch template"
            yield rule.finding(
                group.place, got, "name the image in the template (imageId), or the amiType it should have"
            )
        return
    beside = [
        name
        for name, value in (("version", group.version), ("releaseVersion", group.release_version))
        if value is not None
    ]
    if group.ami_type is UNKNOWN:
        yield rule.unjudged(group.place, "amiType, not known before creation")
    elif group.ami_type not in (None, _CUSTOM):
        beside.append(f"amiType {group.ami_type}")
    if beside:
        image = "an image of its own" if template.image is UNKNOWN else f"image {template.image}"
        yield rule.finding(
            group.place,
            got=f"{and_list(beside)} beside {image} in the launch template",
            remedy=f"remove {and_list(beside)}, or imageId from the template",
        )


@rule(
    "image-release-pinned",
    title="The template of a self-managed group names an image",
    judges=NodeGroup,
    why="EKS chooses images for managed groups only; an Auto Scaling group whose template names none launches nothing. "
    "Muster names the release it pins for the Kubernetes version.",
    source="EC2 Auto Scaling user guide, launch templates; muster/versions.py",
    remedy="Name an image, or pin a release in muster/versions.py.",
    facts=("hardware.md#R11",),
)
def image_release_pinned(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.managed:
        return
    template, missing = template_of(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
    elif template is None or template.image is None:
        if not is_described(group.place):
            yield rule.finding(group.place, "no image in the launch template", "name one there (imageId)")
            return
        yield rule.finding(
            group.place,
            at="image",
            got=f"no image is pinned for Kubernetes {kubernetes_of(group, fleet)[0]}",
            remedy="name one (image: {custom: {id: ami-...}}), "
            f"take one of {and_list(IMAGE_RELEASES)}, or add a release to muster/versions.py",
        )
