"""Accounts that have what a reference stack wants: everything is answered, everything judged, nothing found."""

import pytest

from muster.stack.project import stacks
from tests.account.accounts import Account, asking
from tests.stack_files import ROOT, UNSTATED


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_nothing_is_wrong(stack, muster, monkeypatch) -> None:
    """And nothing is left open that a fact of an account decides: each one that a rule needs is asked for."""
    asked = asking(muster, monkeypatch)(Account.of(stack))
    left = {(each["rule"], each["resource"]) for each in asked.said["notEvaluated"]}
    assert (asked.said["findings"], left, asked.said["notAnswered"]) == ([], UNSTATED.get(stack, frozenset()), [])
    assert asked.code == 0
