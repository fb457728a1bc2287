"""Evaluates the expressions of Pulumi programs in YAML.

The language is that of pulumi-yaml 1.38 (https://www.pulumi.com/docs/iac/languages-sdks/yaml/yaml-language-reference/).
Values that a preview does not know are `UNKNOWN`, and so are the values that depend on them. A program that grows
without limit (variables of variables, files in files) is refused: the size of its values is counted.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from muster.finding import KeyPath
from muster.foreign.project import CannotBeRead
from muster.foreign.yaml_functions import BY_LOWER_NAME, FUNCTIONS, InvokeCall, invoke
from muster.foreign.yaml_syntax import (
    PREFIX,
    InvalidReference,
    ProgramText,
    Reference,
    function_of,
    is_short_invoke,
    split_text,
    suggest_or,
)
from muster.foreign.yaml_values import NamedValue, RegisteredResource, plain_number, size_and_depth, type_noun
from muster.unknown import UNKNOWN

_MOST = 200_000
"""The largest size of a program: the number of its values, plus one for each 32 characters of a text. A cluster has
some hundreds."""
_DEEPEST = 60
"""The most levels of nested values, with references replaced by their values."""


def references(
    source: ProgramText, value: Any, path: KeyPath, faults: list[CannotBeRead]
) -> Iterator[tuple[str, KeyPath]]:
    """The names that a value refers to, with their places. Invalid references and unknown functions are faults."""
    if isinstance(value, str):
        try:
            yield from ((each.root, path) for each in split_text(value) if isinstance(each, Reference))
        except InvalidReference as fault:
            faults.append(source.fault(path, str(fault), "write ${name.property}; for a dollar sign, write $$"))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from references(source, each, (*path, at), faults)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if key.lower().startswith(PREFIX):
                faults += _wrong_function(source, key, value, path)
            else:
                yield from references(source, key, (*path, key), faults)
            yield from references(source, each, (*path, key), faults)


def _wrong_function(source: ProgramText, key: str, block: Mapping[str, Any], path: KeyPath) -> Iterator[CannotBeRead]:
    if len(block) > 1:
        yield source.fault(
            (*path, key),
            f"'{key}' has other keys beside it",
            "write the function as the only key of its block",
            key=True,
        )
    elif key.lower() not in BY_LOWER_NAME and not is_short_invoke(key):
        known = sorted(FUNCTIONS)
        remedy = suggest_or(key, known, f"use one of {', '.join(known)}")
        yield source.fault((*path, key), f"function '{key}' does not exist", remedy, key=True)


class Evaluator:
    """Evaluates the expressions of one program, names in the order of their dependencies."""

    def __init__(
        self,
        source: ProgramText,
        root: Path,
        folder: Path,
        call_provider: Callable[[InvokeCall], Any],
        stack_outputs: Callable[[str], Any],
    ) -> None:
        """
        Args:
            source: the program.
            root: the project's folder; no file outside it is read.
            folder: the program's folder; file names are relative to it.
            call_provider: calls a function of a provider.
            stack_outputs: returns the outputs of another stack.
        """
        self.names: dict[str, NamedValue] = {}
        self.source, self.root, self.folder = source, root, folder
        self.call_provider, self.stack_outputs = call_provider, stack_outputs
        self.uses: set[str] = set()
        """The URNs of the resources that the current value depends on."""
        self.is_open = False
        """Whether part of the current value comes from a provider."""
        self._made = 0

    def evaluate(self, value: Any, path: KeyPath) -> NamedValue:
        """A value of the document, evaluated."""
        self.uses, self.is_open = set(), False
        found = self.value(value, path)
        _, depth = size_and_depth(found)
        if depth > _DEEPEST:
            got = f"is nested too deeply: more than {_DEEPEST} levels of blocks"
            raise self.source.fault(path, got, "nest it less deeply")
        return NamedValue(found, frozenset(self.uses), self.is_open)

    def value(self, value: Any, path: KeyPath) -> Any:
        """A part of it, evaluated."""
        self.charge(1, path)
        if isinstance(value, str):
            return self._text(value, path)
        if isinstance(value, list):
            return [self.value(each, (*path, at)) for at, each in enumerate(value)]
        if isinstance(value, Mapping):
            key = function_of(value)
            return self._block(value, path) if key is None else self._function(key, value[key], (*path, key))
        return value

    def charge(self, weight: int, path: KeyPath) -> None:
        """Counts the size of the program's values, and refuses more than `_MOST`."""
        self._made += weight
        if self._made > _MOST:
            got = f"up to here, the program has more than {_MOST} values and pieces of text"
            raise self.source.fault(path, got, "refer to large values in fewer places")

    def _block(self, block: Mapping[str, Any], path: KeyPath) -> Any:
        made: dict[str, Any] = {}
        unknown = False
        for key, each in block.items():
            name = self._text(key, (*path, key)) if "$" in key else key
            if name is UNKNOWN:
                unknown = True
            elif isinstance(name, str):
                made[name] = self.value(each, (*path, key))
            else:
                raise self.source.fault((*path, key), f"this key is {type_noun(name)}", "refer to a string", key=True)
        return UNKNOWN if unknown else made

    def _text(self, text: str, path: KeyPath) -> Any:
        self.charge(len(text) // 32, path)
        if "$" not in text:
            return text
        found = list(split_text(text))
        if len(found) == 1 and isinstance(found[0], Reference):
            return self._followed(found[0], path)
        parts = [each if isinstance(each, str) else self._as_text(each, path) for each in found]
        return UNKNOWN if any(each is UNKNOWN for each in parts) else "".join(parts)

    def _as_text(self, reference: Reference, path: KeyPath) -> Any:
        """A value as a part of a text."""
        value = self._followed(reference, path)
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, int | float):
            return str(plain_number(value))
        if isinstance(value, str) or value is UNKNOWN:
            return value
        remedy = (
            "refer to one of its properties, such as .id"
            if isinstance(value, RegisteredResource)
            else "refer to a string"
        )
        got = f"'{reference.root}' is used inside a string, and it is {type_noun(value)}"
        raise self.source.fault(path, got, remedy)

    def _followed(self, reference: Reference, path: KeyPath) -> Any:
        named = self.names[reference.root]
        self.uses |= named.uses
        self.is_open |= named.open
        value, is_open = named.value, named.open
        for step in reference.steps:
            is_open = is_open or isinstance(value, RegisteredResource)
            value = self._step(value, step, reference, path, is_open=is_open)
            if value is UNKNOWN:
                break
        self.is_open |= is_open
        self.charge(size_and_depth(value)[0], path)
        return value

    def _step(self, value: Any, step: str | int, reference: Reference, path: KeyPath, *, is_open: bool) -> Any:
        """One property or element; unknown if the answer of a provider does not contain it."""
        otherwise = UNKNOWN if is_open else None
        if isinstance(value, RegisteredResource):
            if step in ("id", "urn"):
                return value.id if step == "id" else value.urn
            value = value.outputs
        if isinstance(value, Mapping) and isinstance(step, str):
            found = value.get(step)
            return otherwise if found is None else found
        if isinstance(value, list) and isinstance(step, int) and step < len(value):
            return value[step]
        if is_open or value is UNKNOWN:
            return UNKNOWN
        has = (
            f"has {len(value)} element{'' if len(value) == 1 else 's'}"
            if isinstance(value, list) and isinstance(step, int)
            else f"is {type_noun(value)}"
        )
        wanted = f"element {step}" if isinstance(step, int) else f"'{step}'"
        got = f"'{reference.root}' {has}, so {wanted} does not exist"
        raise self.source.fault(path, got, "refer to something that exists")

    def _function(self, key: str, argument: Any, path: KeyPath) -> Any:
        known = BY_LOWER_NAME.get(key.lower())
        if known is None:
            named = {
                "function": key[len(PREFIX) :],
                **({"arguments": argument} if isinstance(argument, Mapping) else {}),
            }
            return invoke(self, named, path, inline=True)
        made = known(self, argument, path)
        self.charge(size_and_depth(made)[0], path)
        return made
