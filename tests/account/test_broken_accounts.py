"""Accounts with one fact wrong each: one rule finds it, at the place that is about it, and all others are evaluated."""

import pytest

from tests.account.accounts import Account
from tests.account.broken_accounts import ACCOUNTS, Broken


@pytest.mark.parametrize("one", ACCOUNTS, ids=lambda one: one.name)
def test_one_wrong_fact_is_one_finding(one: Broken) -> None:
    account = Account.of(one.stack, one.change)
    one.wrong(account)
    judgement = account.judged()
    assert sorted((each.rule, each.where) for each in judgement.findings) == [(one.rule, each) for each in one.places]
    assert judgement.not_evaluated == ()


@pytest.mark.parametrize(
    ("stack", "said"),
    [("p5-capacity-block", {"State": "payment-pending"}), ("p5-odcr", {"InstanceMatchCriteria": "open"})],
    ids=["payment-pending", "open"],
)
def test_what_is_no_fault_of_a_reservation(stack, said) -> None:
    """A block that has not started may wait for its payment: its group waits for its day anyway. An open reservation
    also takes instances that name it (EC2 user guide, "Launch instances into an existing Capacity Reservation")."""
    account = Account.of(stack)
    account.reservation.update(said)
    assert (account.judged().findings, account.judged().not_evaluated) == ((), ())
