"""What `muster init` does where AWS does not answer: it says what, and what that means, and never takes it for fine."""

from collections.abc import Mapping
from datetime import date

import pytest

from muster.cli.init.account_capacity import all_capacity
from muster.cli.init.account_networks import query_networks
from muster.cli.init.inquiry import explain_unanswered, run_inquiry
from tests.account.aws import Answers, Refused, denied
from tests.account.canned import Canned
from tests.account.init_runs import VPC, Run, config, left
from tests.account.new_stacks import ODCR, Account
from tests.cli.conftest import Muster

ADVICE = {
    "denied": [
        (
            "error: denied: your credentials lack permissions (ec2:DescribeCapacityReservations); `muster init "
            "--print-iam-policy` prints the minimal policy for all queries"
        )
    ],
    "throttled": ["error: throttled: this account has reached AWS's request limit; try again in a minute"],
    "refused": [],
}
AGAIN = "use credentials that allow these queries, or give --new-vpc, or --offline, which does not check the VPC"


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
    again = "use credentials that allow this query" if reason == "denied" else "try again later"
    first, *advice = ran.err.splitlines()
    assert first.endswith(f"; {again}, or give --offline")
    assert advice == ADVICE[reason]
    assert left(muster) == []
    ran = run(Account(), "--reservation", ODCR, "--json", answers={"ec2.DescribeVpcs": refusal})
    (why,) = (each["why"] for each in ran.json["chosen"] if each["path"] == "network")
    assert why == f"it is unknown which VPCs fit (ec2 DescribeVpcs: {reason})"
    assert "create" in config(muster)["network"]


NETWORK = {
    "ec2.DescribeVpcs": (
        "the list of VPCs",
        "the existing VPCs are unknown, so the stack uses none of them, and its new VPC may overlap one",
        {
            "network": "it is unknown which VPCs fit (ec2 DescribeVpcs: denied)",
            "network.create.cidr": (
                "it may overlap an existing VPC, because AWS did not list them (ec2 DescribeVpcs: denied)"
            ),
        },
    ),
    "ec2.DescribeSubnets": (
        "their subnets",
        "the subnets are unknown, so the stack uses no existing VPC and creates a new one",
        {
            "network": "it is unknown which VPCs fit (ec2 DescribeSubnets: denied)",
            "network.create.cidr": "does not overlap an existing VPC",
        },
    ),
    "ec2.DescribeRouteTables": (
        "their routes",
        "the subnets with internet access are unknown, so the stack uses no existing VPC",
        {
            "network": f"no VPC is known to fit ({VPC}: AWS did not return the routes of its subnets)",
            "network.create.cidr": "does not overlap an existing VPC",
        },
    ),
    "ec2.DescribeVpcAttribute": (
        f"VPC {VPC}, enableDnsSupport",
        "the DNS attributes of this VPC are unknown, so the stack does not use it",
        {
            "network": (
                f"no VPC is known to fit ({VPC}: AWS did not return its DNS attributes (DNS resolution, DNS hostnames))"
            ),
            "network.create.cidr": "does not overlap an existing VPC",
        },
    ),
}
"""Operation -> what is asked, what it means that it was denied, and what the file says of the network."""


@pytest.mark.parametrize("operation", NETWORK)
def test_a_network_that_aws_does_not_show_is_told_and_not_taken(muster: Muster, run: Run, operation: str) -> None:
    """On stderr with AWS's words; in the file without these, and without who asked: others read it, too."""
    about, means, comments = NETWORK[operation]
    refusal = denied(*operation.split("."))
    ran = run(Account(), "--reservation", ODCR, "--strict", answers={operation: refusal})
    service, name = operation.split(".")
    number = 2 if name == "DescribeVpcAttribute" else 1
    more = " (and 1 more)" if number == 2 else ""
    first = ran.err.splitlines()[0]
    assert first == (
        f"{about}: not answered ({service} {name}, denied): UnauthorizedOperation: {refusal.message}{more}; {means}"
    )
    later = name == "DescribeSubnets"  # of NAT gateways, whose zones are asked for beside
    assert f" answered, {number + later} not answered" in ran.out
    assert ran.code == 4, "with --strict: a better network might be known"
    text = muster.file("p5-mine").read_text()
    assert "create" in config(muster)["network"]
    assert "arn:aws:iam" not in text
    assert "nauthorized" not in text
    for path, why in comments.items():
        assert f"({why})" in ran.err, path
        assert " ".join(why.split()) in " ".join(text.replace("#", "").split()), path


