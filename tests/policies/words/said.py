"""What rules say in a case, and tests of tables of it."""

from collections.abc import Sequence

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


def each_of(names: str, table: Sequence[tuple[str, ...]]) -> pytest.MarkDecorator:
    """One test for each row; its first two columns are the case and the rule."""
    return pytest.mark.parametrize(names.split(", "), table, ids=[f"{each[1]}-{each[0]}" for each in table])
