"""Accounts that do not answer: nothing of that is taken for fine. What is in an address, AWS's or a proxy's, is not
printed with the password in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.account.query_runner import mask_user, mask_users
from tests.account.accounts import Account, preflight, there, write
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
    ran = preflight(account, muster, monkeypatch, "--strict")
    (silent,) = ran.json["notAnswered"]
    assert (f"{silent['service']}.{silent['operation']}", silent["reason"]) == (operation, "denied")
    assert silent["right"] == operation.replace(".", ":")
    assert (ran.code, ran.json["findings"], bool(ran.json["notEvaluated"])) == (4, [], True)


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


PASSWORDS = st.text("aé0:/@?#%[]", max_size=9).map(lambda said: f"s3cr3t{said}")


@given(st.sampled_from(["", "http://", "https://", "HTTP://"]), PASSWORDS)
def test_who_may_use_a_proxy_is_nobody_elses_business(scheme: str, password: str) -> None:
    """With a scheme or without, whatever is in the password; in words about an address, others' names with an @ stay.
    botocore masks most itself."""
    where = f"{scheme}proxy.corp:3128"
    assert mask_user(f"{scheme}ops:{password}@proxy.corp:3128") == mask_user(where) == where
    said = 'Failed to connect to proxy URL: "{}" as ml/me@corp.com'
    assert mask_users(said.format(f"https://ops:{password}@h")) == said.format("https://h")


@pytest.mark.parametrize(
    ("variable", "address"),
    [
        ("HTTPS_PROXY", "me:s3cr3t@127.0.0.1:9"),
        ("HTTPS_PROXY", "http://me:s3cr3t@x@127.0.0.1:9"),
        ("HTTPS_PROXY", "me:s3/cr3t@127.0.0.1:9"),
        ("AWS_ENDPOINT_URL", "me:s3cr3t@localhost:4566"),
        ("AWS_ENDPOINT_URL", "ftp://me:s3cr3t@localhost:4566"),
        ("AWS_ENDPOINT_URL", "http://me:s3cr3t@127.0.0.1:9"),
    ],
)
def test_no_password_is_printed(variable: str, address: str, muster, monkeypatch) -> None:
    """Whether AWS can be asked there or not, nor in an address's place."""
    monkeypatch.setenv(variable, address)
    write(muster.folder, STACK)
    ran = muster.judged("preflight", STACK)
    assert (ran.code, bool(ran.err)) == (2, True)
    assert "cr3t" not in ran.out + ran.err
