"""Reads YAML as Kubernetes' tools write it: the C parser's YAML 1.1, with its size, depth and aliases bounded."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import yaml

from muster import user_files
from muster.finding import KeyPath
from muster.message_text import truncate
from muster.object_cache import cached_by_identity
from muster.whole_number import whole_number

_MOST_VALUES = 100_000
"""Keys and values of one text, aliases written out: a second to read."""
_TOO_DEEP = f"is nested too deeply: more than {user_files.DEEPEST} blocks in each other"
_NESTING_OF_LIBYAML = "exceeded maximum nesting depth"
"""Since PyYAML 6.0.4, its parser refuses flow collections at a depth of its own, before an event is made."""


class NotYaml(ValueError):
    """A text that is not read as YAML: why, what to do, and where, counted from 1; 0 where the place is not known."""

    def __init__(self, problem: str, mark: Any = None, remedy: str = "fix the syntax there") -> None:
        self.problem, self.remedy = problem, remedy
        self.line: int = mark.line + 1 if mark else 0
        self.column: int = mark.column + 1 if mark else 0
        super().__init__(problem)


def load_all(text: str, *, template: bool = False) -> list[Any]:
    """The values of all documents of a text.

    Args:
        text: the text.
        template: whether to read CloudFormation's short forms (``!Ref Name`` is ``{"Ref": "Name"}``) and, as
            CloudFormation does, dates as text.

    Raises:
        NotYaml: it is no YAML, or more than is read.
    """
    try:
        _bound(text)
        return list(_values(text, _TemplateLoader if template else _Loader))
    except yaml.MarkedYAMLError as fault:
        problem = fault.problem or fault.context
        if problem == _NESTING_OF_LIBYAML:
            raise NotYaml(_TOO_DEEP, fault.problem_mark, "use fewer levels") from None
        raise NotYaml(f"is not YAML: {problem}", fault.problem_mark) from None
    except yaml.YAMLError as fault:
        raise NotYaml(f"is not YAML: {str(fault).splitlines()[0]}", remedy="remove the character") from None


def place(text: str, document: int, path: str) -> tuple[int, int]:
    """Line and column, from 1, of a field in a text that `load_all` reads; of the block where the field is missing.

    Args:
        text: the text.
        document: the number of the document in it, from 0.
        path: ``spec.containers[0].image``. If the text has no block for it, the place is that of the document.
    """
    nodes = _nodes(text)
    top = nodes[document] if document < len(nodes) else None
    if top is None:
        return 1, 1
    here, rest = top, path
    while rest:
        below, left = _below(here, rest)
        if below is None:
            here = here if re.fullmatch(r"[^.\[\]]+", rest) else top
            break
        here, rest = below, left.removeprefix(".")
    return here.start_mark.line + 1, here.start_mark.column + 1


def position(text: str, document: int, path: KeyPath) -> tuple[int, int]:
    """Line and column, from 1, of the value at a path in a text that `load_all` reads.

    For an absent value, they are those of the nearest block around it.

    Args:
        text: the text.
        document: the number of the document in it, from 0.
        path: keys and list indices.
    """
    nodes = _nodes(text)
    here = nodes[document] if document < len(nodes) else None
    if here is None:
        return 1, 1
    mark = here.start_mark
    for step in path:
        if isinstance(here, yaml.SequenceNode) and isinstance(step, int) and step < len(here.value):
            here = here.value[step]
            mark = here.start_mark
            continue
        pair = _entries(here).get(" ".join(str(step).split())) if isinstance(here, yaml.MappingNode) else None
        if pair is None:
            break
        key, here = pair
        mark = key.start_mark
    return mark.line + 1, mark.column + 1


@lru_cache(maxsize=1)
def _nodes(text: str) -> list[yaml.Node | None]:
    return list(yaml.compose_all(text, Loader=_PARSER))


def _below(node: yaml.Node, path: str) -> tuple[yaml.Node | None, str]:
    """The value at the first step of a path, and the rest of the path; None if there is none."""
    if isinstance(node, yaml.SequenceNode) and (step := re.match(r"\[([0-9]+)\]", path)):
        index = whole_number(step[1])
        known = index is not None and index < len(node.value)
        return (node.value[index], path[step.end() :]) if known else (None, path)
    entries = _entries(node) if isinstance(node, yaml.MappingNode) else {}
    ends = [len(path), *(index for index in range(len(path) - 1, -1, -1) if path[index] in ".[")]
    end = next((each for each in ends if path[:each] in entries), 0)
    return (entries[path[:end]][1] if end else None), path[end:]


@cached_by_identity(1024)
def _entries(node: yaml.MappingNode) -> dict[str, tuple[yaml.Node, yaml.Node]]:
    """The entries of a mapping, by their keys."""
    return {" ".join(str(key.value).split()): (key, value) for key, value in reversed(node.value)}


def _bound(text: str) -> None:
    """Before anything is made of it: the values of an anchor are counted wherever an alias names it."""
    sizes: dict[Any, int] = {}
    open_: list[tuple[Any, int]] = []
    made = 0
    for event in yaml.parse(text, Loader=_PARSER):
        made += _size(event, sizes, open_)
        if made > _MOST_VALUES:
            words = f"has more than {_MOST_VALUES} keys and values"
            if sizes:
                raise NotYaml(f"{words} after its aliases (*) are expanded", event.start_mark, "use fewer aliases")
            raise NotYaml(words, event.start_mark, user_files.MANIFEST.remedy)
        if isinstance(event, yaml.CollectionStartEvent):
            open_.append((event.anchor, made))
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = open_.pop()
            if anchor:
                sizes[anchor] = made - before + 1
        if len(open_) > user_files.DEEPEST:
            raise NotYaml(_TOO_DEEP, event.start_mark, "use fewer levels")


def _size(event: yaml.Event, sizes: dict[Any, int], open_: list[tuple[Any, int]]) -> int:
    """How many keys and values an event begins."""
    if isinstance(event, yaml.AliasEvent):
        if any(anchor == event.anchor for anchor, _ in open_):
            problem = f"has the alias '{truncate(str(event.anchor))}', which contains itself"
            raise NotYaml(problem, event.start_mark, "write the value instead of the alias")
        return sizes.get(event.anchor, 1)
    return 1 if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) else 0


def _values(text: str, kind: "type[_Loader]") -> Iterator[Any]:
    loader = kind(text)
    try:
        while loader.check_data():
            yield loader.get_data()
    finally:
        loader.dispose()


_PARSER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_PARSER):  # type: ignore[misc,valid-type]  # chosen where the process runs
    """Refuses a key that is in a mapping twice, as kubectl does."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002
        seen: set[Any] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                if key.value in seen:
                    problem = f"has the key '{truncate(key.value)}' twice"
                    raise NotYaml(problem, key.start_mark, "keep only one of the two")
                seen.add(key.value)
        made: dict[Any, Any] = super().construct_mapping(node, deep)
        return made

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: FBT001, FBT002
        with _in_words(node):
            return super().construct_object(node, deep)

    def construct_document(self, node: yaml.Node) -> Any:
        with _in_words(node):  # blocks are filled here, after their own `construct_object`
            return super().construct_document(node)


