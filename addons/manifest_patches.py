"""Applies the two forms of patches that Muster writes for kustomize, as kustomize applies them. Pure.

A chart folder has manifests, and the rendered base of an overlay (`kubectl kustomize BASE`); Muster's patches are
applied to them here, as kustomize does where the overlay is installed, and to Deployments of manifests that Pulumi
installs. Compared with kustomize 5.5 (in kubectl 1.32). Patches are written as
JSON, which is also YAML: `muster check` loads no YAML library for them.
"""

import json
import re
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

Json = dict[str, Any]

POD = "/spec/template/spec"
"""The path of a Deployment's pods."""

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
    """A patch that sets values of objects, by JSON pointer to a key of a map. The name is a pattern."""
    operations = [{"op": "add", "path": path, "value": value} for path, value in values.items()]
    return {"target": {"kind": kind, "name": name}, "patch": json.dumps(operations)}


def patched(objects: Iterable[Mapping[str, Any]], patches: Iterable[Mapping[str, Any]]) -> tuple[Json, ...]:
    """The objects with the patches applied in order.

    Raises:
        ValueError: a patch finds no object, which kustomize also refuses.
    """
    made = [dict(each) for each in objects]
    for patch in patches:
        target = _target(patch)
        if not any(_is(each, target) for each in made):
            what = "change" if "target" in patch else "remove"
            raise ValueError(f"there is no {target['kind']} {target['name']} to {what}")
        if "target" in patch:
            made = [changed(each, [patch]) for each in made]
        else:
            made = [each for each in made if not _is(each, target)]
    return tuple(made)


def changed(thing: Mapping[str, Any], patches: Iterable[Mapping[str, Any]]) -> Json:
    """A copy of an object with the values that the patches set in it."""
    made = deepcopy(dict(thing))
    for patch in patches:
        for operation in json.loads(patch["patch"]) if _is(made, _target(patch)) else ():
            _add(made, operation["path"], operation["value"])
    return made


def _target(patch: Mapping[str, Any]) -> Mapping[str, str]:
    if "target" in patch:
        target: Mapping[str, str] = patch["target"]
        return target
    what = json.loads(patch["patch"])
    return {"kind": what["kind"], "name": what["metadata"]["name"]}


def _is(thing: Mapping[str, Any], target: Mapping[str, str]) -> bool:
    """Whether a patch is for an object: the name of its target is a pattern."""
    named = re.fullmatch(target["name"], thing["metadata"]["name"])  # pattern: of a patch in this package
    return thing["kind"] == target["kind"] and named is not None


def _add(thing: Json, pointer: str, value: Any) -> None:
    *above, last = pointer.removeprefix("/").split("/")
    here: Any = thing
    for key in above:
        here = here[int(key)] if isinstance(here, list) else here[key]  # number: of a patch in this package
    here[last] = value
