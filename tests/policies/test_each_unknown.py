"""Not knowing one thing: each field that creation may tell, by itself, in fleets in which everything else is known."""

import inspect
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, get_type_hints

from muster.fleet import resources
from muster.fleet.resources import Fleet, Place, Ref
from muster.fleet.unknown import UNKNOWN, may_be_unknown
from policies.engine.judgement import RuleCrashed, judge
from tests.policies.case import all_cases

FLEETS = 4
"""How many fleets each field is hidden in: of all cases the first that have it."""


@cache
def _may_be_unknown(kind: type) -> frozenset[str]:
    """The fields of a type of which a preview may not know the value."""
    if not is_dataclass(kind) or kind in (Place, Ref, Fleet):
        return frozenset()
    hints = get_type_hints(kind)
    return frozenset(each.name for each in fields(kind) if may_be_unknown(hints[each.name]))


def _hidden(thing: Any) -> Iterator[tuple[type, str, Any]]:
    """A thing with one field hidden, of its own or of what is in it: whose it is, its name, the thing."""
    if not is_dataclass(thing) or isinstance(thing, Place | Ref | type):
        return
    for name in sorted(_may_be_unknown(type(thing))):
        if getattr(thing, name) is not UNKNOWN:
            yield type(thing), name, replace(thing, **{name: UNKNOWN})
    for each in fields(thing):
        if not each.init:
            continue
        value = getattr(thing, each.name)
        for kind, name, within in _hidden(value):
            yield kind, name, replace(thing, **{each.name: within})
        if isinstance(value, tuple | frozenset):
            of = sorted(value, key=repr) if isinstance(value, frozenset) else value
            for index, one in enumerate(of):
                for kind, name, within in _hidden(one):
                    yield (
                        kind,
                        name,
                        replace(thing, **{each.name: type(value)((*of[:index], within, *of[index + 1 :]))}),
                    )


@cache
def _hideable() -> frozenset[tuple[type, str]]:
    """Every field of everything that is judged, or is in something judged."""
    kinds = [each for _, each in inspect.getmembers(resources, inspect.isclass)]
    return frozenset((kind, name) for kind in kinds for name in _may_be_unknown(kind))


def _tried() -> Iterator[tuple[tuple[type, str], Fleet]]:
    seen: dict[tuple[type, str], int] = {}
    for case in all_cases():
        fleet = case.fleet()
        here: set[tuple[type, str]] = set()
        for index, thing in enumerate(fleet.objects):
            for kind, name, less in _hidden(thing):
                key = (kind, name)
                if key not in here and seen.get(key, 0) < FLEETS:
                    here.add(key)
                    seen[key] = seen.get(key, 0) + 1
                    yield key, replace(fleet, objects=(*fleet.objects[:index], less, *fleet.objects[index + 1 :]))


def test_no_rule_crashes_on_one_thing_that_nobody_knows() -> None:
    """Whatever it is. Each field has been hidden, those of new things, too."""
    tried: set[tuple[type, str]] = set()
    crashed: dict[str, set[str]] = {}
    for (kind, name), fleet in _tried():
        tried.add((kind, name))
        crashes: list[RuleCrashed] = []
        judge(fleet, crashes=crashes)
        if crashes:
            crashed.setdefault(f"{kind.__name__}.{name}", set()).update(each.rule for each in crashes)
    assert crashed == {}
    assert _hideable() - tried == frozenset()
