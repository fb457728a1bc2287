"""Reservations, Capacity Blocks, groups of them, training plans and offerings, of answers."""

from datetime import UTC, datetime
from typing import Any

import pytest

from muster.account.topics.capacity import MAX_GROUP_MEMBERS, OFFERINGS, RESERVATIONS, TRAINING_PLANS
from muster.fleet.facts import ReservationFacts, ReservationGroupFacts, TrainingPlanFacts
from tests.account.canned import ABSENT, Canned, run_topic
from tests.account.needs import needs
from tests.account.sound_ec2 import ACCOUNT, Ec2, arn_of, ec2

WANTED = needs("p5-odcr")
CR = "cr-0e164b7fb9c384084"
GROUP = f"arn:aws:resource-groups:us-west-2:{ACCOUNT[:-1]}0:group/p5"
ON_GROUP = needs(
    "p5-odcr",
    {
        "groups.workers.capacity": {
            "reservation-group": {"arn": GROUP, "zone": "us-west-2a", "count": 1, "provided-by": "aws"}
        }
    },
)
INVITATION = f"arn:aws:ram:us-west-2:{ACCOUNT}:resource-share-invitation/6b1c"


def known(made: Ec2, id_: str = CR, wanted=WANTED, **said: Any) -> ReservationFacts:
    """What comes of the answers of an account, some of them changed."""
    result, _ = run_topic(RESERVATIONS, wanted, {**made.answers(), **said})
    return result.facts.reservations[id_]


def changed(**said: Any) -> Ec2:
    """A sound account whose reservation is another."""
    made = ec2(WANTED)
    made.reservations[CR] |= said
    return made


def test_what_the_stack_runs_in_it_counts_as_free() -> None:
    """Others' instances hold the rest; those of the stack that are gone hold nothing."""
    made = changed(TotalInstanceCount=4, AvailableInstanceCount=1)
    own = {
        "InstanceType": "p5.48xlarge",
        "Tags": [{"Key": "muster:stack", "Value": "p5-odcr"}],
        "CapacityReservationId": CR,
    }
    made.instances += [{**own, "State": {"Name": name}} for name in ("running", "pending", "terminated")]
    made.instances += [{**own, "State": {"Name": "running"}, "Tags": [{"Key": "muster:stack", "Value": "other"}]}]
    assert known(made).available_instances == 3


def test_a_state_that_is_newer_than_muster_is_not_known() -> None:
    """And nothing else of it is lost."""
    odd = known(changed(State="mothballed", Tenancy="host"))
    assert (odd.state, odd.tenancy, odd.instance_type) == (None, None, "p5.48xlarge")


@pytest.mark.parametrize("says", ["an error", "an empty list"])
def test_one_that_aws_does_not_know_does_not_exist(says: str) -> None:
    """However AWS says so. Whether somebody shares it is asked only then."""
    made = ec2(WANTED)
    empty = {"ec2.DescribeCapacityReservations": {"CapacityReservations": []}} if says == "an empty list" else {}
    made.reservations.clear()
    result, asked = run_topic(RESERVATIONS, WANTED, {**made.answers(), **empty})
    assert result.facts.reservations == {CR: ReservationFacts(exists=False)}
    assert "ram.GetResourceShareInvitations" in asked.operations
    assert "ram.GetResourceShareInvitations" not in run_topic(RESERVATIONS, WANTED, ec2(WANTED).answers())[1].operations


def test_an_invitation_that_shares_it_is_found() -> None:
    """Among others, by what they share."""
    made = ec2(WANTED)
    made.reservations.clear()
    made.shared |= {f"{INVITATION}-other": ["cr-00000001"], INVITATION: [CR]}
    assert known(made).invitation == INVITATION


def test_a_member_that_is_shared_goes_by_its_id() -> None:
    """Its ARN has its owner's account; what is no reservation is none."""
    made = ec2(ON_GROUP)
    members = [
        arn_of("cr-0aaaaaaaaaaaaaaaa").replace(ACCOUNT, "999999999999"),
        f"arn:aws:ec2:us-west-2:{ACCOUNT}:dedicated-host/h-0123456789abcdef0",
    ]
    listed = {"Resources": [{"Identifier": {"ResourceArn": each}} for each in members]}
    result, _ = run_topic(RESERVATIONS, ON_GROUP, {**made.answers(), "resource-groups.ListGroupResources": listed})
    assert result.facts.reservation_groups[GROUP].reservations == ("cr-0aaaaaaaaaaaaaaaa",)


def test_of_a_group_too_large_the_members_are_not_known() -> None:
    """A list that lacks some would be taken for all."""
    made = ec2(ON_GROUP)
    made.resource_groups[GROUP] = [f"cr-{number:017x}" for number in range(MAX_GROUP_MEMBERS + 1)]
    result, _ = run_topic(RESERVATIONS, ON_GROUP, made.answers())
    assert result.facts.reservation_groups[GROUP].reservations is None
    assert result.facts.reservation_groups[GROUP].configurations is not None


