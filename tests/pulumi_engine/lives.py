"""What a provider does with one resource: check, diff, plan, create, update; pure functions over plain properties."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from muster.wire import SIGNATURE
from tests.pulumi_engine.cloud_control import CLOUD_CONTROL, attributes
from tests.pulumi_engine.cloudformation import STACK, are_to_come, outputs_of
from tests.pulumi_engine.facts import (
    KUBERNETES_REPLACES,
    NAMES,
    NESTED_COMPUTED,
    NEW_AT_EACH_UPDATE,
    REPLACES,
    REPLACES_WHEN_LOWERED,
    REPLACES_WHEN_REMOVED,
    REPLACES_WHEN_SET,
    SETS,
)
from tests.pulumi_engine.shapes import Shape, UnknownTypeError, allows_none, is_structure, roles_of, types_of
from tests.pulumi_engine.values import Maker
from tests.pulumi_engine.wire import UNKNOWN, Properties, has_unknown, plain

DEFAULTS = "__defaults"
"""Where bridged providers note, in the inputs, which of them they chose themselves."""

BRIDGED = "aws:"
"""The types whose outputs have their id, as pulumi-terraform-bridge returns it."""

_ABSENT = object()


@dataclass(frozen=True, slots=True)
class Settings:
    """How the provider instance is configured."""

    region: str
    default_tags: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Subject:
    """One resource, and the provider instance that it belongs to."""

    token: str
    urn: str
    settings: Settings

    def maker(self, identity: str = "") -> Maker:
        return Maker(self.token, self.urn, self.settings.region, identity)


@dataclass(frozen=True, slots=True)
class Change:
    """What differs between two sets of inputs: the top-level names, and those that force a replacement."""

    changed: frozenset[str]
    replacing: frozenset[str]
    delete_first: bool


def shape_or_none(token: str) -> Shape | None:
    """The shape, or None for a Kubernetes custom resource, of which there is no SDK class.

    Raises UnknownTypeError for any other unknown type.
    """
    try:
        return roles_of(token)
    except UnknownTypeError:
        if token.startswith("kubernetes:"):
            return None
        raise


def check(subject: Subject, old: Properties, new: Properties, seed: bytes) -> Properties:
    """The inputs with the provider's defaults: an automatic name, the provider's default tags."""
    token, urn, settings = subject.token, subject.urn, subject.settings
    shape = shape_or_none(token)
    checked = dict(new)
    if token.startswith("kubernetes:"):
        return _name_kubernetes(token, urn, old, checked, seed)
    if shape and settings.default_tags and "tags" in shape.inputs and _is_plain_object(checked.get("tags", {})):
        checked["tags"] = {**settings.default_tags, **checked.get("tags", {})}
    name = NAMES.get(token, "name")
    named = shape and (token in NAMES or name in shape.optional_computed)
    if named and name not in checked and f"{name}Prefix" not in checked:
        checked[name] = old.get(name) or automatic_name(urn, seed, 7)
        checked[DEFAULTS] = [name]
    return checked


def _name_kubernetes(token: str, urn: str, old: Properties, checked: Properties, seed: bytes) -> Properties:
    if name := NAMES.get(token):
        checked.setdefault(name, old.get(name) or automatic_name(urn, seed, 8))
        return checked
    metadata = checked.get("metadata", {})
    if _is_plain_object(metadata) and "name" not in metadata and "generateName" not in metadata:
        kept = old.get("metadata", {}).get("name") if isinstance(old.get("metadata"), dict) else None
        checked["metadata"] = {**metadata, "name": kept or automatic_name(urn, seed, 8)}
    return checked


def automatic_name(urn: str, seed: bytes, digits: int) -> str:
    """`<logical name>-<hexadecimal digits>`, as the engine's seed decides."""
    return f"{urn.rsplit('::', 1)[-1]}-{hashlib.sha256(seed or urn.encode()).hexdigest()[:digits]}"


