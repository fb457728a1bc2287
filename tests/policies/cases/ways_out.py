"""Whether nodes of subnets that exist reach AWS's services: the way out, and endpoints."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.factories import DROP, A, B, described
from tests.policies.case import case, cases
from tests.policies.cases.account import VPC, asked, told
from tests.slurms import a_head, a_slurm_fleet

C_PUBLIC = "subnet-0cccccccccccccccc"
NODES, THEIRS = "sg-0aaaaaaaaaaaaaaaa", "sg-0bbbbbbbbbbbbbbbb"
EVERY = ("ec2", "ecr.api", "ecr.dkr", "s3")


def shut(*services: str, **more: Any) -> dict[str, Any]:
    """Edits: the workers' subnet has no way out, and is served by endpoints of these, of all that the VPC has."""
    own = {"wayOut": "none", "endpoints": list(services)}
    return {
        **{f"subnets.{A}.{key}": value for key, value in {**own, **more}.items()},
        f"vpcs.{VPC}.endpoints": list(EVERY),
    }


def behind(gateway: Any) -> dict[str, Any]:
    """Edits: both private subnets lead to what only another network knows."""
    said = {"wayOut": "other", "gateway": gateway}
    return {f"subnets.{each}.{key}": value for each in (A, B) for key, value in said.items()}


cases(
    a_subnet_without_a_way_out=lambda: asked({f"subnets.{A}.wayOut": "none"}),
    # Of one route table, mostly: said once.
    two_subnets_without_a_way_out=lambda: asked({f"subnets.{A}.wayOut": "none", f"subnets.{B}.wayOut": "none"}),
    a_subnet_with_some_endpoints=lambda: asked(
        {f"subnets.{A}.wayOut": "none", f"vpcs.{VPC}.endpoints": ["ec2", "ecr.api", "s3", "sts"]}
    ),
    a_subnet_with_all_endpoints=lambda: asked(
        {f"subnets.{A}.wayOut": "none", f"vpcs.{VPC}.endpoints": ["ec2", "ecr.api", "ecr.dkr", "s3"]}
    ),
    a_subnet_without_a_way_out_and_endpoints_nobody_knows=lambda: asked(
        {f"subnets.{A}.wayOut": "none", f"vpcs.{VPC}.endpoints": DROP}
    ),
    a_private_subnet_at_an_internet_gateway=lambda: asked({f"subnets.{A}.wayOut": "internet-gateway"}),
    # Nodes with several interfaces get none: that rule says so.
    a_private_subnet_that_gives_public_addresses=lambda: asked(
        {f"subnets.{A}.wayOut": "internet-gateway", f"subnets.{A}.mapPublicIpOnLaunch": True}
    ),
    # No node is there.
    a_public_subnet_without_a_way_out=lambda: asked({f"subnets.{C_PUBLIC}": {"wayOut": "none"}}),
    slurm_without_its_endpoints=lambda: a_slurm_fleet(
        known=told({f"subnets.{A}.wayOut": "none", f"vpcs.{VPC}.endpoints": ["ec2", "ecr.api", "ecr.dkr", "s3"]}),
        named=asked().named,
    ),
)


@case
def slurm_with_its_endpoints() -> Fleet:
    there = ["ec2", "s3", "logs", "dynamodb", "cloudformation"]
    known = told({f"subnets.{A}.wayOut": "none", f"vpcs.{VPC}.endpoints": there})
    return a_slurm_fleet(known=known, named=asked().named)


cases(
    a_head_node_without_a_way_out=lambda: a_slurm_fleet(
        a_head(subnet=B), known=told({f"subnets.{B}.wayOut": "none"}), named=asked().named
    ),
)


# what only another network knows


cases(
    # What is behind it AWS cannot say; nor does a person who says no more.
    subnets_behind_a_transit_gateway=lambda: asked(behind("tgw-0123456789abcdef0")),
    # Facts from before gateways were named.
    subnets_behind_something_else=lambda: asked(behind(DROP)),
    subnets_behind_a_transit_gateway_beside_some_endpoints=lambda: asked(
        {**behind("tgw-0123456789abcdef0"), f"vpcs.{VPC}.endpoints": ["s3"]}
    ),
    subnets_behind_a_transit_gateway_beside_all_endpoints=lambda: asked(
        {**behind("tgw-0123456789abcdef0"), f"vpcs.{VPC}.endpoints": list(EVERY)}
    ),
    slurm_behind_a_peer=lambda: a_slurm_fleet(
        known=told({f"subnets.{A}.wayOut": "other", f"subnets.{A}.gateway": "pcx-0123456789abcdef0"}),
        named=asked().named,
    ),
)


