"""Reservations, Capacity Blocks, groups of them, and offerings, of answers."""

from typing import Any

import pytest

from muster.account.topics.capacity import MAX_GROUP_MEMBERS, OFFERINGS, RESERVATIONS
from muster.fleet.facts import ReservationFacts
from tests.account.canned import run_topic
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


def test_a_type_that_no_zone_offers_has_none() -> None:
    """That is an answer, too. Wavelength's zones nobody can name."""
    made = Ec2(offerings={"p5.48xlarge": ["us-west-2b", "us-west-2a", "us-west-2-wl1-las-wlz-1", "us-west-2-lax-1a"]})
    result, _ = run_topic(OFFERINGS, WANTED, made.answers())
    assert result.facts.offerings == {
        "c5.2xlarge": (),
        "p5.48xlarge": ("us-west-2-lax-1a", "us-west-2a", "us-west-2b"),
    }
