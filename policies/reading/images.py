"""Which of EKS's images a group boots from."""

from dataclasses import dataclass

from muster.fleet.ami import AMI_TYPES, RESOLVED_BY_EC2, Kind, ami_type_of_parameter
from muster.fleet.near_miss import did_you_mean
from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.templates import template_of

_CUSTOM = "CUSTOM"


@dataclass(frozen=True, slots=True)
class Image:
    """An image of EKS's."""

    name: str
    """As the program names it: ``amiType AL2_x86_64``."""
    kind: Kind
    kubernetes: str | None = None
    """The version it was made for, where its name says one."""


def image_of(group: NodeGroup, fleet: Fleet) -> tuple[Image | None, str]:
    """A group's image, and what is missing to know it. None and nothing missing for an image of one's own."""
    template, missing = template_of(group, fleet)
    own = template is not None and template.image is not None
    if group.managed and group.ami_type not in (None, _CUSTOM) and not (own and group.ami_type is UNKNOWN):
        return _of_type(group)
    if template is None or template.image is None:
        unsaid = "the image: the group says no amiType, and EKS chooses"
        return None, missing or (unsaid if group.managed and group.ami_type is None else "")
    if not isinstance(template.image, str) or not template.image.startswith(RESOLVED_BY_EC2):
        return None, ""
    found = ami_type_of_parameter(template.image)
    return (Image(f"image {template.image}", AMI_TYPES[found[0]], found[1]) if found else None), ""


def _of_type(group: NodeGroup) -> tuple[Image | None, str]:
    if group.ami_type is UNKNOWN:
        return None, "amiType, not known before creation"
    said = str(group.ami_type)
    if said not in AMI_TYPES:
        return None, f"what image amiType {said} is{did_you_mean(said, AMI_TYPES)}"
    return Image(f"amiType {said}", AMI_TYPES[said]), ""
