"""Reads YAML once: nodes with their positions, bounded in number, depth and aliases, and the plain values of them.

The parser is libyaml, of which the engine's (Go's yaml.v3) is a port, so that both take the same text for YAML; where a
machine does not have it, PyYAML's own parser reads the same. What a plain scalar means is no matter of the parser:
`Forms` says it for each kind of file.
"""

import re
from collections.abc import Iterator, Mapping
from copy import copy
from functools import lru_cache
from typing import Any, cast

import yaml
from yaml.constructor import SafeConstructor
from yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from muster import user_files
from muster.finding import KeyPath
from muster.message_text import truncate
from muster.object_cache import cached_by_identity
from muster.position import Position

_PARSER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_MOST_VALUES = 100_000
"""Keys and values of one text, aliases written out: a second to read."""

Forms = Mapping[str | None, list[tuple[str, re.Pattern[str]]]]
"""First character of a plain scalar -> the tags that it may have, each with the form of such scalars."""

YAML_1_1: Forms = yaml.SafeLoader.yaml_implicit_resolvers
"""As Kubernetes' tools read it."""

_PREFIX = "tag:yaml.org,2002:"
TIMESTAMP, MERGE = f"{_PREFIX}timestamp", f"{_PREFIX}merge"
_TEXT, _LIST, _MAP = (f"{_PREFIX}{each}" for each in ("str", "seq", "map"))

_TEMPLATE: Forms = {
    first: [(tag, form) for tag, form in forms if tag != TIMESTAMP] for first, forms in YAML_1_1.items()
}


class NotYaml(ValueError):
    """A text that is not read as YAML: why, what to do, and where."""

    def __init__(self, problem: str, position: Position, remedy: str) -> None:
        self.problem, self.position, self.remedy = problem, position, remedy
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
    values = _TemplateValues() if template else Values()
    return [values.of(each) for each in _nodes(text, template=template)]


@lru_cache(maxsize=1)
def _nodes(text: str, *, template: bool) -> list[Node]:
    return compose_all(text, _TEMPLATE if template else YAML_1_1)


def compose_all(text: str, forms: Forms, most: int = _MOST_VALUES) -> list[Node]:
    """The root nodes of all documents of a text.

    Args:
        text: the text.
        forms: what its plain scalars mean.
        most: how many keys and values it may have; those of an anchor count wherever an alias names it.

    Raises:
        NotYaml: it is no YAML, or more than is read.
    """
    try:
        return _Composer(forms, most).documents(yaml.parse(text, Loader=_PARSER))
    except yaml.MarkedYAMLError as fault:
        raise _not_yaml(fault) from None
    except yaml.reader.ReaderError as fault:
        words = f"is not valid YAML: unacceptable character #x{fault.character:04x}: {fault.reason}"
        at = Position.of_index(text, max(text.find(chr(fault.character)), 0))
        raise NotYaml(words, at, "remove this character") from None


