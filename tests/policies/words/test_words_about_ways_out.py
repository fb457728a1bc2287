"""The words about subnets from which nodes reach AWS's services, or do not."""

from dataclasses import replace

import pytest

from muster.fleet.silence import Silence
from policies.catalogue import rule_of
from policies.judgement import judge
from tests.policies.cases.ways_out import a_gateway_that_is_gone_and_endpoints_that_only_their_owner_sees
from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "ways_out.a_subnet_without_a_way_out",
        "subnet-reaches-aws",
        (
            "subnet-0aaaaaaaaaaaaaaaa has no way out, and vpc-0123456789abcdef0 has no endpoint of ec2, ecr.api, "
            "ecr.dkr and s3"
        ),
        (
            "route 0.0.0.0/0 of subnet-0aaaaaaaaaaaaaaaa to a NAT gateway, or make endpoints of ec2, ecr.api, "
            "ecr.dkr and s3 in the VPC"
        ),
    ),
    (
        "ways_out.two_subnets_without_a_way_out",
        "subnet-reaches-aws",
        (
            "subnet-0aaaaaaaaaaaaaaaa and subnet-0bbbbbbbbbbbbbbbb have no way out, and vpc-0123456789abcdef0 has no "
            "endpoint of ec2, ecr.api, ecr.dkr and s3"
        ),
        (
            "route 0.0.0.0/0 of subnet-0aaaaaaaaaaaaaaaa and subnet-0bbbbbbbbbbbbbbbb to a NAT gateway, or make "
            "endpoints of ec2, ecr.api, ecr.dkr and s3 in the VPC"
        ),
    ),
    (
        "ways_out.a_subnet_with_some_endpoints",
        "subnet-reaches-aws",
        "subnet-0aaaaaaaaaaaaaaaa has no way out, and vpc-0123456789abcdef0 has no endpoint of ecr.dkr",
        ("route 0.0.0.0/0 of subnet-0aaaaaaaaaaaaaaaa to a NAT gateway, or make endpoints of ecr.dkr in the VPC"),
    ),
    (
        "ways_out.a_private_subnet_at_an_internet_gateway",
        "subnet-reaches-aws",
        (
            "subnet-0aaaaaaaaaaaaaaaa leads to an internet gateway without public addresses for nodes, and "
            "vpc-0123456789abcdef0 has no endpoint of ec2, ecr.api, ecr.dkr and s3"
        ),
        (
            "route 0.0.0.0/0 of subnet-0aaaaaaaaaaaaaaaa to a NAT gateway, or make endpoints of ec2, ecr.api, "
            "ecr.dkr and s3 in the VPC"
        ),
    ),
    (
        "ways_out.slurm_without_its_endpoints",
        "subnet-reaches-aws",
        (
            "subnet-0aaaaaaaaaaaaaaaa has no way out, and vpc-0123456789abcdef0 has no endpoint of "
            "cloudformation, dynamodb and logs"
        ),
        (
            "route 0.0.0.0/0 of subnet-0aaaaaaaaaaaaaaaa to a NAT gateway, or make endpoints of cloudformation, "
            "dynamodb and logs in the VPC"
        ),
    ),
    (
        "ways_out.a_head_node_without_a_way_out",
        "subnet-reaches-aws",
        (
            "subnet-0bbbbbbbbbbbbbbbb has no way out, and vpc-0123456789abcdef0 has no endpoint of "
            "cloudformation, dynamodb, ec2, logs and s3"
        ),
        (
            "route 0.0.0.0/0 of subnet-0bbbbbbbbbbbbbbbb to a NAT gateway, or make endpoints of cloudformation, "
            "dynamodb, ec2, logs and s3 in the VPC"
        ),
    ),
    (
        "ways_out.a_nat_gateway_that_failed",
        "subnet-reaches-aws",
        (
            "subnet-0aaaaaaaaaaaaaaaa leads to nat-0123456789abcdef0, which is not available, and "
            "vpc-0123456789abcdef0 has no endpoint of ec2, ecr.api, ecr.dkr and s3"
        ),
        (
            "route 0.0.0.0/0 of subnet-0aaaaaaaaaaaaaaaa to a NAT gateway that is available, in a public subnet, or "
            "make endpoints of ec2, ecr.api, ecr.dkr and s3 in the VPC"
        ),
    ),
    (
        "ways_out.a_nat_gateway_without_a_way_out",
        "subnet-reaches-aws",
        (
            "subnet-0aaaaaaaaaaaaaaaa and subnet-0bbbbbbbbbbbbbbbb lead to nat-0123456789abcdef0, whose own subnet has "
            "no route to an internet gateway, and vpc-0123456789abcdef0 has no endpoint of ec2, ecr.api, ecr.dkr and s3"
        ),
        (
            "route 0.0.0.0/0 of subnet-0aaaaaaaaaaaaaaaa and subnet-0bbbbbbbbbbbbbbbb to a NAT gateway that is "
            "available, in a public subnet, or make endpoints of ec2, ecr.api, ecr.dkr and s3 in the VPC"
        ),
    ),
    (
        "ways_out.a_gateway_endpoint_of_other_route_tables",
        "subnet-reaches-aws",
        "subnet-0aaaaaaaaaaaaaaaa has no way out, and the endpoint of s3 does not serve it",
        (
            "route 0.0.0.0/0 of subnet-0aaaaaaaaaaaaaaaa to a NAT gateway, or have the endpoint of s3 serve it (put a "
            "gateway endpoint into its route table, let its addresses in on TCP 443 of an interface endpoint)"
        ),
    ),
    (
        "ways_out.endpoints_that_let_others_in",
        "subnet-reaches-aws",
        (
            "subnet-0aaaaaaaaaaaaaaaa has no way out, and the endpoint of ec2 lets only sg-0bbbbbbbbbbbbbbbb in on TCP "
            "443, which not all nodes carry"
        ),
        (
            "route 0.0.0.0/0 of subnet-0aaaaaaaaaaaaaaaa to a NAT gateway, or have the endpoint of ec2 serve it (put a "
            "gateway endpoint into its route table, let its addresses in on TCP 443 of an interface endpoint)"
        ),
    ),
]

