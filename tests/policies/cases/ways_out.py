"""Whether nodes of subnets that exist reach AWS's services: the way out, and endpoints."""

from typing import Any

from tests.factories import DROP, A, B
from tests.policies.case import cases
from tests.policies.cases.account import VPC, asked


def behind(gateway: Any) -> dict[str, Any]:
    """Edits: both private subnets lead to what only another network knows."""
    said = {"wayOut": "other", "gateway": gateway}
    return {f"subnets.{each}.{key}": value for each in (A, B) for key, value in said.items()}


cases(
    a_subnet_without_a_way_out=lambda: asked({f"subnets.{A}.wayOut": "none"}),
    # Of one route table, mostly: said once.
    a_subnet_without_a_way_out_and_endpoints_nobody_knows=lambda: asked(
        {f"subnets.{A}.wayOut": "none", f"vpcs.{VPC}.endpoints": DROP}
    ),
    # Nodes with several interfaces get none: that rule says so.
    # No node is there.
)


# what only another network knows


# gateways that lead nowhere


# gateways of a VPC that another account shares


# endpoints, as AWS says of each subnet which serve it
