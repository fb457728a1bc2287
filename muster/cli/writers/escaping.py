"""Text of a user's file inside other formats: shown as it is, and never read as part of the format."""

import re
from html import escape

from muster.cli.terminal import one_line

_MARKDOWN = re.compile(r"[\\`*_\[\]<>~|$&#]")
"""Characters that CommonMark or GitHub may read as markup inside a line; a backslash makes them plain characters.
Characters that are markup only at the start of a line are absent: no line of Muster's starts with a user's text."""

_MENTION = "@<!-- -->"
"""GitHub notifies people by @name even where the sign is escaped; not across a comment."""


def markdown(text: str) -> str:
    """A line of prose inside Markdown."""
    return _MARKDOWN.sub(lambda found: "\\" + found.group(), one_line(text)).replace("@", _MENTION)


def code(text: str) -> str:
    """A name or a place as code inside Markdown: fenced by more backticks than it has in a row. One space
    at each end belongs to the fence, and a reader removes it."""
    shown = one_line(text)
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def html(text: str) -> str:
    """A line inside HTML."""
    return escape(one_line(text))


def xml(text: str, *, lines: bool = False) -> str:
    """Text of an XML element or attribute. Characters that XML 1.0 does not allow become visible escapes.

    Args:
        text: any text.
        lines: whether to keep line breaks: an element may have them; in an attribute a reader turns them into spaces.
    """
    shown = "\n".join(map(one_line, text.split("\n"))) if lines else one_line(text)
    return escape(shown)
