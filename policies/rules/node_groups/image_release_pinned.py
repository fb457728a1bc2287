"""The image of nodes that join by themselves."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from muster.versions import IMAGE_RELEASES
from policies.reading.machines import kubernetes_of
from policies.reading.templates import is_described, template_of
from policies.rule import Rule, Verdict, rule
from policies.words import some


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
            f"take one of {some(IMAGE_RELEASES)}, or add a release to muster/versions.py",
        )
