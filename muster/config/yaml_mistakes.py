"""Which line of a text that is not YAML is wrong, and what to do about it.

A YAML parser reports the place where it cannot continue. After a wrong indentation or a forgotten space that is often a
line below the mistake, which is right. A mistake is named here only if one corrected line makes the whole text YAML.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from muster.message_text import count_noun, truncate


class Mistake(NamedTuple):
    """What is wrong, what to do, and where (both numbers begin at 1)."""

    got: str
    remedy: str
    line: int
    column: int


_MOST_LINES = 600
"""Each correction is tried by reading the text again."""

_MOST_TRIALS = 15

_WHOLE_LEVEL = 2
"""The spaces of one level. A line that is off by less may belong on either side."""


def find_mistake(text: str, fault: MarkedYAMLError) -> Mistake:
    """The mistake that a fault of the YAML library is about."""
    problem = truncate(_problem(fault), 400)
    what, remedy, at_start = next(
        (words for pattern, words in _FAULTS if re.search(pattern, problem, re.DOTALL)),  # pattern: on a short text
        (problem, "fix the YAML syntax at this position", False),
    )
    first = fault.context_mark if at_start else fault.problem_mark
    mark = first or fault.problem_mark or fault.context_mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    lines = text.split("\n")
    if (what, remedy, at_start) not in (_OF_BLOCK, _NO_COLON) or len(lines) > _MOST_LINES:
        return Mistake(what, remedy, line + 1, column + 1)
    if len(re.findall(r": ", lines[line][: column + 2])) > 1:
        return Mistake("the value contains ': '", "put the value in quotes", line + 1, column + 1)
    found = _without_space(lines, line)
    if not found and not at_start:
        found = _indented(lines, line)
    return found or Mistake(what, remedy, line + 1, column + 1)


def _problem(fault: MarkedYAMLError) -> str:
    context, problem = fault.context or "", fault.problem or ""
    one_line = fault.context_mark and fault.problem_mark and fault.context_mark.line == fault.problem_mark.line
    return " ".join(filter(None, (context, "on one line" if one_line else "", problem)))


_OF_BLOCK = (
    "the line does not belong to the block above it",
    "indent it like the other keys of its block, write KEY: VALUE, and put text with ': ' in quotes",
    False,
)
_NO_COLON = (
    "the line has no ': ', although it stands among keys",
    "write KEY: VALUE, with a space after the colon",
    True,
)
_CLOSE = "close the bracket or brace, and put commas between its items"
_FAULTS: tuple[tuple[str, tuple[str, str, bool]], ...] = (
    (r"character '\\t'", ("the line is indented with a tab", "use spaces, not tabs", False)),
    (
        r"quoted scalar.*end of stream",
        ("the quotation mark opened here is not closed", "close the quotation mark", True),
    ),
    (r"mapping values are not allowed|expected <block end>", _OF_BLOCK),
    (r"could not find expected ':'", _NO_COLON),
    (r"flow \w+ on one line.*expected ',' or", ("a comma or a closing bracket is missing here", _CLOSE, False)),
    (
        r"flow \w+ .*expected ',' or",
        ("the bracket or brace opened here is not closed, or a comma is missing in it", _CLOSE, True),
    ),
    (
        r"cannot start any token",
        (
            "plain text cannot begin with this character",
            "put text that begins with this character in quotes",
            False,
        ),
    ),
    (
        r"undefined alias",
        (
            "no anchor (&NAME) above has the name of this alias",
            "define the anchor (&NAME) before the alias, or put text that begins with * in quotes",
            False,
        ),
    ),
)
"""What the YAML library reports -> what is wrong, what to do, and whether the start of the construct is the place."""


def _without_space(lines: Sequence[str], at: int) -> Mistake | None:
    """The mistake of a line near the fault that has no ': ' behind its key."""
    for number in _suspects(lines, at):
        key = _key_without_space(lines, number)
        if key is None:
            continue
        rest = lines[number][key.end() :]
        spaced = f"{key[0]}: {rest.removeprefix(':').lstrip()}".rstrip()
        if _is_yaml(lines, number, spaced):
            missing = "space is missing after the colon of" if rest.startswith(":") else "colon is missing after"
            return Mistake(f"a {missing} '{key['name']}'", f"write {spaced.strip()}", number + 1, key.end() + 1)
    return None


def _indented(lines: Sequence[str], at: int) -> Mistake | None:
    """The mistake of a line near the fault that begins too far left or right. Of several, the line that moves least; of
    these, one with an odd number of spaces, else the first: a line too far left is read without an error."""
    levels = {_indentation(line) for line in lines if _has_content(line)}
    moves = sorted(
        (abs(level - own), own % _WHOLE_LEVEL == 0, number, level)
        for number in _suspects(lines, at)
        for own in [_indentation(lines[number])]
        for level in levels
        if level != own
    )
    for distance, _, number, level in moves[:_MOST_TRIALS]:
        if not _is_moved(lines, number, level):
            continue
        own = _indentation(lines[number])
        other = 2 * own - level  # as far away on the other side
        both = distance < _WHOLE_LEVEL and other in levels and _is_moved(lines, number, other)
        spaces = f"{min(level, other)} or {max(level, other)} spaces" if both else count_noun(level, "space")
        remedy = f"indent it by {spaces}, like the other keys of its block"
        return Mistake(f"the line is indented by {count_noun(own, 'space')}", remedy, number + 1, own + 1)
    return None


def _is_moved(lines: Sequence[str], number: int, level: int) -> bool:
    return _is_yaml(lines, number, " " * level + lines[number].lstrip())


def _suspects(lines: Sequence[str], at: int) -> Iterator[int]:
    """The line of the fault, the two lines with content above it, and the nearest above it that begin further left."""
    if at >= len(lines):
        return
    above = [number for number in range(at - 1, -1, -1) if _has_content(lines[number])]
    left, least = [], _indentation(lines[at])
    for number in above:
        if _indentation(lines[number]) < least:
            left.append(number)
            least = _indentation(lines[number])
    yield from sorted({at, *above[:2], *left[:2]})


def _has_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _key_without_space(lines: Sequence[str], number: int) -> re.Match[str] | None:
    """The key at the start of a line that has ': ' nowhere. In a stack's `config` a key has a namespace (`aws:region`):
    its first colon ends no key."""
    line = lines[number]
    if re.search(r":(?: |$)", line):
        return None
    around = (
        each for each in reversed(lines[:number]) if _has_content(each) and _indentation(each) < _indentation(line)
    )
    if next(around, "").rstrip() == "config:" or re.match(_OF_NAMESPACE, line):
        return re.match(r"\s*(?P<name>[\w-]+:[\w-]+)(?=[: ]|$)", line)
    return re.match(r"\s*(?:- )?(?P<name>[A-Za-z][\w-]*)(?=:[^\s:/])", line)


_OF_NAMESPACE = r"\s*(?:aws|muster):"
"""Namespaces of a stack's configuration, also where the line is indented wrongly."""


def _is_yaml(lines: Sequence[str], number: int, line: str) -> bool:
    """Whether the text with another line in place of one is YAML."""
    text = "\n".join((*lines[:number], line, *lines[number + 1 :]))
    try:
        for _ in YAML(typ="safe", pure=True).parse(text):
            pass
    except (YAMLError, ValueError):
        return False
    return True
