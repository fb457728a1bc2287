"""The Kubernetes version and the operating system of a group's image, compared with its cluster and its user data."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resources import ControlPlane, Fleet, NodeGroup
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.machines import image_of
from muster.policies.lookups.versions import kubernetes_numbers, version_tuple
from muster.unknown import NotKnown, if_known

_OLDER = 3
"""How many minor versions a kubelet may be older than the API server."""


def kubelet_within_version_skew(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    planes = fleet.of(ControlPlane)
    if len(planes) != 1:
        return
    image = if_known(lambda: image_of(group, fleet))  # image-fits-group reports what is missing
    named = image.kubernetes if image and image.kubernetes else group.version
    if named is None:
        return
    own, control_plane, version = version_tuple(named), kubernetes_numbers(planes[0]), planes[0].kubernetes
    if own is None:
        raise NotKnown(f"the Kubernetes version '{named}', which is not a number")
    (major, minor), (its_major, its_minor) = _minor(own), _minor(control_plane)
    if (major, minor) > (its_major, its_minor):
        fault, after = "newer than", ["upgrade the control plane first"]
    elif major == its_major and its_minor - minor > _OLDER:
        fault, after = "more than three minor versions older than", []
    else:
        return
    of_image = image is not None and image.kubernetes is not None
    what = f"{image.name} is for Kubernetes {named}" if image and of_image else f"the group's version is {named}"
    got = f"{what}, which is {fault} the control plane's {version}"
    change = f"use an image for {version}" if of_image else set_to(version)
    yield rule.finding(group, "image" if of_image else "version", got=got, change=(change, *after))


def _minor(version: tuple[int, ...]) -> tuple[int, int]:
    return version[0], version[1] if len(version) > 1 else 0
