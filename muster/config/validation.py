"""Shape first: turns a document's values into a typed object, or into all of its faults at once.

Every fault says what was found and what to do, in the words of the document, not in pydantic's.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from muster.addresses import LACKING
from muster.config.description.base import StrictModel
from muster.config.description.cross_field import cross_field_faults as faults_together
from muster.config.description.cross_field import sent_text_faults
from muster.config.document import WrittenNumber
from muster.config.placeholders import PLACEHOLDER
from muster.config.schema_keys import (
    key_of_another_backend,
    known_keys,
    place_of_key,
    schema_nodes,
    schema_of,
    variants_of,
)
from muster.finding import SCHEMA, Finding, KeyPath, Level, dotted_path
from muster.hardware.zones import ZONE_NAME
from muster.message_text import closest_match, count_noun, did_you_mean, is_misspelled, show_value
from muster.plain_data import NULLS_ALLOWED, parts_of
from muster.secret_texts import without_credentials
from muster.whole_number import whole_number

M = TypeVar("M", bound=BaseModel)

FREE_FORM = frozenset({"values"})
"""Keys below which anything goes, null included: Helm values."""


def validate(
    model: type[M], data: Any, context: Mapping[str, Any] | None = None
) -> tuple[M | None, list[tuple[KeyPath, Finding]]]:
    """The typed object and no faults, or None and every fault with its path below `data`; with pydantic's context."""
    empty = list(_empty(data, ())) if model.model_config.get("json_schema_extra") != NULLS_ALLOWED else []
    together = list(faults_together(model, data))
    listed: list[Any] = []
    made: M | None = None
    try:
        made = model.model_validate(data, context=context)
    except ValidationError as faults:
        every = faults.errors(include_url=False)
        listed = [fault for fault in every if not _follows(fault, every) and not _explained(fault, together)]
    already = {*empty, *(_path(fault) for fault in listed), *(path for path, _, _ in together)}
    refused = [fault for fault in sent_text_faults(model, data) if fault[0] not in already]
    if made is not None and not empty and not together and not refused:
        return made, []
    reported = {*empty, *(path for fault in listed for path in _meant(fault, model))}
    found = [
        *((path, _nothing(path, model)) for path in empty),
        *((_path(fault), _finding(fault, model, data)) for fault in listed if _path(fault) not in reported),
        *((path, _fault(path, got, remedy)) for path, got, remedy in (*together, *refused) if path not in reported),
    ]
    return None, found


def _fault(path: KeyPath, got: str, remedy: str, *, about_key: bool = False) -> Finding:
    got, remedy = without_credentials([got, remedy])
    return Finding(dotted_path(path), SCHEMA, Level.MANDATORY, got, remedy, about_key=about_key)


def _empty(value: Any, path: KeyPath) -> Iterator[KeyPath]:
    """An empty value is no value: `mpi-operator:` alone would otherwise silently mean "not installed"."""
    if value is None and path:
        yield path
    for step, below in parts_of(value):
        if step not in FREE_FORM:
            yield from _empty(below, (*path, step))


def _nothing(path: KeyPath, model: type[BaseModel]) -> Finding:
    """The finding about an empty value."""
    schema = schema_of(model)
    around = (each for node in schema_nodes(schema, path[:-1]) for each in variants_of(node, schema))
    required = any(path[-1] in each.get("required", ()) for each in around)
    remedy = f"write {_example(schema, path)}{'' if required else ', or remove the key'}"
    return _fault(path, f"'{path[-1]}' has no value", remedy, about_key=True)


def _path(fault: Any) -> KeyPath:
    """The path of a fault: of a mapping's key for a fault in it, and of the key `at` that a block's validator names."""
    path: KeyPath = tuple(fault["loc"])
    at = fault.get("ctx", {}).get("at")
    return path[:-1] if path[-1:] == ("[key]",) else (*path, at) if at else path


def _follows(fault: Any, faults: Sequence[Any]) -> bool:
    """Whether a list is "too short" only because of faults in its items, which are reported themselves."""
    path = fault["loc"]
    return fault["type"] == "too_short" and any(
        each["loc"][: len(path)] == path and each["loc"] != path for each in faults
    )


def _explained(fault: Any, together: Sequence[tuple[KeyPath, str, str]]) -> bool:
    """Whether Muster's own checks report the fault with a better text: a key that belongs elsewhere, or a value that
    another model accepts."""
    path = _path(fault)
    return fault["type"] in ("extra_forbidden", "missing", "literal_error") and any(
        path == each for each, _, _ in together
    )


def _meant(fault: Any, model: type[BaseModel]) -> Iterator[KeyPath]:
    """The path of the key for which a misspelt one, or one of another backend, is taken. It is not also reported as
    missing."""
    if fault["type"] == "extra_forbidden":
        path, schema = _path(fault), schema_of(model)
        foreign = key_of_another_backend(model, path)
        if foreign and foreign[2]:
            yield foreign[2]
        elif not foreign and (close := closest_match(str(path[-1]), known_keys(schema, path[:-1]))):
            yield (*path[:-1], close)


