"""Merges older facts with newer ones: keeps what AWS was queried for this time and did not answer. Pure.

The law: no fact is lost that AWS was queried for and did not answer, nor one that a person wrote and AWS was not
queried for. An answer replaces what was known. Where AWS answers for a thing, the keys that it leaves out because there
is none (`ABSENT_WHEN_ANSWERED`) count as answered; where the thing does not exist, all keys do. A fact of AWS's that
was not queried for again is dropped: kept, it would be judged, and grow old for good. A kept fact has the day of AWS's
answer, or none where a person wrote it.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from muster.fleet.facts import Facts

FactPath = tuple[str, ...]
"""Where in the facts: ``("reservations", "cr-0123456789abcdef0", "end")``."""

_OF_THE_FILE = frozenset({"contract", "observed", "kept"})
"""Keys about the facts, which are no facts."""

_WHOLE = frozenset({"account", "outputs"})
"""Blocks of which all parts are answered at once."""

ABSENT_WHEN_ANSWERED: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "reservations": dict.fromkeys(("end", "invitation"), "exists"),
        "images": dict.fromkeys(("parallelclusterVersion", "os"), "exists"),
        "subnets": {
            **dict.fromkeys(("gateway", "gatewayFault"), "wayOut"),
            **dict.fromkeys(("endpointsOpenTo", "endpointsInDoubt"), "endpoints"),
        },
        "fileSystems": {"portsOpenTo": "portsOpenToVpc"},
    }
)
"""Section -> key that facts omit if its value does not exist (no end, no tag, no fault) -> the key with which it is
answered."""

_ABOUT: Mapping[str, Mapping[str, frozenset[str]]] = MappingProxyType(
    {"subnets": {"gateway": frozenset({"wayOut", "gatewayFault"})}}
)
"""Section -> key -> the keys that describe the same resource: their facts are not valid for another gateway."""

_UNKNOWN_AS_NULL = frozenset({"permissions"})
"""Sections in which null may mean that AWS did not answer. In others it means that there is none."""

_ANSWERED_WHOLE = frozenset({"kubernetesVersions", "permissions", "zones"})
"""Sections that are answered as a whole: what an answer leaves out is not there, or not taken."""

NEVER_QUERIED = frozenset({"outputs", "hyperpodChart"})
"""What only a person can write: a section, a key of things."""


@dataclass(frozen=True, slots=True)
class KeptFact:
    """A fact that AWS did not answer this time."""

    path: FactPath
    observed: datetime | None
    """When AWS answered; None where a person wrote it."""

    def __str__(self) -> str:
        return f"{'.'.join(self.path)} ({f'AWS, {self.observed.date()}' if self.observed else 'undated'})"


@dataclass(frozen=True, slots=True)
class ReplacedFact:
    """A fact whose new answer from AWS differs from the saved one."""

    path: FactPath
    was: Any
    now: Any
    """None: there is none; of a right that a condition decides."""

    def __str__(self) -> str:
        none = "a condition decides" if self.path[0] in _UNKNOWN_AS_NULL else "none"
        now = none if self.now is None else json.dumps(self.now, ensure_ascii=False)
        return f"{'.'.join(self.path)}: {now}, was {json.dumps(self.was, ensure_ascii=False)}"


@dataclass(frozen=True, slots=True)
class DroppedFact:
    """A fact of AWS's that was not queried for again, or that its answer leaves out."""

    path: FactPath
    was: Any

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}: was {json.dumps(self.was, ensure_ascii=False)}"


@dataclass(frozen=True, slots=True)
class MergedFacts:
    """Older facts and newer ones in one."""

    facts: Facts
    kept: tuple[KeptFact, ...] = ()
    replaced: tuple[ReplacedFact, ...] = ()
    left: tuple[DroppedFact, ...] = ()


def facts_document(facts: Facts) -> dict[str, Any]:
    """Facts as their file has them: what is not known is not in it."""
    return facts.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def other_account(old: Facts, new: Facts) -> str:
    """Of which other account or Region the older facts are, as text; empty of the same, and where it is not known."""
    was, is_ = old.account, new.account
    if was is None or is_ is None:
        return ""
    if was.id and is_.id and was.id != is_.id:
        return f"account {was.id}"
    return was.region if was.region and is_.region and was.region != is_.region else ""


