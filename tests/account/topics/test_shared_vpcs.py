"""A VPC that another account shares: its owner alone sees its NAT gateways and endpoints (VPC user guide, Share your
VPC subnets with other accounts; AWS PrivateLink guide, Shared subnets)."""

import pytest

from muster.fleet.facts import GatewayFault, VpcFacts, WayOut
from tests.account.accounts import Account
from tests.account.aws import Refused
from tests.account.sound_ec2 import ACCOUNT, NAT, VPC, Ec2, ec2
from tests.account.topics.test_network import DENIED, WANTED, A, B, facts, subnet

OWNER = "444455556666"
RULE = "subnet-reaches-aws"


def owned(made: Ec2, owner: str = OWNER) -> Ec2:
    """The same network, of another owner."""
    for each in (*made.vpcs, *made.subnets):
        each["OwnerId"] = owner
    return made


def shared(made: Ec2, owner: str = OWNER) -> Ec2:
    """What a participant sees of it: its subnets, and their route tables."""
    made.nats.clear()
    made.endpoints.clear()
    made.tables[:] = [each for each in made.tables if each["RouteTableId"] != "rtb-0eeeeeeeeeeeeeeee"]
    return owned(made, owner)


@pytest.mark.parametrize(
    ("stack", "subnets"),
    [("p5-odcr", f"{A} and {B}"), ("pcluster-gpu", B), ("hyperpod-training-plan", f"{A} and {B}")],
)
def test_nothing_is_wrong_with_a_sound_one(stack, subnets) -> None:
    """What only its owner sees is not evaluated, and nothing else."""
    account = Account.of(stack)
    shared(account.ec2)
    judged = account.judged()
    assert judged.findings == ()
    (one,) = judged.not_evaluated
    assert one.rule == RULE
    assert NAT in one.missing
    assert subnets in one.missing


def test_the_same_answers_in_an_own_vpc_are_a_finding() -> None:
    """There a gateway that is not listed is gone."""
    account = Account.of("p5-odcr")
    shared(account.ec2, ACCOUNT)
    (found,) = account.judged().findings
    assert (found.rule, NAT in found.got) == (RULE, True)


def test_a_blackhole_is_no_way_out_and_endpoints_may_still_be_one() -> None:
    """That the route leads nowhere its table says; what else there is only the owner."""
    account = Account.of("p5-odcr")
    shared(account.ec2).tables[0]["Routes"][1]["State"] = "blackhole"
    known = subnet(account.ec2)
    assert (known.way_out, known.gateway, known.gateway_fault) == (WayOut.NONE, NAT, GatewayFault.GONE)
    judged = account.judged()
    assert (judged.findings, {each.rule for each in judged.not_evaluated}) == ((), {RULE})


@pytest.mark.parametrize(
    "who",
    [{"OwnerId": OWNER}, {"OwnerId": None}, {}],
    ids=["another's", "no owner told", "who asks is not told"],
)
def test_where_the_owner_is_not_known_to_be_who_asks_nothing_is_deduced(who) -> None:
    """Neither that a gateway is gone, nor which endpoints there are."""
    made = ec2(WANTED)
    made.nats.clear()
    for each in (*made.vpcs, *made.subnets):
        each.update(who)
        if each["OwnerId"] is None:
            del each["OwnerId"]
    told = facts(made, **({} if who else {"sts.GetCallerIdentity": Refused("AccessDenied")}))
    known = told.subnets[A]
    assert (known.way_out, known.gateway, known.gateway_fault, known.endpoints) == (None, NAT, None, None)
    assert (known.endpoints_open_to, known.endpoints_in_doubt) == ({}, {})
    assert told.vpcs[VPC] == VpcFacts(exists=True, dnsSupport=True, dnsHostnames=True)


def test_gateways_that_are_listed_count_whoever_owns_the_vpc() -> None:
    """What AWS says of one holds."""
    made = owned(ec2(WANTED))
    assert subnet(made).way_out is WayOut.NAT
    made.nats[0]["State"] = "failed"
    assert (subnet(made).way_out, subnet(made).gateway_fault) == (WayOut.NONE, GatewayFault.NOT_AVAILABLE)
    assert subnet(made, **{"ec2.DescribeNatGateways": DENIED}).way_out is None
