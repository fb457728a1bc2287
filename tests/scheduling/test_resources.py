"""Sums of resources."""

from hypothesis import given
from hypothesis import strategies as st

from muster.scheduling.resources import copies_that_fit, left, shortages, times, total

amounts = st.dictionaries(st.sampled_from(["cpu", "memory", "nvidia.com/gpu", "hugepages-2Mi"]), st.integers(0, 50))
requests = amounts.filter(lambda each: any(each.values()))


@given(amounts, amounts, amounts)
def test_sums_are_commutative_and_associative(
    first: dict[str, int], second: dict[str, int], third: dict[str, int]
) -> None:
    """Nothing added to amounts leaves them."""
    assert total([first, second]) == total([second, first])
    assert total([total([first, second]), third]) == total([first, total([second, third])])
    assert total([first, {}]) == first


@given(amounts, amounts, amounts)
def test_more_room_never_lacks_more(requested: dict[str, int], room: dict[str, int], more: dict[str, int]) -> None:
    """Every shortage is less than what is requested, and what is not listed is zero."""
    short = shortages(requested, room)
    assert shortages(requested, total([room, more])).keys() <= short.keys()
    assert short.keys() <= shortages(total([requested, more]), room).keys()
    assert all(there == room.get(resource, 0) < requested[resource] for resource, there in short.items())


@given(requests, amounts)
def test_as_many_fit_as_there_is_room_for(requested: dict[str, int], room: dict[str, int]) -> None:
    """So many take no more than there is, and one more does."""
    number = copies_that_fit(requested, room)
    assert not shortages(times(number, requested), room)
    assert shortages(times(number + 1, requested), room)


@given(amounts, amounts)
def test_what_is_left_and_what_is_taken_are_all(room: dict[str, int], taken: dict[str, int]) -> None:
    """Of what there is; it may be less than nothing."""
    of_room = {resource: taken.get(resource, 0) for resource in room}
    assert total([left(room, taken), of_room]) == room