VPCS = {
    "ec2.DescribeVpcs": f"--vpc: it is unknown whether {VPC} fits (ec2 DescribeVpcs: denied)",
    "ec2.DescribeSubnets": f"--vpc: it is unknown whether {VPC} fits (ec2 DescribeSubnets: denied)",
    "ec2.DescribeRouteTables": (
        f"--vpc: it is unknown whether {VPC} fits: AWS did not return the routes of its subnets"
    ),
    "ec2.DescribeVpcAttribute": (
        f"--vpc: it is unknown whether {VPC} fits: AWS did not return its DNS attributes (DNS resolution, DNS "
        "hostnames)"
    ),
}


@pytest.mark.parametrize("operation", VPCS)
def test_a_vpc_that_is_named_is_refused_where_aws_does_not_show_it(muster: Muster, run: Run, operation: str) -> None:
    """It is not said to be unfit, nor taken without a look, nor is another one made."""
    answers: dict[str, Answers] = {operation: denied(*operation.split("."))}
    ran = run(Account(), "--reservation", ODCR, "--vpc", VPC, answers=answers)
    assert (ran.code, ran.out, left(muster)) == (2, "", [])
    assert ran.err.splitlines()[-1] == f"error: {VPCS[operation]}; {AGAIN}"


def test_zones_that_aws_does_not_tell_are_taken_by_letter(muster: Muster, run: Run) -> None:
    """And said to be."""
    answers: dict[str, Answers] = {"ec2.DescribeAvailabilityZones": Refused("UnauthorizedOperation")}
    ran = run(Account(vpcs=[]), "--reservation", ODCR, answers=answers)
    assert "EKS needs two zones (AWS did not list the zones)" in ran.err
    assert "the zones are unknown, so the zones of a new VPC are chosen by letter" in ran.err
    assert config(muster)["network"]["create"]["zones"] == ["us-west-2a", "us-west-2b"]


def test_whose_account_it_is_need_not_be_known(muster: Muster, run: Run) -> None:
    """What AWS said it said nevertheless."""
    run(Account(), "--reservation", ODCR, answers={"sts.GetCallerIdentity": denied("sts", "GetCallerIdentity")})
    assert "Written by `muster init`; values from AWS on 2026-11-22.\n" in muster.file("p5-mine").read_text()


def test_every_question_by_which_a_stack_is_chosen_says_what_its_silence_means() -> None:
    """None is left out, whatever is asked some day."""
    ec2 = Account().answers()
    known: Mapping[str, Answers] = {key: ec2[key] for key in ("ec2.DescribeVpcs", "ec2.DescribeSubnets")}
    silent = Canned({})
    vpcs = Canned(dict(known))
    _, unanswered = run_inquiry(all_capacity(date(2026, 11, 22)), silent)
    told = [
        *explain_unanswered(unanswered),
        *explain_unanswered(run_inquiry(query_networks(["p5.48xlarge"], "us-west-2a"), silent).unanswered),
        *explain_unanswered(run_inquiry(query_networks(["p5.48xlarge"], "us-west-2a"), vpcs).unanswered),
    ]
    asked = {*silent.operations, *vpcs.operations} - set(known)
    assert {operation for operation in asked if any(_short(operation) in line for line in told)} == asked


def _short(operation: str) -> str:
    return operation.replace(".", " ", 1)
