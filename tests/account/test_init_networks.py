"""Which network `muster init` takes, and why."""

from collections.abc import Sequence

import pytest

from muster.cli.init.account_networks import query_networks
from muster.cli.init.choices import CapacityKind, NewNetwork, ReservedCapacity
from muster.cli.init.inquiry import run_inquiry
from muster.cli.init.network_choice import NetworkNeeds, select_network
from tests.account.aws import Answers
from tests.account.canned import Canned
from tests.account.init_runs import OTHER, VPC, Run, config
from tests.account.new_stacks import (
    NEITHER,
    ODCR,
    PRIVATE,
    PUBLIC,
    Account,
    Vpc,
)
from tests.cli.conftest import Muster


@pytest.mark.parametrize(
    ("vpcs", "why"),
    [
        ([], "the Region has no VPC yet"),
        ([Vpc(VPC, subnets={"b": (PRIVATE,), "c": (PRIVATE,)})], f"no VPC fits ({VPC}: no subnet in us-west-2a)"),
        (
            [Vpc(VPC, subnets={"a": (PUBLIC,), "b": (PUBLIC,)})],
            f"no VPC fits ({VPC}: only public subnets in us-west-2a)",
        ),
        (
            [Vpc(VPC, subnets={"a": (NEITHER,), "b": (PRIVATE,)})],
            (
                f"no VPC fits ({VPC}: its private subnets in us-west-2a have no internet access: no route to a NAT "
                "gateway)"
            ),
        ),
        (
            [Vpc(VPC, free=8)],
            (
                f"no VPC fits ({VPC}: only 8 free addresses in {Vpc(VPC).subnet('a')} (us-west-2a), but the nodes need "
                "276)"
            ),
        ),
        (
            [Vpc(VPC, subnets={"a": (PRIVATE,)})],
            f"no VPC fits ({VPC}: private subnets in too few zones: EKS needs two for the control plane)",
        ),
        (
            [Vpc(VPC, subnets={"a": (PRIVATE,), "b": (PUBLIC,)})],
            (
                f"no VPC fits ({VPC}: private subnets in too few zones: EKS needs two for the control plane (only "
                "public subnets in us-west-2b))"
            ),
        ),
        (
            [Vpc(VPC, dns=False)],
            (f"no VPC fits ({VPC}: it lacks DNS resolution or DNS hostnames, which nodes need to find their cluster)"),
        ),
        ([Vpc(VPC), Vpc(OTHER)], f"2 VPCs fit, and --vpc is not given: {VPC}, {OTHER}"),
    ],
    ids=["none", "wrong zone", "public", "no internet access", "full", "one zone", "one private", "no DNS", "several"],
)
def test_without_one_vpc_that_fits_a_new_one_is_planned(vpcs: Sequence[Vpc], why: str) -> None:
    """In the reservation's zone and a second one, apart from the VPCs there are, with the reason."""
    held = ReservedCapacity(CapacityKind.RESERVATION, ODCR, "p5.48xlarge", "us-west-2a", 4, zone_id="usw2-az2")
    need = NetworkNeeds(held, addresses=276, control_plane=True, region="us-west-2", system="c5.2xlarge")
    seen = run_inquiry(query_networks(["p5.48xlarge", "c5.2xlarge"], held.zone), Canned(Account(vpcs=vpcs).answers()))
    network = select_network(seen, need, None, new=False)
    assert isinstance(network, NewNetwork)
    assert (network.cidr, network.why) == ("10.1.0.0/16" if vpcs else "10.0.0.0/16", why)
    assert network.zones == ("us-west-2a", "us-west-2b")


def test_the_vpc_that_is_named_is_taken_or_refused(muster: Muster, run: Run) -> None:
    """With why it does not fit; --new-vpc takes none."""
    public = Vpc(OTHER, subnets={"a": (PUBLIC,), "b": (PUBLIC,)})
    account = Account(vpcs=[Vpc(VPC), Vpc("vpc-0000000000000cccc"), public])
    assert run(account, "--reservation", ODCR, "--vpc", VPC, name="named").code == 0
    assert config(muster, "named")["network"]["existing"]["vpc"] == VPC
    ran = run(account, "--reservation", ODCR, "--vpc", OTHER)
    assert ran.code == 2
    assert ran.err == (
        f"error: {OTHER} does not fit: only public subnets in us-west-2a; give another VPC with --vpc, or give "
        "--new-vpc\n"
    )
    ran = run(account, "--reservation", ODCR, "--vpc", "vpc-0000000000000dddd")
    assert (ran.code, f"this account has no VPC vpc-0000000000000dddd in us-west-2 (VPCs: {VPC}, " in ran.err) == (
        2,
        True,
    )
    assert run(Account(), "--reservation", ODCR, "--new-vpc", name="new").code == 0
    assert "create" in config(muster, "new")["network"]


def test_of_several_subnets_in_a_zone_the_widest_with_nat_is_taken(muster: Muster, run: Run) -> None:
    """Not the first, and not one without a way out."""
    narrow, wide = Vpc(VPC, free=300), Vpc(VPC, subnets={"a": ("private-2", PRIVATE)}, free=900)
    subnets = [*narrow.described(), *wide.described()[:1]]
    tables = narrow.tables()
    tables[1]["Associations"].append({"Main": False, "SubnetId": wide.subnet("a", "private-2")})
    answers: dict[str, Answers] = {
        "ec2.DescribeSubnets": {"Subnets": subnets},
        "ec2.DescribeRouteTables": {"RouteTables": tables},
    }
    ran = run(Account(vpcs=[narrow]), "--reservation", ODCR, answers=answers)
    assert ran.code == 0, ran.out
    assert config(muster)["network"]["existing"]["private"]["us-west-2a"] == wide.subnet("a", "private-2")


def test_nodes_beside_the_workers_are_where_their_type_is_offered(muster: Muster, run: Run) -> None:
    """In a new VPC the second zone offers it."""
    account = Account(vpcs=[], lacking={"c5.2xlarge": ("a", "b")})
    assert run(account, "--reservation", ODCR).code == 0
    assert config(muster)["network"]["create"]["zones"] == ["us-west-2a", "us-west-2c"]
    assert config(muster)["groups"]["system"]["zone"] == "us-west-2c"


def test_slurm_needs_one_zone_and_no_api(muster: Muster, run: Run) -> None:
    """Its VPC may have private subnets in one zone alone."""
    account = Account(vpcs=[Vpc(VPC, subnets={"a": (PRIVATE,)})])
    assert run(account, "--reservation", ODCR, "--backend", "parallelcluster").code == 0
    written = config(muster)
    assert list(written["network"]["existing"]["private"]) == ["us-west-2a"]
    assert "api" not in written
    assert list(written["queues"]["compute"]["groups"]["workers"]) == ["for", "instance", "nodes", "capacity"]
