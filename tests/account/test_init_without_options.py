"""What `muster init` says of ids that stand without their options, of no name and of too many."""

import pytest

from tests.account.accounts import there
from tests.account.new_stacks import BLOCK, ODCR, PLAN, REGION
from tests.cli.conftest import Muster

ARN = f"arn:aws:ec2:{REGION}:210987654321:capacity-reservation/{BLOCK}"
NAMELESS = "the new stack has no name; give it one first, as in `muster init p5-mine --reservation cr-...`"
AIMLESS = (
    "what the stack is for is not said; give --reservation cr-..., --capacity-block cr-..., --training-plan ARN or "
    "--from STACK, or --interactive, which asks"
)


def lonely(given: str, option: str) -> str:
    """What is said of one."""
    return f"{given} stands without its option; give {option}"


A_RESERVATION = lonely(ODCR, f"--reservation {ODCR}, or --capacity-block {ODCR}, if it is one")

SAID = {
    "an id": (("p5-mine", ODCR), [A_RESERVATION]),
    "an id before the name": ((ODCR, "p5-mine"), [A_RESERVATION]),
    "an id alone": ((ODCR,), [A_RESERVATION, NAMELESS]),
    "an ARN": (("x", ARN), [lonely(ARN, f"--reservation {BLOCK}, or --capacity-block {BLOCK}, if it is one")]),
    "a plan": (("pool", PLAN), [lonely(PLAN, f"--training-plan {PLAN}")]),
    "a VPC": (("x", "vpc-0123456789abcdef0", "--reservation", ODCR), [
        lonely("vpc-0123456789abcdef0", "--vpc vpc-0123456789abcdef0")
    ]),
    "nothing": ((), [NAMELESS, AIMLESS]),
    "no name": (("--reservation", ODCR), [NAMELESS]),
    "a second name": (("p5-mine", REGION, "--reservation", ODCR), [
        f"a new stack has one name, and these are 2: p5-mine, {REGION}; options begin with --"
    ]),
}  # fmt: skip


@pytest.mark.parametrize("case", SAID)
def test_each_is_told_and_nothing_is_asked(muster: Muster, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    """In words, with the option that was meant; every fault at once."""
    given, said = SAID[case]
    with there({}, monkeypatch) as aws:
        ran = muster("init", *given)
    assert (ran.code, ran.out, aws.asked) == (2, "", [])
    assert ran.err.splitlines() == [f"error: {each}" for each in said]


def test_a_name_may_look_like_an_id_where_what_it_is_for_is_said(muster: Muster) -> None:
    """It is the user's."""
    ran = muster("init", BLOCK, "--reservation", ODCR, "--offline", "--instance", "p5.48xlarge", "--region", REGION)
    assert ran.code == 0, ran.err
    assert muster.file(BLOCK).exists()


def test_an_option_that_there_is_none_of_is_still_refused(muster: Muster) -> None:
    """Only what is no option may stand beside the name."""
    ran = muster("init", "p5-mine", "--resrvation", ODCR)
    assert ran.code == 2
    assert "No such option: --resrvation" in ran.err


def test_the_policy_takes_no_name_and_no_region(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever lacks rights has nothing yet to name; it is the same for every stack and Region."""
    alone = muster("init", "--print-iam-policy")
    assert (alone.code, alone.err) == (0, "")
    monkeypatch.setenv("AWS_REGION", "cn-north-1")
    assert muster("init", "mine", "--reservation", ODCR, "--print-iam-policy").json == alone.json
