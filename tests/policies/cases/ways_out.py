"""Whether nodes of subnets that exist reach AWS's services: the way out, and endpoints."""

from tests.factories import DROP, A
from tests.policies.case import cases
from tests.policies.cases.account import VPC, asked

cases(
    a_subnet_without_a_way_out=lambda: asked({f"subnets.{A}.wayOut": "none"}),
    # Of one route table, mostly: said once.
    a_subnet_without_a_way_out_and_endpoints_nobody_knows=lambda: asked(
        {f"subnets.{A}.wayOut": "none", f"vpcs.{VPC}.endpoints": DROP}
    ),
)
