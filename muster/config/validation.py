"""Shape first: turns a document's values into a typed object, or into all of its faults at once.

Every fault says what was found and what to do, in the words of the document, not in pydantic's.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from muster.config.description.cross_field import cross_field_faults as faults_together
from muster.config.description.cross_field import sent_text_faults
from muster.config.document import WrittenNumber
from muster.config.identifiers import PLACEHOLDER
from muster.finding import SCHEMA, Finding, KeyPath, Level, dotted_path
from muster.fleet.facts import NULLS_ALLOWED
from muster.hardware.huge_pages import PAGE
from muster.hardware.zones import ZONE_NAME
from muster.message_text import closest_match, did_you_mean, show_value

M = TypeVar("M", bound=BaseModel)

FREE_FORM = frozenset({"values"})
"""Keys below which anything goes, null included: Helm values."""


def validate(model: type[M], data: Any) -> tuple[M | None, list[tuple[KeyPath, Finding]]]:
    """The typed object and no faults, or None and every fault with its path below `data`."""
    empty = list(_empty(data, ())) if model.model_config.get("json_schema_extra") != NULLS_ALLOWED else []
    together = list(faults_together(model, data))
    listed: list[Any] = []
    made: M | None = None
    try:
        made = model.model_validate(data)
    except ValidationError as faults:
        every = faults.errors(include_url=False)
        explained = {path for path, _, _ in together}
        listed = [fault for fault in every if not _follows(fault, every) and not _explained(fault, explained)]
    already = {*empty, *(_path(fault) for fault in listed), *(path for path, _, _ in together)}
    refused = [fault for fault in sent_text_faults(model, data) if fault[0] not in already]
    if made is not None and not empty and not together and not refused:
        return made, []
    schema = _schema(model)
    reported = {*empty, *(path for fault in listed for path in _meant(fault, schema))}
    found = [
        *((path, _nothing(path, schema)) for path in empty),
        *((_path(fault), _finding(fault, schema)) for fault in listed if _path(fault) not in reported),
        *((path, _fault(path, got, remedy)) for path, got, remedy in (*together, *refused) if path not in reported),
    ]
    return None, found


@cache
def _schema(model: type[BaseModel]) -> dict[str, Any]:
    """A model's JSON schema, which only the words of faults need. To make it costs more than to find the faults."""
    return model.model_json_schema()


def _fault(path: KeyPath, got: str, remedy: str, *, about_key: bool = False) -> Finding:
    return Finding(dotted_path(path), SCHEMA, Level.MANDATORY, got, remedy, about_key=about_key)


