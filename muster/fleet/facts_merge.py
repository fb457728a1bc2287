"""Merges older facts with newer ones: keeps what AWS was queried for this time and did not answer. Pure.

A new fact about a resource replaces the older one whole. A resource without a new fact keeps its older one if AWS did
not answer a query about its section, or if a person wrote it. Every other older fact is dropped: kept, it would be
judged, and grow old for good. A kept fact has the day of AWS's answer, or none where a person wrote it.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from muster.fleet.facts import Facts

FactPath = tuple[str, ...]
"""Where in the facts: ``("reservations", "cr-0123456789abcdef0")``."""

_OF_THE_FILE = frozenset({"contract", "observed", "kept"})
"""Keys about the facts, which are no facts."""

_WHOLE = frozenset({"account", "outputs"})
"""Blocks of which all parts are answered at once."""


class KeptFact(NamedTuple):
    """A fact that AWS did not answer this time."""

    path: FactPath
    observed: datetime | None
    """When AWS answered; None where a person wrote it."""

    def __str__(self) -> str:
        return f"{'.'.join(self.path)} ({f'AWS, {self.observed.date()}' if self.observed else 'undated'})"


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


def merge_facts(old: Facts, new: Facts, open_: Collection[str]) -> tuple[Facts, tuple[KeptFact, ...]]:
    """Older facts with what AWS answers now, and which of the older ones are kept.

    Args:
        old: the file's facts, of the same account and Region (`other_account`).
        new: what AWS answered, and when.
        open_: the sections about which a query has no answer.
    """
    before, after = facts_document(old), facts_document(new)
    kept: list[KeptFact] = []
    for path, value in _entries(before):
        section, *ids = path
        block = after.get(section, {})
        if ids[0] in block if ids else block:
            continue
        fact = KeptFact(path, _observed_at(old, path))
        if section in open_ or fact.observed is None:
            kept.append(fact)
            if ids:
                after.setdefault(section, {})[ids[0]] = value
            else:
                after[section] = value
    after["kept"] = {to_json_pointer(each.path): each.observed for each in kept}
    return Facts.model_validate(after), tuple(kept)


def _entries(document: Mapping[str, Any]) -> Iterator[tuple[FactPath, Any]]:
    """The facts about each resource, by section and id."""
    for section, value in document.items():
        if section in _OF_THE_FILE:
            continue
        if section in _WHOLE:
            yield (section,), value
        else:
            yield from (((section, id_), each) for id_, each in value.items())


def _observed_at(old: Facts, path: FactPath) -> datetime | None:
    """When AWS answered an older fact: it was kept before, itself or its section, or is of the facts' own time."""
    before = [each for end in range(1, len(path) + 1) if (each := to_json_pointer(path[:end])) in old.kept]
    return old.kept[before[-1]] if before else old.observed


def to_json_pointer(path: FactPath) -> str:
    """As RFC 6901 writes it: ``/reservations/cr-0123456789abcdef0``. Keys of facts have dots and slashes."""
    return "".join(f"/{each.replace('~', '~0').replace('/', '~1')}" for each in path)


def from_json_pointer(pointed: str) -> FactPath:
    """The way back."""
    return tuple(each.replace("~1", "/").replace("~0", "~") for each in pointed.split("/")[1:])
