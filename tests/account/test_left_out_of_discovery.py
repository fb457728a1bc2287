"""What AWS's models do not require, left out of what a new stack is chosen by: no crash, and nothing of it is taken for
fine."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from muster.account.query import Inquiry
from muster.cli.init import account_capacity
from muster.cli.init.account_networks import query_networks
from muster.cli.init.choices import AnyNetwork, CapacityKind, ExistingNetwork, ReservedCapacity
from muster.cli.init.inquiry import Unusable
from muster.cli.init.inquiry import run_inquiry as hear_one
from muster.cli.init.network_choice import NetworkNeeds, select_network
from tests.account.aws import Answers
from tests.account.canned import Canned
from tests.account.left_out import Path, leaving_out, members
from tests.account.new_stacks import BLOCK, NEITHER, ODCR, PLAN, PUBLIC, REGION, Account, Vpc, block, plan, reservation

TODAY = date(2026, 11, 22)
Ask = Callable[[], Inquiry[ReservedCapacity]]


def held(account: Account, ask: Ask, operation: str = "", path: Path = ()) -> ReservedCapacity | str:
    """What is taken, or why nothing is."""
    answers: Mapping[str, Answers] = account.answers()
    try:
        return hear_one(ask(), Canned(dict(leaving_out(answers, operation, path) if path else answers)))
    except Unusable as fault:
        return str(fault)


def optional(account: Account, *operations: str) -> list[tuple[str, Path]]:
    """The members that may be left out of what some operations say of all there is."""
    said: dict[str, list[Mapping[str, Any]]] = {}
    for each in operations:
        answer: Any = account.answers()[each]
        said[each] = [answer({"TrainingPlanName": PLAN}) if callable(answer) else answer]
    return members(said)


def odcr(kind: CapacityKind = CapacityKind.RESERVATION, id_: str = ODCR) -> Ask:
    """By its id."""
    return lambda: account_capacity.find_reservation(id_, kind, TODAY, REGION)


SOUND: dict[str, tuple[Account, Ask, str]] = {
    "reservation": (Account(), odcr(), "ec2.DescribeCapacityReservations"),
    "block": (
        Account(reservations=[block()]),
        odcr(CapacityKind.CAPACITY_BLOCK, BLOCK),
        "ec2.DescribeCapacityReservations",
    ),
    "plan": (
        Account(plans=[plan()]),
        lambda: account_capacity.find_training_plan(PLAN, REGION),
        "sagemaker.DescribeTrainingPlan",
    ),
}


@pytest.mark.parametrize("name", SOUND)
def test_what_holds_is_taken_as_it_is_or_is_not_said(name: str) -> None:
    """It is taken with less known of it, never as something else; or AWS, not the thing, is to blame."""
    account, ask, operation = SOUND[name]
    sound = held(account, ask)
    assert isinstance(sound, ReservedCapacity)
    every = optional(account, operation, "sts.GetCallerIdentity")
    assert len(every) > 5
    for of, path in every:
        left = held(account, ask, of, path)
        if isinstance(left, ReservedCapacity):
            known = {key: getattr(left, key) for key in ("starts", "ends", "zone_id", "available")}
            assert all(value in {None, getattr(sound, key)} for key, value in known.items()), path
            assert replace(sound, **known) == left, path
        else:
            assert "AWS's answer lacks" in left or "AWS does not return" in left, (path, left)


UNUSABLE: dict[str, tuple[Account, Ask, str]] = {
    "over": (Account(reservations=[reservation(State="expired")]), odcr(), "ec2.DescribeCapacityReservations"),
    "a block": (Account(reservations=[block(ODCR)]), odcr(), "ec2.DescribeCapacityReservations"),
    "no block": (
        Account(reservations=[reservation(BLOCK)]),
        odcr(CapacityKind.CAPACITY_BLOCK, BLOCK),
        "ec2.DescribeCapacityReservations",
    ),
    "a plan that is over": (
        Account(plans=[plan(Status="Expired")]),
        lambda: account_capacity.find_training_plan(PLAN, REGION),
        "sagemaker.DescribeTrainingPlan",
    ),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_what_cannot_be_had_is_not_taken_for_what_is_not_said(name: str) -> None:
    """Whatever AWS leaves out."""
    account, ask, operation = UNUSABLE[name]
    every = optional(account, operation)
    assert isinstance(held(account, ask), str)
    assert [path for of, path in every if isinstance(held(account, ask, of, path), ReservedCapacity)] == []


LOOKED_AT = (
    *("ec2.DescribeVpcs", "ec2.DescribeSubnets", "ec2.DescribeRouteTables", "ec2.DescribeAvailabilityZones"),
    "ec2.DescribeVpcAttribute",
)


def network(account: Account, operation: str = "", path: Path = ()) -> AnyNetwork:
    """The network that is chosen."""
    answers = dict(leaving_out(account.answers(), operation, path) if path else account.answers())
    it = held(account, odcr())
    assert isinstance(it, ReservedCapacity)
    need = NetworkNeeds(it, addresses=100, control_plane=True, region=REGION)
    seen = hear_one(query_networks(("p5.48xlarge",), it.zone), Canned(answers))
    return select_network(seen, need, None, new=False)


def around(account: Account) -> list[tuple[str, Path]]:
    """What may be left out of what the network is chosen by."""
    attribute = {
        "VpcId": account.vpcs[0].id,
        "EnableDnsSupport": {"Value": True},
        "EnableDnsHostnames": {"Value": True},
    }
    answers = account.answers()
    said = {each: answers[each] for each in LOOKED_AT}
    whole = {
        key: [each({}) if callable(each) and "Attribute" not in key else attribute if callable(each) else each]
        for key, each in said.items()
    }
    return members(whole)  # type: ignore[arg-type]


A = "vpc-0000000000000aaaa"
UNFIT = {
    "public alone": Vpc(A, subnets={"a": (PUBLIC,), "b": (PUBLIC,)}),
    "no internet access": Vpc(A, subnets={"a": (NEITHER,), "b": (NEITHER,)}),
    "no room": Vpc(A, free=8),
    "no DNS": Vpc(A, dns=False),
    "one zone": Vpc(A, subnets={"a": ("private", PUBLIC)}),
}


@pytest.mark.parametrize("name", UNFIT)
def test_no_vpc_is_taken_for_what_is_not_said(name: str) -> None:
    """One that does not fit does not, whatever AWS leaves out."""
    account = Account(vpcs=[UNFIT[name]])
    every = around(account)
    assert len(every) > 20
    assert not isinstance(network(account), ExistingNetwork)
    assert [each for each in every if isinstance(network(account, *each), ExistingNetwork)] == []


def test_a_vpc_that_fits_is_taken_or_not_known_to() -> None:
    """No fault is found with it for want of a member, and a new one overlaps none, or says that it may."""
    account = Account()
    sound = network(account)
    assert isinstance(sound, ExistingNetwork)
    for each in around(account):
        left = network(account, *each)
        if not isinstance(left, ExistingNetwork):
            assert "AWS did not return" in left.why or "it is unknown which VPCs fit" in left.why, each
            assert left.cidr != "10.0.0.0/16" or "may overlap" in left.why_cidr, each
        else:
            assert left.private == sound.private, each