class _Composer:
    """Makes nodes of the parser's events."""

    def __init__(self, forms: Forms, most: int) -> None:
        self._forms, self._most = forms, most
        self._made = 0
        self._open: list[tuple[CollectionNode, str | None, int]] = []
        """Blocks that have not ended, each with its anchor and what was made before it."""
        self._named: dict[str, tuple[Node, int]] = {}
        """What aliases may name, each with its number of keys and values."""

    def documents(self, events: Iterator[yaml.Event]) -> list[Node]:
        roots: list[Node] = []
        for event in events:
            if isinstance(event, yaml.NodeEvent):
                siblings = self._open[-1][0].value if self._open else roots
                siblings.append(self._alias(event) if isinstance(event, yaml.AliasEvent) else self._node(event))
            elif isinstance(event, yaml.CollectionEndEvent):
                self._end(event)
            elif isinstance(event, yaml.DocumentStartEvent):
                self._named.clear()
        return roots

    def _node(self, event: Any) -> Node:
        self._count(event, 1)
        tag = None if event.tag == "!" else event.tag
        if isinstance(event, yaml.ScalarEvent):
            if tag is None and event.implicit[0]:
                known = self._forms.get(event.value[:1], ())
                tag = next((tag for tag, form in known if form.match(event.value)), None)
            begin, end = cast("tuple[Any, Any]", (event.start_mark, event.end_mark))
            node = ScalarNode(tag or _TEXT, event.value, begin, end, event.style)
            if event.anchor:
                self._named[event.anchor] = node, 1
            return node
        kind, default = (SequenceNode, _LIST) if isinstance(event, yaml.SequenceStartEvent) else (MappingNode, _MAP)
        block: CollectionNode = kind(tag or default, [], event.start_mark, None, event.flow_style)
        self._open.append((block, event.anchor, self._made))
        if len(self._open) > user_files.DEEPEST:
            raise NotYaml(_TOO_DEEP, position_of(event), "use fewer levels")
        return block

    def _end(self, event: yaml.Event) -> None:
        block, anchor, before = self._open.pop()
        block.end_mark = event.end_mark
        if isinstance(block, MappingNode):
            block.value = list(zip(block.value[::2], block.value[1::2], strict=True))
        if anchor:
            self._named[anchor] = block, self._made - before + 1

    def _alias(self, event: yaml.AliasEvent) -> Node:
        words, remedy = f"has the alias '{truncate(str(event.anchor))}', which", "write the value instead of the alias"
        if any(anchor == event.anchor for _, anchor, _ in self._open):
            raise NotYaml(f"{words} contains itself", position_of(event), remedy)
        if event.anchor not in self._named:
            raise NotYaml(f"{words} names no value before it", position_of(event), remedy)
        node, size = self._named[event.anchor]
        self._count(event, size)
        return node

    def _count(self, event: yaml.Event, size: int) -> None:
        self._made += size
        if self._made > self._most:
            words, remedy = f"has more than {self._most} keys and values", user_files.MANIFEST.remedy
            if self._named:
                words, remedy = f"{words} after its aliases (*) are expanded", "use fewer aliases"
            raise NotYaml(words, position_of(event), remedy)


_TOO_DEEP = f"is nested too deeply: more than {user_files.DEEPEST} blocks in each other"
_NESTING_OF_LIBYAML = "exceeded maximum nesting depth"
"""Since PyYAML 6.0.4, its parser refuses flow collections at a depth of its own, before an event is made."""


def _not_yaml(fault: yaml.MarkedYAMLError) -> NotYaml:
    """What the parser says, and where: what is never closed is wrong where it is opened."""
    context = fault.context or ""
    opened = fault.context_mark if re.search("quoted scalar|flow|simple key", context) else None
    mark = opened or fault.problem_mark or fault.context_mark
    at = Position(mark.line + 1, mark.column + 1) if mark else Position(1, 1)
    if fault.problem == _NESTING_OF_LIBYAML:
        return NotYaml(_TOO_DEEP, at, "use fewer levels")
    words = truncate(", ".join(filter(None, (context, fault.problem))), 400)
    remedy = "fix the syntax here or in the lines above: indentation, a space after each colon, quotes, brackets"
    return NotYaml(f"is not valid YAML: {words}", at, remedy)


def position_of(node: Node | yaml.Event) -> Position:
    """Where a node begins."""
    mark: Any = node.start_mark
    return Position(mark.line + 1, mark.column + 1)


def find_position(root: Node | None, path: KeyPath, *, key: bool = False) -> Position:
    """The position of the value (or of the key) at a path; for an absent one, of the nearest block around it.

    A block begins at its key: its first line is about something else.
    """
    named, here = None, root
    if here is None:
        return Position(1, 1)
    for step in path:
        below = _below(here, step)
        if below is None:
            key = True
            break
        named, here = below
    return position_of(named if named and (key or here.start_mark.line > named.start_mark.line) else here)


def _below(node: Node, step: str | int) -> tuple[Node | None, Node] | None:
    if isinstance(node, SequenceNode):
        return (None, node.value[step]) if isinstance(step, int) and step < len(node.value) else None
    return _entries(node).get(" ".join(str(step).split())) if isinstance(node, MappingNode) else None


@cached_by_identity(1024)
def _entries(node: MappingNode) -> dict[str, tuple[Node, Node]]:
    """The entries of a mapping by their keys, with those that it merges; the first of duplicates."""
    found: dict[str, tuple[Node, Node]] = {}
    for key, value in node.value:
        if key.tag != MERGE:
            found.setdefault(" ".join(str(key.value).split()), (key, value))
    for each in _merged(node):
        found = {**_entries(each), **found}
    return found


