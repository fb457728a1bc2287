"""What rules say in a case, and tests of tables of it."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.policies.case import cases, judged


def said(case: str, rule: str) -> set[tuple[str, str]]:
    """What a rule finds in a case, and what to do about it."""
    (one,) = [each for each in cases() if each.name == case]
    return {(each.got, each.remedy) for each in judged(one).findings if each.rule == rule}


def missed(case: str, rule: str) -> set[str]:
    """What a rule lacked in a case."""
    (one,) = [each for each in cases() if each.name == case]
    return {each.missing for each in judged(one).not_evaluated if each.rule == rule}


def all_said(table: Iterable[tuple[str, str, str, str]]) -> Callable[..., None]:
    """One test for each case and rule of a table: the table has all that the rule finds there, word by word.

    Args:
        table: rows of case, rule, what was found, what to do. People act on these words.
    """
    return _all_of(said, ((case, rule, (got, remedy)) for case, rule, got, remedy in table))


def all_missed(table: Iterable[tuple[str, str, str]]) -> Callable[..., None]:
    """One test for each case and rule of a table: the table has all that the rule lacked there, word by word.

    Args:
        table: rows of case, rule, what was missing.
    """
    return _all_of(missed, table)


def _all_of(asked: Callable[[str, str], set[Any]], table: Iterable[tuple[str, str, Any]]) -> Callable[..., None]:
    rows: dict[tuple[str, str], set[Any]] = {}
    for case, rule, words in table:
        rows.setdefault((case, rule), set()).add(words)

    @pytest.mark.parametrize(("case", "rule"), rows, ids=[f"{rule}-{case}" for case, rule in rows])
    def test(case: str, rule: str) -> None:
        assert asked(case, rule) == rows[case, rule]

    return test
