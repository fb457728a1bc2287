"""A copy of a stack for other instances, another Region or another account: its text, with all comments."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from muster.fleet.description.identifiers import PLACEHOLDER, is_placeholder
from muster.fleet.dotted import Path_
from muster.fleet.new_stack.capacity_entries import capacity_entries
from muster.fleet.new_stack.entry import Entry
from muster.fleet.new_stack.held import Held
from muster.fleet.new_stack.lines import scalar
from muster.fleet.new_stack.network_entries import network_entry
from muster.fleet.new_stack.networks import AnyNetwork
from muster.fleet.new_stack.spans import Text
from muster.fleet.zones import ZONE_NAME, region_of

CLUSTER: Path_ = ("config", "muster:cluster")

_OF_THE_OTHER = ("name", "suppress", "addons-in")
"""What a stack says of itself alone: two clusters of one name are one, and what somebody took the blame for there
nobody takes here."""

_ID = re.compile(r"(vpc|subnet|sg|cr|ami|fs)-([0-9a-f]{17}|[0-9a-f]{8})|cb-[0-9A-Za-z]{8,40}")
_ACCOUNT = re.compile(r"(arn:aws[a-z-]*:[a-z0-9-]+:)([a-z0-9-]*):(\d{12}):")
_REGISTRY = re.compile(r"\b(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.")
_DOCUMENTATION = "111122223333"


@dataclass(frozen=True, slots=True)
class Exchange:
    """What is to be another in the copy."""

    original: str
    """The name of the stack that is copied."""
    region: str
    zones: Mapping[str, str]
    """Zone of the original -> zone of the copy."""
    group: Path_ = ()
    """Where the group is that gets the instances, below `muster:cluster`."""
    held: Held | None = None
    nodes: int = 0
    network: AnyNetwork | None = None
    """Instead of the original's, None where only its zones are others."""
    account: str = ""
    """ARNs of this account and Region stay; of no other."""


def copied(text: str, exchange: Exchange) -> str:
    """The copy's text.

    Args:
        text: a stack file's, which has been read without a fault.
        exchange: what is another.
    """
    edits = Text(text)
    said = {path: value for path, value, is_key in edits.scalars() if not is_key}
    old_region = said.get(("config", "aws:region"), "")
    for path in _superfluous(edits):
        edits.remove(path)
    if exchange.held is not None:
        _capacity(edits, exchange, exchange.held)
    if exchange.network is not None:
        edits.put((*CLUSTER, "network"), (network_entry(exchange.network, exchange.region),))
    made: dict[str, str] = {}
    for path, value, is_key in edits.scalars():
        other = _other(value, exchange, old_region, made, path, is_key=is_key)
        if other != value:
            edits.write(path, scalar(other), key=is_key)
    return _headed(edits.edited(), exchange.original)


def _headed(text: str, original: str) -> str:
    """With a line that says what it is: above the original's own words, below the one that editors read."""
    first, _, rest = text.partition("\n")
    line = f"# Copied from stack {original} by `muster init`; what follows are its words."
    return f"{first}\n{line}\n{rest}" if first.startswith("# yaml-language-server") else f"{line}\n{text}"


def zones_of(text: str) -> list[str]:
    """Every zone that a stack file names, sorted."""
    return sorted({value for _, value, _ in Text(text).scalars() if ZONE_NAME.fullmatch(value)})


def other_zones(old: list[str], first: str, region: str, new: tuple[str, ...], known: list[str]) -> dict[str, str]:
    """Zone of the original -> zone of the copy, no two the same.

    Args:
        old: the original's.
        first: the one that its workers are in.
        region: the copy's.
        new: the zones that the copy's network has, the workers' first; by letter without any.
        known: the zones that there are, in so far as AWS said.
    """
    ordered = [first, *(each for each in old if each != first)] if first in old else list(old)
    by_letter = [f"{region}{each[len(region_of(each)) :]}" for each in ordered]
    candidates = [*new, *by_letter, *known, *(f"{region}{letter}" for letter in "abcdef")]
    if not new:
        return dict(zip(ordered, by_letter, strict=True))
    free = iter(dict.fromkeys(candidates))
    return {each: next(free) for each in ordered}


def _superfluous(edits: Text) -> Iterator[Path_]:
    """What is the original's own. An approval is for one purchase; the engine's own keys are for its secrets."""
    tops = {path[0] for path, _, is_key in edits.scalars() if is_key and len(path) == 1}
    yield from ((each,) for each in sorted(map(str, tops - {"config"})))
    yield from ((*CLUSTER, each) for each in _OF_THE_OTHER if edits.has((*CLUSTER, each)))
    for path, _, is_key in edits.scalars():
        if (is_key and path[-2:] == ("buy", "approved")) or (is_key and path[-1] == "zone-ids"):
            yield path


def _capacity(edits: Text, exchange: Exchange, held: Held) -> None:
    group = (*CLUSTER, *exchange.group)
    capacity = Entry("capacity", (Entry(held.kind.value, _of_backend(capacity_entries(held), exchange.group)),))
    edits.write((*group, "instance"), scalar(held.instance))
    if edits.is_scalar((*group, "nodes")):
        edits.write((*group, "nodes"), str(exchange.nodes))
    else:
        edits.put((*group, "nodes"), (Entry("nodes", exchange.nodes),))
    if edits.has((*group, "capacity")):
        edits.put((*group, "capacity"), (capacity,))
    else:
        edits.put_after((*group, "nodes"), (capacity,))


def _of_backend(entries: tuple[Entry, ...], group: Path_) -> tuple[Entry, ...]:
    """ParallelCluster holds nodes back by itself until a block begins."""
    return tuple(each for each in entries if not (group[0] == "queues" and each.key == "active"))


def _other(value: str, exchange: Exchange, old_region: str, made: dict[str, str], path: Path_, *, is_key: bool) -> str:
    """What becomes of a key or a value."""
    if value in exchange.zones:
        return exchange.zones[value]
    if is_key or is_placeholder(value):
        return value if is_key else _elsewhere(value, old_region, exchange.region)
    if _ID.fullmatch(value):
        return made.setdefault(value, _blank(value, path, set(made.values()), exchange))
    value = _ACCOUNT.sub(lambda found: _account(found, exchange), value)
    value = _REGISTRY.sub(
        lambda found: (
            found.group()
            if (found[1], found[2]) == (exchange.account, exchange.region)
            else found.group().replace(found[1], _DOCUMENTATION)
        ),
        value,
    )
    return _elsewhere(value, old_region, exchange.region)


def _elsewhere(value: str, old: str, new: str) -> str:
    """A text that names the Region."""
    return re.sub(rf"\b{re.escape(old)}\b", new, value) if old else value


def _account(found: re.Match[str], exchange: Exchange) -> str:
    mine = found[3] == exchange.account and found[2] in ("", exchange.region)
    return found.group() if mine else f"{found[1]}{found[2]}:{_DOCUMENTATION}:"


def _blank(value: str, path: Path_, taken: set[str], exchange: Exchange) -> str:
    """An id to be filled in, each its own: a subnet by its tier and zone."""
    prefix = value.partition("-")[0]
    name = f"{prefix}-{PLACEHOLDER}"
    if prefix == "subnet" and len(path) > 1:
        zone = exchange.zones.get(str(path[-1]), str(path[-1]))
        name = f"{name}-{path[-2]}-{zone[-1]}"
    number = 2
    fresh = name
    while fresh in taken:
        fresh, number = f"{name}-{number}", number + 1
    return fresh
