"""Which VPC fits, and the VPC that is planned where none does: pure."""

from ipaddress import IPv4Network

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from muster.account.discovery.fitting import Need, chosen, fits, free_cidr
from muster.account.discovery.inquiry import Unusable
from muster.account.discovery.landscape import Landscape, SubnetSeen, VpcSeen
from muster.fleet.facts import WayOut
from muster.fleet.new_stack.held import Held, Kind
from muster.fleet.new_stack.networks import ExistingNetwork, NewNetwork

US_EAST = {"us-east-1a": "use1-az1", "us-east-1b": "use1-az3", "us-east-1c": "use1-az2", "us-east-1d": "use1-az4"}


def need(zone: str = "us-east-1a", *, addresses: int = 100, control_plane: bool = True, system: str = "") -> Need:
    """What a stack on a reservation asks."""
    held = Held(Kind.RESERVATION, "cr-0123456789abcdef0", "p5.48xlarge", zone, 4, zone_id=US_EAST[zone])
    return Need(held, addresses, control_plane, "us-east-1", system)


def subnet(zone: str, name: str = "", *, free: int = 1000, way: WayOut | None = WayOut.NAT, public: bool = False):
    """A subnet, private by NAT."""
    return SubnetSeen(f"subnet-{zone}{name}", zone, US_EAST[zone], free, public, way)


def vpc(*subnets: SubnetSeen, id: str = "vpc-1", dns: bool | None = True) -> VpcSeen:
    """A VPC."""
    return VpcSeen(id, ("10.0.0.0/16",), subnets, dns)


def test_where_eks_has_no_control_plane_two_further_zones_are_taken() -> None:
    """Nodes may be in use1-az3; the control plane is in the two others."""
    three = vpc(*(subnet(each) for each in ("us-east-1b", "us-east-1a", "us-east-1c")))
    (fit,) = fits([three], need("us-east-1b"))
    assert fit.network is not None
    assert sorted(fit.network.private) == ["us-east-1a", "us-east-1b", "us-east-1c"]
    assert next(iter(fit.network.private)) == "us-east-1b"
    assert fit.network.zone_ids["us-east-1b"] == "use1-az3"
    (fit,) = fits([vpc(subnet("us-east-1b"), subnet("us-east-1a"))], need("us-east-1b"))
    assert fit.why_not == "private subnets in too few zones: EKS wants a control plane in two"
    (fit,) = fits([vpc(subnet("us-east-1a"), subnet("us-east-1b"))], need())
    assert fit.why_not.endswith("EKS wants a control plane in two (EKS has no control plane in us-east-1b)")
    network = chosen(Landscape((), US_EAST), need("us-east-1b"), None, new=False)
    assert network.zones == ("us-east-1b", "us-east-1a", "us-east-1c")
    network = chosen(Landscape((), US_EAST), need(), None, new=False)
    assert network.zones == ("us-east-1a", "us-east-1c")


def test_a_region_of_too_few_zones_is_refused() -> None:
    """EKS would refuse it later."""
    with pytest.raises(Unusable, match="EKS wants a control plane in two zones, and us-east-1 has too few"):
        chosen(Landscape((), {"us-east-1a": "use1-az1"}), need(), None, new=False)


def test_nat_goes_before_other_ways_and_room_before_both() -> None:
    """A transit gateway may lead nowhere; but a subnet that is full holds no nodes."""
    other = subnet("us-east-1a", "-tgw", way=WayOut.OTHER, free=5000)
    beside = subnet("us-east-1c")
    (fit,) = fits([vpc(other, subnet("us-east-1a", "-nat"), beside)], need())
    assert fit.network is not None
    assert fit.network.private["us-east-1a"] == "subnet-us-east-1a-nat"
    (fit,) = fits([vpc(other, subnet("us-east-1a", "-nat", free=9), beside)], need())
    assert fit.network is not None
    assert fit.network.private["us-east-1a"] == "subnet-us-east-1a-tgw"
    assert "by another network, which must reach AWS's services" in fit.network.why_subnets["us-east-1a"]


@pytest.mark.parametrize(("free", "does"), [(100, True), (99, False)])
def test_a_subnet_holds_exactly_as_many_as_it_has(free: int, does: bool) -> None:
    """Of the workers' zone; 16 do for the second one."""
    (fit,) = fits([vpc(subnet("us-east-1a", free=free), subnet("us-east-1c", free=16))], need())
    assert (fit.network is not None) is does
    (fit,) = fits([vpc(subnet("us-east-1a"), subnet("us-east-1c", free=15))], need())
    assert fit.network is None


