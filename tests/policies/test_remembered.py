"""What is worked out once for a thing is worked out again for another, however alike."""

from policies.lookups.identity_cache import cached_by_identity


def test_a_thing_is_asked_about_once() -> None:
    """And one that only looks like it is another."""
    asked: list[object] = []

    @cached_by_identity(8)
    def length(thing: list[int]) -> int:
        asked.append(thing)
        return len(thing)

    one, alike = [1, 2], [1, 2]
    assert [length(one), length(one), length(alike)] == [2, 2, 2]
    assert len(asked) == 2
    assert asked[0] is one
    assert asked[1] is alike
