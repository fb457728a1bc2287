"""Networks that Muster makes: zones, room, addresses."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.factories import a_control_plane, a_fleet, a_subnet, described
from tests.policies.case import case

TOLD = {"capacity": "on-demand", "zone": "us-west-2a"}
WORKERS = "groups.workers"
NO_QUOTA = f"quota-covers-vcpus @ {WORKERS}"


def created(*zones: str, cidr: str | None = None, **edits: Any) -> Fleet:
    """The default description in a network of its own, its workers on demand."""
    network = {"zones": list(zones or ("us-west-2a", "us-west-2b")), **({"cidr": cidr} if cidr else {})}
    edits = {f"groups.workers.{key}": value for key, value in {**TOLD, **edits}.items()}
    if edits.get("groups.workers.interfaces") == "plain":
        edits["addons"] = {"nvidia-device-plugin": {}}
    edits |= {"groups.system.zone": zones[-1] if zones else "us-west-2b"}
    ids = {"us-west-2a": "usw2-az1", "us-west-2b": "usw2-az2"}
    return described({"network": {"create": {**network, "zone-ids": ids}}, **edits})


@case(unjudged=(NO_QUOTA,))
def a_network_of_its_own() -> Fleet:
    return created()


@case("zone-in-region @ network.create.zones", unjudged=(NO_QUOTA,))
def a_zone_of_another_region_to_make_subnets_in() -> Fleet:
    """It would get a private subnet and a public one: that is said once."""
    return created("us-west-2a", "us-west-2b", "us-east-1a")


@case("group-has-subnet @ groups.workers.zone", unjudged=(NO_QUOTA,))
def a_group_in_a_zone_without_subnets_yet() -> Fleet:
    return created(zone="us-west-2c")


@case(
    "group-has-subnet @ groups.workers.zone",
    unjudged=(f"reservation-instance-type-matches @ {WORKERS}", f"reservation-usable @ {WORKERS}", NO_QUOTA),
)
def a_reservation_in_a_zone_without_subnets_yet() -> Fleet:
    held = {"id": "cr-0123456789abcdef0", "zone": "us-west-2c", "count": 1, "provided-by": "aws"}
    return created(zone="us-west-2c", capacity={"reservation": held})


@case("control-plane-two-zones @ network.create.zones", unjudged=(NO_QUOTA,))
def one_zone_to_make_subnets_in() -> Fleet:
    return created("us-west-2a")


@case(f"subnet-holds-nodes @ {WORKERS}.nodes", unjudged=(NO_QUOTA,))
def more_nodes_than_a_small_network_holds() -> Fleet:
    return created(cidr="10.0.0.0/22", nodes=4)


@case(f"subnet-holds-all-nodes @ {WORKERS}.nodes", unjudged=(NO_QUOTA,))
def more_nodes_later_than_a_small_network_holds() -> Fleet:
    return created(cidr="10.0.0.0/22", nodes={"min": 0, "start": 1, "max": 4, "scaled-by": "you"})


@case(f"subnet-holds-nodes @ {WORKERS}.nodes", unjudged=(NO_QUOTA,))
def more_nodes_than_any_network_holds() -> Fleet:
    return created(nodes=400)


@case(f"subnet-holds-nodes @ {WORKERS}.nodes", unjudged=(NO_QUOTA,))
def more_nodes_than_a_public_subnet_holds() -> Fleet:
    plain = {"interfaces": "plain", "for": "inference", "subnets": "public", "instance": "g5.48xlarge"}
    return created(cidr="10.0.0.0/22", nodes=20, **plain)


@case("vpc-outside-docker-range @ network.create.cidr", unjudged=(NO_QUOTA,))
def a_network_where_docker_is() -> Fleet:
    return created(cidr="172.17.0.0/18")


@case("vpc-outside-docker-range @ network.create.cidr")
def a_foreign_subnet_where_docker_is() -> Fleet:
    return a_fleet(a_control_plane(), subnets=[a_subnet("theirs", created=True, cidr="172.17.16.0/20")])


@case("vpc-outside-docker-range @ network.create.cidr")
def a_foreign_subnet_where_docker_is_by_one_of_its_addresses() -> Fleet:
    """EC2 takes it for the network that it is in."""
    return a_fleet(a_control_plane(), subnets=[a_subnet("theirs", created=True, cidr="172.17.16.9/20")])


@case()
def a_subnet_that_was_there_before_where_docker_is() -> Fleet:
    """Nothing can be done about it here."""
    return a_fleet(a_control_plane(), subnets=[a_subnet("theirs", created=False, cidr="172.17.16.0/20")])


@case()
def subnets_whose_addresses_are_no_network() -> Fleet:
    made = [a_subnet(f"odd-{cidr}", created=True, cidr=cidr, declared_at="") for cidr in ("moon", "2001:db8::/64")]
    return a_fleet(a_control_plane(), subnets=made)
