"""A key of a file that is to be written: its value, and why it has that one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

Scalar = str | int | bool


@dataclass(frozen=True, slots=True)
class Flow:
    """A block, or a list, in one line: ``{size: 300GiB}``, ``[203.0.113.0/24]``."""

    value: Any


@dataclass(frozen=True, slots=True)
class Entry:
    """A key, its value and the reason."""

    key: str
    value: "Scalar | Flow | tuple[Entry, ...]"
    why: str = ""
    """For people, one line: what AWS said, or what it was chosen for. Nothing where the key says it."""


Entries = tuple[Entry, ...]


def plain(entries: Iterable[Entry]) -> dict[str, Any]:
    """The values, as whoever reads the file gets them."""
    return {entry.key: _plain(entry.value) for entry in entries}


def _plain(value: Any) -> Any:
    if isinstance(value, Flow):
        return value.value
    return plain(value) if isinstance(value, tuple) else value


def reasons(entries: Iterable[Entry], below: str = "") -> Iterator[tuple[str, Any, str]]:
    """Every key that has a reason, by its dotted path: with its value, and the reason.

    A block that has a reason of its own and others inside is without its value: these say it.
    """
    for entry in entries:
        path = f"{below}.{entry.key}" if below else entry.key
        inside = list(reasons(entry.value, path)) if isinstance(entry.value, tuple) else []
        if entry.why:
            yield path, None if inside else _plain(entry.value), entry.why
        yield from inside