@contextmanager
def _in_words(node: yaml.Node) -> Iterator[None]:
    """What the library raises of `!!int a`, `!!bool maybe`, `!!set a`, 2026-99-99, and a number of 5,000 digits."""
    try:
        yield
    except (yaml.YAMLError, NotYaml):
        raise
    except (ValueError, LookupError, AttributeError, TypeError):
        words = f"'{truncate(node.value)}'" if isinstance(node, yaml.ScalarNode) else "something"
        problem = f"has {words}, which cannot be read as {node.tag.rpartition(':')[2]}"
        raise NotYaml(problem, node.start_mark, "write another value") from None


class _TemplateLoader(_Loader):
    """CloudFormation's YAML."""


def _short_form(loader: yaml.Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    """``!GetAtt A.b`` is ``{"Fn::GetAtt": ["A", "b"]}``."""
    if isinstance(node, yaml.ScalarNode):
        argument: Any = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        argument = loader.construct_sequence(node, deep=True)
    else:
        assert isinstance(node, yaml.MappingNode)
        argument = loader.construct_mapping(node, deep=True)
    if suffix == "GetAtt" and isinstance(argument, str):
        argument = argument.split(".", 1)
    return {suffix if suffix in ("Ref", "Condition") else f"Fn::{suffix}": argument}


_TemplateLoader.add_multi_constructor("!", _short_form)
_TemplateLoader.yaml_implicit_resolvers = {
    first: [(tag, form) for tag, form in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
