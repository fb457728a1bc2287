"""`Fn::ForEach` of the transform `AWS::LanguageExtensions`: a loop that CloudFormation writes out before it reads the
template ("Fn::ForEach" in the template reference)."""

from collections.abc import Mapping
from typing import Any

from muster.cloudformation.budget import TooMany
from muster.cloudformation.template import Template
from muster.cloudformation.values import Named
from muster.plain_data import scalar_text

_LOOP = "Fn::ForEach::"
_ARGUMENTS = 3
_DEEPEST = 100


class Loops:
    """Writes out the loops of one template. Its budget pays for them."""

    def __init__(self, template: Template) -> None:
        self._template, self._budget = template, template.budget
        self.unknown: list[str] = []
        """The names of loops whose collection is not known."""

    def written_out(self, value: Any, depth: int = 0) -> Any:
        """A value with all loops in it written out.

        Raises:
            TooMany: the loops make more values than Muster reads.
        """
        if depth > _DEEPEST:
            raise TooMany("its loops are nested too deeply")
        if isinstance(value, list):
            return [self.written_out(each, depth + 1) for each in value]
        if not isinstance(value, Mapping):
            return value
        made: dict[Any, Any] = {}
        for key, each in value.items():
            if str(key).startswith(_LOOP):
                made |= self._loop(str(key), each, depth)
            else:
                made[key] = self.written_out(each, depth + 1)
        return made

    def _loop(self, name: str, arguments: Any, depth: int) -> dict[Any, Any]:
        if not isinstance(arguments, list) or len(arguments) != _ARGUMENTS:
            self.unknown.append(name.removeprefix(_LOOP))
            return {}
        variable, collection, fragment = arguments
        items = self._template.worked_out(collection)
        if not isinstance(variable, str) or not isinstance(items, list) or not all(map(_is_plain, items)):
            self.unknown.append(name.removeprefix(_LOOP))
            return {}
        made: dict[Any, Any] = {}
        for item in items:
            body = self._with(fragment, variable, scalar_text(item))
            found = self.written_out(body, depth + 1)
            made |= found if isinstance(found, Mapping) else {}
        return made

    def _with(self, value: Any, variable: str, item: str) -> Any:
        """A fragment with one item of the collection in place of the variable."""
        self._budget.spend()
        if isinstance(value, str):
            return self._filled(value, variable, item)
        if isinstance(value, list):
            return [self._with(each, variable, item) for each in value]
        if isinstance(value, Mapping):
            if value == {"Ref": variable}:
                return item
            return {
                self._filled(str(key), variable, item): self._with(each, variable, item) for key, each in value.items()
            }
        return value

    def _filled(self, text: str, variable: str, item: str) -> str:
        for marker in (f"${{{variable}}}", f"&{{{variable}}}"):
            self._budget.spend(len(marker) + len(text) + text.count(marker) * len(item))
            text = text.replace(marker, item)
        return text


def _is_plain(item: Any) -> bool:
    return isinstance(item, str | int | float) and not isinstance(item, Named)


def has_loops(value: Any) -> bool:
    """Whether a value has loops in it."""
    if isinstance(value, Mapping):
        return any(str(key).startswith(_LOOP) or has_loops(each) for key, each in value.items())
    return isinstance(value, list) and any(map(has_loops, value))