def one_behind(*services: str, **doubts: str) -> Fleet:
    """The workers' subnet alone leads to a transit gateway, beside endpoints of some services, and of others in
    doubt."""
    out = {"wayOut": "other", "gateway": "tgw-0123456789abcdef0"}
    return asked(shut(*services, **out, endpointsInDoubt={key.replace("_", "."): said for key, said in doubts.items()}))


cases(
    a_subnet_behind_a_transit_gateway_beside_endpoints_in_doubt=lambda: one_behind(
        "ecr.dkr", "s3", ec2="private-dns-off", ecr_api="callers-unknown"
    ),
    a_subnet_behind_a_transit_gateway_beside_some_endpoints_in_doubt=lambda: one_behind(
        "ecr.dkr", ecr_api="callers-unknown", s3="kind-unknown"
    ),
)


@case
def a_subnet_behind_a_transit_gateway_and_endpoints_nobody_knows() -> Fleet:
    out = {"wayOut": "other", "gateway": "tgw-0123456789abcdef0"}
    return asked({**{f"subnets.{A}.{key}": said for key, said in out.items()}, f"vpcs.{VPC}.endpoints": DROP})


# gateways that lead nowhere


@case
def a_nat_gateway_that_failed() -> Fleet:
    nat = {"wayOut": "none", "gateway": "nat-0123456789abcdef0", "gatewayFault": "not-available"}
    return asked({f"subnets.{A}.{key}": value for key, value in nat.items()})


@case
def a_nat_gateway_without_a_way_out() -> Fleet:
    nat = {"wayOut": "none", "gateway": "nat-0123456789abcdef0", "gatewayFault": "without-internet"}
    return asked({f"subnets.{each}.{key}": value for each in (A, B) for key, value in nat.items()})


@case
def two_gateways_that_lead_nowhere() -> Fleet:
    """Two things to mend: said of each."""
    gone = {f"subnets.{A}.wayOut": "none", f"subnets.{A}.gatewayFault": "gone"}
    return asked({**gone, f"subnets.{A}.gateway": "tgw-0123456789abcdef0", f"subnets.{B}.wayOut": "none"})


# gateways of a VPC that another account shares


@case
def a_gateway_that_is_gone_and_endpoints_that_only_their_owner_sees() -> Fleet:
    gone = {"wayOut": "none", "gateway": "nat-0123456789abcdef0", "gatewayFault": "gone"}
    return asked({**{f"subnets.{A}.{key}": each for key, each in gone.items()}, f"vpcs.{VPC}.endpoints": DROP})


# endpoints, as AWS says of each subnet which serve it


cases(
    a_subnet_that_endpoints_serve=lambda: asked(shut(*EVERY)),
    # The VPC has all of them; S3's is not in this subnet's table.
    a_gateway_endpoint_of_other_route_tables=lambda: asked(shut("ec2", "ecr.api", "ecr.dkr")),
)


@case
def endpoints_in_doubt() -> Fleet:
    doubts = {"ec2": "private-dns-off", "ecr.api": "callers-unknown"}
    return asked(shut("ecr.dkr", "s3", endpointsInDoubt=doubts))


cases(
    # The nodes' groups are made by the stack: no endpoint that exists names them.
    endpoints_that_let_others_in=lambda: asked(shut("ecr.api", "ecr.dkr", "s3", endpointsOpenTo={"ec2": [THEIRS]})),
)


@case
def endpoints_that_let_the_nodes_groups_in() -> Fleet:
    known = shut("ecr.api", "ecr.dkr", "s3", endpointsOpenTo={"ec2": [NODES, THEIRS]})
    known |= {f"securityGroups.{NODES}": {"exists": True, "vpc": VPC, "selfIngress": True, "selfEgress": True}}
    carried = {f"groups.{each}.security-groups": [NODES] for each in ("workers", "system")}
    return described(carried, facts=told(known))


@case
def endpoints_that_let_the_groups_of_some_nodes_in() -> Fleet:
    """The system's nodes are in that subnet, too, and carry none."""
    known = shut("ecr.api", "ecr.dkr", "s3", endpointsOpenTo={"ec2": [NODES]})
    known |= {f"securityGroups.{NODES}": {"exists": True, "vpc": VPC, "selfIngress": True, "selfEgress": True}}
    return described({"groups.workers.security-groups": [NODES]}, facts=told(known))
