"""The value that brings a fault about is the one without which it is gone."""

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from muster.addons.charts.cluster_rendering import find_faulty_value

keys = st.sampled_from("abc")
leaves = st.one_of(st.integers(), st.none(), st.lists(st.integers(), max_size=2))
trees = st.recursive(st.dictionaries(keys, leaves, max_size=3), lambda below: st.dictionaries(keys, below, max_size=3))


def paths(values: Any, before: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every path in values."""
    if not isinstance(values, Mapping):
        return []
    return [path for key, below in values.items() for path in ((*before, key), *paths(below, (*before, key)))]


def has(values: Any, path: tuple[str, ...]) -> bool:
    for step in path:
        if not isinstance(values, Mapping) or step not in values:
            return False
        values = values[step]
    return True


@given(trees, st.data())
def test_the_one_value_is_found_wherever_it_is(values: dict[str, Any], data: st.DataObject) -> None:
    """At its own path, no higher; of what is below it nothing brings the fault about alone."""
    every = paths(values)
    if every:
        path = data.draw(st.sampled_from(every))
        assert find_faulty_value(values, lambda given: has(given, path)) == path


@given(trees)
def test_what_is_wrong_without_any_value_is_not_theirs(values: dict[str, Any]) -> None:
    """Nor is anything tried then."""
    assert find_faulty_value(values, lambda _: True) is None


def test_where_either_of_two_brings_it_about_it_is_both() -> None:
    """Neither alone mends it."""
    assert find_faulty_value({"a": {"b": 1}, "c": 2}, lambda given: has(given, ("a", "b")) or has(given, ("c",))) == ()
    assert find_faulty_value(
        {"a": {"b": 1, "c": 2}}, lambda given: has(given, ("a", "b")) or has(given, ("a", "c"))
    ) == ("a",)


def test_where_only_two_together_bring_it_about_the_first_is_told() -> None:
    """Each of them mends it."""
    assert find_faulty_value({"a": 1, "b": 2}, lambda given: has(given, ("a",)) and has(given, ("b",))) == ("a",)