def diff(token: str, old: Properties, new: Properties) -> Change:
    """What differs between the inputs of last time and now; sets are compared as sets, an unknown differs from all."""
    old, new = plain(old), plain(new)
    before, after = ordered(token, _visible(old)), ordered(token, _visible(new))
    changed = {
        name for name in before.keys() | after.keys() if differs(before.get(name, _ABSENT), after.get(name, _ABSENT))
    }
    paths = REPLACES.get(token, KUBERNETES_REPLACES if token.startswith("kubernetes:") else ())
    replacing = {path.split(".")[0] for path in paths if differs(_at(before, path), _at(after, path))}
    replacing |= {
        path.split(".")[0]
        for path in REPLACES_WHEN_LOWERED.get(token, ())
        if is_lowered(_at(before, path), _at(after, path))
    }
    replacing |= {
        path.split(".")[0]
        for path in REPLACES_WHEN_REMOVED.get(token, ())
        if _at(before, path) is not _ABSENT and _at(after, path) is _ABSENT
    }
    replacing |= {
        path.split(".")[0]
        for path in REPLACES_WHEN_SET.get(token, ())
        if _ABSENT not in (_at(before, path), _at(after, path)) and differs(_at(before, path), _at(after, path))
    }
    name = NAMES.get(token, "name")
    keeps_given_name = name in new and name not in new.get(DEFAULTS, ()) and old.get(name) == new.get(name)
    return Change(frozenset(changed), frozenset(replacing), bool(replacing) and keeps_given_name)


def differs(before: Any, after: Any) -> bool:
    """True if the values differ or cannot be compared yet."""
    return before is not after and (has_unknown(before) or has_unknown(after) or before != after)


def is_lowered(before: Any, after: Any) -> bool:
    """True if a number, or a version as text, goes down or may do so; what was left out decides nothing."""
    if _ABSENT in (before, after) or not differs(before, after):
        return False
    if has_unknown(before) or has_unknown(after):
        return True
    low, high = ([int(part) for part in str(value).split(".")] for value in (after, before))
    return low < high


def create(subject: Subject, inputs: Properties, *, salt: str, preview: bool) -> tuple[str, Properties]:
    """The id and outputs of a new resource; in a preview the id is empty and what is computed is unknown."""
    if not preview and has_unknown(inputs):
        raise ValueError(f"{subject.urn} is made with unknown inputs: {inputs}")
    identity = "" if preview else subject.maker().id(plain(inputs), salt)
    maker = subject.maker(identity)
    outputs = _given(subject, inputs)
    for name, hint in _to_compute(subject, outputs, inputs).items():
        outputs[name] = UNKNOWN if preview else maker.value(name, hint)
    if subject.token.startswith(BRIDGED):
        outputs["id"] = UNKNOWN if preview else identity
    if subject.token == STACK and not preview:
        outputs["outputs"] = outputs_of(plain(inputs), salt)
    if subject.token == CLOUD_CONTROL and not preview:
        outputs["outputs"] = attributes(identity)
    return identity, _complete(subject, outputs, maker, preview=preview)


def update(subject: Subject, identity: str, old: Properties, new: Properties, *, preview: bool) -> Properties:
    """The outputs after an update in place: what was computed stays, but for what every update renews."""
    maker = subject.maker(identity)
    outputs = _given(subject, new)
    for name, hint in _to_compute(subject, outputs, new).items():
        outputs[name] = old[name] if name in old else maker.value(name, hint)
    for name in NEW_AT_EACH_UPDATE.get(subject.token, ()):
        outputs[name] = UNKNOWN if preview else int(old.get(name, 0)) + 1
    if subject.token.startswith(BRIDGED):
        outputs["id"] = identity
    if subject.token == STACK and are_to_come(old, new):
        outputs["outputs"] = UNKNOWN if preview else outputs_of(plain(new), "updated")
    return _complete(subject, outputs, maker, preview=preview, old=old)


