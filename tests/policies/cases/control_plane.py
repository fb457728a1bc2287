"""The control plane: zones, versions, add-ons."""

from dataclasses import replace
from datetime import date

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import A, B, a_control_plane, a_fleet, a_subnet, described, elsewhere
from tests.policies.case import case

TWO = "control-plane-two-zones"
PRIVATE = "network.existing.private"
NOBODY = "subnet-0eeeeeeeeeeeeeeee"


@case(f"{TWO} @ {PRIVATE}")
def one_subnet() -> Fleet:
    return a_fleet(a_control_plane(subnets=(A,)))


@case(f"{TWO} @ {PRIVATE}")
def one_subnet_nobody_knows() -> Fleet:
    return a_fleet(a_control_plane(subnets=(NOBODY,)))


@case(f"{TWO} @ {PRIVATE}")
def two_subnets_of_one_zone() -> Fleet:
    return a_fleet(a_control_plane(subnets=(A, NOBODY)), subnets=[a_subnet(NOBODY)])


@case(unjudged=(f"{TWO} @ ",))
def two_subnets_one_of_which_nobody_knows() -> Fleet:
    return a_fleet(a_control_plane(subnets=(A, NOBODY)))


@case()
def three_subnets_one_of_which_nobody_knows() -> Fleet:
    return a_fleet(a_control_plane(subnets=(A, B, NOBODY)))


@case(unjudged=(f"{TWO} @ ",))
def subnets_not_yet_known() -> Fleet:
    return a_fleet(a_control_plane(subnets=UNKNOWN))


# zones that EKS refuses

EAST = {
    "network.existing.private": {"us-east-1a": A, "us-east-1b": B},
    "network.existing.public": {},
    "network.existing.zone-ids": {"us-east-1a": "use1-az1", "us-east-1b": "use1-az2"},
    "groups.workers.zone": "us-east-1a",
    "groups.workers.capacity": "on-demand",
}
NO_QUOTA = "quota-covers-vcpus @ groups.workers"
NOBODY_SAYS = ("reservation-instance-type-matches @ groups.workers", "reservation-usable @ groups.workers", NO_QUOTA)
MAY_BE_PUBLIC = "several-interfaces-private-subnets @ groups.workers"


@case(unjudged=(MAY_BE_PUBLIC, NO_QUOTA))
def accepted_zones_by_id() -> Fleet:
    return described(EAST, region="us-east-1")


@case(f"control-plane-zone-accepted @ {PRIVATE}.us-east-1b")
def a_refused_zone() -> Fleet:
    east = [a_subnet(A, "us-east-1a", zone_id="use1-az1"), a_subnet(B, "us-east-1b", zone_id="use1-az3")]
    return a_fleet(subnets=east, region="us-east-1")


@case(f"{TWO} @ {PRIVATE}", "instance-offered-in-zone @ groups.system.zone", unjudged=(MAY_BE_PUBLIC, NO_QUOTA))
def one_of_two_zones_refused() -> Fleet:
    """Muster leaves that subnet out for the control plane; then it has one."""
    return described({**EAST, "network.existing.zone-ids.us-east-1b": "use1-az3"}, region="us-east-1")


@case(unjudged=(MAY_BE_PUBLIC, NO_QUOTA))
def one_of_three_zones_refused() -> Fleet:
    third = {"network.existing.private.us-east-1c": NOBODY, "network.existing.zone-ids.us-east-1c": "use1-az3"}
    return described({**EAST, **third}, region="us-east-1")


@case(unjudged=(MAY_BE_PUBLIC, NO_QUOTA, "control-plane-zone-accepted @ ", "instance-offered-in-zone @ groups.system"))
def a_zone_without_id_where_one_is_refused() -> Fleet:
    return described({**EAST, "network.existing.zone-ids": {"us-east-1a": "use1-az1"}}, region="us-east-1")


@case(unjudged=(MAY_BE_PUBLIC, NO_QUOTA))
def a_public_subnet_in_a_refused_zone() -> Fleet:
    """Only the control plane's own subnets are asked; nodes and load balancers may be there."""
    public = {
        "network.existing.public": {"us-east-1c": NOBODY},
        "network.existing.zone-ids.us-east-1c": "use1-az3",
    }
    return described({**EAST, **public}, region="us-east-1")


@case(unjudged=("control-plane-zone-accepted @ ", f"{TWO} @ "))
def subnets_not_yet_known_where_a_zone_is_refused() -> Fleet:
    at_home = [a_subnet(A, "us-east-1a"), a_subnet(B, "us-east-1b")]
    return a_fleet(a_control_plane(subnets=UNKNOWN), subnets=at_home, region="us-east-1")


# versions


@case("kubernetes-version-supported @ kubernetes")
def a_version_past_all_support() -> Fleet:
    return a_fleet(a_control_plane("1.29"))


@case("kubernetes-version-supported @ kubernetes")
def a_version_that_does_not_exist() -> Fleet:
    return a_fleet(a_control_plane("1.99"))


@case("eks-addons-pinned @ kubernetes")
def a_version_in_extended_support_without_pinned_add_ons() -> Fleet:
    return a_fleet(a_control_plane("1.33"))


@case("kubernetes-standard-support @ urn:pulumi:dev::theirs::aws:eks/cluster:Cluster::old")
def a_foreign_cluster_in_extended_support() -> Fleet:
    return a_fleet(elsewhere(a_control_plane("1.33"), "old"))