def test_public_subnets_are_listed_beside_private_ones_of_the_same_zones() -> None:
    """The widest of each; none of other zones."""
    public = [subnet("us-east-1a", f"-{free}", free=free, way=WayOut.INTERNET_GATEWAY, public=True) for free in (9, 90)]
    further = subnet("us-east-1d", way=WayOut.INTERNET_GATEWAY, public=True)
    (fit,) = fits([vpc(subnet("us-east-1a"), subnet("us-east-1c"), *public, further)], need())
    assert fit.network is not None
    assert fit.network.public == {"us-east-1a": "subnet-us-east-1a-90"}


def test_a_subnet_that_gives_no_address_but_leads_to_the_internet_is_public() -> None:
    """Its nodes would have no way out."""
    leads = subnet("us-east-1a", way=WayOut.INTERNET_GATEWAY)
    (fit,) = fits([vpc(leads, subnet("us-east-1c"))], need())
    assert fit.why_not == "only public subnets in us-east-1a"


def test_many_vpcs_are_not_all_told_of() -> None:
    """Five are, and how many more."""
    every = tuple(vpc(id=f"vpc-{number}") for number in range(8))
    network = chosen(Landscape(every, US_EAST), need(), None, new=False)
    assert network.why.count("no subnet in us-east-1a") == 5
    assert network.why.endswith("; and 3 more)")


@given(st.lists(st.sampled_from(["10.0.0.0/8", "10.0.0.0/16", "10.1.0.0/18", "172.31.0.0/16", "10.2.128.0/20"])))
def test_a_new_vpc_overlaps_no_other_while_there_is_room(taken: list[str]) -> None:
    """So that it can be peered with them."""
    assume("10.0.0.0/8" not in taken)
    found = IPv4Network(free_cidr(taken))
    assert found.prefixlen == 16
    assert not any(found.overlaps(IPv4Network(each)) for each in taken)


def test_where_all_is_taken_the_usual_one_is_planned() -> None:
    """It works by itself; who peers it chooses another."""
    assert free_cidr(["10.0.0.0/8"]) == "10.0.0.0/16"


LETTERS = st.sampled_from(sorted(US_EAST))
SUBNETS = st.builds(
    SubnetSeen,
    st.integers(0, 99).map(lambda number: f"subnet-{number:03}"),
    LETTERS,
    st.none(),
    st.integers(0, 300),
    st.booleans(),
    st.sampled_from([*WayOut, None]),
)


@given(
    st.lists(st.lists(SUBNETS, max_size=6, unique_by=lambda each: each.id), max_size=4),
    LETTERS,
    st.booleans(),
    st.sampled_from([True, False, None]),
)
def test_what_is_chosen_always_fits(vpcs: list[list[SubnetSeen]], zone: str, plane: bool, dns: bool | None) -> None:
    """Private, with a way out and room, in the workers' zone first, two zones for EKS; an existing one if one fits."""
    seen = tuple(
        VpcSeen(
            f"vpc-{number}",
            ("10.0.0.0/16",),
            tuple(
                SubnetSeen(each.id, each.zone, US_EAST[each.zone], each.free, each.gives_public, each.way_out)
                for each in subnets
            ),
            dns,
        )
        for number, subnets in enumerate(vpcs)
    )
    wanted = need(zone, control_plane=plane)
    network = chosen(Landscape(seen, US_EAST), wanted, None, new=False)
    assert network.zones[0] == zone
    assert len([each for each in network.zones if US_EAST[each] != "use1-az3"]) == 2 or not plane
    fitting = [each for each in fits(seen, wanted) if each.network]
    assert isinstance(network, ExistingNetwork) is (len(fitting) == 1)
    assert isinstance(network, NewNetwork) is (len(fitting) != 1)
    for fit in fitting:
        assert fit.network is not None
        assert dns is True
        (one,) = (each for each in seen if each.id == fit.vpc)
        for number, (at, name) in enumerate(fit.network.private.items()):
            (taken,) = (each for each in one.subnets if each.id == name)
            assert (taken.zone, taken.gives_public, taken.way_out in {WayOut.NAT, WayOut.OTHER}) == (at, False, True)
            assert taken.free >= (16 if number else 100)