def read(subject: Subject, identity: str) -> tuple[Properties, Properties]:
    """(inputs, outputs) of a resource that lives outside the stack: every property that its type always has."""
    shape, maker = shape_or_none(subject.token), subject.maker(identity)
    if shape is None:
        return {}, {}
    outputs = {name: maker.value(name, hint) for name, hint in shape.outputs.items() if name not in shape.optional}
    if "name" in outputs:
        outputs["name"] = identity
    if subject.token.startswith(BRIDGED):
        outputs["id"] = identity
    return {name: outputs[name] for name, required in shape.inputs.items() if required and name in outputs}, outputs


def ordered(token: str, properties: Properties) -> Properties:
    """The properties with every set in one order, to be compared."""
    return _each_set(token, properties, lambda items: sorted(items, key=_as_text))


def reordered(token: str, properties: Properties) -> Properties:
    """The properties with every set in another order than it was given in, as AWS reads them back."""
    return _each_set(
        token,
        properties,
        lambda items: sorted(items, key=_as_text) if sorted(items, key=_as_text) != items else items[::-1],
    )


def _each_set(token: str, properties: Properties, change: Any) -> Properties:
    for path in SETS.get(token, ()):
        properties = _changed_at(properties, path.split("."), change)
    return properties


def _changed_at(value: Any, path: list[str], change: Any) -> Any:
    if not path:
        return change(value) if isinstance(value, list) else value
    head, rest = path[0], path[1:]
    if head == "*":
        return [_changed_at(item, rest, change) for item in value] if isinstance(value, list) else value
    if not isinstance(value, dict) or head not in value:
        return value
    return {**value, head: _changed_at(value[head], rest, change)}


def _given(subject: Subject, inputs: Properties) -> Properties:
    token = subject.token
    shape = shape_or_none(token)
    outputs = (
        _visible(inputs)
        if shape is None
        else {name: value for name, value in _visible(inputs).items() if name in shape.outputs}
    )
    if token.startswith("aws:") and shape:
        if "tagsAll" in shape.outputs:
            outputs["tagsAll"] = inputs.get("tags", {})
        if "region" in shape.outputs:
            outputs.setdefault("region", subject.settings.region)
    return outputs


def _to_compute(subject: Subject, given: Properties, inputs: Properties) -> dict[str, Any]:
    shape = shape_or_none(subject.token)
    if shape is None:
        return {}
    return {
        name: shape.outputs[name]
        for name in sorted(shape.computed | shape.optional_computed)
        if name not in given and name not in inputs
    }


def _complete(
    subject: Subject, outputs: Properties, maker: Maker, *, preview: bool, old: Properties | None = None
) -> Properties:
    """Adds what is computed inside given objects, and puts sets in the cloud's order."""
    token = subject.token
    shape = shape_or_none(token)
    if shape is None:
        return outputs
    result = dict(outputs)
    for name, hint in shape.outputs.items():
        value = outputs.get(name)
        if not is_structure(hint) or not isinstance(value, dict) or SIGNATURE in value or name in shape.computed:
            continue
        inner_of_old = (old or {}).get(name)
        extra = NESTED_COMPUTED.get(token, {}).get(name, ())
        added: Properties = {}
        for key, inner in types_of(hint).items():
            if key in value or (allows_none(inner) and key not in extra):
                continue
            if isinstance(inner_of_old, dict) and key in inner_of_old:
                added[key] = inner_of_old[key]
            else:
                added[key] = UNKNOWN if preview else maker.value(key, inner)
        result[name] = {**value, **added}
    return reordered(token, result)


def _is_plain_object(value: Any) -> bool:
    return isinstance(value, dict) and SIGNATURE not in value


def _visible(properties: Properties) -> Properties:
    return {name: value for name, value in properties.items() if not name.startswith("__")}


def _at(value: Any, path: str) -> Any:
    for step in path.split("."):
        value = value.get(step, _ABSENT) if isinstance(value, dict) else value if value == UNKNOWN else _ABSENT
    return value


def _as_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
