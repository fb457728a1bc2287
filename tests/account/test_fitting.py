"""Which VPC fits, and the VPC that is planned where none does: pure."""

from ipaddress import IPv4Network

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.account.query import Answer, Query, Unanswered, UnansweredReason
from muster.cli.init.account_networks import AccountNetworks, AccountSubnet, AccountVpc
from muster.cli.init.choices import CapacityKind, ExistingNetwork, NewNetwork, ReservedCapacity
from muster.cli.init.inquiry import Unusable
from muster.cli.init.network_choice import NetworkNeeds, free_cidr, rank_vpcs, select_network
from muster.fleet.facts import WayOut

US_EAST = {"us-east-1a": "use1-az1", "us-east-1b": "use1-az3", "us-east-1c": "use1-az2", "us-east-1d": "use1-az4"}


def need(
    zone: str = "us-east-1a", *, addresses: int = 100, control_plane: bool = True, system: str = ""
) -> NetworkNeeds:
    """What a stack on a reservation asks."""
    held = ReservedCapacity(
        CapacityKind.RESERVATION, "cr-0123456789abcdef0", "p5.48xlarge", zone, 4, zone_id=US_EAST[zone]
    )
    return NetworkNeeds(held, addresses, control_plane, "us-east-1", system)


def subnet(zone: str, name: str = "", *, free: int = 1000, way: WayOut | None = WayOut.NAT, public: bool = False):
    """A subnet, private by NAT."""
    return AccountSubnet(f"subnet-{zone}{name}", zone, US_EAST[zone], free, public, way)


def vpc(*subnets: AccountSubnet, id: str = "vpc-1", dns: bool | None = True) -> AccountVpc:
    """A VPC."""
    return AccountVpc(id, ("10.0.0.0/16",), subnets, dns)


def test_where_eks_has_no_control_plane_two_further_zones_are_taken() -> None:
    """Nodes may be in use1-az3; the control plane is in the two others."""
    three = vpc(*(subnet(each) for each in ("us-east-1b", "us-east-1a", "us-east-1c")))
    (fit,) = rank_vpcs([three], need("us-east-1b"))
    assert fit.network is not None
    assert sorted(fit.network.private) == ["us-east-1a", "us-east-1b", "us-east-1c"]
    assert next(iter(fit.network.private)) == "us-east-1b"
    assert fit.network.zone_ids["us-east-1b"] == "use1-az3"
    (fit,) = rank_vpcs([vpc(subnet("us-east-1b"), subnet("us-east-1a"))], need("us-east-1b"))
    assert fit.why_not == "private subnets in too few zones: EKS needs two for the control plane"
    (fit,) = rank_vpcs([vpc(subnet("us-east-1a"), subnet("us-east-1b"))], need())
    assert fit.why_not.endswith("EKS needs two for the control plane (EKS has no control plane in us-east-1b)")
    network = select_network(AccountNetworks((), US_EAST), need("us-east-1b"), None, new=False)
    assert network.zones == ("us-east-1b", "us-east-1a", "us-east-1c")
    network = select_network(AccountNetworks((), US_EAST), need(), None, new=False)
    assert network.zones == ("us-east-1a", "us-east-1c")


def test_a_region_of_too_few_zones_is_refused() -> None:
    """EKS would refuse it later."""
    with pytest.raises(Unusable, match="EKS needs two zones for a control plane, but us-east-1 has too few"):
        select_network(AccountNetworks((), {"us-east-1a": "use1-az1"}), need(), None, new=False)


def test_nat_goes_before_other_ways_and_room_before_both() -> None:
    """A transit gateway may lead nowhere; but a subnet that is full holds no nodes."""
    other = subnet("us-east-1a", "-tgw", way=WayOut.OTHER, free=5000)
    beside = subnet("us-east-1c")
    (fit,) = rank_vpcs([vpc(other, subnet("us-east-1a", "-nat"), beside)], need())
    assert fit.network is not None
    assert fit.network.private["us-east-1a"] == "subnet-us-east-1a-nat"
    (fit,) = rank_vpcs([vpc(other, subnet("us-east-1a", "-nat", free=9), beside)], need())
    assert fit.network is not None
    assert fit.network.private["us-east-1a"] == "subnet-us-east-1a-tgw"
    assert "through another network, which must reach AWS's services" in fit.network.why_subnets["us-east-1a"]


@pytest.mark.parametrize(("free", "does"), [(100, True), (99, False)])
def test_a_subnet_holds_exactly_as_many_as_it_has(free: int, does: bool) -> None:
    """Of the workers' zone; 16 do for the second one."""
    (fit,) = rank_vpcs([vpc(subnet("us-east-1a", free=free), subnet("us-east-1c", free=16))], need())
    assert (fit.network is not None) is does
    (fit,) = rank_vpcs([vpc(subnet("us-east-1a"), subnet("us-east-1c", free=15))], need())
    assert fit.network is None