def _finding(fault: Any, model: type[BaseModel], data: Any) -> Finding:
    path, schema = _path(fault), schema_of(model)
    if fault["type"] == "extra_forbidden":
        return _fault(path, *_words_of_key(model, data, path), about_key=True)
    if fault["type"] == "model_type":
        return _fault(path, *_words_of_block(fault["input"], path, schema))
    return _fault(path, *_words(fault, path, schema), about_key=fault["loc"][-1:] == ("[key]",))


def _words_of_key(model: type[BaseModel], data: Any, path: KeyPath) -> tuple[str, str]:
    """What is wrong with an unknown key, and what to do: correct it, move it, or choose a valid one."""
    if foreign := key_of_another_backend(model, path):
        return foreign[:2]
    schema, key = schema_of(model), str(path[-1])
    known = known_keys(schema, path[:-1])
    no_addon = path[:-1] == ("addons",) and not is_misspelled(key, known)
    near = "" if no_addon else did_you_mean(key, known)
    place = None if near else place_of_key(schema, data, path)
    if place is not None:
        return f"unknown key '{key}' here", f"move it to {dotted_path(place) or 'the cluster'}, or remove it"
    if no_addon:
        chart = f"{key}: {{repository: ..., chart: {key}, version: ..., namespace: ...}}"
        return f"Muster has no add-on '{key}'", f"install its chart, as in charts: {{{chart}}}, see {LACKING}"
    remedy = f"valid keys: {', '.join(sorted(known))}" if known else "remove it: no key belongs here"
    other = f"; for what no key does, see {LACKING}" if issubclass(model, StrictModel) else ""
    return f"unknown key '{key}'{near}", remedy + other


_PLAIN_TYPES = {
    "string": "text",
    "int": "a whole number",
    "bool": "true or false",
    "dict": "a map of names to values, as in {NAME: VALUE}",
    "tuple": "a list",
    "list": "a list",
    "date": 'a date, in quotes, as in "2026-12-31"',
    "datetime": 'a time, in quotes, as in "2026-11-21T09:00:00Z"',
    "size": "a size, as in 300GiB",
}
"""What pydantic's kinds of faults begin with (``date_from_datetime_parsing``) -> what belongs there."""
_LIMITS = {
    "greater_than_equal": ("{shown} is out of range", "write at least {ge}"),
    "less_than_equal": ("{shown} is out of range", "write at most {le}"),
    "too_long": ("{key} has {size}", "keep at most {max_length}"),
    "too_short": ("{key} has {size}", "write at least {min_length}"),
    "string_too_long": ("{shown} has {size}", "write at most {max_length}"),
    "string_too_short": ("{shown} has {size}", "write at least {min_length}"),
    "string_pattern_mismatch": ("{shown} has not the form {pattern}", "write it in that form"),
}
"""What is wrong with a value beyond a limit, and what to do, in terms of pydantic's context."""


_PARTS = (("entry", "entries"), ("character",))
"""What a list or a map has, and what a text has."""


def _words(fault: Any, path: KeyPath, schema: dict[str, Any]) -> tuple[str, str]:
    """What was found and what to do, for one of pydantic's faults."""
    kind, found, context = fault["type"], fault["input"], fault.get("ctx", {})
    if kind == "missing":
        return f"'{path[-1]}' is missing", f"add it, for example {_example(schema, path)}"
    if isinstance(found, str) and re.fullmatch(_READ_AS_PLAIN, found) and _is_accepted(found, path, schema):
        return f"'{found}' is text here", "leave the quotes out"
    if kind == "choice" and "remedy" in context:
        return context["got"], context["remedy"]
    if kind == "size" and re.fullmatch(r"[0-9]{1,9}", str(found)):
        return f"{found} has no unit", f"write the unit, as in {found}MiB or {found}GiB"
    if kind in ("value_error", "size", "choice"):
        got, _, remedy = str(context.get("error", fault["msg"])).partition("; ")
        return got, remedy or "write another value"
    return _words_of_value(fault, path, schema)


def _words_of_value(fault: Any, path: KeyPath, schema: dict[str, Any]) -> tuple[str, str]:
    """What was found and what to do, for a value of the wrong type, or beyond a limit."""
    kind, found, context = fault["type"], fault["input"], fault.get("ctx", {})
    if kind in ("enum", "literal_error"):
        expected = str(context["expected"]).replace("'", "").replace(" or ", ", ").split(", ")
        near = did_you_mean(found, expected) if isinstance(found, str) else ""
        return f"{show_value(found)} is not a valid value{near}", f"valid values: {', '.join(expected)}"
    if kind not in _LIMITS and (plain := _PLAIN_TYPES.get(kind.partition("_")[0])):
        return _words_of_type(plain, found, _example(schema, path))
    got, remedy = _LIMITS.get(kind, ("{shown}: {msg}", "write another value"))
    of = {
        "shown": show_value(found),
        "msg": fault["msg"],
        "key": f"'{path[-1]}'" if path else "it",
        "size": count_noun(len(found), *_PARTS[isinstance(found, str)]) if hasattr(found, "__len__") else "",
        **context,
    }
    return got.format_map(of), remedy.format_map(of)


