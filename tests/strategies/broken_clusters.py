"""Legal descriptions broken in one named way each: the one rule that must name it, at its places."""

from dataclasses import replace
from enum import Enum

from hypothesis import strategies as st

from muster.config.description.node_group import Purpose
from tests.strategies import file_systems
from tests.strategies.breakages import capacity_blocks, clusters, groups, launches, networks, reservations
from tests.strategies.breakages.breakage import Breakage
from tests.strategies.described import Described
from tests.strategies.instances import WITH_EFA, WITH_QUOTA
from tests.strategies.legal_clusters import legal
from tests.strategies.readings import NOT_HELD, UNDATED, Kind
from tests.strategies.wanted import Wanted

_RESERVED = Wanted(kinds=(Kind.RESERVATION,), zones=3, facts=False)
_OBSERVED = replace(_RESERVED, facts=True, shared=False)
_BLOCK = Wanted(kinds=(Kind.CAPACITY_BLOCK,), facts=False)
_BLOCK_OBSERVED = replace(_BLOCK, begun=True, facts=True)


_JOINED = Wanted(network="existing", joins=True)
_GROUP = Wanted(kinds=(Kind.RESERVATION_GROUP,), facts=False)
_GROUP_OBSERVED = replace(_GROUP, facts=True)
_EFA = Wanted(instances=WITH_EFA, layouts=("aws", "classic"), shared=False)
_STOCK = Wanted(managed=True, kinds=UNDATED, others=UNDATED)
"""Groups whose image and capacity are legal with any Kubernetes version, on any day."""

_ROOM = Wanted(instances=WITH_EFA, layouts=("aws", "classic"), kinds=UNDATED, network="existing", facts=True)
"""Workers in one zone, of whose subnet somebody says the room."""

_IN_A_VPC = Wanted(network="existing", facts=False)
"""Where file systems can be that exist."""