def _empty(value: Any, path: KeyPath) -> Iterator[KeyPath]:
    """An empty value is no value: `mpi-operator:` alone would otherwise silently mean "not installed"."""
    if value is None and path:
        yield path
    elif isinstance(value, dict):
        for key, below in value.items():
            if key not in FREE_FORM:
                yield from _empty(below, (*path, key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from _empty(below, (*path, index))


def _nothing(path: KeyPath, schema: dict[str, Any]) -> Finding:
    """The finding about an empty value. It suggests ``{}`` only where the schema accepts an empty block."""
    said_without = any(_takes_no_settings(each) for node in _nodes(schema, path) for each in _variants(node, schema))
    hint = " ({} for no settings)" if said_without else ""
    return _fault(path, f"'{path[-1]}' has no value", f"give it one{hint}, or remove the key", about_key=True)


def _takes_no_settings(schema: dict[str, Any]) -> bool:
    """Whether a schema is that of a block without required keys."""
    return schema.get("type") == "object" and not schema.get("required") and not schema.get("minProperties")


def _path(fault: Any) -> KeyPath:
    """The path of a fault; for a fault in a mapping's key, the path of that key."""
    path: KeyPath = tuple(fault["loc"])
    return path[:-1] if path and path[-1] == "[key]" else path


def _follows(fault: Any, faults: Sequence[Any]) -> bool:
    """Whether a list is "too short" only because of faults in its items, which are reported themselves."""
    path = fault["loc"]
    return fault["type"] == "too_short" and any(
        each["loc"][: len(path)] == path and each["loc"] != path for each in faults
    )


def _explained(fault: Any, paths: set[KeyPath]) -> bool:
    """Whether Muster's own checks report the fault with a better text: a key that belongs elsewhere, or a value that
    another model accepts."""
    return fault["type"] in ("extra_forbidden", "missing", "literal_error") and _path(fault) in paths


def _meant(fault: Any, schema: dict[str, Any]) -> Iterator[KeyPath]:
    """The path of the key for which a misspelt one is taken. It is not also reported as missing."""
    if fault["type"] == "extra_forbidden":
        path: KeyPath = tuple(fault["loc"])
        if close := closest_match(str(path[-1]), _known_keys(schema, path[:-1])):
            yield (*path[:-1], close)


def _finding(fault: Any, schema: dict[str, Any]) -> Finding:
    path = _path(fault)
    return _fault(path, *_words(fault, path, schema), about_key=fault["type"] == "extra_forbidden")


_PLAIN_TYPES = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "dict_type": "a map of names to values",
    "tuple_type": "a list",
    "list_type": "a list",
    "date_type": 'a date in quotes, as in "2026-12-31"',
    "date_from_datetime_parsing": 'a date in quotes, as in "2026-12-31"',
    "date_from_datetime_inexact": 'a date in quotes, as in "2026-12-31"',
    "datetime_type": 'a time in quotes, as in "2026-11-21T09:00:00Z"',
    "datetime_from_date_parsing": 'a time in quotes, as in "2026-11-21T09:00:00Z"',
    "datetime_parsing": 'a time in quotes, as in "2026-11-21T09:00:00Z"',
    "size_type": "a size, as in 300GiB",
}
_BOUNDS = {"greater_than_equal": "ge", "less_than_equal": "le"}


def _words(fault: Any, path: KeyPath, schema: dict[str, Any]) -> tuple[str, str]:
    """What was found and what to do, for one of pydantic's faults."""
    kind, found, context = fault["type"], fault["input"], fault.get("ctx", {})
    if kind == "extra_forbidden":
        known = _known_keys(schema, path[:-1])
        remedy = f"valid keys: {', '.join(sorted(known))}" if known else "remove it: no key belongs here"
        return f"unknown key '{path[-1]}'{did_you_mean(str(path[-1]), known)}", remedy
    if kind == "missing":
        return f"'{path[-1]}' is missing", f"add it, for example {_example(schema, path)}"
    if words := _words_of_place(fault, path, schema):
        return words
    if kind in ("value_error", "size", "choice"):
        text = str(context["error"]) if kind == "value_error" else fault["msg"]
        got, _, remedy = text.partition("; ")
        return got, remedy or "write another value"
    return _words_of_value(kind, found, context) or (f"{show_value(found)}: {fault['msg']}", "write another value")


def _words_of_place(fault: Any, path: KeyPath, schema: dict[str, Any]) -> tuple[str, str] | None:
    """Text and remedy of a fault that depend on the schema at the path, or that the fault has; None for all others."""
    kind, found, context = fault["type"], fault["input"], fault.get("ctx", {})
    if kind == "model_type":
        return (
            f"{show_value(found)} stands where a block of keys belongs",
            f"write a block of keys{_named(schema, path)}",
        )
    if _quoted(kind, found, path, schema):
        return f"'{found}' is text here", "leave the quotes out"
    if kind == "size" and path[-1:] == ("huge-pages",) and (amount := re.fullmatch(r"[0-9]{1,9}", str(found))):
        of_pages = f"{amount[0]} pages of {PAGE} are {int(amount[0]) * PAGE.mib}MiB"
        return f"{amount[0]} has no unit", f"write a size, as in 10256MiB ({of_pages})"
    return (context["got"], context["remedy"]) if kind == "choice" and "remedy" in context else None


def _words_of_value(kind: str, found: Any, context: dict[str, Any]) -> tuple[str, str] | None:
    """Text and remedy for a value of the wrong type, form or size; None for any other kind of fault."""
    words = None
    if kind in ("enum", "literal_error"):
        expected = str(context["expected"]).replace("'", "").replace(" or ", ", ").split(", ")
        near = did_you_mean(found, expected) if isinstance(found, str) else ""
        words = f"{show_value(found)} is not a valid value{near}", f"valid values: {', '.join(expected)}"
    elif kind in _PLAIN_TYPES:
        words = _words_of_type(kind, found)
    elif kind == "string_pattern_mismatch":
        words = f"'{found}' has not the form {context['pattern']}", "write it in that form"
    elif kind in _BOUNDS:
        bound = "at least" if kind.startswith("greater") else "at most"
        words = f"{found} is out of range", f"write {bound} {context[_BOUNDS[kind]]}"
    elif kind == "too_long":
        words = f"{len(found)} are listed here", f"give at most {context['max_length']}"
    elif kind == "too_short":
        words = "nothing is listed here", f"give at least {context['min_length']}"
    elif kind == "string_too_long":
        words = f"{show_value(found)} has {len(found)} letters", f"write at most {context['max_length']}"
    elif kind == "string_too_short":
        least = context["min_length"]
        words = f"'{found}' is too short", f"write at least {least} character{'s' if least > 1 else ''}"
    return words


def _words_of_type(kind: str, found: Any) -> tuple[str, str]:
    """Text and remedy for a value of the wrong type."""
    if kind == "string_type" and isinstance(found, bool):
        return f"{show_value(found)} is not text here", f'write it in quotes: "{show_value(found)}"'
    if kind == "string_type" and isinstance(found, int | float):
        written = found.text if isinstance(found, WrittenNumber) else found
        return f"{written} is a number here", f'write it in quotes: "{written}"'
    if kind.startswith("date_") and isinstance(found, str):
        return f"{show_value(found)} is no date", 'write one as in "2026-12-31"'
    belongs, _, _ = _PLAIN_TYPES[kind].partition(", ")
    return f"{show_value(found)} stands where {belongs} belongs", f"write {_PLAIN_TYPES[kind]}"


def _quoted(kind: str, found: Any, path: KeyPath, schema: dict[str, Any]) -> bool:
    """Whether quotes alone make a value wrong: ``"true"``, or ``"4"``, where the same without them is right."""
    if not isinstance(found, str):
        return False
    if kind == "bool_type":
        return found in ("true", "false")
    if not re.fullmatch(r"-?(0|[1-9][0-9]{0,17})", found):
        return False
    variants = [variant for node in _nodes(schema, path) for variant in _variants(node, schema)]
    if kind == "literal_error":
        return any(int(found) in variant.get("enum", ()) for variant in variants)
    return kind == "int_type" or (kind == "choice" and any(each.get("type") == "integer" for each in variants))


_IDS = re.compile(r"\^(vpc|subnet|sg|cr|cb|fs|ami)-\(")
_FORMS = {"^1\\.\\d{2}$": '"1.35"', f"^{ZONE_NAME.pattern}$": "us-west-2a"}
"""The pattern of a text -> a text of that form."""


def _example(schema: dict[str, Any], path: KeyPath) -> str:
    """A key with a value that the schema accepts, to paste: ``network: {existing: {vpc: vpc-..., ...}}``."""
    nodes = _nodes(schema, path)
    return f"{path[-1]}: {_sample(nodes[0], schema) if nodes else '...'}"


def _sample(node: dict[str, Any], root: dict[str, Any]) -> str:
    """A value in YAML's flow style; ``...`` for a text of which the schema does not give the form."""
    taken = [each for each in _variants(node, root) if each.get("type") != "null"]
    first = min(taken, key=lambda each: each.get("type") == "object")  # the simplest alternative
    kind, pattern = first.get("type"), str(first.get("pattern", ""))
    if kind == "object":
        return f"{{{', '.join(_sample_entries(first, root))}}}"
    if kind == "array":
        return f"[{_sample(first.get('items', {}), root)}]"
    named = _IDS.match(pattern)
    texts: tuple[str, ...] = (
        *map(str, first.get("examples", ())),
        *map(str, first.get("enum", ())),
        *((str(first["const"]),) if "const" in first else ()),
        *((str(max(int(first.get("minimum", 1)), 1)),) if kind == "integer" else ()),
        *((f"{named[1]}-{PLACEHOLDER}",) if named else ()),
        _FORMS.get(pattern, '"2026-12-31"' if first.get("format") == "date" else "..."),
    )
    return texts[0]


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


_KEYS_NAMED = 6


def _named(schema: dict[str, Any], path: KeyPath) -> str:
    """``: {id, ssm, family}``: some of the keys of a block, required ones first."""
    keys = _known_keys(schema, path)
    more = ["..."] if len(keys) > _KEYS_NAMED else []
    return f": {{{', '.join([*keys[:_KEYS_NAMED], *more])}}}" if keys else ""


def _known_keys(schema: dict[str, Any], path: KeyPath) -> list[str]:
    """The keys that the schema has at a path, required ones first."""
    variants = [variant for node in _nodes(schema, path) for variant in _variants(node, schema)]
    known = dict.fromkeys(key for variant in variants for key in variant.get("properties", {}))
    required = {key for variant in variants for key in variant.get("required", ())}
    return sorted(known, key=lambda key: key not in required)


def _nodes(schema: dict[str, Any], path: KeyPath) -> list[dict[str, Any]]:
    """The schema nodes at a path."""
    nodes = [schema]
    for step in path:
        nodes = [below for node in nodes for below in _below(_variants(node, schema), step)]
    return nodes


def _below(variants: list[dict[str, Any]], step: str | int) -> Iterator[dict[str, Any]]:
    for variant in variants:
        named = variant.get("items") if isinstance(step, int) else variant.get("properties", {}).get(step)
        patterns = variant.get("patternProperties", {}).values()
        yield from (node for node in (named, variant.get("additionalProperties"), *patterns) if isinstance(node, dict))


def _variants(node: dict[str, Any], root: dict[str, Any]) -> list[dict[str, Any]]:
    """A schema node with references followed and alternatives spread out."""
    if "$ref" in node:
        return _variants(root["$defs"][node["$ref"].rpartition("/")[2]], root)
    if "anyOf" in node:
        return [variant for choice in node["anyOf"] for variant in _variants(choice, root)]
    return [node]
