"""Where the resources begin in the file's text."""

import json
import re
from functools import cached_property

from muster.json_text import position
from muster.position import Position

_OBJECT = re.compile(r'\{\s*"address"\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*")')
"""An object that begins with its address, as Terraform writes resources. Inside of a text, each quote has a backslash
before it, so this does not match there."""


class Places:
    """The positions of resources, by address. One scan finds all of them, when the first is needed."""

    def __init__(self, text: str) -> None:
        self._text = text

    def of(self, address: str) -> Position | None:
        """The position of a resource's object. None in a file of one line, where no editor shows it."""
        start = self._starts.get(address)
        return None if start is None else position(self._text, start)

    @cached_property
    def _starts(self) -> dict[str, int]:
        found: dict[str, int] = {}
        if "\n" not in self._text.strip():
            return found
        for each in _OBJECT.finditer(self._text):
            found.setdefault(json.loads(each[1]), each.start())
        return found
