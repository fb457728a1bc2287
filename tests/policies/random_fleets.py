"""Random fleets of every type that rules judge. Each field has a value of the corpus or of a program, an odd value, or
an unknown one."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from muster.fleet.resources import Fleet, Place, PodTemplate, Ref
from muster.fleet.resources.fleet import Judged
from muster.unknown import UNKNOWN, UnknownType
from tests.corpus.judged import every_fleet
from tests.policies.programs.program import programs

KINDS: tuple[type, ...] = get_args(Judged)
_ODD: dict[Any, tuple[Any, ...]] = {
    str: ("", "x", "a" * 200),
    int: (-1, 0, 10**6),
    bool: (True, False),
    type(None): (None,),
    UnknownType: (UNKNOWN,),
    tuple: ((),),
    frozenset: (frozenset(),),
    Ref: (Ref("aws:ec2/thing:Thing", "gone"),),
    Place: (Place("groups.workers"),),
}
"""Type -> odd values for a field of it."""
_odd_json = st.sampled_from(
    [None, True, False, UNKNOWN, 0, 8.0, "", "ml.p5.48xlarge", "256", [], {}, ["a"], {"key": "a"}]
)
_KEYED = {"values", "spec", "value"}
"""Fields that hold JSON of a user."""


def _within(thing: Any) -> Iterator[Any]:
    """A thing, and everything inside it."""
    if is_dataclass(thing) and not isinstance(thing, type):
        yield thing
        for each in fields(thing):
            yield from _within(getattr(thing, each.name))
    elif isinstance(thing, tuple | frozenset):
        for one in thing:
            yield from _within(one)


@cache
def _fleets() -> tuple[Fleet, ...]:
    return (*every_fleet(), *(one.fleet(broken=True) for one in programs().values()))


@cache
def _seen() -> dict[tuple[type, str], list[Any]]:
    """Type and field -> the different values in the corpus and in programs."""
    seen: dict[tuple[type, str], dict[str, Any]] = {}
    for fleet in _fleets():
        for thing in fleet.objects:
            for each in _within(thing):
                for field in fields(each):
                    value = getattr(each, field.name)
                    seen.setdefault((type(each), field.name), {})[repr(value)] = value
    return {key: list(values.values()) for key, values in seen.items()}


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        yield from _keys(each)


@cache
def _json() -> st.SearchStrategy[Any]:
    """Nested blocks of the keys that charts and pods of the corpus have."""
    keys = {key for (_, name), values in _seen().items() if name in _KEYED for each in values for key in _keys(each)}
    named = st.sampled_from(sorted(keys))
    return st.dictionaries(
        named,
        st.recursive(_odd_json, lambda inner: st.dictionaries(named, inner, max_size=4) | st.lists(inner, max_size=2)),
        max_size=5,
    )


@cache
def _field(kind: type, name: str) -> st.SearchStrategy[Any]:
    hint = get_type_hints(kind)[name]
    parts = get_args(hint) if get_origin(hint) not in (tuple, frozenset, dict) else (hint,)
    odd = [value for part in parts or (hint,) for value in _ODD.get(get_origin(part) or part, ())]
    values: st.SearchStrategy[Any] = st.sampled_from([*_seen().get((kind, name), ()), *odd] or [UNKNOWN])
    return values | _json() if name in _KEYED else values


def _made(kind: type, **given: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    made = {each.name: _field(kind, each.name) for each in fields(kind) if each.init}
    return st.builds(kind, **{**made, **given})


@cache
def anything(kind: type) -> st.SearchStrategy[Any]:
    """A random thing of a type."""
    if "templates" in {each.name for each in fields(kind)}:
        return _made(kind, templates=st.lists(_made(PodTemplate), max_size=2).map(tuple))
    return _made(kind)


@st.composite
def fleets(draw: st.DrawFn) -> Fleet:
    """Random things beside the subnets, facts, Region and day of a fleet of the corpus."""
    kinds = draw(st.lists(st.sampled_from(KINDS), max_size=8))
    return replace(draw(st.sampled_from(_fleets())), objects=tuple(draw(anything(kind)) for kind in kinds))
