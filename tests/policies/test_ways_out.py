"""Of which subnets it is asked how nodes in them reach AWS."""

from dataclasses import replace
from typing import Any

import pytest

from muster.fleet.unanswered_queries import UnansweredQuery
from muster.fleet.unknown import UNKNOWN
from policies.engine.catalogue import rule_of
from policies.engine.judgement import judge
from policies.rules.network.egress import MissingEndpoints, missing_endpoints, subnets_of_nodes
from tests.factories import A, B, a_fleet, a_group, a_subnet, facts
from tests.policies.cases.ways_out import a_gateway_that_is_gone_and_endpoints_that_only_their_owner_sees
from tests.slurms import a_head, a_resource, a_slurm_fleet

C = "subnet-0cccccccccccccccc"


@pytest.mark.parametrize(
    ("head", "nodes", "b", "asked"),
    [
        (B, (A,), {}, {A, B}),
        (B, (A,), {"public": True}, {A}),
        (B, (A,), {"created": True}, {A}),
        (B, (B,), {"public": True}, {B}),
        (B, (B,), {"public": True, "created": True}, set()),
        (A, (B,), {}, {A, B}),
        (UNKNOWN, (B,), {}, {B}),
        (B, UNKNOWN, {}, {B}),
        (UNKNOWN, UNKNOWN, {}, set()),
    ],
)
def test_the_subnets_that_nodes_are_in(head: Any, nodes: Any, b: dict[str, Any], asked: set[str]) -> None:
    """That exist; a head node in a public one has an address of its own. In one that no node is in nobody is asked."""
    there = (a_subnet(B, "us-west-2b", **b), a_subnet(C, "us-west-2c"))
    fleet = a_slurm_fleet(a_head(subnet=head), a_resource(subnets=nodes), subnets=there)
    assert {each.id for each in subnets_of_nodes(fleet)} == asked


GROUP, OTHER = "sg-0aaaaaaaaaaaaaaaa", "sg-0bbbbbbbbbbbbbbbb"
VPC = "vpc-0123456789abcdef0"
OBSERVED = {"observed": "2026-11-21T09:00:00Z"}


@pytest.mark.parametrize(
    ("subnet", "vpc", "observed", "found"),
    [
        ({"endpoints": ["ec2", "s3"]}, None, OBSERVED, MissingEndpoints()),
        ({"endpoints": ["ec2"]}, None, OBSERVED, MissingEndpoints(absent=("s3",))),
        ({"endpoints": []}, None, OBSERVED, MissingEndpoints(absent=("ec2", "s3"))),
        ({"endpoints": ["ec2"]}, ["s3"], OBSERVED, MissingEndpoints(shut=(("s3", ()),))),
        ({"endpoints": []}, ["ec2", "s3"], OBSERVED, MissingEndpoints(shut=(("ec2", ()), ("s3", ())))),
        ({"endpoints": []}, ["ec2"], OBSERVED, MissingEndpoints(absent=("s3",), shut=(("ec2", ()),))),
        ({}, ["ec2"], OBSERVED, None),
        ({}, ["ec2"], {}, MissingEndpoints(absent=("s3",))),
        ({}, None, {}, None),
        ({"endpoints": ["ec2"], "endpointsOpenTo": {"s3": [GROUP]}}, ["s3"], OBSERVED, MissingEndpoints()),
        ({"endpoints": [], "endpointsOpenTo": {"ec2": [GROUP]}}, None, OBSERVED, MissingEndpoints(absent=("s3",))),
        (
            {"endpoints": ["ec2"], "endpointsOpenTo": {"s3": [OTHER]}},
            None,
            OBSERVED,
            MissingEndpoints(shut=(("s3", (OTHER,)),)),
        ),
        (
            {"endpoints": [], "endpointsInDoubt": {"ec2": "private-dns-off"}},
            ["ec2"],
            OBSERVED,
            MissingEndpoints(
                absent=("s3",),
                open=("whether a hosted zone leads to the endpoint of ec2, whose private DNS is off",),
            ),
        ),
        (
            {"endpoints": ["ec2"], "endpointsInDoubt": {"s3": "kind-unknown"}, "endpointsOpenTo": {"s3": [GROUP]}},
            ["s3"],
            OBSERVED,
            MissingEndpoints(),
        ),
    ],
)
def test_the_services_that_nodes_do_not_reach(
    subnet: dict[str, Any], vpc: list[str] | None, observed: dict[str, Any], found: MissingEndpoints | None
) -> None:
    """Each that is needed, in its own way; what is said of one hides no other."""
    known = facts(subnets={A: subnet}, vpcs={VPC: {} if vpc is None else {"endpoints": vpc}}, **observed)
    fleet = a_slurm_fleet(a_head(subnet=B), a_resource(security_groups=(GROUP,)), known=known)
    assert missing_endpoints(A, VPC, ("s3", "ec2"), fleet) == found


