"""Accounts with one fact wrong each: one finding, at the place that is about it, with what mends it."""

import json

import pytest

from tests.account import sound_ec2
from tests.account.accounts import Account, asking
from tests.account.broken_accounts import ACCOUNTS


@pytest.mark.parametrize("one", ACCOUNTS, ids=lambda one: one.name)
def test_one_wrong_fact_is_one_finding(one, muster, monkeypatch) -> None:
    """No other rule complains of it, all other facts are judged, and the remedy is an action."""
    account = Account.of(one.stack)
    one.wrong(account)
    asked = asking(muster, monkeypatch)(account)
    assert asked.found == {one.finding}, asked.said["findings"]
    assert len(asked.said["findings"]) == 1
    assert one.mends in asked.said["findings"][0]["remedy"]
    assert asked.said["notEvaluated"] == []
    assert asked.said["notAnswered"] == []


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
def test_what_is_no_fault_of_a_reservation(stack, said, muster, monkeypatch) -> None:
    """A block that is not begun may wait for its payment as for its day: its group waits with it. A reservation that is
    open takes instances that name it, too: that it is active, matches and has room is all that a launch into it wants
    (EC2 user guide, "Launch instances into an existing Capacity Reservation")."""
    account = Account.of(stack)
    account.reservation.update(said)
    asked = asking(muster, monkeypatch)(account)
    assert asked.found == set()
    assert asked.unjudged == set()
