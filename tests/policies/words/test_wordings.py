"""The small wordings that findings share."""

import pytest

from policies.words import agree, cards, number, some


@pytest.mark.parametrize(
    ("things", "text"),
    [([], "none"), (["b"], "b"), (["b", "a"], "a and b"), ("cab", "a, b and c"), ([2, 1], "1 and 2")],
)
def test_some(things: list[object], text: str) -> None:
    assert some(things) == text


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([0], "card 0"),
        ([1, 0], "cards 0 to 1"),
        ([4, 0], "cards 0 and 4"),
        ([*range(8), 9], "cards 0 to 7 and 9"),
        ([3, 3], "card 3"),
    ],
)
def test_cards(numbers: list[int], text: str) -> None:
    assert cards(numbers) == text


def test_number() -> None:
    assert [number(0, "node"), number(1, "node"), number(2, "node")] == ["0 nodes", "1 node", "2 nodes"]
    assert number(2, "entry", "entries") == "2 entries"


def test_agree() -> None:
    assert [agree(things, "gives", "give") for things in ((), ("a",), ("a", "b"))] == ["give", "gives", "give"]
