"""The graph of add-ons as Mermaid has it: for a page or an issue."""

import re
from collections.abc import Iterable, Iterator

from addons.graph import Entry
from muster.cli.terminal import one_line


def write(entries: Iterable[Entry]) -> str:
    """All of it. Arrows lead from what comes first, each with the reason."""
    return "".join(f"{line}\n" for line in _lines(tuple(entries)))


def _lines(entries: tuple[Entry, ...]) -> Iterator[str]:
    yield "flowchart TD"
    for each in entries:
        yield f'  {_id(each.name)}["{_text(f"{each.name} {each.version}")}<br>{_text(_what(each))}"]'
    for each in entries:
        for name, why in each.after.items():
            yield f'  {_id(name)} -->|"{_text(why)}"| {_id(each.name)}'


def _what(each: Entry) -> str:
    served = [f"{', '.join(devices)} on {group}" for group, devices in each.serves.items()]
    return "; ".join([f"{each.kind} in {each.namespace}", *served])


def _id(name: str) -> str:
    """A word that Mermaid takes, and none of its own."""
    return "a_" + re.sub(r"[^A-Za-z0-9]", "_", name)


def _text(words: str) -> str:
    """Quotes and brackets are Mermaid's own; it takes their numbers instead."""
    return re.sub(r'["<>#&`]', lambda found: f"#{ord(found.group())};", one_line(words))
