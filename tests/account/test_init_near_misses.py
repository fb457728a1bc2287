"""What `muster init` says of a reservation, a block or a plan that is nearly named, or in another place."""

import pytest

from tests.account.aws import Answers, Refused
from tests.account.init_runs import IN_REGION, Run, left
from tests.account.new_stacks import BLOCK, ODCR, PLAN, Account, block, plan, reservation
from tests.cli.conftest import Muster

IN_EAST = "cr-0c1b2c3d4e5f6aaaa"
EASTERN = reservation(IN_EAST, AvailabilityZone="us-east-1c", AvailabilityZoneId="use1-az2")
PLAN_IN_EAST = PLAN.replace("us-west-2", "us-east-1")
ELSEWHERE: dict[str, Answers] = {
    "ec2.DescribeRegions": {"Regions": [{"RegionName": each} for each in ("us-east-1", "us-west-2", "ap-south-1")]},
    "ap-south-1/ec2.DescribeCapacityReservations": {"CapacityReservations": []},
    "us-east-1/ec2.DescribeCapacityReservations": {"CapacityReservations": [EASTERN]},
    "ap-south-1/sagemaker.ListTrainingPlans": Refused("AccessDeniedException", "no"),
    "us-east-1/sagemaker.ListTrainingPlans": {
        "TrainingPlanSummaries": [{"TrainingPlanArn": PLAN_IN_EAST, "TrainingPlanName": "p5en-plan"}]
    },
}
"""Regions beside the one that is asked first."""

ACCOUNT = Account([reservation(), block()], [plan()])
HERE = f"it has {ODCR} (p5.48xlarge in us-west-2a), {BLOCK} (p5.48xlarge in us-west-2a)"
OTHER_ACCOUNT = PLAN.replace("210987654321", "210987654322")

NEAR = {
    "one digit": (
        ("--reservation", f"{ODCR[:-1]}9"),
        f"; did you mean {ODCR} (p5.48xlarge in us-west-2a)? give --reservation {ODCR}",
    ),
    "two digits, the other kind": (
        ("--reservation", "cr-0b1b2c3d4e5f60781"),
        f"; did you mean {BLOCK} (p5.48xlarge in us-west-2a)? give --capacity-block {BLOCK}",
    ),
    "another Region": (("--reservation", IN_EAST), "; it is in us-east-1: give --region us-east-1"),
    "near in another Region": (
        ("--capacity-block", f"{IN_EAST[:-1]}b"),
        f"; did you mean {IN_EAST} (p5.48xlarge in us-east-1c)? give --reservation {IN_EAST} --region us-east-1",
    ),
    "nowhere": (
        ("--reservation", "cr-0ffffffffffffffff"),
        (
            f" ({HERE}; it is also not in 2 other Regions); give another id, its --region, or credentials of an "
            "account that can use it"
        ),
    ),
    "a plan": (("--training-plan", PLAN.replace("p5en-plan", "p5en-plam")), f"; did you mean {PLAN}?"),
    "a plan's account": (("--training-plan", OTHER_ACCOUNT), f"; did you mean {PLAN}?"),
    "a plan of another account": (
        ("--training-plan", OTHER_ACCOUNT.replace("p5en-plan", "theirs")),
        (
            ": its ARN is of account 210987654322, but your credentials are of 210987654321; give a --profile of "
            "account 210987654322"
        ),
    ),
    "a plan nowhere": (
        ("--training-plan", PLAN.replace("p5en-plan", "mine")),
        (
            " (it has p5en-plan; it is also not in 1 other Region; 1 Region did not answer); give another ARN, or "
            "other credentials"
        ),
    ),
}


@pytest.mark.parametrize("name", NEAR)
def test_a_near_miss_is_named_with_its_region(muster: Muster, run: Run, name: str) -> None:
    """From what AWS lists; nothing is written."""
    options, words = NEAR[name]
    ran = run(ACCOUNT, *options, answers=ELSEWHERE)
    kind = {"--reservation": "reservation", "--capacity-block": "Capacity Block"}.get(options[0], "training plan")
    named = options[1].rpartition("/")[2]
    assert (ran.code, ran.out, left(muster)) == (2, "", [])
    assert ran.err == f"error: this account has no {kind} {named} in us-west-2{words}\n"


def test_a_plan_of_another_region_is_found_there(run: Run) -> None:
    """Where the Region that its ARN says has none of that name."""
    ran = run(Account(), "--training-plan", PLAN, answers=ELSEWHERE)
    assert ran.err == (
        f"error: this account has no training plan p5en-plan in us-west-2; did you mean {PLAN_IN_EAST}, which is in "
        "us-east-1?\n"
    )


@pytest.mark.parametrize("operation", ["ec2.DescribeRegions", "ec2.DescribeCapacityReservations"])
def test_where_aws_does_not_list_that_is_said(run: Run, operation: str) -> None:
    """Nobody says that there are none."""
    refusal = Refused("UnauthorizedOperation", "no")

    def listing(asked):
        absent = Refused("InvalidCapacityReservationId.NotFound", "no such one")
        return absent if asked.get("CapacityReservationIds") else refusal

    answers: dict[str, Answers] = {operation: listing if operation.endswith("Reservations") else refusal}
    ran = run(ACCOUNT, "--reservation", "cr-0ffffffffffffffff", answers=answers)
    assert ran.code == 2
    told = {
        "ec2.DescribeRegions": f"({HERE}; AWS did not list the account's Regions (ec2 DescribeRegions: denied))",
        "ec2.DescribeCapacityReservations": (
            "(AWS did not list its reservations (ec2 DescribeCapacityReservations: denied))"
        ),
    }
    assert told[operation] in ran.err


FORMS = {
    "another prefix": (("--reservation", f"crg{ODCR[2:]}"), f"did you mean {ODCR}?"),
    "capitals": (("--reservation", ODCR.upper()), f"did you mean {ODCR}?"),
    "no prefix": (("--reservation", ODCR[3:]), f"did you mean {ODCR}?"),
    "an ARN": (
        ("--capacity-block", f"arn:aws:ec2:us-west-2:210987654321:capacity-reservation/{BLOCK}"),
        f"did you mean {BLOCK}?",
    ),
    "a plan's ARN": (("--reservation", PLAN), "is the ARN of a training plan; give it with --training-plan"),
    "no plan": (
        ("--training-plan", ODCR),
        "is a capacity reservation; give its id with --reservation or --capacity-block",
    ),
    "a group": (
        ("--reservation", "arn:aws:resource-groups:us-west-2:210987654321:group/blocks"),
        "is a group of reservations; give one of its reservations, then set the group in the stack file",
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_what_has_another_form_is_told_by_it(muster: Muster, name: str) -> None:
    """Nobody is asked."""
    (option, value), words = FORMS[name]
    ran = muster("init", "p5-mine", option, value, *IN_REGION)
    of_id = "is not a capacity reservation id; " if words.startswith("did") else ""
    assert (ran.code, ran.err) == (2, f"error: {option}: '{value}' {of_id}{words}\n")
