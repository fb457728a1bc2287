"""How a VPC is cut: nothing overlaps, nothing is outside, nothing moves."""

from ipaddress import IPv4Network
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from muster.config.identifiers import VpcCidr
from muster.hardware.subnet_plan import MAX_ZONES, plan_subnets, usable_addresses

ZONES = tuple(f"us-west-2{letter}" for letter in "abcdefg")

vpcs = st.builds(
    lambda second, prefix: IPv4Network(f"10.{second}.0.0/{prefix}"), st.integers(0, 255), st.integers(16, 22)
)
numbers = st.integers(1, MAX_ZONES)


def every(vpc: IPv4Network, count: int) -> list[IPv4Network]:
    plan = plan_subnets(str(vpc), ZONES[:count])
    return [IPv4Network(cidr) for each in plan.values() for cidr in (each.private, each.public)]


@given(vpcs, numbers)
def test_no_two_subnets_overlap_and_none_is_outside(vpc: IPv4Network, count: int) -> None:
    made = every(vpc, count)
    assert len(made) == 2 * count
    assert not [pair for pair in combinations(made, 2) if pair[0].overlaps(pair[1])]
    assert all(each.subnet_of(vpc) for each in made)


@given(vpcs, numbers)
def test_an_eighth_for_each_private_subnet_and_an_eighth_of_that_for_each_public_one(
    vpc: IPv4Network, count: int
) -> None:
    plan = plan_subnets(str(vpc), ZONES[:count])
    assert list(plan) == list(ZONES[:count])
    assert {IPv4Network(each.private).prefixlen - vpc.prefixlen for each in plan.values()} == {3}
    assert {IPv4Network(each.public).prefixlen - vpc.prefixlen for each in plan.values()} == {6}


@given(vpcs, st.integers(1, MAX_ZONES - 1))
def test_a_zone_at_the_end_moves_nothing(vpc: IPv4Network, count: int) -> None:
    before, after = plan_subnets(str(vpc), ZONES[:count]), plan_subnets(str(vpc), ZONES[: count + 1])
    assert {zone: after[zone] for zone in before} == before
    assert list(after)[-1] == ZONES[count]


@given(st.permutations(ZONES))
def test_a_zones_place_alone_decides_its_addresses(zones: list[str]) -> None:
    assert list(plan_subnets("10.0.0.0/16", tuple(zones)).values()) == list(plan_subnets("10.0.0.0/16", ZONES).values())


def test_the_default_vpc() -> None:
    plan = plan_subnets("10.0.0.0/16", ZONES[:2])
    assert [(each.private, each.public) for each in plan.values()] == [
        ("10.0.0.0/19", "10.0.224.0/22"),
        ("10.0.32.0/19", "10.0.228.0/22"),
    ]


@pytest.mark.parametrize(
    ("vpc", "private", "public"), [("10.0.0.0/16", 8187, 1019), ("10.0.0.0/19", 1019, 123), ("10.0.0.0/22", 123, 11)]
)
def test_what_is_left_of_a_subnet(vpc: str, private: int, public: int) -> None:
    """AWS keeps five addresses of each."""
    plan = plan_subnets(vpc, ZONES[:1])[ZONES[0]]
    assert (usable_addresses(plan.private), usable_addresses(plan.public)) == (private, public)


@pytest.mark.parametrize(("prefix", "taken"), [(15, False), (16, True), (22, True), (23, False)])
def test_a_vpc_is_taken_from_16_to_22(prefix: int, *, taken: bool) -> None:
    """Both ends too."""
    value = f"10.0.0.0/{prefix}"
    if taken:
        assert TypeAdapter(VpcCidr).validate_python(value) == value
        return
    with pytest.raises(
        ValidationError, match=f"'{value}' has an unsupported size for a VPC; write a network from /16 to /22"
    ):
        TypeAdapter(VpcCidr).validate_python(value)
