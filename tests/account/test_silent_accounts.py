"""Accounts that do not answer: nothing of that is taken for fine."""

import json
import re
import threading

import pytest

from tests.account.accounts import Account, asking, there, write
from tests.account.aws import Refused, denied

STACK = "p5-odcr"
ASKED = {
    *("ec2.DescribeAvailabilityZones", "ec2.DescribeCapacityReservations", "ec2.DescribeInstanceTypeOfferings"),
    *("ec2.DescribeInstances", "ec2.DescribeNatGateways", "ec2.DescribeRouteTables", "ec2.DescribeSubnets"),
    "ec2.DescribeVpcAttribute",
    *("ec2.DescribeVpcEndpoints", "ec2.DescribeVpcs", "eks.DescribeClusterVersions"),
    *(
        "cloudwatch.GetMetricData",
        "eks.ListClusters",
        "eks.ListNodegroups",
        "iam.GetRole",
        "iam.SimulatePrincipalPolicy",
    ),
    *("service-quotas.GetServiceQuota", "ssm.GetParameter", "sts.GetCallerIdentity"),
}
"""Every operation that the stack's account is asked for."""

NO_RULE_NEEDS = {
    "ec2.DescribeAvailabilityZones": "the subnets say their zones' ids",
    "ec2.DescribeVpcEndpoints": "the subnets have NAT",
}
"""Operation -> why all of the stack's rules are judged without it."""


def test_what_is_asked(muster, monkeypatch) -> None:
    """Exactly these operations, all of them reads."""
    write(muster.folder, STACK)
    with there(Account.of(STACK).answers(), monkeypatch) as aws:
        muster.judged("preflight", STACK)
    assert {f"{each.service}.{each.operation}" for each in aws.asked} == ASKED
    assert all(re.match(r"(Describe|Get|List|Simulate)", each.operation) for each in aws.asked)


@pytest.mark.parametrize("operation", sorted(ASKED))
def test_what_is_denied_is_open(operation, muster, monkeypatch) -> None:
    """It is told as not answered, in AWS's words; rules that need it say so; nothing is found for want of it."""
    account = Account.of(STACK)
    answers = {**account.answers(), operation: denied(*operation.split("."))}
    account.answers = lambda: answers  # type: ignore[method-assign]
    asked = asking(muster, monkeypatch)(account, "--strict")
    silent = {f"{each['service']}.{each['operation']}" for each in asked.said["notAnswered"]}
    assert silent == {operation}
    assert {each["reason"] for each in asked.said["notAnswered"]} == {"denied"}
    assert all("not authorized" in each["words"] for each in asked.said["notAnswered"])
    assert asked.said["findings"] == []
    assert asked.code == 4
    assert bool(asked.unjudged) is (operation not in NO_RULE_NEEDS)


def test_nothing_is_answered(muster, monkeypatch) -> None:
    """Then nothing is known, and what was known before is left alone: one sentence, with the first reason."""
    account = Account.of(STACK)
    asking(muster, monkeypatch)(account, "--save")
    facts = muster.folder / "stacks" / "facts" / f"{STACK}.json"
    before = facts.read_text()
    with there({}, monkeypatch):
        ran = muster.judged("preflight", STACK, "--save")
    assert (ran.code, ran.out) == (2, "")
    assert re.match(
        (
            r"error: AWS answered none of \d+ queries, so Muster saves no facts; the first query without an "
            r"answer: "
        ),
        ran.err,
    )
    policy = f"`muster preflight {STACK} --print-iam-policy` prints the policy for all queries"
    assert ran.err.splitlines()[1].endswith(policy)
    assert "not answered (sts GetCallerIdentity, denied): AccessDenied" in ran.err
    assert facts.read_text() == before


@pytest.mark.parametrize("how", ["throttled", "hanging"])
def test_a_slow_account_is_bounded(how, muster, monkeypatch) -> None:
    """Every call throttled, or hanging: each question is tried a few times, and told."""
    monkeypatch.setattr("botocore.retries.standard.ExponentialBackoff.delay_amount", lambda *_: 0.0)
    if how == "hanging":
        monkeypatch.setattr("muster.account.query_runner.READ_SECONDS", 0.8)
        monkeypatch.setattr("muster.account.query_runner.TIMEOUT_SECONDS", 20.0)
    write(muster.folder, STACK)
    let_go = threading.Event()
    slow = Refused("Throttling", "Rate exceeded")
    who = {"sts.GetCallerIdentity": Account.of(STACK).answers()["sts.GetCallerIdentity"]}
    with there({**dict.fromkeys(ASKED, slow), **who}, monkeypatch) as aws:
        if how == "hanging":
            aws.before = lambda each: let_go.wait(5) and None if each.service != "sts" else None
        ran = muster.judged("preflight", STACK, "--json")
        let_go.set()
    reasons = {each["reason"] for each in ran.json["notAnswered"]}
    assert reasons == {"throttled" if how == "throttled" else "timed out"}
    assert len(aws.asked) <= 3 * ran.json["questions"]
    assert ran.json["findings"] == []


def test_an_old_answer_is_not_taken_for_a_new_one(muster, monkeypatch) -> None:
    """What was answered before and is not now is not known to this run; the file keeps it, with its own day."""
    account = Account.of(STACK)
    asking(muster, monkeypatch)(account, "--save")
    answers = {**account.answers(), "ec2.DescribeCapacityReservations": denied("ec2", "DescribeCapacityReservations")}
    account.answers = lambda: answers  # type: ignore[method-assign]
    asked = asking(muster, monkeypatch)(account, "--save")
    assert "reservations" not in asked.said["facts"]
    assert "reservation-usable" in asked.unjudged
    id_ = account.reservation["CapacityReservationId"]
    kept = {f"/reservations/{id_}", "/quotasUsed/L-417A185B", "/quotasUsed/L-1216C47A"}
    assert {*asked.said["kept"]} == kept
    facts = json.loads((muster.folder / "stacks" / "facts" / f"{STACK}.json").read_text())
    assert facts["reservations"][id_]["state"] == "active"
    assert {*facts["kept"]} == kept
