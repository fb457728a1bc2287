"""`muster init --interactive`: what it asks on a terminal, and what comes of the answers."""

import io
import sys
from collections.abc import Callable, Sequence

import pytest

from tests.account.aws import Answers, Aws, denied, playing
from tests.account.init_runs import IN_REGION, OTHER, VPC, config, left
from tests.account.new_stacks import (
    BLOCK,
    ODCR,
    PLAN,
    PRIVATE,
    PUBLIC,
    WAITING_BLOCK,
    Account,
    Vpc,
    block,
    plan,
    reservation,
)
from tests.cli.conftest import Muster, Ran
from tests.cli.conftest import muster as muster  # noqa: PLC0414  (the fixture)

Ask = Callable[..., Ran]


@pytest.fixture
def ask(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """`muster init p5-mine --interactive` against an account, by somebody who types these lines."""

    def ask(account: Account, typed: str, *options: str, denying: Sequence[str] = ()) -> Ran:
        keyboard = io.StringIO(typed)
        monkeypatch.setattr(keyboard, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", keyboard)
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        no: dict[str, Answers] = {each: denied(*each.split(".")) for each in denying}
        with playing(Aws({**account.answers(), **no})) as address:
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
    assert f"1. {VPC}: the zone of {ODCR}: 4000 free addresses" in ran.err
    assert f"{OTHER} does not fit: only public subnets in us-west-2a" in ran.err
    assert "'9' is not a number from 1 to 3" in ran.err
    assert "'5' is not a number from 1 to 2" in ran.err
    assert "'10.0.0.0/8' is a private network, but EKS allows only public ones here" in ran.err
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
    assert "this account has no reservation, Capacity Block or training plan in us-west-2" in ran.err


def test_who_leaves_leaves_nothing_behind(muster: Muster, ask: Ask) -> None:
    """The end of what is typed is as Ctrl-C."""
    ran = ask(ACCOUNT, "1\n", *IN_REGION)
    assert ran.code == 130
    assert ran.err.endswith("\nstopped\n")
    assert left(muster) == []


def test_a_list_that_is_denied_is_told_and_an_arn_may_be_typed(muster: Muster, ask: Ask) -> None:
    """The others are listed nevertheless; a plan that is typed is asked about by its ARN."""
    ran = ask(ACCOUNT, f"3\n{PLAN}\n1\n\n\n", *IN_REGION, denying=["sagemaker.ListTrainingPlans"])
    assert ran.code == 0, ran.err
    assert (
        "the list of training plans: not answered (sagemaker ListTrainingPlans, denied): AccessDeniedException: User: "
        "arn:aws:iam::111122223333:user/someone is not authorized to perform: sagemaker:ListTrainingPlans; the "
        "existing training plans are unknown\n"
    ) in ran.err
    assert f"2. Capacity Block {BLOCK}: " in ran.err
    assert "3. " not in ran.err
    assert "Number, or the id or ARN of capacity that AWS did not list:" in ran.err
    assert "'3' is not the id of a capacity reservation; " in ran.err
    assert config(muster)["groups"]["workers"]["capacity"] == {
        "training-plan": {"arn": PLAN, "zone": "us-west-2a", "count": 8}
    }


def test_a_number_is_taken_where_not_all_is_listed(muster: Muster, ask: Ask) -> None:
    """As where all is."""
    ran = ask(ACCOUNT, "1\n\n\n\n", *IN_REGION, denying=["sagemaker.ListTrainingPlans"])
    assert ran.code == 0, ran.err
    assert config(muster)["groups"]["workers"]["capacity"]["reservation"]["id"] == ODCR


NO_LISTS = ["ec2.DescribeCapacityReservations", "sagemaker.ListTrainingPlans"]


def test_what_aws_says_nothing_of_is_said_by_who_is_asked(muster: Muster, ask: Ask) -> None:
    """Its id, and what it is; the file says who said so."""
    typed = f"cr-fill-me-in\n{ODCR}\nwhat\nn\np5\np5.48xlarge\nus-east-1a\nus-west-2a\n3\n2\n1\n\n"
    ran = ask(ACCOUNT, typed, *IN_REGION, denying=NO_LISTS)
    assert ran.code == 0, ran.err
    for said in (
        "the existing reservations and Capacity Blocks are unknown\n",
        "Id of the reservation or Capacity Block, or ARN of the training plan:",
        "'cr-fill-me-in' is not filled in",
        f"reservation {ODCR}: not answered (ec2 DescribeCapacityReservations, denied): ",
        "; please enter its details\n",
        "'what' is not y or n",
        "'p5' is not an instance type that Muster knows",
        "'us-east-1a' is not a zone of us-west-2",
    ):
        assert said in ran.err, said
    workers = config(muster)["groups"]["workers"]
    assert (workers["instance"], workers["nodes"]) == ("p5.48xlarge", 2)
    assert workers["capacity"] == {
        "reservation": {"id": ODCR, "zone": "us-west-2a", "count": 3, "provided-by": "aws"},
    }
    text = muster.file("p5-mine").read_text()
    assert "instance: p5.48xlarge # entered by you\n" in text
    assert ("values entered by you on 2026-11-22, because AWS did not return them for account") in " ".join(
        text.replace("\n# ", " ").split()
    )
    assert "zone: us-west-2a # entered by you: the workers' subnet must also be in this zone\n" in text
    assert "arn:aws:iam" not in text


def test_a_block_that_aws_does_not_show_is_described_with_its_dates(muster: Muster, ask: Ask) -> None:
    """Also where it was named on the command line."""
    typed = "p5.48xlarge\nus-west-2a\n4\n2026-12-1\n2026-12-01\n2026-12-15\n\n\n\n"
    ran = ask(ACCOUNT, typed, *IN_REGION, "--capacity-block", BLOCK, denying=NO_LISTS)
    assert ran.code == 0, ran.err
    assert "'2026-12-1' is not a date, such as 2026-12-01" in ran.err
    assert config(muster)["groups"]["workers"]["capacity"]["capacity-block"] == WAITING_BLOCK


@pytest.mark.parametrize("operation", ["ec2.DescribeVpcs", "ec2.DescribeSubnets"])
def test_a_network_that_aws_does_not_show_is_asked_for(muster: Muster, ask: Ask, operation: str) -> None:
    """The VPC and a private subnet in each zone, by their ids."""
    first, second = "subnet-0a1b2c3d4e5f60718", "subnet-0b1b2c3d4e5f60718"
    typed = f"1\n\n{VPC}\nsubnet-1\n{first}\nus-west-2a\nus-west-2c\n{second}\n\n"
    ran = ask(ACCOUNT, typed, *IN_REGION, denying=[operation])
    assert ran.code in {0, 1}, ran.err
    assert "VPC, for example vpc-0123456789abcdef0 (leave it empty for a new VPC):" in ran.err
    assert "'subnet-1' is not the id of a subnet; " in ran.err
    assert "Zone of another private subnet, which EKS needs [us-west-2b]:" in ran.err
    assert "us-west-2a already has a subnet; give another zone of us-west-2\n" in ran.err
    assert "''" not in ran.err
    assert config(muster)["network"]["existing"] == {
        "vpc": VPC,
        "private": {"us-west-2a": first, "us-west-2c": second},
    }


def test_enter_is_a_new_vpc_where_aws_shows_none(muster: Muster, ask: Ask) -> None:
    """As the question says."""
    ran = ask(ACCOUNT, "1\n\n\n\n", *IN_REGION, denying=["ec2.DescribeVpcs"])
    assert ran.code == 0, ran.err
    assert list(config(muster)["network"]) == ["create"]


def test_a_vpc_that_may_fit_can_be_named(muster: Muster, ask: Ask) -> None:
    """Its subnets' routes are not known: who is asked may know them."""
    typed = f"1\n\n2\n{VPC}\nsubnet-0a1b2c3d4e5f60718\n\nsubnet-0b1b2c3d4e5f60718\n\n"
    ran = ask(ACCOUNT, typed, *IN_REGION, denying=["ec2.DescribeRouteTables"])
    assert ran.code in {0, 1}, ran.err
    assert "  1. a new VPC\n  2. another VPC, whose ids you enter\n" in ran.err
    assert f"{VPC} may fit: AWS did not return the routes of its subnets" in ran.err
    assert config(muster)["network"]["existing"]["vpc"] == VPC
