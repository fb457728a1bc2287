"""`muster init`: the stack of a reservation, a Capacity Block, a training plan or on-demand instances."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from muster.cli.new_stack import comment_lines, kubernetes_version
from muster.config.document import parse
from muster.edits import flow_text
from tests.account.accounts import there
from tests.account.aws import Answers, Refused
from tests.cli.conftest import Muster

REGION = ("--region", "us-west-2", "--as-of", "2026-11-22")
ODCR = "cr-0a1b2c3d4e5f60718"
PLAN = "arn:aws:sagemaker:us-west-2:210987654321:training-plan/p5en-plan"
BACKENDS = ("eks", "hyperpod", "hyperpod-slurm", "parallelcluster", "pcs")


def reservation(**other: Any) -> dict[str, Answers]:
    """A reservation, as EC2 describes it."""
    entry = {
        "CapacityReservationId": ODCR,
        "OwnerId": "210987654321",
        "AvailabilityZone": "us-west-2b",
        "InstanceType": "p5.48xlarge",
        "TotalInstanceCount": 4,
        "AvailableInstanceCount": 3,
        "State": "active",
        "ReservationType": "default",
    }
    return {"ec2.DescribeCapacityReservations": {"CapacityReservations": [{**entry, **other}]}}


def plan(*zones: str, **other: Any) -> dict[str, Answers]:
    """A training plan, as SageMaker describes it."""
    parts = [{"InstanceType": "ml.p5en.48xlarge", "AvailabilityZone": each, "TotalInstanceCount": 8} for each in zones]
    entry = {"TrainingPlanArn": PLAN, "TrainingPlanName": "p5en-plan", "Status": "Active", "TotalInstanceCount": 8}
    return {"sagemaker.DescribeTrainingPlan": {**entry, "ReservedCapacitySummaries": parts, **other}}


@pytest.fixture
def init(muster: Muster, monkeypatch: pytest.MonkeyPatch):
    """`muster init mine` with options, in an account with these answers."""

    def run(answers: dict[str, Answers], *options: str):
        with there(answers, monkeypatch):
            return muster("init", "mine", *options, *REGION)

    return run


def cluster(muster: Muster) -> dict[str, Any]:
    """The description in the new file."""
    return yaml.safe_load(muster.file("mine").read_text())["config"]["muster:cluster"]


def workers(muster: Muster) -> dict[str, Any]:
    """Its workers."""
    described = cluster(muster)
    return (described["queues"]["compute"]["groups"] if "queues" in described else described["groups"])["workers"]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("instance", "nodes"), [("p5.48xlarge", 1), ("trn1.32xlarge", 4), ("g5.12xlarge", 4)])
def test_every_template_is_clean(muster: Muster, backend: str, instance: str, nodes: int) -> None:
    options = ("--on-demand", "--instance", instance, "--nodes", str(nodes), "--backend", backend)
    ran = muster("init", "mine", *options, "--json", *REGION)
    assert (ran.code, ran.json["findings"]) == (0, []), ran.err
    written = workers(muster)
    assert (written["instance"], written["nodes"], written["capacity"]) == (instance, nodes, "on-demand")
    assert ("storage" in cluster(muster)) == (nodes > 1)


@pytest.mark.parametrize(
    ("instance", "zone", "nodes"), [("p6e-gb200.36xlarge", "us-east-1-dfw-2a", 18), ("trn2u.48xlarge", "us-east-2a", 4)]
)
def test_a_stack_of_an_ultraserver_is_clean(muster: Muster, instance: str, zone: str, nodes: int) -> None:
    """Also in a Local Zone, where EKS has no control plane."""
    region = "-".join(zone.split("-")[:3]).rstrip("abc")
    options = ("--offline", "--region", region, "--zone", zone, "--instance", instance, "--nodes", str(nodes))
    ran = muster("init", "mine", "--capacity-block", ODCR, "--json", *options)
    assert (ran.code, ran.json["findings"]) == (0, []), ran.err


@pytest.mark.parametrize("backend", [each for each in BACKENDS if "hyperpod" not in each])
@pytest.mark.parametrize(
    ("kind", "network"), [("reservation", ()), ("capacity-block", ("--vpc", "vpc-0123456789abcdef0"))]
)
def test_reserved_capacity_offline_is_clean(muster: Muster, backend: str, kind: str, network: tuple[str, ...]) -> None:
    options = ("--offline", f"--{kind}", ODCR, "--instance", "p5.48xlarge", "--backend", backend)
    ran = muster("init", "mine", *options, *network, "--json", *REGION)
    assert (ran.code, ran.json["findings"]) == (0, []), ran.err
    assert ("existing" in cluster(muster)["network"]) == bool(network)


def test_a_reservation_is_read_from_the_account(muster: Muster, init) -> None:
    group = "arn:aws:ec2:us-west-2:210987654321:placement-group/yes"
    ran = init(reservation(PlacementGroupArn=group), "--reservation", ODCR, "--api-from", "8.8.8.0/24")
    assert ran.code == 0, ran.err
    assert cluster(muster)["api"] == {"public": ["8.8.8.0/24"]}
    assert cluster(muster)["network"]["create"]["zones"] == ["us-west-2b", "us-west-2a"]
    assert workers(muster)["nodes"] == 3
    held = {"id": ODCR, "zone": "us-west-2b", "count": 4, "provided-by": "you", "placement-group": "yes"}
    assert workers(muster)["capacity"] == {"reservation": held}


def test_a_capacity_block_is_read_from_the_account(muster: Muster, init) -> None:
    """Before it starts it holds no instances, and a tag has their number."""
    requested = {"Key": "aws:ec2capacityreservation:incrementalRequestedQuantity", "Value": "8"}
    dates = {"StartDate": "2026-12-01T11:30:00Z", "EndDate": "2026-12-15T11:30:00Z"}
    counts = {"TotalInstanceCount": 0, "AvailableInstanceCount": 0, "Tags": [requested]}
    ran = init(
        reservation(ReservationType="capacity-block", State="scheduled", **dates, **counts), "--capacity-block", ODCR
    )
    assert ran.code == 0, ran.err
    held = workers(muster)["capacity"]["capacity-block"]
    assert (held["count"], held["starts"], held["ends"], held["active"]) == (8, "2026-12-01", "2026-12-15", False)
    assert workers(muster)["nodes"] == 8


def test_a_training_plan_is_read_from_the_account(muster: Muster, init) -> None:
    ran = init(plan("us-west-2a"), "--training-plan", PLAN)
    assert ran.code == 0, ran.err
    assert cluster(muster)["backend"] == "hyperpod"
    assert workers(muster)["instance"] == "p5en.48xlarge"
    assert workers(muster)["capacity"] == {"training-plan": {"arn": PLAN, "zone": "us-west-2a", "count": 8}}


@pytest.mark.parametrize(
    ("answers", "options"),
    [
        ({"ec2.DescribeCapacityReservations": {"CapacityReservations": []}}, ("--reservation", ODCR)),
        ({"ec2.DescribeCapacityReservations": Refused("UnauthorizedOperation")}, ("--reservation", ODCR)),
        ({"ec2.DescribeCapacityReservations": {}}, ("--reservation", ODCR)),
        (reservation(State="expired"), ("--reservation", ODCR)),
        (reservation(ReservationType="capacity-block"), ("--reservation", ODCR)),
        (reservation(), ("--capacity-block", ODCR)),
        (reservation(ReservationType="capacity-block"), ("--capacity-block", ODCR)),  # without its dates
        (reservation(TotalInstanceCount=0), ("--reservation", ODCR)),
        (reservation(), ("--reservation", ODCR, "--nodes", "5")),
        (reservation(InstanceType="u-6tb1.metal"), ("--reservation", ODCR)),
        (plan("us-west-2a", "us-west-2b"), ("--training-plan", PLAN)),
        (plan(), ("--training-plan", PLAN)),
        (plan("us-west-2a", Status="Expired"), ("--training-plan", PLAN)),
        ({"sagemaker.DescribeTrainingPlan": Refused("ResourceNotFound")}, ("--training-plan", PLAN)),
        ({}, ("--training-plan", PLAN, "--backend", "pcs")),
        ({}, ("--reservation", ODCR, "--backend", "hyperpod")),
        ({}, ("--training-plan", PLAN.replace("west", "east"))),
        ({}, ("--reservation", "cr-1")),
        ({}, ("--reservation", "")),
        ({}, ("--training-plan", "")),
        ({}, ("--training-plan", PLAN, "--region", "eu-west-1")),
        ({}, ("--reservation", "cr-fill-me-in")),
        ({}, ("--reservation", ODCR, "--instance", "p5.48xlarge")),
        ({}, ("--reservation", ODCR, "--on-demand", "--instance", "p5.48xlarge")),
        ({}, ("--on-demand",)),
        ({}, ("--on-demand", "--instance", "p5.48xlrge")),
        ({}, ("--on-demand", "--instance", "p5.48xlarge", "--zone", "us-east-1a")),
        ({}, ("--on-demand", "--instance", "p5.48xlarge", "--backend", "ekz")),
        ({}, ("--from-file", "cluster.yaml", "--nodes", "2")),
        ({}, ()),
    ],
)
def test_what_no_stack_can_use_is_refused(muster: Muster, init, answers: dict[str, Answers], options) -> None:
    """With the exit code of wrong input; nothing is written."""
    ran = init(answers, *options)
    assert (ran.code, bool(ran.err), muster.file("mine").exists()) == (2, True, False), ran.err + ran.out
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("name", ["Mine", "", "../mine", "p5-odcr"])
def test_a_wrong_name_or_an_existing_file_is_refused(muster: Muster, name: str) -> None:
    before = muster.file().read_text()
    ran = muster("init", name, "--on-demand", "--instance", "p5.48xlarge", *REGION)
    assert (ran.code, muster.file().read_text()) == (2, before)


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=60))
def test_text_of_others_stays_text(said: str) -> None:
    """Words that YAML takes for true, numbers, quotes, line breaks."""
    assert parse(f"key: {flow_text([said])}\n", Path("a.yaml")).data == {"key": [said]}
    assert parse("\n".join(comment_lines(said)), Path("a.yaml")).data is None


@pytest.mark.parametrize(
    ("day", "version"), [("2026-11-22", "1.35"), ("2027-03-27", "1.35"), ("2027-03-28", "1.36"), ("2030-01-01", "1.36")]
)
def test_the_version_is_the_newest_that_every_add_on_supports(day: str, version: str) -> None:
    assert kubernetes_version(date.fromisoformat(day)) == version
