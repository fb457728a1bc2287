"""Text of a user's file inside other formats: shown as it is, and never read as part of the format. Each medium has one
escape: here, for plain text `muster.terminal.visible`, and for JSON `dump`."""

import re
from collections.abc import Mapping
from html import escape

from muster.terminal import visible

_MARKDOWN = re.compile(r"[\\`*_\[\]<>~|$&#]")
"""Characters that CommonMark or GitHub may read as markup inside a line; a backslash makes them plain characters.
Characters that are markup only at the start of a line are absent: no line of Muster's starts with a user's text."""

_MENTION = "@<!-- -->"
"""GitHub notifies people by @name even where the sign is escaped; not across a comment."""


def markdown(text: str) -> str:
    """A line of prose inside Markdown."""
    return _MARKDOWN.sub(lambda found: "\\" + found.group(), visible(text)).replace("@", _MENTION)


def code(text: str) -> str:
    """A name or a place as code inside Markdown: fenced by more backticks than it has in a row. One space
    at each end belongs to the fence, and a reader removes it."""
    shown = visible(text)
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def html(text: str) -> str:
    """A line inside HTML."""
    return escape(visible(text))


def xml(text: str) -> str:
    """A line inside an XML element or attribute. Characters that XML 1.0 does not allow become visible escapes."""
    return escape(visible(text))


def github(name: str, properties: Mapping[str, str | int], lines: list[str]) -> str:
    """One workflow command of GitHub's runner."""
    fields = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value)
    return f"::{name} {fields}::{'%0A'.join(_data(line) for line in lines if line)}\n"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