@case("kubernetes-version-supported @ urn:pulumi:dev::theirs::aws:eks/cluster:Cluster::old")
def a_foreign_cluster_past_all_support() -> Fleet:
    return a_fleet(elsewhere(a_control_plane("1.29"), "old"))


@case()
def the_last_day_of_standard_support() -> Fleet:
    return a_fleet(as_of=date(2027, 3, 27))


@case("kubernetes-standard-support @ kubernetes")
def the_first_day_of_extended_support() -> Fleet:
    return a_fleet(as_of=date(2027, 3, 28))


@case("kubernetes-standard-support @ kubernetes")
def the_last_day_of_extended_support() -> Fleet:
    return a_fleet(as_of=date(2028, 3, 27))


@case("kubernetes-version-supported @ kubernetes")
def the_day_after_all_support() -> Fleet:
    return a_fleet(as_of=date(2028, 3, 28))


@case()
def a_version_left_to_eks() -> Fleet:
    return a_fleet(elsewhere(a_control_plane(None), "theirs"))


@case(unjudged=("kubernetes-version-supported @ ",))
def a_version_not_yet_known() -> Fleet:
    return a_fleet(a_control_plane(UNKNOWN))


# groups for ordinary pods, and add-ons


@case(unjudged=(MAY_BE_PUBLIC, *NOBODY_SAYS))
def the_default_description() -> Fleet:
    return described()


@case("untainted-group @ groups", unjudged=(MAY_BE_PUBLIC, *NOBODY_SAYS))
def every_group_is_tainted() -> Fleet:
    return described({"groups.system.taints": {"only": "NoExecute"}})


@case(unjudged=(MAY_BE_PUBLIC, *NOBODY_SAYS))
def a_group_that_pods_had_better_avoid() -> Fleet:
    """Where there is no other, they go there all the same."""
    return described({"groups.system.taints": {"rather": "PreferNoSchedule"}})


@case(
    "group-has-its-device-plugin @ groups.workers.instance",
    unjudged=(MAY_BE_PUBLIC, *NOBODY_SAYS),
)
def no_efa_plugin() -> Fleet:
    return described({"addons": {"nvidia-device-plugin": {}}})


@case("addon-serves-a-group @ addons.efa-device-plugin", unjudged=(*NOBODY_SAYS,))
def a_plugin_without_devices() -> Fleet:
    return described({"groups.workers.interfaces": "plain", "groups.workers.for": "inference"})


@case("eks-addons-pinned @ kubernetes")
def the_last_day_of_a_version_without_pinned_add_ons() -> Fleet:
    return a_fleet(a_control_plane("1.31"), as_of=date(2026, 11, 26))


@case("kubernetes-version-supported @ kubernetes")
def the_day_after() -> Fleet:
    return a_fleet(a_control_plane("1.31"), as_of=date(2026, 11, 27))


@case("untainted-group @ groups.system.nodes.start", unjudged=(MAY_BE_PUBLIC, *NOBODY_SAYS))
def no_system_node_at_first() -> Fleet:
    return described({"groups.system.nodes": {"min": 0, "start": 0, "max": 3, "scaled-by": "you"}})


# who reaches the API

OPEN = "api-not-open-to-all"
WORLD = "0.0.0.0/0"


def reached_from(*networks: str) -> Fleet:
    return a_fleet(replace(a_control_plane(), endpoint_public=True, public_networks=networks))


@case(f"{OPEN} @ api.public")
def an_api_open_to_all() -> Fleet:
    return reached_from(WORLD, "203.0.113.0/24")


@case(f"{OPEN} @ api.public")
def an_api_open_to_all_of_ipv6() -> Fleet:
    return reached_from("::/0")


@case(f"{OPEN} @ api.public")
def an_api_open_to_all_of_both_kinds() -> Fleet:
    return reached_from(WORLD, "::/0")


@case()
def an_api_open_to_some() -> Fleet:
    return reached_from("203.0.113.0/24")


@case()
def an_api_that_is_not_public_whatever_its_networks() -> Fleet:
    return a_fleet(replace(a_control_plane(), endpoint_public=False, public_networks=(WORLD,)))


@case(f"{OPEN} @ urn:pulumi:dev::theirs::aws:eks/cluster:Cluster::open")
def a_foreign_api_open_to_all() -> Fleet:
    return a_fleet(elsewhere(replace(a_control_plane(), endpoint_public=True, public_networks=(WORLD,)), "open"))


@case("api-networks-stated @ urn:pulumi:dev::theirs::aws:eks/cluster:Cluster::open")
def a_foreign_api_left_to_eks() -> Fleet:
    return a_fleet(elsewhere(replace(a_control_plane(), endpoint_public=True, public_networks=()), "open"))


@case(unjudged=(f"{OPEN} @ ",))
def networks_of_the_api_not_yet_known() -> Fleet:
    return a_fleet(replace(a_control_plane(), endpoint_public=True, public_networks=UNKNOWN))


@case(unjudged=(f"{OPEN} @ ",))
def an_api_open_to_all_that_may_not_be_public() -> Fleet:
    return a_fleet(replace(a_control_plane(), endpoint_public=UNKNOWN, public_networks=(WORLD,)))
