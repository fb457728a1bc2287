"""What a sound entry's description changes in its stack's plan: `tests/golden/sound/ENTRY.txt`, by `make goldens`.

Laws say what holds of every plan. These files have what unusual descriptions come to, for people to read: whoever
changes how something is derived sees in the difference which clusters it changes.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from muster.fleet.registration import Registration
from tests.corpus import SOUND, Entry, entries
from tests.corpus.judged import registrations
from tests.stack_files import ROOT

FOLDER = Path("tests/golden/sound")

Flat = Mapping[str, Mapping[str, str]]
"""``TYPE::NAME`` -> the place of an input, as in ``tags.Name`` -> its value in JSON."""


def pages() -> Iterator[tuple[Path, str]]:
    """Each entry's file, below the root, and its text."""
    for entry in entries(SOUND):
        if not entry.stack:
            continue
        yield FOLDER / f"{entry.name}.txt", changes(entry)


def changes(entry: Entry) -> str:
    """The resources that are in one plan alone, and of those in the entry's the inputs: a line that begins with - is of
    the stack's plan, one with + of the entry's."""
    # Not a copy of the entry: a copy has its opened stack, too.
    was, now = _flat(Entry.model_validate({**entry.model_dump(by_alias=True), "change": {}})), _flat(entry)
    return f"{entry.stack}: {entry.says}{difference(was, now)}\n"


def difference(was: Flat, now: Flat) -> str:
    """A part for each resource that differs, an empty line before it."""
    lines = [""]
    for name in sorted({*was, *now}):
        before, after = was.get(name, {}), now.get(name, {})
        if before == after and name in was and name in now:
            continue
        lines += ["", f"{' ' if name in was and name in now else '-' if name in was else '+'} {name}"]
        for place in sorted({*before, *after}) if name in now else ():
            if before.get(place) != after.get(place):
                lines += [f"- {place}: {before[place]}"] if place in before else []
                lines += [f"+ {place}: {after[place]}"] if place in after else []
    return "\n".join(lines)


def written(entry: Entry) -> str:
    """What an entry's file has."""
    return (ROOT / FOLDER / f"{entry.name}.txt").read_text(encoding="utf-8")


def _flat(entry: Entry) -> Flat:
    return flat(registrations(entry, entry.opened()))


def flat(
    made: Iterable[Registration], more: Callable[[Registration], Iterable[tuple[str, Any]]] = lambda _: ()
) -> Flat:
    """Resources by type and name, with their inputs by place, and with what else is to be shown of them."""
    return {
        f"{each.type}::{each.name}": dict(_leaves({**_plain(each.inputs), **_plain(dict(more(each)))})) for each in made
    }


def _plain(value: Any) -> Any:
    """Documents in texts (policies, templates) opened."""
    if isinstance(value, str) and value[:1] in "{[":
        try:
            return json.loads(value)
        except ValueError:
            return value
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _leaves(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for key, each in value.items():
            yield from _leaves(each, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list) and value:
        for index, each in enumerate(value):
            yield from _leaves(each, f"{place}[{index}]")
    else:
        yield place, json.dumps(value, ensure_ascii=False, default=str)
