"""Compares `muster/extras/against/replacing_inputs.csv` with the providers' own schemas, where these are available.

    pulumi package get-schema aws@7.51.1 > aws.json
    pulumi package get-schema kubernetes@4.34.2 > kubernetes.json
    python -m tools.replacing_inputs aws.json kubernetes.json

For every type of the table that the schemas have, it prints what a schema marks (`replaceOnChanges`,
`willReplaceOnChanges`) and the table lacks, and the reverse. The native provider's SDK also has its marks: a test
compares them.

A schema does not mark inputs of which only some changes replace the resource (`lowered`, `removed`). Those rows
depend on their source. Rows are written by hand, each with its source.
"""

import inspect
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from muster.extras.against.resource_changes import ReplacesWhen, known_types, replacing_inputs

_MARKS = ("replaceOnChanges", "willReplaceOnChanges")
_ANY_VALUE = (ReplacesWhen.CHANGED, ReplacesWhen.SET)
_DEEPEST = 3
"""The depth to which nested inputs are followed, because some types contain themselves."""


def differences(schema: Mapping[str, Any]) -> Iterator[str]:
    """One line for each input on which the table and a Pulumi schema disagree."""
    for token in sorted(known_types() & schema.get("resources", {}).keys()):
        marked = set(marked_inputs(schema, token))
        known = {each.input for each in replacing_inputs(token) if each.when in _ANY_VALUE}
        partly = {each.input for each in replacing_inputs(token)} - known
        yield from (
            f"{token}: the schema replaces for {path}, the table does not" for path in _less(marked - partly, known)
        )
        yield from (f"{token}: the table replaces for {path}, the schema does not" for path in _less(known, marked))
        yield from (f"{token}: the schema replaces for any change of {path}" for path in sorted(partly & marked))


def _less(these: set[str], those: set[str]) -> list[str]:
    """The paths of `these` that no path of `those` covers: the path of an object covers all paths in it."""
    return sorted(path for path in these if not any(path == each or path.startswith(f"{each}.") for each in those))


def marked_inputs(schema: Mapping[str, Any], token: str) -> Iterator[str]:
    """The inputs that a Pulumi schema marks, dotted."""
    yield from _marked(schema, schema["resources"][token].get("inputProperties", {}), "", _DEEPEST)


def _marked(schema: Mapping[str, Any], properties: Mapping[str, Any], at: str, depth: int) -> Iterator[str]:
    for name, about in properties.items():
        path = f"{at}.{name}" if at else name
        if any(about.get(mark) for mark in _MARKS):
            yield path
        elif depth and (nested := _nested(schema, about)):
            yield from _marked(schema, nested, path, depth - 1)


def _nested(schema: Mapping[str, Any], about: Mapping[str, Any]) -> Mapping[str, Any]:
    """The properties of a property that is an object. Empty for others: lists have no paths in the table."""
    reference = str(about.get("$ref", ""))
    found: Mapping[str, Any] = schema.get("types", {}).get(reference.removeprefix("#/types/"), {})
    properties: Mapping[str, Any] = found.get("properties", {})
    return properties


def of_native(resource: type) -> frozenset[str]:
    """The inputs that replace a resource of the native provider, as the class in the provider's SDK lists them."""
    found = re.search(r"replace_on_changes=\[([^\]]*)\]", inspect.getsource(resource))
    return frozenset(re.findall(r'"([^"]+)"', found[1] if found else ""))


def main(files: list[str]) -> int:
    """Prints every difference. Exit code 1: there is one."""
    found = [line for file in files for line in differences(json.loads(Path(file).read_text(encoding="utf-8")))]
    sys.stdout.write("".join(f"{line}\n" for line in found))  # noqa: TID251
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
