"""`muster init --interactive`: what it asks on a terminal, and what comes of the answers."""

import io
import sys
from collections.abc import Callable

import pytest

from tests.account.aws import Aws, playing
from tests.account.init_runs import IN_REGION, OTHER, VPC, config, left
from tests.account.new_stacks import BLOCK, ODCR, PLAN, PRIVATE, PUBLIC, Account, Vpc, block, plan, reservation
from tests.cli.conftest import Muster, Ran
from tests.cli.conftest import muster as muster  # noqa: PLC0414  (the fixture)

Ask = Callable[..., Ran]


@pytest.fixture
def ask(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """`muster init p5-mine --interactive` against an account, by somebody who types these lines."""

    def ask(account: Account, typed: str, *options: str) -> Ran:
        keyboard = io.StringIO(typed)
        monkeypatch.setattr(keyboard, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", keyboard)
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        with playing(Aws(account.answers())) as address:
            monkeypatch.setenv("AWS_ENDPOINT_URL", address)
            return muster("init", "p5-mine", "--interactive", *options)

    return ask


ACCOUNT = Account(
    [reservation(AvailableInstanceCount=2), block()],
    [plan()],
    [Vpc(VPC), Vpc(OTHER, subnets={"a": (PUBLIC,), "b": (PRIVATE,)})],
)


def test_it_lists_what_there_is_and_takes_what_is_typed(muster: Muster, ask: Ask) -> None:
    """The reservation, the VPC, the number of nodes, the networks; what cannot be is asked again."""
    ran = ask(ACCOUNT, "9\n1\n1\n5\n1\n10.0.0.0/8\n8.8.8.0/24\n", *IN_REGION)
    assert ran.code == 0, ran.err
    assert f"1. reservation {ODCR}: 4 of p5.48xlarge, 2 free, in us-west-2a (usw2-az2)" in ran.err
    assert (
        f"2. Capacity Block {BLOCK}: 4 of p5.48xlarge, 0 free, in us-west-2a (usw2-az2), 2026-12-01 to 2026-" in ran.err
    )
    assert f"3. training plan {PLAN}: 8 of p5en.48xlarge, in us-west-2a" in ran.err
    assert f"1. {VPC}: where {ODCR} is: 4000 free addresses" in ran.err
    assert f"{OTHER} does not fit: only public subnets in us-west-2a" in ran.err
    assert "'9' is not a number from 1 to 3" in ran.err
    assert "'5' is not a number from 1 to 2" in ran.err
    assert "'10.0.0.0/8' is private" in ran.err
    written = config(muster)
    assert written["network"]["existing"]["vpc"] == VPC
    assert written["groups"]["workers"]["nodes"] == 1
    assert written["api"] == {"public": ["8.8.8.0/24"]}


def test_enter_takes_what_it_would_have_chosen(muster: Muster, ask: Ask) -> None:
    """Nodes that are free, the one VPC that fits; the network of the API is filled in later."""
    assert ask(ACCOUNT, "1\n\n\n\n", *IN_REGION).code == 0
    written = config(muster)
    assert (written["groups"]["workers"]["nodes"], written["network"]["existing"]["vpc"]) == (2, VPC)
    assert written["api"] == {"public": ["203.0.113.0/24"]}


def test_what_is_given_is_not_asked(muster: Muster, ask: Ask) -> None:
    """A new VPC may be chosen, too; the Region is asked where nobody says it."""
    options = ("--capacity-block", BLOCK, "--nodes", "3", "--api-from", "8.8.8.0/24", "--as-of", "2026-11-22")
    ran = ask(ACCOUNT, "us-west\nus-west-2\n2\n", *options)
    assert ran.code == 0, ran.err
    assert "'us-west' is not a Region" in ran.err
    assert config(muster)["network"] == {"create": {"cidr": "10.1.0.0/16", "zones": ["us-west-2a", "us-west-2b"]}}
    assert config(muster)["groups"]["workers"]["nodes"] == 3


def test_a_plan_that_is_chosen_is_hyperpods(muster: Muster, ask: Ask) -> None:
    """As one that is named."""
    assert ask(ACCOUNT, "3\n1\n\n\n", *IN_REGION).code == 0
    assert config(muster)["backend"] == "hyperpod"


def test_where_there_is_nothing_it_says_so(muster: Muster, ask: Ask) -> None:
    """And asks nothing."""
    ran = ask(Account([]), "", *IN_REGION)
    assert ran.code == 2
    assert "there is no reservation, Capacity Block or training plan in us-west-2 for this account" in ran.err


def test_who_leaves_leaves_nothing_behind(muster: Muster, ask: Ask) -> None:
    """The end of what is typed is as Ctrl-C."""
    assert ask(ACCOUNT, "1\n", *IN_REGION).code == 130
    assert left(muster) == []