def test_public_subnets_are_listed_beside_private_ones_of_the_same_zones() -> None:
    """The widest of each; none of other zones."""
    public = [subnet("us-east-1a", f"-{free}", free=free, way=WayOut.INTERNET_GATEWAY, public=True) for free in (9, 90)]
    further = subnet("us-east-1d", way=WayOut.INTERNET_GATEWAY, public=True)
    (fit,) = rank_vpcs([vpc(subnet("us-east-1a"), subnet("us-east-1c"), *public, further)], need())
    assert fit.network is not None
    assert fit.network.public == {"us-east-1a": "subnet-us-east-1a-90"}


def test_a_subnet_that_gives_no_address_but_leads_to_the_internet_is_public() -> None:
    """Its nodes would have no way out."""
    leads = subnet("us-east-1a", way=WayOut.INTERNET_GATEWAY)
    (fit,) = rank_vpcs([vpc(leads, subnet("us-east-1c"))], need())
    assert fit.why_not == "only public subnets in us-east-1a"


def test_many_vpcs_are_not_all_told_of() -> None:
    """Five are, and how many more."""
    every = tuple(vpc(id=f"vpc-{number}") for number in range(8))
    network = select_network(AccountNetworks(every, US_EAST), need(), None, new=False)
    assert network.why.count("no subnet in us-east-1a") == 5
    assert network.why.endswith("; and 3 more)")