@pytest.mark.parametrize("groups", [(GROUP,), (OTHER,), UNKNOWN, (GROUP, OTHER)], ids=str)
@pytest.mark.parametrize("others", [(GROUP,), (OTHER,), UNKNOWN], ids=str)
def test_an_endpoint_that_lets_in_some_groups(groups: Any, others: Any) -> None:
    """It serves the subnet where all nodes in it carry one of them; of one that nobody knows it is open."""
    known = facts(subnets={A: {"endpoints": [], "endpointsOpenTo": {"s3": [GROUP]}}}, **OBSERVED)
    head = a_head(subnet=A, security_groups=others)
    fleet = a_slurm_fleet(head, a_resource(security_groups=groups), known=known)
    carry = [None if each is UNKNOWN else GROUP in each for each in (groups, others)]
    doubt = MissingEndpoints(open=("whether the endpoint of s3 lets nodes in on TCP 443",))
    expected = (
        doubt if None in carry else MissingEndpoints() if all(carry) else MissingEndpoints(shut=(("s3", (GROUP,)),))
    )
    assert missing_endpoints(A, VPC, ("s3",), fleet) == expected


def test_nodes_of_eks_whose_groups_nobody_knows_yet() -> None:
    """Likewise."""
    known = facts(subnets={A: {"endpoints": [], "endpointsOpenTo": {"s3": [GROUP]}}}, **OBSERVED)
    fleet = a_fleet(a_group(template=UNKNOWN), facts=known)
    assert missing_endpoints(A, VPC, ("s3",), fleet) == MissingEndpoints(
        open=("whether the endpoint of s3 lets nodes in on TCP 443",)
    )


OPEN = "the endpoints of vpc-0123456789abcdef0: subnet-0aaaaaaaaaaaaaaaa has no other way out"
OWNERS = "of a VPC that another account shares AWS tells that account alone: ask there"


@pytest.mark.parametrize(
    ("unanswered", "missing"),
    [
        (None, f"{OPEN} (`muster schema facts` shows the form); {OWNERS}"),
        ((), f"{OPEN}: {OWNERS}"),
        (
            (UnansweredQuery("endpoints of vpc-0123456789abcdef0 (denied)", "vpc-0123456789abcdef0"),),
            f"{OPEN} (AWS did not answer: endpoints of vpc-0123456789abcdef0 (denied)); {OWNERS}",
        ),
    ],
    ids=["nobody asked", "all was answered", "something was not answered"],
)
def test_what_only_another_account_is_told(unanswered: tuple[UnansweredQuery, ...] | None, missing: str) -> None:
    """Where AWS answered all that it was asked, nobody is sent to ask it again."""
    fleet = replace(a_gateway_that_is_gone_and_endpoints_that_only_their_owner_sees(), unanswered=unanswered)
    found = judge(fleet, rules=[rule_of("subnet-reaches-aws")]).not_evaluated
    assert [each.missing for each in found] == [missing]
