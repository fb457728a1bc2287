"""Hides what is known of a fleet, as a preview does."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from muster.blueprint.derive.cluster import derive
from muster.config.validation import validate
from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from policies.engine.described_fleet import described_fleet
from tests.strategies import Described

Hideable = Mapping[type, tuple[str, ...]]
"""Type -> the fields that a preview may not know."""


def fleet_of(form: type[Any], described: Described) -> Fleet:
    """What a random legal description comes to."""
    made, faults = validate(form, described.document)
    assert made is not None, faults
    return described_fleet(derive(made, "random", described.region, described.known), described.as_of)


def hideable_of(thing: Any, hideable: Hideable) -> list[str]:
    """The fields of a thing that may be hidden: what is not set is known not to be."""
    return [name for name in hideable.get(type(thing), ()) if getattr(thing, name) not in (None, ())]


def veiled(fleet: Fleet, hideable: Hideable, hides: Callable[[], bool]) -> Fleet:
    """A fleet of which less is known: each field that may be hidden is, where `hides` says so."""

    def veil(thing: Any) -> Any:
        return replace(thing, **{name: UNKNOWN for name in hideable_of(thing, hideable) if hides()})

    return replace(fleet, objects=tuple(map(veil, fleet.objects)))


def without(fleet: Fleet, kind: type, name: str) -> Fleet:
    """A fleet of which one field is known of no thing of a type."""
    hidden: dict[str, Any] = {name: UNKNOWN}
    return replace(
        fleet, objects=tuple(replace(each, **hidden) if type(each) is kind else each for each in fleet.objects)
    )