def _words_of_block(found: Any, path: KeyPath, schema: dict[str, Any]) -> tuple[str, str]:
    """Text and remedy for a value that stands where a block of keys belongs."""
    keys = known_keys(schema, path)
    key = closest_match(found, keys) if isinstance(found, str) else None
    near = f"; did you mean '{key}'?" if key and key != found else ""
    got = f"{show_value(found)} stands where a block of keys belongs{near}"
    example = _example(schema, (*path, key) if key else path) if path else "a block of keys"
    if keys and not key and (isinstance(found, str) or example.endswith("{}")):
        return got, f"valid keys: {', '.join(keys)}"
    return got, f"write {example}"


def _words_of_type(expected: str, found: Any, example: str) -> tuple[str, str]:
    """Text and remedy for a value of the wrong type: where the value in another form is right, that form; of a
    list or a text, the key with a value of which the schema gives the form."""
    got = f"{show_value(found)} stands where {expected.partition(', ')[0]} belongs"
    if expected == "text" and isinstance(found, bool | int | float):
        written = found.text if isinstance(found, WrittenNumber) else show_value(found)
        what = "not text" if isinstance(found, bool) else "a number"
        return f"{written} is {what} here", f'write it in quotes: "{written}"'
    if expected == "a list" and isinstance(found, str) and any(each in example for each in (found, "...", PLACEHOLDER)):
        return got, f"write [{found}]"
    told = expected in ("a list", "text") and "..." not in example
    return got, f"write {example if told else expected}"


_READ_AS_PLAIN = r"true|false|-?(0|[1-9][0-9]{0,17})"
"""Text in quotes that may be right without them."""


def _is_accepted(written: str, path: KeyPath, schema: dict[str, Any]) -> bool:
    """Whether the schema accepts a number or a switch at a path."""
    number = whole_number(written)
    value, kind = (written == "true", "boolean") if number is None else (number, "integer")
    for each in (variant for node in schema_nodes(schema, path) for variant in variants_of(node, schema)):
        listed = each.get("enum", [each["const"]] if "const" in each else [])
        within = each.get("minimum", value) <= value <= each.get("maximum", value)
        if any(value is one or (number is not None and value == one) for one in listed):
            return True
        if each.get("type") == kind and within and not listed:
            return True
    return False


_IDS = re.compile(r"\^(vpc|subnet|sg|cr|cb|fs|ami)-\(")
_FORMS = {"^1\\.\\d{2}$": '"1.35"', f"^{ZONE_NAME.pattern}$": "us-west-2a"}
"""The pattern of a text -> a text of that form."""


def _example(schema: dict[str, Any], path: KeyPath) -> str:
    """A key with a value that the schema accepts, to paste: ``network: {existing: {vpc: vpc-..., ...}}``."""
    nodes = schema_nodes(schema, path)
    value = _sample(nodes[0], schema) if nodes else "..."
    return f"{path[-1]}: {value}" if isinstance(path[-1], str) else value


def _sample(node: dict[str, Any], root: dict[str, Any]) -> str:
    """A value in YAML's flow style; ``...`` for a text of which the schema does not give the form."""
    taken = [each for each in variants_of(node, root) if each.get("type") != "null"]
    first = min(taken, key=lambda each: each.get("type") == "object")  # the simplest alternative
    kind, pattern = first.get("type"), str(first.get("pattern", ""))
    if kind == "object":
        return f"{{{', '.join(_sample_entries(first, root))}}}"
    if kind == "array":
        items = variants_of(first.get("items", {}), root)
        listed = [str(value) for each in items for value in each.get("enum", ())]
        return f"[{', '.join(listed) or _sample(first.get('items', {}), root)}]"
    named = _IDS.match(pattern)
    texts: tuple[str, ...] = (
        *map(str, first.get("examples", ())),
        *map(str, first.get("enum", ())),
        *((str(first["const"]),) if "const" in first else ()),
        *((str(whole_number(first.get("minimum"), 1) or 1),) if kind == "integer" else ()),
        *((f"{named[1]}-{PLACEHOLDER}",) if named else ()),
        _FORMS.get(pattern, '"2026-12-31"' if first.get("format") == "date" else "..."),
    )
    return f'"{texts[0]}"' if kind == "string" and re.fullmatch(_READ_AS_NUMBER, texts[0]) else texts[0]


_READ_AS_NUMBER = r"[0-9][0-9.]*"


def _sample_entries(block: dict[str, Any], root: dict[str, Any]) -> Iterator[str]:
    """The required entries of a block; one entry where it needs one at least."""
    properties = block.get("properties", {})
    required = block.get("required", ())
    if not required and block.get("minProperties") and properties:
        required = list(properties)[:1]
    for key in required:
        yield f"{key}: {_sample(properties[key], root)}"
    for pattern, below in block.get("patternProperties", {}).items() if block.get("minProperties") else ():
        yield f"{_FORMS.get(pattern, 'workers')}: {_sample(below, root)}"