BEHIND = (
    "tgw-0123456789abcdef0, to which subnet-0aaaaaaaaaaaaaaaa leads: look at the route tables, NAT and firewalls "
    "behind it"
)
BOTH = "subnet-0aaaaaaaaaaaaaaaa and subnet-0bbbbbbbbbbbbbbbb"
MISSING = [
    (
        "ways_out.a_subnet_without_a_way_out_and_endpoints_nobody_knows",
        "subnet-reaches-aws",
        (
            "the endpoints of vpc-0123456789abcdef0: subnet-0aaaaaaaaaaaaaaaa has no other way out (`muster "
            "schema facts` shows the form)"
        ),
    ),
    (
        "ways_out.a_gateway_that_is_gone_and_endpoints_that_only_their_owner_sees",
        "subnet-reaches-aws",
        (
            "the endpoints of vpc-0123456789abcdef0: subnet-0aaaaaaaaaaaaaaaa has no other way out (`muster schema "
            "facts` shows the form); of a VPC that another account shares AWS tells that account alone: ask there"
        ),
    ),
    (
        "ways_out.subnets_behind_a_transit_gateway",
        "subnet-reaches-aws",
        (
            f"whether nodes reach ec2, ecr.api, ecr.dkr and s3 behind tgw-0123456789abcdef0, to which {BOTH} lead: "
            "look at the route tables, NAT and firewalls behind it, or have endpoints of ec2, ecr.api, ecr.dkr "
            "and s3 in vpc-0123456789abcdef0 serve them"
        ),
    ),
    (
        "ways_out.subnets_behind_something_else",
        "subnet-reaches-aws",
        (
            "whether nodes reach ec2, ecr.api, ecr.dkr and s3 behind another network's gateway (a transit "
            f"gateway, a VPN, a peer, an appliance), to which {BOTH} lead: look at the route tables, NAT and "
            "firewalls behind it, or have endpoints of ec2, ecr.api, ecr.dkr and s3 in vpc-0123456789abcdef0 "
            "serve them"
        ),
    ),
    (
        "ways_out.subnets_behind_a_transit_gateway_beside_some_endpoints",
        "subnet-reaches-aws",
        (
            f"whether nodes reach ec2, ecr.api and ecr.dkr behind tgw-0123456789abcdef0, to which {BOTH} lead: "
            "look at the route tables, NAT and firewalls behind it, or have endpoints of ec2, ecr.api and ecr.dkr "
            "in vpc-0123456789abcdef0 serve them"
        ),
    ),
    (
        "ways_out.a_subnet_behind_a_transit_gateway_beside_endpoints_in_doubt",
        "subnet-reaches-aws",
        (
            "whether a hosted zone leads to the endpoint of ec2, whose private DNS is off and whether the endpoint of "
            f"ecr.api lets nodes in on TCP 443, or nodes reach AWS's services behind {BEHIND}, or have endpoints in "
            "vpc-0123456789abcdef0 serve it"
        ),
    ),
    (
        "ways_out.a_subnet_behind_a_transit_gateway_beside_some_endpoints_in_doubt",
        "subnet-reaches-aws",
        (
            "whether nodes reach ec2 behind tgw-0123456789abcdef0, to which subnet-0aaaaaaaaaaaaaaaa leads, and "
            "whether the endpoint of ecr.api lets nodes in on TCP 443 and whether the endpoint of s3 is in the "
            "subnet's route table: look at the route tables, NAT and firewalls behind it, or have endpoints of ec2 in "
            "vpc-0123456789abcdef0 serve it"
        ),
    ),
    (
        "ways_out.a_subnet_behind_a_transit_gateway_and_endpoints_nobody_knows",
        "subnet-reaches-aws",
        f"whether nodes reach AWS's services behind {BEHIND}, or have endpoints in vpc-0123456789abcdef0 serve it",
    ),
    (
        "ways_out.slurm_behind_a_peer",
        "subnet-reaches-aws",
        (
            "whether nodes reach cloudformation, dynamodb, ec2, logs and s3 behind pcx-0123456789abcdef0, to which "
            "subnet-0aaaaaaaaaaaaaaaa leads: look at the route tables, NAT and firewalls behind it, or have endpoints "
            "of cloudformation, dynamodb, ec2, logs and s3 in vpc-0123456789abcdef0 serve it"
        ),
    ),
    (
        "ways_out.endpoints_in_doubt",
        "subnet-reaches-aws",
        (
            "whether a hosted zone leads to the endpoint of ec2, whose private DNS is off and whether the "
            "endpoint of ecr.api lets nodes in on TCP 443: subnet-0aaaaaaaaaaaaaaaa has no other way out"
        ),
    ),
]


