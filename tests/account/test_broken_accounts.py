"""Accounts with one fact wrong each: one rule finds it, at the place that is about it, and all others are evaluated."""

import json

import pytest

from tests.account import sound_ec2
from tests.account.accounts import Account, asking
from tests.account.broken_accounts import ACCOUNTS, Broken


@pytest.mark.parametrize("one", ACCOUNTS, ids=lambda one: one.name)
def test_one_wrong_fact_is_one_finding(one: Broken) -> None:
    account = Account.of(one.stack, one.change)
    one.wrong(account)
    judgement = account.judged()
    assert sorted((each.rule, each.where) for each in judgement.findings) == [(one.rule, each) for each in one.places]
    assert judgement.not_evaluated == ()


def test_a_private_nat_gateway_is_not_evaluated(muster, monkeypatch) -> None:
    """It leads to other networks: whether they reach AWS only they know, in this command and in the next."""
    account = Account.of("p5-odcr")
    account.ec2.nats[0]["ConnectivityType"] = "private"
    asked = asking(muster, monkeypatch)(account, "--save")
    assert asked.found == set()
    assert asked.unjudged == {"subnet-reaches-aws"}
    checked = muster.judged("check", "p5-odcr", "--json", "--strict")
    assert checked.code == 4
    (one,) = json.loads(checked.out)["stacks"][0]["notEvaluated"]
    assert one["rule"] == "subnet-reaches-aws"
    assert sound_ec2.NAT in one["missing"]


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