RANGES = [IPv4Network(each) for each in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")]
"""RFC 1918."""


@st.composite
def networks(draw: st.DrawFn) -> str:
    """Any network of a VPC's size or wider, private or not, written as AWS does."""
    inside = draw(st.sampled_from([*RANGES, IPv4Network("0.0.0.0/0")]))
    length = draw(st.integers(max(inside.prefixlen, 7), 28))
    address = int(inside.network_address) + draw(st.integers(0, inside.num_addresses - 1))
    return str(IPv4Network((address, length), strict=False))


WIDE = st.lists(st.sampled_from(["10.0.0.0/9", "10.128.0.0/9", "172.16.0.0/12", "192.168.0.0/20"]))


@given(st.lists(networks(), max_size=40), WIDE)
def test_a_new_vpc_overlaps_no_other_while_there_is_room(some: list[str], wide: list[str]) -> None:
    """A private /16 apart from all that is taken and from Docker's, the first there is; none only where none is."""
    taken = [*some, *wide]
    others = [IPv4Network(each) for each in (*taken, "172.17.0.0/16")]
    every = [each for private in RANGES for each in private.subnets(new_prefix=16)]
    free = [str(each) for each in every if not any(each.overlaps(other) for other in others)]
    assert free_cidr(taken) == (free[0] if free else None)


@pytest.mark.parametrize(
    ("taken", "free"),
    [
        ([], "10.0.0.0/16"),
        (["10.0.0.0/16"], "10.1.0.0/16"),
        (["10.0.128.0/28", "10.2.0.0/15"], "10.1.0.0/16"),
        (["10.0.0.0/8"], "172.16.0.0/16"),
        (["10.0.0.0/8", "172.16.0.0/16"], "172.18.0.0/16"),
        (["10.0.0.0/8", "172.16.0.0/12"], "192.168.0.0/16"),
        (["10.0.0.0/8", "172.16.0.0/12", "192.168.7.0/24"], None),
    ],
)
def test_which_range_is_free(taken: list[str], free: str | None) -> None:
    """10 first, then 172 without Docker's, then 192.168."""
    assert free_cidr(taken) == free


def test_what_is_said_of_the_range_of_a_new_vpc_is_true() -> None:
    """Apart from others; or overlapping one, for none is free; or nobody knows."""
    every = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
    overlaps = "no private /16 is free: it overlaps an existing VPC, and cannot be peered with that VPC"
    unknown = "it may overlap an existing VPC, because AWS did not list them (ec2 DescribeVpcs: throttled)"
    told = {
        (): ("10.0.0.0/16", ""),
        ("10.0.0.0/16",): ("10.1.0.0/16", "does not overlap an existing VPC"),
        every: ("10.0.0.0/16", overlaps),
        None: ("10.0.0.0/16", unknown),
    }
    silent = Answer(
        Query("ec2", "DescribeVpcs", "the VPCs"), unanswered=Unanswered(UnansweredReason.THROTTLED, "Slow down.")
    )
    for cidrs, said in told.items():
        seen = AccountNetworks((), US_EAST, cidrs=cidrs, unanswered=() if cidrs is not None else (silent,))
        network = select_network(seen, need(), None, new=True)
        assert isinstance(network, NewNetwork)
        assert (network.cidr, network.why_cidr) == said


def test_those_that_fit_come_first_the_roomiest_of_them_first() -> None:
    """As `fits` says."""
    beside = subnet("us-east-1c")
    small, large = (vpc(subnet("us-east-1a", free=free), beside, id=f"vpc-{free}") for free in (200, 900))
    judged = rank_vpcs([vpc(id="vpc-0"), small, large], need())
    assert [each.vpc for each in judged] == ["vpc-900", "vpc-200", "vpc-0"]


def test_what_aws_did_not_say_is_not_said_of_the_vpc() -> None:
    """Whether it fits is not known: it is not taken, and nobody says that it does not fit."""
    silent = vpc(subnet("us-east-1a", way=None), subnet("us-east-1c", way=None))
    dns = vpc(subnet("us-east-1a"), subnet("us-east-1c"), id="vpc-2", dns=None)
    public = vpc(subnet("us-east-1a", public=True), id="vpc-3")
    second = vpc(subnet("us-east-1a"), subnet("us-east-1c", way=None), id="vpc-4")
    judged = rank_vpcs([silent, dns, public, second], need())
    assert {each.vpc: each.known for each in judged} == {"vpc-1": False, "vpc-2": False, "vpc-3": True, "vpc-4": False}
    network = select_network(AccountNetworks((silent, public), US_EAST, cidrs=()), need(), None, new=False)
    assert network.why == (
        "no VPC is known to fit (vpc-1: AWS did not return the routes of its subnets; vpc-3: only public subnets in "
        "us-east-1a)"
    )
    sound = vpc(subnet("us-east-1a"), subnet("us-east-1c"), id="vpc-5")
    network = select_network(AccountNetworks((sound, dns), US_EAST, cidrs=()), need(), None, new=False)
    assert network.why == (
        "the only one of 2 VPCs that is known to fit (vpc-2: AWS did not return its DNS attributes (DNS resolution, "
        "DNS hostnames))"
    )
    with pytest.raises(Unusable, match="--vpc: it is unknown whether vpc-2 fits: AWS did not return its DNS"):
        select_network(AccountNetworks((dns,), US_EAST, cidrs=()), need(), "vpc-2", new=False)


LETTERS = st.sampled_from(sorted(US_EAST))
SUBNETS = st.builds(
    AccountSubnet,
    st.integers(0, 99).map(lambda number: f"subnet-{number:03}"),
    LETTERS,
    st.none(),
    st.integers(0, 300),
    st.booleans(),
    st.sampled_from([*WayOut, None]),
)


@settings(max_examples=300)
@given(
    st.lists(st.lists(SUBNETS, max_size=6, unique_by=lambda each: each.id), max_size=4),
    LETTERS,
    st.booleans(),
    st.sampled_from([True, False, None]),
)
def test_what_is_chosen_always_fits(vpcs: list[list[AccountSubnet]], zone: str, plane: bool, dns: bool | None) -> None:
    """Private, with a way out and room, in the workers' zone first, two zones for EKS; an existing one if one fits."""
    seen = tuple(
        AccountVpc(
            f"vpc-{number}",
            ("10.0.0.0/16",),
            tuple(
                AccountSubnet(each.id, each.zone, US_EAST[each.zone], each.free, each.gives_public, each.way_out)
                for each in subnets
            ),
            dns,
        )
        for number, subnets in enumerate(vpcs)
    )
    wanted = need(zone, control_plane=plane)
    network = select_network(AccountNetworks(seen, US_EAST), wanted, None, new=False)
    assert network.zones[0] == zone
    assert len([each for each in network.zones if US_EAST[each] != "use1-az3"]) == 2 or not plane
    fitting = [each for each in rank_vpcs(seen, wanted) if each.network]
    assert isinstance(network, ExistingNetwork) is (len(fitting) == 1)
    assert isinstance(network, NewNetwork) is (len(fitting) != 1)
    for fit in fitting:
        assert fit.network is not None
        assert dns is True
        (one,) = (each for each in seen if each.id == fit.vpc)
        for number, (at, name) in enumerate(fit.network.private.items()):
            (taken,) = (each for each in one.subnets if each.id == name)
            assert (taken.zone, taken.gives_public, taken.way_out in {WayOut.NAT, WayOut.OTHER}) == (at, False, True)
            least = 16 if number else 100
            assert taken.free >= least
            nat = [each for each in one.subnets if each.zone == at and not each.gives_public]
            nat = [each for each in nat if each.way_out is WayOut.NAT and each.free >= least]
            assert not nat or (taken.way_out, taken.free) == (WayOut.NAT, max(each.free for each in nat))