test_what_is_said = all_said(WORDS)
test_what_is_missing = all_missed(MISSING)


OPEN = "the endpoints of vpc-0123456789abcdef0: subnet-0aaaaaaaaaaaaaaaa has no other way out"
OWNERS = "of a VPC that another account shares AWS tells that account alone: ask there"


@pytest.mark.parametrize(
    ("silences", "missing"),
    [
        (None, f"{OPEN} (`muster schema facts` shows the form); {OWNERS}"),
        ((), f"{OPEN}: {OWNERS}"),
        (
            (Silence("endpoints of vpc-0123456789abcdef0 (denied)", "vpc-0123456789abcdef0"),),
            f"{OPEN} (AWS did not answer: endpoints of vpc-0123456789abcdef0 (denied)); {OWNERS}",
        ),
    ],
    ids=["nobody asked", "all was answered", "something was not answered"],
)
def test_what_only_another_account_is_told(silences: tuple[Silence, ...] | None, missing: str) -> None:
    """Where AWS answered all that it was asked, nobody is sent to ask it again."""
    fleet = replace(a_gateway_that_is_gone_and_endpoints_that_only_their_owner_sees(), silences=silences)
    found = judge(fleet, rules=[rule_of("subnet-reaches-aws")]).not_evaluated
    assert [each.missing for each in found] == [missing]