def merge_facts(old: Facts, new: Facts, open_: Collection[FactPath]) -> MergedFacts:
    """Older facts with what AWS answers now.

    Args:
        old: the file's facts, of the same account and Region (`other_account`).
        new: what AWS answered, and when.
        open_: what AWS was queried for and did not answer, where it is not in the newer facts: a section, or what is in
            one.
    """
    before, after = facts_document(old), facts_document(new)
    staying: list[FactPath] = []
    dropped: list[FactPath] = []
    for path in _not_answered(before, after, open_):
        for part in _of_one_day(old, path, _at(before, path)):
            (staying if _stays(old, part, after, open_) else dropped).append(part)
    for path in staying:
        _put(after, path, _at(before, path))
    kept = tuple(KeptFact(path, _observed_at(old, path)) for path in staying)
    after["kept"] = {to_json_pointer(each.path): each.observed for each in kept}
    replaced = tuple(_replaced(_without(before, dropped), after))
    return MergedFacts(
        Facts.model_validate(after), kept, replaced, tuple(DroppedFact(path, _at(before, path)) for path in dropped)
    )


def to_json_pointer(path: FactPath) -> str:
    """As RFC 6901 writes it: ``/reservations/cr-0123456789abcdef0/end``. Keys of facts have dots and slashes."""
    return "".join(f"/{each.replace('~', '~0').replace('/', '~1')}" for each in path)


def from_json_pointer(pointed: str) -> FactPath:
    """The way back."""
    return tuple(each.replace("~1", "/").replace("~0", "~") for each in pointed.split("/")[1:])


def _not_answered(
    before: Mapping[str, Any], after: Mapping[str, Any], open_: Collection[FactPath]
) -> Iterator[FactPath]:
    """What no answer covers, as few paths as possible: a thing whole, else its keys."""
    for section, was in before.items():
        if section in _OF_THE_FILE:
            continue
        if section in _WHOLE or not isinstance(was, dict):
            if section not in after:
                yield (section,)
            continue
        known = after.get(section, {})
        for id_, thing in was.items():
            if id_ not in known or _unknown(section, id_, known[id_], thing, open_):
                yield section, id_
            elif isinstance(thing, dict) and isinstance(known[id_], dict) and known[id_].get("exists") is not False:
                answered = known[id_].keys() | _answered_with_others(section, thing, known[id_])
                yield from ((section, id_, key) for key in thing if key not in answered)


def _unknown(section: str, id_: str, now: Any, was: Any, open_: Collection[FactPath]) -> bool:
    """Whether null means that AWS did not answer what it had answered before."""
    return section in _UNKNOWN_AS_NULL and now is None and was is not None and (section, id_) in open_


def _answered_with_others(section: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """The keys of a thing that are answered with others, though they are left out."""
    yield from (key for key, by in ABSENT_WHEN_ANSWERED.get(section, {}).items() if by in now)
    for name, about in _ABOUT.get(section, {}).items():
        if name in now and now[name] != was.get(name):
            yield from about


def _stays(old: Facts, path: FactPath, after: Mapping[str, Any], open_: Collection[FactPath]) -> bool:
    """Of what no answer covers: what was queried for, and what a person wrote that no answer is about."""
    if any(path[: len(each)] == each for each in open_) or path[0] in NEVER_QUERIED or path[-1] in NEVER_QUERIED:
        return True
    return _observed_at(old, path) is None and not (path[0] in _ANSWERED_WHOLE and path[0] in after)


def _of_one_day(old: Facts, path: FactPath, value: Any) -> Iterator[FactPath]:
    """A path whole, or its keys where AWS answered them on several days."""
    inside = f"{to_json_pointer(path)}/"
    if isinstance(value, dict) and any(each.startswith(inside) for each in old.kept):
        yield from ((*path, key) for key in value)
    else:
        yield path


def _replaced(before: Mapping[str, Any], after: Mapping[str, Any], path: FactPath = ()) -> Iterator[ReplacedFact]:
    for key, was in before.items():
        if not path and key in _OF_THE_FILE:
            continue
        now = after.get(key)
        if isinstance(was, dict) and isinstance(now, dict):
            yield from _replaced(was, now, (*path, key))
        elif was != now:
            yield ReplacedFact((*path, key), was, now)


def _observed_at(old: Facts, path: FactPath) -> datetime | None:
    """When AWS answered the value at a path: it was kept before, whole or in part, or is of the facts' own time."""
    for end in range(len(path), 0, -1):
        if (pointed := to_json_pointer(path[:end])) in old.kept:
            return old.kept[pointed]
    return old.observed


def _without(data: Mapping[str, Any], paths: Sequence[FactPath]) -> dict[str, Any]:
    """A copy without some values, and without the blocks that become empty."""
    copy = deepcopy(dict(data))
    for path in paths:
        for end in range(len(path), 0, -1):
            inside = _at(copy, path[: end - 1])
            if end == len(path) or not inside[path[end - 1]]:
                del inside[path[end - 1]]
    return copy


def _at(data: Any, path: FactPath) -> Any:
    for step in path:
        data = data[step]
    return data


def _put(data: dict[str, Any], path: FactPath, value: Any) -> None:
    for step in path[:-1]:
        data = data.setdefault(step, {})
    data[path[-1]] = value