def test_a_group_without_a_configuration_has_no_entries() -> None:
    """That of a group by tags, whose reservations EC2 does not use: not unknown."""
    plain = {**ec2(ON_GROUP).answers(), "resource-groups.GetGroupConfiguration": {"GroupConfiguration": {}}}
    result, _ = run_topic(RESERVATIONS, ON_GROUP, plain)
    assert result.facts.reservation_groups[GROUP].configurations == ()
    gone = {**plain, "resource-groups.GetGroupConfiguration": ABSENT}
    result, _ = run_topic(RESERVATIONS, ON_GROUP, gone)
    assert result.facts.reservation_groups[GROUP] == ReservationGroupFacts(exists=False)


def test_a_type_that_no_zone_offers_has_none() -> None:
    """That is an answer, too. Wavelength's zones nobody can name."""
    made = Ec2(offerings={"p5.48xlarge": ["us-west-2b", "us-west-2a", "us-west-2-wl1-las-wlz-1", "us-west-2-lax-1a"]})
    result, _ = run_topic(OFFERINGS, WANTED, made.answers())
    assert result.facts.offerings == {
        "c5.2xlarge": (),
        "p5.48xlarge": ("us-west-2-lax-1a", "us-west-2a", "us-west-2b"),
    }


ARN = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/spring"
SAID: dict[str, Any] = {
    "TrainingPlanArn": ARN,
    "Status": "Scheduled",
    "TotalInstanceCount": 4,
    "AvailableInstanceCount": 1,
    "TargetResources": ["hyperpod-cluster"],
    "EndTime": datetime(2027, 1, 30, 11, 30, tzinfo=UTC),
    "ReservedCapacitySummaries": [{"InstanceType": "ml.p5en.48xlarge", "AvailabilityZone": "us-west-2a"}],
}
KNOWN = {
    "exists": True,
    "state": "Scheduled",
    "instanceType": "ml.p5en.48xlarge",
    "zone": "us-west-2a",
    "totalInstances": 4,
    "availableInstances": 1,
    "targets": ["hyperpod-cluster"],
    "end": "2027-01-30T11:30:00Z",
}
PARTS = [{"InstanceType": "ml.p5en.48xlarge", "AvailabilityZone": zone} for zone in ("us-west-2a", "us-west-2b")]


def told(plan: Any, cluster: Any = ABSENT) -> tuple[TrainingPlanFacts, Canned]:
    """What is learned of the plan, by answers about it and about the stack's HyperPod cluster."""
    wanted = needs("hyperpod-training-plan", {"hyperpod.name": "spring-pods"})
    answers = {"sagemaker.DescribeTrainingPlan": plan, "sagemaker.DescribeCluster": cluster}
    learned, canned = run_topic(TRAINING_PLANS, wanted, answers)
    return learned.facts.training_plans[ARN], canned


@pytest.mark.parametrize(
    ("said", "known"),
    [
        (SAID, KNOWN),
        ({**SAID, "ReservedCapacitySummaries": PARTS}, {**KNOWN, "zone": None}),
        (ABSENT, {"exists": False}),
    ],
    ids=["a plan", "in two zones", "none"],
)
def test_what_is_learned_of_a_plan(said: Any, known: Any) -> None:
    """A plan of several parts has a type and a zone where all have the same. The stack's cluster is asked for by the
    HyperPod cluster's name, which need not be the EKS cluster's."""
    learned, canned = told(said)
    assert learned == TrainingPlanFacts.model_validate(known)
    assert {"ClusterName": "spring-pods"} in [dict(each.parameters) for each in canned.queries]


def group(count: int, **more: Any) -> dict[str, Any]:
    """An instance group of that many."""
    return {"InstanceType": "ml.p5en.48xlarge", "CurrentCount": count, "TargetCount": count, **more}


ON_IT = group(1, TrainingPlanArn=ARN)
OWN = [group(2, TrainingPlanArn=ARN), ON_IT, group(4, TrainingPlanArn=f"{ARN}-2"), group(8)]


@pytest.mark.parametrize(
    ("plan", "cluster", "free"),
    [
        (SAID, {"InstanceGroups": OWN}, 4),
        (SAID, {"InstanceGroups": OWN, "RestrictedInstanceGroups": [group(5, TrainingPlanArn=ARN)]}, 9),
        (SAID, {"InstanceGroups": [], "RestrictedInstanceGroups": [ON_IT]}, 2),
        (SAID, None, None),
        ({key: each for key, each in SAID.items() if key != "AvailableInstanceCount"}, {"InstanceGroups": OWN}, None),
        ({**SAID, "AvailableInstanceCount": 0}, {"InstanceGroups": [{"TrainingPlanArn": ARN}]}, None),
        ({**SAID, "AvailableInstanceCount": 0}, {"ClusterName": "ours"}, None),
    ],
    ids=[
        *("its own", "restricted groups beside", "restricted groups alone", "no right to ask", "not told"),
        *("a group without a count", "no list"),
    ],
)
def test_what_the_stacks_own_cluster_has_counts_as_free(plan, cluster, free) -> None:
    """For a stack that is deployed again it is; where nobody says what it has, nothing is known."""
    assert told(plan, cluster)[0].available_instances == free
