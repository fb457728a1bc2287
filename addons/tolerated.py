"""Tolerations of a Deployment whose manifest names none for the cluster it is put on. Pure."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from addons.values import at


def with_tolerations(deployment: Mapping[str, Any], more: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """A copy whose pods tolerate this, too.

    Args:
        deployment: the manifest.
        more: tolerations, as a pod's spec has them.
    """
    copy: dict[str, Any] = deepcopy(dict(deployment))
    pod, added = at(copy, "spec", "template", "spec"), [dict(each) for each in more]
    if isinstance(pod, dict) and added:
        own = pod.get("tolerations") or []
        pod["tolerations"] = [*own, *(each for each in added if each not in own)]
    return copy
