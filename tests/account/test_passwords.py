"""What is in an address, AWS's or a proxy's, is not printed with the password in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.account.query_runner import mask_user, mask_users
from tests.account.accounts import write
from tests.cli.conftest import Muster

STACK = "p5-odcr"
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
def test_no_password_is_printed(variable: str, address: str, muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether AWS can be asked there or not, nor in an address's place."""
    monkeypatch.setenv(variable, address)
    write(muster.folder, STACK)
    ran = muster.judged("preflight", STACK)
    assert (ran.code, bool(ran.err)) == (2, True)
    assert "cr3t" not in ran.out + ran.err
