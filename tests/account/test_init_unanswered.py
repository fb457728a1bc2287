"""What `muster init` does where AWS does not answer."""

import pytest

from tests.account.aws import Answers, Refused
from tests.account.init_runs import VPC, Run, config, left
from tests.account.new_stacks import (
    ODCR,
    Account,
)
from tests.cli.conftest import Muster


@pytest.mark.parametrize(
    ("refusal", "reason"),
    [
        (Refused("UnauthorizedOperation", "You are not authorized."), "denied"),
        (Refused("RequestLimitExceeded", "Request limit exceeded."), "throttled"),
        (Refused("InternalError", "An internal error."), "refused"),
    ],
)
def test_an_api_that_does_not_answer_is_never_taken_for_fine(
    muster: Muster, run: Run, refusal: Refused, reason: str
) -> None:
    """Without the reservation there is no stack; without VPCs a new one is planned, which says so."""
    ran = run(Account(), "--reservation", ODCR, answers={"ec2.DescribeCapacityReservations": refusal})
    assert ran.code == 2
    assert ran.err.startswith(f"error: reservation {ODCR}: not answered (ec2 DescribeCapacityReservations, {reason}): ")
    assert left(muster) == []
    ran = run(Account(), "--reservation", ODCR, "--json", answers={"ec2.DescribeVpcs": refusal})
    (why,) = (each["why"] for each in ran.json["chosen"] if each["path"] == "network")
    assert why.startswith(
        f"AWS did not say which VPCs there are (the VPCs there are: not answered (ec2 DescribeVpcs, {reason}): "
    )
    assert "create" in config(muster)["network"]
    ran = run(Account(), "--reservation", ODCR, "--vpc", VPC, name="other", answers={"ec2.DescribeSubnets": refusal})
    assert (ran.code, "their subnets: not answered (ec2 DescribeSubnets, " in ran.err) == (2, True)


@pytest.mark.parametrize("operation", ["ec2.DescribeRouteTables", "ec2.DescribeVpcAttribute"])
def test_a_vpc_of_which_something_is_not_known_does_not_fit(muster: Muster, run: Run, operation: str) -> None:
    """It might; but nobody says so."""
    ran = run(Account(), "--reservation", ODCR, "--json", answers={operation: Refused("UnauthorizedOperation")})
    (why,) = (each["why"] for each in ran.json["chosen"] if each["path"] == "network")
    assert "AWS did not say " in why
    assert "create" in config(muster)["network"]


def test_zones_that_aws_does_not_tell_are_taken_by_letter(muster: Muster, run: Run) -> None:
    """And said to be."""
    answers: dict[str, Answers] = {"ec2.DescribeAvailabilityZones": Refused("UnauthorizedOperation")}
    ran = run(Account(vpcs=[]), "--reservation", ODCR, answers=answers)
    assert "EKS wants two zones (AWS did not say which there are)" in ran.out
    assert config(muster)["network"]["create"]["zones"] == ["us-west-2a", "us-west-2b"]
