"""What preflight advises about answers that did not come: the right, the address, the credentials."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.account.query_runner import mask_user, mask_users
from tests.account.accounts import Account, there, write
from tests.account.aws import Refused, denied
from tests.cli.conftest import Muster, Ran

STACK = "p5-odcr"
POLICY = f"`muster preflight {STACK} --print-iam-policy` prints the policy for all queries"


def asked(muster: Muster, monkeypatch: pytest.MonkeyPatch, *options: str, **answers: Refused) -> Ran:
    """Asks the sound account, but for some operations: ``ec2_DescribeSubnets=...``."""
    write(muster.folder, STACK)
    other = {name.replace("_", ".", 1): said for name, said in answers.items()}
    with there({**Account.of(STACK).answers(), **other}, monkeypatch):
        return muster.judged("preflight", STACK, *options)


def test_a_denied_question_names_the_right(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """As AWS names it, and what prints them all; programs get it by itself."""
    ran = asked(muster, monkeypatch, ec2_DescribeSubnets=denied("ec2", "DescribeSubnets"))
    (line,) = [each for each in ran.out.splitlines() if each.startswith("subnets: not answered")]
    assert line.endswith(
        "is not authorized to perform: ec2:DescribeSubnets; it needs the permission ec2:DescribeSubnets"
    )
    assert f"denied: your credentials lack permissions (ec2:DescribeSubnets); {POLICY}\n" in ran.out
    told = asked(muster, monkeypatch, "--json", ec2_DescribeSubnets=denied("ec2", "DescribeSubnets")).json
    assert [each["right"] for each in told["notAnswered"]] == ["ec2:DescribeSubnets"]


def test_a_right_that_aws_does_not_name_is_the_topics(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some services say no more than no."""
    ran = asked(muster, monkeypatch, eks_DescribeClusterVersions=Refused("AccessDeniedException", "no"))
    assert "AccessDeniedException: no; it needs the permission eks:DescribeClusterVersions\n" in ran.out
    assert f"denied: your credentials lack permissions (eks:DescribeClusterVersions); {POLICY}\n" in ran.out


def test_nobody_there_names_the_address_and_what_leads_to_it(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the shell sets, without the secrets in it; and the Region."""
    monkeypatch.setattr("botocore.retries.standard.ExponentialBackoff.delay_amount", lambda *_: 0.0)
    monkeypatch.setenv("HTTPS_PROXY", "http://me:secret@127.0.0.1:9")
    write(muster.folder, STACK)
    ran = muster.judged("preflight", STACK)
    assert ran.code == 2
    assert "not reached: check the network, " in ran.err.splitlines()[1]
    assert "secret" not in ran.err


PASSWORDS = st.text("aé0:/@?#%[]", max_size=9).map(lambda said: f"s3cr3t{said}")


@given(st.sampled_from(["", "http://", "https://", "HTTP://"]), PASSWORDS)
def test_who_may_use_a_proxy_is_nobody_elses_business(scheme: str, password: str) -> None:
    """With a scheme or without, whatever is in the password: where it is, and no more."""
    assert mask_user(f"{scheme}ops:{password}@proxy.corp:3128") == f"{scheme}proxy.corp:3128"
    assert mask_user(f"{scheme}proxy.corp:3128") == f"{scheme}proxy.corp:3128"


@given(st.sampled_from(["http://", "https://"]), PASSWORDS)
def test_words_about_an_address_do_not_say_it_either(scheme: str, password: str) -> None:
    """botocore masks most; others' names with an @ stay."""
    said = f'Failed to connect to proxy URL: "{scheme}ops:{password}@proxy.corp:3128" as ml/me@corp.com'
    assert mask_users(said) == f'Failed to connect to proxy URL: "{scheme}proxy.corp:3128" as ml/me@corp.com'


@pytest.mark.parametrize("proxy", ["me:s3cr3t@127.0.0.1:9", "http://me:s3cr3t@x@127.0.0.1:9", "me:s3/cr3t@127.0.0.1:9"])
def test_no_proxys_password_is_printed(proxy: str, muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor in a proxy's place."""
    monkeypatch.setattr("botocore.retries.standard.ExponentialBackoff.delay_amount", lambda *_: 0.0)
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    write(muster.folder, STACK)
    ran = muster.judged("preflight", STACK)
    assert ran.code == 2
    assert "cr3t" not in ran.out + ran.err


@pytest.mark.parametrize(
    "address", ["me:s3cr3t@localhost:4566", "ftp://me:s3cr3t@localhost:4566", "http://me:s3cr3t@127.0.0.1:9"]
)
def test_no_password_of_an_address_of_ones_own_is_printed(
    address: str, muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether AWS can be asked there or not."""
    monkeypatch.setattr("botocore.retries.standard.ExponentialBackoff.delay_amount", lambda *_: 0.0)
    monkeypatch.setenv("AWS_ENDPOINT_URL", address)
    write(muster.folder, STACK)
    ran = muster.judged("preflight", STACK)
    assert ran.code == 2
    assert "cr3t" not in ran.out + ran.err


def test_a_stack_with_schema_errors_is_not_asked_about(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    write(muster.folder, STACK)
    muster.edit("instance: p5.48xlarge", "instance: p5.48xlrge", STACK)
    with there({}, monkeypatch) as aws:
        ran = muster.judged("preflight", STACK, "--json")
    assert (ran.code, ran.out, aws.asked) == (2, "", [])
    assert "p5.48xlrge" in ran.err
