"""The small wordings that findings share, and the words that rules give them."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from policies.engine.finding_text import and_list, card_list, quantity_text, singular_or_plural

POLICIES = Path(__file__).resolve().parents[3] / "policies"


@pytest.mark.parametrize(
    ("things", "text"),
    [([], "none"), (["b"], "b"), (["b", "a"], "a and b"), ("cab", "a, b and c"), ([2, 1], "1 and 2")],
)
def test_some(things: list[object], text: str) -> None:
    assert and_list(things) == text


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
    assert card_list(numbers) == text


def test_number() -> None:
    assert [quantity_text(0, "node"), quantity_text(1, "node"), quantity_text(2, "node")] == [
        "0 nodes",
        "1 node",
        "2 nodes",
    ]
    assert quantity_text(2, "entry", "entries") == "2 entries"


def test_agree() -> None:
    assert [singular_or_plural(things, "gives", "give") for things in ((), ("a",), ("a", "b"))] == [
        "give",
        "gives",
        "give",
    ]


def _calls(function: str) -> Iterator[list[Any]]:
    """The arguments of every call of a function in the policies."""
    for file in sorted(POLICIES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
                yield node.args


AGREEING = {
    ("does", "do"),
    ("has", "have"),
    ("has no way out", "have no way out"),
    ("is", "are"),
    ("is a public subnet", "are public subnets"),
    ("it", "both"),
    ("it", "them"),
    ("its links", "the links of each"),
    ("the zone that does", "a zone that does"),
}
"""Words for one thing and for several that no ending tells."""


def test_words_for_one_and_for_several_belong_together() -> None:
    """A verb loses its s, a thing gains one."""
    calls = [tuple(map(ast.literal_eval, words)) for _, *words in _calls("singular_or_plural")]
    assert len(calls) > 20
    assert [
        (one, many)
        for one, many in calls
        if (one, many) not in AGREEING and one not in (f"{many}s", f"{many}es") and many != f"{one}s"
    ] == []


COUNTED = {
    ("action", ""),
    ("address", "addresses"),
    ("day", ""),
    ("EFA interface", ""),
    ("instance", ""),
    ("instance type", ""),
    ("interface", ""),
    ("key", ""),
    ("network card", ""),
    ("node", ""),
    ("principal", ""),
    ("shared storage", ""),
    ("spot instance", ""),
    ("subnet", ""),
}
"""What rules count by a word of their own, with the word for several that no s makes."""


def test_what_is_counted_is_called_by_a_word() -> None:
    """One of these; what a table names besides, tests of its words hold."""
    calls = [
        tuple(map(ast.literal_eval, words))
        for _, *words in _calls("quantity_text")
        if isinstance(words[0], ast.Constant)
    ]
    assert {(*words, "")[:2] for words in calls} == COUNTED
