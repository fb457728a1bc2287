"""Networks that Muster makes: zones, room, addresses."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.factories import a_control_plane, a_fleet, a_subnet, described
from tests.policies.case import case, cases

TOLD = {"capacity": "on-demand", "zone": "us-west-2a"}


def created(*zones: str, cidr: str | None = None, **edits: Any) -> Fleet:
    """The default description in a network of its own, its workers on demand."""
    network = {"zones": list(zones or ("us-west-2a", "us-west-2b")), **({"cidr": cidr} if cidr else {})}
    edits = {f"groups.workers.{key}": value for key, value in {**TOLD, **edits}.items()}
    if edits.get("groups.workers.interfaces") == "plain":
        edits["addons"] = {"nvidia-device-plugin": {}}
    edits |= {"groups.system.zone": zones[-1] if zones else "us-west-2b"}
    ids = {"us-west-2a": "usw2-az1", "us-west-2b": "usw2-az2"}
    return described({"network": {"create": {**network, "zone-ids": ids}}, **edits})


cases(
    a_network_of_its_own=lambda: created(),
    # It would get a private subnet and a public one: that is said once.
    a_zone_of_another_region_to_make_subnets_in=lambda: created("us-west-2a", "us-west-2b", "us-east-1a"),
    a_group_in_a_zone_without_subnets_yet=lambda: created(zone="us-west-2c"),
)


@case
def a_reservation_in_a_zone_without_subnets_yet() -> Fleet:
    held = {"id": "cr-0123456789abcdef0", "zone": "us-west-2c", "count": 1, "provided-by": "aws"}
    return created(zone="us-west-2c", capacity={"reservation": held})


cases(
    one_zone_to_make_subnets_in=lambda: created("us-west-2a"),
    more_nodes_than_a_small_network_holds=lambda: created(cidr="10.0.0.0/22", nodes=4),
    more_nodes_later_than_a_small_network_holds=lambda: created(
        cidr="10.0.0.0/22", nodes={"min": 0, "start": 1, "max": 4, "scaled-by": "you"}
    ),
    more_nodes_than_any_network_holds=lambda: created(nodes=400),
)


@case
def more_nodes_than_a_public_subnet_holds() -> Fleet:
    plain = {"interfaces": "plain", "for": "inference", "subnets": "public", "instance": "g5.48xlarge"}
    return created(cidr="10.0.0.0/22", nodes=20, **plain)


cases(
    a_network_where_docker_is=lambda: created(cidr="172.17.0.0/18"),
    a_foreign_subnet_where_docker_is=lambda: a_fleet(
        a_control_plane(), subnets=[a_subnet("theirs", created=True, cidr="172.17.16.0/20")]
    ),
    # EC2 takes it for the network that it is in.
    a_foreign_subnet_where_docker_is_by_one_of_its_addresses=lambda: a_fleet(
        a_control_plane(), subnets=[a_subnet("theirs", created=True, cidr="172.17.16.9/20")]
    ),
    # Nothing can be done about it here.
    a_subnet_that_was_there_before_where_docker_is=lambda: a_fleet(
        a_control_plane(), subnets=[a_subnet("theirs", created=False, cidr="172.17.16.0/20")]
    ),
)


@case
def subnets_whose_addresses_are_no_network() -> Fleet:
    made = [a_subnet(f"odd-{cidr}", created=True, cidr=cidr, declared_at="") for cidr in ("moon", "2001:db8::/64")]
    return a_fleet(a_control_plane(), subnets=made)
