"""The control plane: zones, versions, add-ons."""

from dataclasses import replace
from datetime import date

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import A, B, a_control_plane, a_fleet, a_subnet, described, elsewhere
from tests.policies.case import case, cases

NOBODY = "subnet-0eeeeeeeeeeeeeeee"


cases(
    one_subnet=lambda: a_fleet(a_control_plane(subnets=(A,))),
    one_subnet_nobody_knows=lambda: a_fleet(a_control_plane(subnets=(NOBODY,))),
    two_subnets_of_one_zone=lambda: a_fleet(a_control_plane(subnets=(A, NOBODY)), subnets=[a_subnet(NOBODY)]),
    two_subnets_one_of_which_nobody_knows=lambda: a_fleet(a_control_plane(subnets=(A, NOBODY))),
    three_subnets_one_of_which_nobody_knows=lambda: a_fleet(a_control_plane(subnets=(A, B, NOBODY))),
    subnets_not_yet_known=lambda: a_fleet(a_control_plane(subnets=UNKNOWN)),
)


# zones that EKS refuses

EAST = {
    "network.existing.private": {"us-east-1a": A, "us-east-1b": B},
    "network.existing.public": {},
    "network.existing.zone-ids": {"us-east-1a": "use1-az1", "us-east-1b": "use1-az2"},
    "groups.workers.zone": "us-east-1a",
    "groups.workers.capacity": "on-demand",
}


cases(
    accepted_zones_by_id=lambda: described(EAST, region="us-east-1"),
    a_refused_zone=lambda: a_fleet(
        subnets=[a_subnet(A, "us-east-1a", zone_id="use1-az1"), a_subnet(B, "us-east-1b", zone_id="use1-az3")],
        region="us-east-1",
    ),
    # Muster leaves that subnet out for the control plane; then it has one.
    one_of_two_zones_refused=lambda: described(
        {**EAST, "network.existing.zone-ids.us-east-1b": "use1-az3"}, region="us-east-1"
    ),
    one_of_three_zones_refused=lambda: described(
        {**EAST, "network.existing.private.us-east-1c": NOBODY, "network.existing.zone-ids.us-east-1c": "use1-az3"},
        region="us-east-1",
    ),
    a_zone_without_id_where_one_is_refused=lambda: described(
        {**EAST, "network.existing.zone-ids": {"us-east-1a": "use1-az1"}}, region="us-east-1"
    ),
)


@case
def a_public_subnet_in_a_refused_zone() -> Fleet:
    """Only the control plane's own subnets are asked; nodes and load balancers may be there."""
    public = {
        "network.existing.public": {"us-east-1c": NOBODY},
        "network.existing.zone-ids.us-east-1c": "use1-az3",
    }
    return described({**EAST, **public}, region="us-east-1")


@case
def subnets_not_yet_known_where_a_zone_is_refused() -> Fleet:
    at_home = [a_subnet(A, "us-east-1a"), a_subnet(B, "us-east-1b")]
    return a_fleet(a_control_plane(subnets=UNKNOWN), subnets=at_home, region="us-east-1")


# versions


cases(
    a_version_past_all_support=lambda: a_fleet(a_control_plane("1.29")),
    a_version_that_does_not_exist=lambda: a_fleet(a_control_plane("1.99")),
    a_version_with_a_patch=lambda: a_fleet(a_control_plane("1.37.1")),
    a_text_that_is_no_version=lambda: a_fleet(a_control_plane("v1.33")),
    a_version_in_extended_support_without_pinned_add_ons=lambda: a_fleet(a_control_plane("1.33")),
    a_foreign_cluster_in_extended_support=lambda: a_fleet(elsewhere(a_control_plane("1.33"), "old")),
    a_foreign_cluster_past_all_support=lambda: a_fleet(elsewhere(a_control_plane("1.29"), "old")),
    the_last_day_of_standard_support=lambda: a_fleet(as_of=date(2027, 3, 27)),
    the_first_day_of_extended_support=lambda: a_fleet(as_of=date(2027, 3, 28)),
    the_last_day_of_extended_support=lambda: a_fleet(as_of=date(2028, 3, 27)),
    the_day_after_all_support=lambda: a_fleet(as_of=date(2028, 3, 28)),
    a_version_left_to_eks=lambda: a_fleet(elsewhere(a_control_plane(None), "theirs")),
    a_version_not_yet_known=lambda: a_fleet(a_control_plane(UNKNOWN)),
)


# groups for ordinary pods, and add-ons


cases(
    the_default_description=lambda: described(),
    every_group_is_tainted=lambda: described({"groups.system.taints": {"only": "NoExecute"}}),
    # Where there is no other, they go there all the same.
    a_group_that_pods_had_better_avoid=lambda: described({"groups.system.taints": {"rather": "PreferNoSchedule"}}),
    no_efa_plugin=lambda: described({"addons": {"nvidia-device-plugin": {}}}),
    a_plugin_without_devices=lambda: described(
        {"groups.workers.interfaces": "plain", "groups.workers.for": "inference"}
    ),
    the_last_day_of_a_version_without_pinned_add_ons=lambda: a_fleet(a_control_plane("1.31"), as_of=date(2026, 11, 26)),
    the_day_after=lambda: a_fleet(a_control_plane("1.31"), as_of=date(2026, 11, 27)),
    no_system_node_at_first=lambda: described(
        {"groups.system.nodes": {"min": 0, "start": 0, "max": 3, "scaled-by": "you"}}
    ),
)


# who reaches the API

WORLD = "0.0.0.0/0"


def reached_from(*networks: str) -> Fleet:
    return a_fleet(replace(a_control_plane(), endpoint_public=True, public_networks=networks))


cases(
    an_api_open_to_all=lambda: reached_from(WORLD, "203.0.113.0/24"),
    an_api_open_to_all_of_ipv6=lambda: reached_from("::/0"),
    an_api_open_to_all_of_both_kinds=lambda: reached_from(WORLD, "::/0"),
    an_api_open_to_some=lambda: reached_from("203.0.113.0/24"),
    an_api_that_is_not_public_whatever_its_networks=lambda: a_fleet(
        replace(a_control_plane(), endpoint_public=False, public_networks=(WORLD,))
    ),
    a_foreign_api_open_to_all=lambda: a_fleet(
        elsewhere(replace(a_control_plane(), endpoint_public=True, public_networks=(WORLD,)), "open")
    ),
    a_foreign_api_left_to_eks=lambda: a_fleet(
        elsewhere(replace(a_control_plane(), endpoint_public=True, public_networks=()), "open")
    ),
    networks_of_the_api_not_yet_known=lambda: a_fleet(
        replace(a_control_plane(), endpoint_public=True, public_networks=UNKNOWN)
    ),
    an_api_open_to_all_that_may_not_be_public=lambda: a_fleet(
        replace(a_control_plane(), endpoint_public=UNKNOWN, public_networks=(WORLD,))
    ),
)