class Broken(Enum):
    """Every way a description can be broken that its form allows and a rule names."""

    RESERVATION_ELSEWHERE = Breakage(
        "reservation-zone-matches-subnet", replace(_RESERVED, states_zone=True), reservations.reservation_elsewhere
    )
    RESERVATION_OBSERVED_ELSEWHERE = Breakage(
        "reservation-zone-matches-subnet", _OBSERVED, reservations.reservation_observed_elsewhere
    )
    MORE_NODES_THAN_RESERVED = Breakage("reservation-covers-nodes", _RESERVED, reservations.more_nodes_than_reserved)
    MORE_NODES_THAN_OBSERVED = Breakage("reservation-covers-nodes", _OBSERVED, reservations.more_nodes_than_observed)
    TWO_GROUPS_TOO_MANY = Breakage(
        "reservation-covers-nodes", replace(_RESERVED, shared=True), reservations.two_groups_too_many
    )
    RESERVATION_OVER = Breakage(
        "reservation-usable", replace(_OBSERVED, provided_by="aws"), reservations.reservation_over
    )
    RESERVATION_OF_ANOTHER_TYPE = Breakage(
        "reservation-instance-type-matches", _OBSERVED, reservations.reservation_of_another_type
    )
    PLACEMENT_GROUP_FOR_AWS = Breakage(
        "placement-group-fits-capacity", replace(_RESERVED, provided_by="aws"), reservations.placement_group_for_aws
    )
    MADE_IN_ANOTHER_PLACEMENT_GROUP = Breakage(
        "placement-group-fits-capacity",
        replace(_OBSERVED, provided_by="you", instances=WITH_EFA),
        reservations.made_in_another_placement_group,
    )
    BLOCK_OF_A_TYPE_WITHOUT = Breakage(
        "capacity-block-sold",
        replace(_BLOCK, layouts=("plain",), network="existing"),
        capacity_blocks.block_of_a_type_without,
    )
    BLOCK_ACTIVE_TOO_EARLY = Breakage(
        "capacity-block-dates", replace(_BLOCK, begun=False), capacity_blocks.block_active_too_early
    )
    BLOCK_ACTIVE_TOO_LONG = Breakage("capacity-block-dates", replace(_BLOCK, begun=True), capacity_blocks.block_over)
    BLOCK_NOT_SAID_TO_RUN = Breakage(
        "capacity-block-begun", replace(_BLOCK, begun=True), capacity_blocks.block_not_said_to_run
    )
    BLOCK_OVER = Breakage("capacity-block-begun", replace(_BLOCK, begun=False), capacity_blocks.block_over)
    BLOCK_NOBODY_APPROVES = Breakage(
        "capacity-block-purchase-approved", replace(_BLOCK, begun=False), capacity_blocks.block_that_nobody_approves
    )
    BLOCK_BOUGHT_AGAIN = Breakage("capacity-block-not-bought-again", _BLOCK, capacity_blocks.block_bought_again)
    BLOCK_ENDS_BEFORE_IT_IS_DRAINED = Breakage(
        "capacity-block-drained",
        replace(_BLOCK_OBSERVED, managed=False),
        capacity_blocks.block_ends_before_it_is_drained,
    )
    BLOCK_STILL_WAITS = Breakage("capacity-block-dates", _BLOCK_OBSERVED, capacity_blocks.block_still_waits)
    BLOCK_UNUSABLE = Breakage("reservation-usable", _BLOCK_OBSERVED, capacity_blocks.block_unusable)
    GROUP_LACKS_AN_ENTRY = Breakage("reservation-group-usable", _GROUP_OBSERVED, reservations.group_lacks_an_entry)
    GROUP_FOUND_EMPTY = Breakage("reservation-group-usable", _GROUP_OBSERVED, reservations.group_found_empty)
    GROUP_MADE_EMPTY = Breakage("reservation-group-usable", _GROUP, reservations.group_made_empty)
    GROUP_OF_ANOTHER_REGION = Breakage("reservation-group-usable", _GROUP, reservations.group_of_another_region)
    MORE_NODES_THAN_THE_GROUP_HOLDS = Breakage(
        "reservation-covers-nodes", _GROUP_OBSERVED, reservations.more_nodes_than_the_group_holds
    )
    TRAINING_ON_SPOT = Breakage(
        "spot-not-for-training", Wanted(kinds=(Kind.SPOT,), purposes=("training",)), groups.training_on_spot
    )
    QUOTA_TOO_SMALL = Breakage(
        "quota-covers-vcpus",
        Wanted(kinds=(Kind.ON_DEMAND,), instances=WITH_QUOTA, facts=True, groups=0),
        groups.quota_too_small,
    )
    EFA_IN_SEVERAL_ZONES = Breakage("efa-single-zone", replace(_EFA, kinds=NOT_HELD), networks.efa_everywhere)
    EFA_IN_PUBLIC_SUBNETS = Breakage(
        "several-interfaces-private-subnets", replace(_EFA, public=True, network="existing"), networks.in_public_subnets
    )
    SUBNET_GIVES_PUBLIC_ADDRESSES = Breakage(
        "several-interfaces-private-subnets",
        replace(_EFA, groups=0, network="existing"),
        networks.subnet_gives_public_addresses,
    )
    ONE_ZONE = Breakage("control-plane-zones", Wanted(zones=1, network="existing", joins=False), networks.one_zone)
    ONE_ZONE_LEFT = Breakage(
        "control-plane-zones",
        Wanted(zones=2, regions=("us-east-1", "ca-central-1"), network="existing", joins=False, facts=False),
        networks.one_zone_left,
    )
    SUBNET_ELSEWHERE = Breakage("subnet-zone-as-declared", Wanted(network="existing"), networks.subnet_elsewhere)
    ZONE_TO_MAKE_ELSEWHERE = Breakage(
        "subnet-zone-as-declared", Wanted(zones=3, network="create"), networks.zone_to_make_elsewhere
    )
    ZONE_OF_ANOTHER_REGION = Breakage(
        "subnet-zone-as-declared", Wanted(public=True, network="existing"), networks.zone_of_another_region
    )
    ZONE_WITHOUT_SUBNET = Breakage("group-has-subnet", Wanted(), networks.zone_without_subnet)
    NO_PUBLIC_SUBNETS = Breakage(
        "group-has-subnet",
        Wanted(public=False, layouts=("plain",), kinds=NOT_HELD, states_zone=False),
        networks.in_public_subnets,
    )
    VERSION_PAST_SUPPORT = Breakage("kubernetes-version-supported", _STOCK, clusters.of_version("1.29"))
    VERSION_UNHEARD_OF = Breakage("kubernetes-version-supported", _STOCK, clusters.of_version("1.99"))
    STANDARD_SUPPORT_OVER = Breakage(
        "kubernetes-standard-support", _STOCK, clusters.later("standard_ends", "extended_ends")
    )
    ALL_SUPPORT_OVER = Breakage("kubernetes-version-supported", _STOCK, clusters.later("extended_ends", ""))
    PLUGIN_MISSING = Breakage("group-has-its-device-plugin", _EFA, clusters.plugin_missing)
    PLUGIN_FOR_NOTHING = Breakage(
        "addon-serves-a-group", Wanted(layouts=("plain",), groups=0), clusters.plugin_for_nothing
    )
    EVERYTHING_TAINTED = Breakage("untainted-group", Wanted(joins=False), groups.everything_tainted)
    IMAGE_THAT_EKS_CANNOT_READ = Breakage(
        "image-parameter-exists",
        Wanted(managed=True, images=("al2023",), shared=False),
        launches.by_parameter("/teams/ml/images/training-2026-11", "/teams/ml/images/latest"),
    )
    ENTRIES_OFF = Breakage("access-entries-taken", Wanted(joins=True, managed=False), launches.entries_off)
    NO_ROOM = Breakage("subnet-holds-nodes", replace(_ROOM, groups=0), launches.without_room)
    NO_ROOM_FOR_ALL = Breakage("subnet-holds-all-nodes", replace(_ROOM, groups=0), launches.without_room_for_all)
    LUSTRE_ELSEWHERE = Breakage(
        "lustre-in-training-zone",
        Wanted(zones=3, purposes=(Purpose.TRAINING,), states_zone=True, groups=0),
        file_systems.elsewhere,
    )
    LUSTRE_NOWHERE = Breakage("lustre-single-subnet", Wanted(), file_systems.nowhere)
    LUSTRE_MISSTATED = Breakage(
        "lustre-usable", _IN_A_VPC, file_systems.there("mount-name", {}, {"mountName": "another"})
    )
    LUSTRE_OLD = Breakage("lustre-version-for-clients", _IN_A_VPC, file_systems.there("id", {}, {"version": "2.10"}))
    LUSTRE_MISCONFIGURED = Breakage(
        "lustre-usable", _IN_A_VPC, file_systems.there("id", {}, {"state": "MISCONFIGURED"})
    )
    LUSTRE_OF_ANOTHER_TYPE = Breakage("lustre-usable", _IN_A_VPC, file_systems.there("id", {}, {"type": "OPENZFS"}))
    LUSTRE_SHUT = Breakage("lustre-ports-open", _IN_A_VPC, file_systems.there("id", {}, file_systems.SHUT))
    LUSTRE_IN_ANOTHER_VPC = Breakage("lustre-usable", _IN_A_VPC, file_systems.there("id", {}, file_systems.ANOTHER_VPC))
    LUSTRE_FOR_A_NEW_VPC = Breakage("lustre-usable", Wanted(network="create"), file_systems.there("id", {}, {}))
    CLUSTER_OLDER = Breakage(
        "existing-cluster-as-declared", _JOINED, clusters.cluster_told("kubernetes", version="1.30")
    )
    CLUSTER_ELSEWHERE = Breakage(
        "existing-cluster-as-declared",
        _JOINED,
        clusters.cluster_told("network.existing.vpc", vpc="vpc-0fedcba9876543210"),
    )
    VERSION_NOT_OFFERED = Breakage("kubernetes-version-supported", Wanted(), clusters.version_refused)
    IMAGE_MISSING = Breakage(
        "image-parameter-exists", replace(_STOCK, images=("al2023", "bottlerocket")), groups.image_missing
    )


@st.composite
def broken(draw: st.DrawFn, how: Broken) -> tuple[Described, set[tuple[str, str]]]:
    """A legal description broken in one way, and exactly what must be found: (rule, place)."""
    described, places = how.value.break_(draw, draw(legal(how.value.wanted)))
    return described, {(how.value.rule, place) for place in places}
