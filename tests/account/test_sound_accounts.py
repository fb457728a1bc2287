"""Accounts that have what a reference stack wants: everything is answered, everything judged, nothing found."""

import pytest

from muster.config.project import stacks
from tests.account.accounts import Account, asking
from tests.stack_files import ROOT


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_nothing_is_wrong(stack, muster, monkeypatch) -> None:
    """And nothing is left open: each fact that a rule needs is asked for."""
    asked = asking(muster, monkeypatch)(Account.of(stack))
    assert (asked.said["findings"], asked.said["notEvaluated"], asked.said["notAnswered"]) == ([], [], [])
    assert asked.code == 0
