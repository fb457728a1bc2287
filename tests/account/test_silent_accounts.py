"""Accounts that do not answer: nothing of that is taken for fine."""

import pytest

from tests.account.accounts import Account, asking, there, write
from tests.account.aws import Refused, denied

STACK = "p5-odcr"


@pytest.mark.parametrize(
    ("operation", "refusal"),
    [
        ("ec2.DescribeSubnets", denied("ec2", "DescribeSubnets")),
        ("eks.DescribeClusterVersions", Refused("AccessDeniedException", "no")),
    ],
    ids=["a right that AWS names", "one that it does not name"],
)
def test_what_is_denied_is_open(operation, refusal, muster, monkeypatch) -> None:
    """It is told as not answered, with the right that it takes; nothing is found for want of it, and rules say so."""
    account = Account.of(STACK)
    account.others[operation] = refusal
    asked = asking(muster, monkeypatch)(account, "--strict")
    (silent,) = asked.said["notAnswered"]
    assert (f"{silent['service']}.{silent['operation']}", silent["reason"]) == (operation, "denied")
    assert silent["right"] == operation.replace(".", ":")
    assert (asked.code, asked.found, bool(asked.unjudged)) == (4, set(), True)


def test_nothing_is_answered(muster, monkeypatch) -> None:
    """Then nothing is known, and what was known before is left alone."""
    muster.facts({"contract": 1, "quotas": {"L-417A185B": 384}}, STACK)
    facts = muster.folder / "stacks" / "facts" / f"{STACK}.json"
    before = facts.read_text()
    write(muster.folder, STACK)
    with there({}, monkeypatch):
        ran = muster.judged("preflight", STACK, "--save")
    assert (ran.code, ran.out, facts.read_text()) == (2, "", before)
    assert "--print-iam-policy" in ran.err


def test_a_throttled_account_is_bounded(muster, monkeypatch) -> None:
    """Each question is tried a few times, and told."""
    write(muster.folder, STACK)
    answers = Account.of(STACK).answers()
    who = {"sts.GetCallerIdentity": answers["sts.GetCallerIdentity"]}
    with there({**dict.fromkeys(answers, Refused("Throttling")), **who}, monkeypatch) as aws:
        ran = muster.judged("preflight", STACK, "--json")
    assert {each["reason"] for each in ran.json["notAnswered"]} == {"throttled"}
    assert len(aws.asked) <= 3 * ran.json["questions"]
    assert ran.json["findings"] == []


def test_a_stack_with_schema_errors_is_not_asked_about(muster, monkeypatch) -> None:
    write(muster.folder, STACK)
    muster.edit("instance: p5.48xlarge", "instance: p5.48xlrge", STACK)
    with there({}, monkeypatch) as aws:
        ran = muster.judged("preflight", STACK, "--json")
    assert (ran.code, ran.out, aws.asked) == (2, "", [])
    assert "p5.48xlrge" in ran.err