def _merged(node: MappingNode) -> Iterator[MappingNode]:
    """The mappings that a mapping's merge keys name, the most important first."""
    for key, value in node.value:
        if key.tag == MERGE:
            every = value.value if isinstance(value, SequenceNode) else [value]
            yield from (each for each in every if isinstance(each, MappingNode))


def position(text: str, document: int, path: KeyPath) -> Position:
    """The position of the key (in a list, of the value) at a path in a text that `load_all` reads.

    For an absent one, it is that of the nearest block around it.

    Args:
        text: the text.
        document: the number of the document in it, from 0.
        path: keys and list indices.
    """
    nodes = _nodes(text, template=True)
    return find_position(nodes[document] if document < len(nodes) else None, path, key=True)


_SCALARS = frozenset({"null", "bool", "int", "float", "binary", "timestamp"})


class Values:
    """Makes plain values of nodes, as Kubernetes' tools read them. A fault ends it."""

    def __init__(self) -> None:
        self._scalars = SafeConstructor()

    def of(self, node: Node, path: KeyPath = ()) -> Any:
        """The value of a node."""
        if isinstance(node, ScalarNode):
            return node.value if node.tag == _TEXT else self.scalar(node, path)
        if node.tag not in (_LIST, _MAP):
            self.fault(
                path,
                node,
                f"has a block that cannot be read as {node.tag.removeprefix(_PREFIX)}",
                "write another value",
            )
        if isinstance(node, MappingNode):
            return self._mapping(node, path)
        return [self.of(each, (*path, index)) for index, each in enumerate(node.value)]

    def _mapping(self, node: MappingNode, path: KeyPath) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        lines: dict[Any, int] = {}
        for key_node, value_node in node.value:
            if key_node.tag == MERGE:
                self.merge(key_node, path)
                continue
            if not isinstance(key_node, ScalarNode):
                self.fault(path, key_node, "has a key that is a list or a map", "write a plain word as key")
                continue
            key = self.key(key_node, path)
            if key in made:
                words = f"has the key '{truncate(str(key))}' twice (first on line {lines[key]})"
                self.fault((*path, key), key_node, words, "keep only one of the two")
                continue
            lines[key] = key_node.start_mark.line + 1
            made[key] = self.of(value_node, (*path, key))
        for each in _merged(node):
            made = {**self._mapping(each, path), **made}
        return made

    def key(self, node: ScalarNode, path: KeyPath) -> Any:
        """The value of a key."""
        return self.of(node, path)

    def merge(self, node: ScalarNode, path: KeyPath) -> None:
        """Called for each merge key (`<<`)."""

    def scalar(self, node: ScalarNode, path: KeyPath) -> Any:
        """The value of a scalar that is no plain text."""
        kind = node.tag.removeprefix(_PREFIX)
        try:
            if kind in _SCALARS:
                return self._scalars.construct_object(node)
        except (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError):
            pass  # `!!int a`, `!!bool maybe`, 2026-99-99, a number of 5,000 digits
        words = f"has '{truncate(node.value)}', which cannot be read as {kind}"
        return self.fault(path, node, words, "write another value")

    def fault(self, path: KeyPath, node: Node, got: str, remedy: str) -> None:  # noqa: ARG002
        """Called for each fault."""
        raise NotYaml(got, position_of(node), remedy)


class _TemplateValues(Values):
    """CloudFormation's: ``!GetAtt A.b`` is ``{"Fn::GetAtt": ["A", "b"]}``."""

    def of(self, node: Node, path: KeyPath = ()) -> Any:
        if not node.tag.startswith("!"):
            return super().of(node, path)
        kind, plain = node.tag[1:], copy(node)
        plain.tag = _TEXT if isinstance(node, ScalarNode) else _LIST
        argument = super().of(plain, path)
        if kind == "GetAtt" and isinstance(argument, str):
            argument = argument.split(".", 1)
        return {kind if kind in ("Ref", "Condition") else f"Fn::{kind}": argument}

    def key(self, node: ScalarNode, path: KeyPath) -> Any:
        return super().of(node, path)  # refuses a function
