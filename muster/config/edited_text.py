"""Edits one value of a YAML text, and nothing else: comments, order and spacing stay."""

from collections.abc import Iterator
from typing import Any

import yaml

from muster.edits import Action, Edit, flow_text
from muster.finding import KeyPath


def edited(text: str, path: KeyPath, edit: Edit) -> str | None:
    """The text with one edit made.

    Args:
        text: a YAML document that Muster reads as a stack file.
        path: the field.
        edit: what to do with it; `Edit.applicable`.

    Returns:
        None if the text has no place for it: a word stands where the field's block would be, or an alias.
    """
    node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    blocks: list[tuple[yaml.MappingNode, yaml.ScalarNode]] = []
    """The blocks on the way, each with the key that leads on."""
    rest = list(path)
    while rest and isinstance(node, yaml.MappingNode | yaml.SequenceNode):
        found = _entry(node, rest[0])
        if found is None:
            break
        key, value = found
        if value.start_mark.index < (key or node).start_mark.index:
            return None  # an alias: the text of its anchor has other readers
        if key is not None and isinstance(node, yaml.MappingNode):
            blocks.append((node, key))
        node = value
        rest.pop(0)
    if edit.action is Action.REMOVE:
        return _without(text, blocks) if not rest and blocks else None
    (value,) = edit.values
    if edit.action is Action.ADD:
        if not rest and isinstance(node, yaml.SequenceNode):
            return _appended(text, node, value)
        value = [value]
    if not rest:
        return _replaced(text, blocks[-1][1] if blocks else None, node, value)
    if isinstance(node, yaml.MappingNode):
        return _inserted(text, node, rest, value)
    whole_number = isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:int"
    # A single number of nodes stands for the block of its counts.
    return _replaced(text, None, node, value) if whole_number and type(value) is int else None


def _entry(node: yaml.Node, step: str | int) -> tuple[yaml.ScalarNode | None, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == step), None)
    known = isinstance(step, int) and step < len(node.value)
    return (None, node.value[step]) if known else None


def _leaves(node: yaml.Node) -> Iterator[yaml.Node]:
    """The scalars and the blocks in braces of a node: their ends are exact, unlike that of an indented block."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        yield node
        return
    for each in node.value:
        for part in each if isinstance(each, tuple) else (each,):
            yield from _leaves(part)


def _end(node: yaml.Node) -> int:
    return max(int(each.end_mark.index) for each in _leaves(node))


def _replaced(text: str, key: yaml.ScalarNode | None, node: yaml.Node, value: Any) -> str:
    begin, end = node.start_mark.index, _end(node)
    # An indented block begins in the line after its key: the value stands behind the key.
    if key is not None and node.start_mark.line > key.end_mark.line:
        begin = text.index(":", key.end_mark.index) + 1
        return f"{text[:begin]} {flow_text(value)}{text[end:]}"
    return f"{text[:begin]}{flow_text(value)}{text[end:]}"


def _inserted(text: str, block: yaml.MappingNode, rest: KeyPath | list[str | int], value: Any) -> str | None:
    for step in reversed(rest[1:]):
        value = {step: value}
    entry = f"{rest[0]}: {flow_text(value)}"
    if block.flow_style:
        before = text[: block.end_mark.index - 1].rstrip()
        return f"{before}{', ' if block.value else ''}{entry}{text[len(before) :]}"
    if not block.value:
        return None
    last = _end(block.value[-1][1])
    line_end = text.find("\n", last)
    line_end = len(text) if line_end < 0 else line_end
    indent = " " * int(block.value[0][0].start_mark.column)
    return f"{text[:line_end]}\n{indent}{entry}{text[line_end:]}"


def _appended(text: str, block: yaml.SequenceNode, value: Any) -> str | None:
    if block.flow_style:
        before = text[: block.end_mark.index - 1].rstrip()
        return f"{before}{', ' if block.value else ''}{flow_text(value)}{text[len(before) :]}"
    if not block.value:
        return None
    last = _end(block.value[-1])
    line_end = text.find("\n", last)
    line_end = len(text) if line_end < 0 else line_end
    dash = text.rindex("-", 0, block.value[0].start_mark.index)
    indent = " " * (dash - text.rfind("\n", 0, dash) - 1)
    return f"{text[:line_end]}\n{indent}- {flow_text(value)}{text[line_end:]}"


def _without(text: str, blocks: list[tuple[yaml.MappingNode, yaml.ScalarNode]]) -> str | None:
    """Without a key. A block that is then empty goes with it."""
    block, key = blocks[-1]
    if len(block.value) == 1:
        return _without(text, blocks[:-1]) if len(blocks) > 1 else None
    index = next(index for index, (each, _) in enumerate(block.value) if each is key)
    end = _end(block.value[index][1])
    if not block.flow_style:
        begin = text.rfind("\n", 0, key.start_mark.index) + 1
        line_end = text.find("\n", end)
        return text[:begin] + (text[line_end + 1 :] if line_end >= 0 else "")
    if index:
        return text[: _end(block.value[index - 1][1])] + text[end:]
    return text[: key.start_mark.index] + text[block.value[1][0].start_mark.index :]
