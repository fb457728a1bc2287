"""The image of a Deployment, set by the Deployment's name. Pure."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from addons.values import at


def with_image(deployment: Mapping[str, Any], images: Mapping[str, str]) -> dict[str, Any] | None:
    """A copy with the image that is meant for it; None where none is.

    Args:
        deployment: the manifest; its first container is the operator.
        images: Deployment -> image.
    """
    image = images.get(deployment.get("metadata", {}).get("name", ""))
    if image is None:
        return None
    copy: dict[str, Any] = deepcopy(dict(deployment))
    for container in (at(copy, "spec", "template", "spec", "containers") or [])[:1]:
        container["image"] = image
    return copy
