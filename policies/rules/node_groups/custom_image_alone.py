"""A custom image against what EKS chooses images by."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.templates import template_of
from policies.rule import Rule, Verdict, rule
from policies.words import some

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
            got=f"{some(beside)} beside {image} in the launch template",
            remedy=f"remove {some(beside)}, or imageId from the template",
        )
