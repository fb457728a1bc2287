"""The control plane: zones, versions, add-ons."""

from dataclasses import replace

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import A, B, a_control_plane, a_fleet, a_subnet, elsewhere
from tests.policies.case import case, cases

# zones that EKS refuses


cases(
    a_refused_zone=lambda: a_fleet(
        subnets=[a_subnet(A, "us-east-1a", zone_id="use1-az1"), a_subnet(B, "us-east-1b", zone_id="use1-az3")],
        region="us-east-1",
    ),
)


@case
def subnets_not_yet_known_where_a_zone_is_refused() -> Fleet:
    at_home = [a_subnet(A, "us-east-1a"), a_subnet(B, "us-east-1b")]
    return a_fleet(a_control_plane(subnets=UNKNOWN), subnets=at_home, region="us-east-1")


# who reaches the API


cases(
    a_foreign_api_left_to_eks=lambda: a_fleet(
        elsewhere(replace(a_control_plane(), endpoint_public=True, public_networks=()), "open")
    ),
    networks_of_the_api_not_yet_known=lambda: a_fleet(
        replace(a_control_plane(), endpoint_public=True, public_networks=UNKNOWN)
    ),
)
