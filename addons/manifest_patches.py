"""Applies the two forms of patches that Muster writes for kustomize, as kustomize applies them. Pure.

A chart folder has the rendered base of an overlay (`kubectl kustomize BASE`); Muster's patches are applied to it here,
as kustomize does where the overlay is installed. Compared with kustomize 5.5 (in kubectl 1.32). Patches are written as
JSON, which is also YAML: `muster check` loads no YAML library for them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from muster.addons.values import at

Json = dict[str, Any]

_DELETE = "delete"


def deleted(kind: str, name: str, version: str) -> Json:
    """A patch that deletes an object.

    Args:
        kind: of the object.
        name: of the object.
        version: its ``apiVersion``.
    """
    patch = {"$patch": _DELETE, "apiVersion": version, "kind": kind, "metadata": {"name": name}}
    return {"patch": json.dumps(patch)}


def added(kind: str, name: str, values: Mapping[str, Any]) -> Json:
    """A patch that sets values of an object, by JSON pointer to a key of a map."""
    operations = [{"op": "add", "path": path, "value": value} for path, value in values.items()]
    return {"target": {"kind": kind, "name": name}, "patch": json.dumps(operations)}


def patched(objects: Iterable[Mapping[str, Any]], patches: Iterable[Mapping[str, Any]]) -> tuple[Json, ...]:
    """The objects with the patches applied in order.

    Raises:
        ValueError: a patch finds no object, which kustomize also refuses.
    """
    made = [deepcopy(dict(each)) for each in objects]
    for patch in patches:
        what = json.loads(patch["patch"])
        if isinstance(what, list):
            _change(list(_named(made, patch["target"]["kind"], patch["target"]["name"])), what, patch["target"])
        else:
            gone = list(_named(made, what["kind"], what["metadata"]["name"]))
            if not gone:
                raise ValueError(f"there is no {what['kind']} {what['metadata']['name']} to remove")
            made = [each for each in made if each not in gone]
    return tuple(made)


def _named(objects: Iterable[Json], kind: str, name: str) -> Iterator[Json]:
    return (each for each in objects if (each["kind"], each["metadata"]["name"]) == (kind, name))


def _change(found: list[Json], operations: Iterable[Mapping[str, Any]], target: Mapping[str, str]) -> None:
    if not found:
        raise ValueError(f"there is no {target['kind']} {target['name']} to change")
    for each in found:
        for operation in operations:
            _add(each, operation["path"], operation["value"])


def _add(thing: Json, pointer: str, value: Any) -> None:
    *above, last = pointer.removeprefix("/").split("/")
    here: Any = thing
    for key in above:
        here = here[int(key)] if isinstance(here, list) else here[key]  # number: of a patch in this package
    here[last] = value


def with_image(deployment: Mapping[str, Any], images: Mapping[str, str]) -> dict[str, Any]:
    """A copy with the image of that name, if there is one.

    Args:
        deployment: the manifest; its first container is the operator.
        images: Deployment -> image.
    """
    copy: dict[str, Any] = deepcopy(dict(deployment))
    if image := images.get(copy.get("metadata", {}).get("name", "")):
        for container in (at(copy, "spec", "template", "spec", "containers") or [])[:1]:
            container["image"] = image
    return copy


def with_tolerations(deployment: Mapping[str, Any], more: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """A copy whose pods also have these tolerations.

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
