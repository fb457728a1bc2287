"""What of older facts stays beside newer ones: what AWS did not answer this time. Pure.

The law: nothing that AWS did not answer is lost. What it answers takes the place of what was known; of a thing that it
speaks of, what it leaves out because there is none (`NONE_SAYS`) is answered, too, and of a thing that is not there,
everything. All else stays, with the day on which AWS said it, or with none where a person wrote it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from muster.fleet.facts import Facts

Step = tuple[str, ...]
"""Where in the facts: ``("reservations", "cr-0123456789abcdef0", "end")``."""

_OF_THE_FILE = frozenset({"contract", "observed", "kept"})
"""Keys about the facts, which are no facts."""

_WHOLE = frozenset({"account", "outputs"})
"""Blocks of which every part is said at once."""

NONE_SAYS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "reservations": frozenset({"end", "invitation", "unusedBilledTo"}),
        "images": frozenset({"parallelclusterVersion", "os"}),
    }
)
"""Section -> keys that AWS leaves out where there is no such thing: no end, no tag."""

_UNKNOWN_AS_NULL = frozenset({"permissions"})
"""Sections in which null says that AWS did not answer. In others it says that there is none."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What AWS did not answer now."""

    path: Step
    observed: datetime | None
    """When it said so; None where a person wrote it."""

    def __str__(self) -> str:
        return f"{'.'.join(self.path)} ({f'AWS, {self.observed.date()}' if self.observed else 'undated'})"


@dataclass(frozen=True, slots=True)
class Replaced:
    """What AWS answered another way than it stood."""

    path: Step
    was: Any
    now: Any
    """None: AWS says that there is none."""

    def __str__(self) -> str:
        now = "none" if self.now is None else json.dumps(self.now, ensure_ascii=False)
        return f"{'.'.join(self.path)}: {now}, was {json.dumps(self.was, ensure_ascii=False)}"


@dataclass(frozen=True, slots=True)
class Merged:
    """Older facts and newer ones in one."""

    facts: Facts
    kept: tuple[Kept, ...] = ()
    replaced: tuple[Replaced, ...] = field(default=())


def written(facts: Facts) -> dict[str, Any]:
    """Facts as their file has them: what is not known is not in it."""
    return facts.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def of_another(old: Facts, new: Facts) -> str:
    """Of which other account or Region the older facts are, in words; empty of the same, and where nobody said."""
    was, is_ = old.account, new.account
    if was is None or is_ is None:
        return ""
    if was.id and is_.id and was.id != is_.id:
        return f"account {was.id}"
    return was.region if was.region and is_.region and was.region != is_.region else ""


def merge(old: Facts, new: Facts) -> Merged:
    """Older facts with what AWS answers now.

    Args:
        old: as they stand in the file, of the same account and Region (`of_another`).
        new: what AWS answered, and when.
    """
    before, after = written(old), written(new)
    kept = [part for path in _kept(before, after) for part in _of_one_day(old, path, _at(before, path))]
    for path in kept:
        _put(after, path, _at(before, path))
    every = tuple(Kept(path, _said(old, path)) for path in kept)
    after["kept"] = {pointer(each.path): each.observed for each in every}
    return Merged(Facts.model_validate(after), every, tuple(_replaced(before, after)))


def pointer(path: Step) -> str:
    """As RFC 6901 writes it: ``/reservations/cr-0123456789abcdef0/end``. Keys of facts have dots and slashes."""
    return "".join(f"/{each.replace('~', '~0').replace('/', '~1')}" for each in path)


def path_of(pointed: str) -> Step:
    """The way back."""
    return tuple(each.replace("~1", "/").replace("~0", "~") for each in pointed.split("/")[1:])


def _kept(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Step]:
    """What stays, as few paths as say it: a thing whole that AWS does not speak of, else its keys."""
    for section, was in before.items():
        if section in _OF_THE_FILE:
            continue
        if section in _WHOLE or not isinstance(was, dict):
            if section not in after:
                yield (section,)
            continue
        known = after.get(section, {})
        for id_, thing in was.items():
            if id_ not in known or (section in _UNKNOWN_AS_NULL and known[id_] is None and thing is not None):
                yield section, id_
            elif isinstance(thing, dict) and isinstance(known[id_], dict) and known[id_].get("exists") is not False:
                answered = known[id_].keys() | NONE_SAYS.get(section, frozenset())
                yield from ((section, id_, key) for key in thing if key not in answered)


def _of_one_day(old: Facts, path: Step, value: Any) -> Iterator[Step]:
    """A path whole, or its keys where AWS had said them on several days."""
    inside = f"{pointer(path)}/"
    if isinstance(value, dict) and any(each.startswith(inside) for each in old.kept):
        yield from ((*path, key) for key in value)
    else:
        yield path


def _replaced(before: Mapping[str, Any], after: Mapping[str, Any], path: Step = ()) -> Iterator[Replaced]:
    for key, was in before.items():
        if not path and key in _OF_THE_FILE:
            continue
        now = after.get(key)
        if isinstance(was, dict) and isinstance(now, dict):
            yield from _replaced(was, now, (*path, key))
        elif was != now:
            yield Replaced((*path, key), was, now)


def _said(old: Facts, path: Step) -> datetime | None:
    """When AWS said what stands at a path: it was kept before, whole or in part, or is of the facts' own time."""
    for end in range(len(path), 0, -1):
        if (pointed := pointer(path[:end])) in old.kept:
            return old.kept[pointed]
    return old.observed


def _at(data: Any, path: Step) -> Any:
    for step in path:
        data = data[step]
    return data


def _put(data: dict[str, Any], path: Step, value: Any) -> None:
    for step in path[:-1]:
        data = data.setdefault(step, {})
    data[path[-1]] = value
