"""The words of the rules about reservations, placement, quotas and spot: what was found, what to do about it."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "capacity.p5_on_spot_beyond_its_own_quota",
        "quota-covers-vcpus",
        "workers may grow to 192 vCPUs; quota L-C4BD4855 allows 191",
        (
            "have it raised: aws service-quotas request-service-quota-increase --service-code ec2 "
            "--quota-code L-C4BD4855 --desired-value 192; or lower max"
        ),
    ),
    (
        "capacity.a_reservation_in_a_zone_without_subnet",
        "group-has-subnet",
        (
            "the network lists no subnet of the group's kind in us-west-2c (subnets there are in us-west-2a "
            "and us-west-2b)"
        ),
        "list its subnet in us-west-2c in the network, or name another zone",
    ),
    (
        "capacity.a_zone_of_another_region",
        "group-has-subnet",
        "us-east-1a is not a zone of us-west-2 (subnets there are in us-west-2a and us-west-2b)",
        "name a zone of us-west-2, or set aws:region: us-east-1",
    ),
    (
        "capacity.no_subnet_of_that_kind",
        "group-has-subnet",
        "the network lists no subnet of the group's kind",
        "list such subnets in the network, or take the others (subnets: private)",
    ),
    (
        "capacity.a_foreign_group_in_none",
        "placement-group-by-provenance",
        "reservation cr-0123456789abcdef0 was made in placement group pg-theirs; the group launches in none",
        "name it: placement-group: pg-theirs",
    ),
    (
        "capacity.a_placement_group_named_for_a_reservation_of_aws",
        "placement-group-by-provenance",
        "placement group pg-theirs on a reservation that AWS provided",
        "remove placement-group, or say provided-by: you",
    ),
    (
        "capacity.launched_in_a_new_one",
        "placement-group-by-provenance",
        (
            "reservation cr-0123456789abcdef0 was made in placement group pg-theirs; the group launches in "
            "a new one (workers)"
        ),
        "name it: placement-group: pg-theirs",
    ),
    (
        "capacity.launched_in_another",
        "placement-group-by-provenance",
        "reservation cr-0123456789abcdef0 was made in placement group pg-theirs; the group launches in pg-other",
        "name it: placement-group: pg-theirs",
    ),
    (
        "capacity.more_nodes_than_declared_and_no_more_than_observed",
        "reservation-as-declared",
        "count 1; AWS says that cr-0123456789abcdef0 holds 2",
        "write count: 2",
    ),
    (
        "capacity.the_declared_zone_is_wrong_and_the_group_is_right",
        "reservation-as-declared",
        "zone us-west-2b; AWS says that cr-0123456789abcdef0 is in us-west-2a",
        "write zone: us-west-2a",
    ),
    (
        "capacity.more_nodes_than_declared",
        "reservation-covers-nodes",
        "reservation cr-0123456789abcdef0 holds 1; the group may grow to 2",
        "let the group grow to 1 node at most, or name a larger reservation",
    ),
    (
        "capacity.more_nodes_than_observed",
        "reservation-covers-nodes",
        "reservation cr-0123456789abcdef0 holds 1 (AWS says so); the group may grow to 2",
        "let the group grow to 1 node at most, or name a larger reservation",
    ),
    (
        "capacity.two_groups_share_too_small_a_reservation",
        "reservation-covers-nodes",
        "reservation cr-0123456789abcdef0 holds 1 (AWS says so); others and workers together may grow to 2",
        "let others and workers together grow to 1 node at most, or name a larger reservation",
    ),
    (
        "capacity.a_reservation_of_another_type",
        "reservation-instance-type-matches",
        "reservation cr-0123456789abcdef0 holds p5e.48xlarge, the group is of p5.48xlarge",
        "make p5e.48xlarge the group's only type, or name a reservation of what it has",
    ),
    (
        "capacity.a_reservation_of_one_of_two_types",
        "reservation-instance-type-matches",
        "reservation cr-0123456789abcdef0 holds p5.48xlarge, the group is of p5.48xlarge and p5e.48xlarge",
        "make p5.48xlarge the group's only type, or name a reservation of what it has",
    ),
    (
        "capacity.open_beside_a_target",
        "reservation-preference-beside-target",
        "the reservation preference 'open' beside a target",
        "remove capacityReservationPreference, or make it capacity-reservations-only",
    ),
    (
        "capacity.a_preference_of_another_word",
        "reservation-preference-known",
        "the reservation preference 'capacity-reservation-only'; did you mean 'capacity-reservations-only'?",
        "write one of open, none and capacity-reservations-only, or leave capacityReservationPreference out",
    ),
    (
        "capacity.an_empty_block",
        "reservation-target-given",
        "capacityReservationSpecification names neither a target nor a preference",
        "write capacityReservationTarget: {capacityReservationId: cr-...}, or remove the block",
    ),
    (
        "capacity.two_targets",
        "reservation-target-single",
        "a reservation's id and a reservation group's ARN as targets",
        "remove capacityReservationId or capacityReservationResourceGroupArn",
    ),
    (
        "capacity.subnets_in_the_reservations_zone_and_another",
        "reservation-zone-matches-subnet",
        (
            "reservation cr-0123456789abcdef0 is in us-west-2a (AWS says so), the group's subnets are in "
            "us-west-2a and us-west-2b"
        ),
        "put the group into us-west-2a only (zone: us-west-2a, with a subnet there)",
    ),
    (
        "capacity.the_declared_zone_is_another",
        "reservation-zone-matches-subnet",
        "reservation cr-0123456789abcdef0 is in us-west-2b, the group's subnets are in us-west-2a",
        (
            "put the group into us-west-2b only (zone: us-west-2b, with a subnet there), or name a "
            "reservation in us-west-2a"
        ),
    ),
    (
        "capacity.the_observed_zone_is_another",
        "reservation-zone-matches-subnet",
        "reservation cr-0123456789abcdef0 is in us-west-2b (AWS says so), the group's subnets are in us-west-2a",
        (
            "put the group into us-west-2b only (zone: us-west-2b, with a subnet there), or name a "
            "reservation in us-west-2a"
        ),
    ),
    (
        "capacity.a_reservation_of_nothing",
        "reservation-created-legal",
        "a reservation of 0 instances",
        "reserve 1 to 1000, in several reservations where it is more",
    ),
    (
        "capacity.p5_reserved_for_later",
        "reservation-created-legal",
        "a future-dated reservation of p5.48xlarge",
        "buy a Capacity Block of it, or reserve without startDate",
    ),
    (
        "capacity.reserved_four_days_ahead",
        "reservation-created-legal",
        "a reservation that starts on 2026-11-25T23:00:00Z",
        "have it start from 2026-11-26 to 2027-03-21",
    ),
    (
        "capacity.reserved_for_later_in_a_placement_group",
        "reservation-created-legal",
        "a future-dated reservation in a placement group",
        "leave placementGroupArn out, or startDate",
    ),
    (
        "capacity.too_little_reserved_for_later",
        "reservation-created-legal",
        "a future-dated reservation of 24 vCPUs",
        "reserve 4 or more of c5.2xlarge",
    ),
    (
        "capacity.a_reservation_of_its_own_in_a_spread_group",
        "placement-group-holds-reservations",
        "nodes on a reservation in placement group workers, whose strategy is spread",
        "make the strategy of workers cluster, or leave the placement group out",
    ),
    (
        "capacity.a_reservation_of_its_own_in_a_spread_group",
        "placement-group-holds-reservations",
        "a reservation in placement group workers, whose strategy is spread",
        "make the strategy of workers cluster, or leave the placement group out",
    ),
    (
        "capacity.a_cluster_group_in_two_zones",
        "placement-group-one-zone",
        "cluster placement group workers and subnets in us-west-2a and us-west-2b",
        "give it one zone (zone: us-west-2a), or take the placement group out of its template",
    ),
    (
        "capacity.training_on_spot",
        "spot-not-for-training",
        "a training group on spot instances",
        (
            "write capacity: {spot: {interruptions-accepted: true}} if its jobs restart by themselves, or "
            "take other capacity"
        ),
    ),
    (
        "capacity.a_foreign_group_with_efa_on_spot",
        "spot-not-for-training",
        "a group with EFA interfaces on spot instances",
        "take on-demand or reserved capacity, or give it no EFA interfaces",
    ),
    (
        "capacity.one_node_beyond_the_quota",
        "quota-covers-vcpus",
        "workers may grow to 384 vCPUs; quota L-417A185B allows 383",
        (
            "have it raised: aws service-quotas request-service-quota-increase --service-code ec2 "
            "--quota-code L-417A185B --desired-value 384; or lower max"
        ),
    ),
    (
        "capacity.two_groups_of_one_family_beyond_the_quota",
        "quota-covers-vcpus",
        "others and workers may grow to 288 vCPUs; quota L-417A185B allows 200",
        (
            "have it raised: aws service-quotas request-service-quota-increase --service-code ec2 "
            "--quota-code L-417A185B --desired-value 288; or lower max"
        ),
    ),
    (
        "capacity.two_zones_and_a_reservation_nobody_knows",
        "reservation-zone-matches-subnet",
        "reservation cr-0123456789abcdef0 is in one zone, the group's subnets are in us-west-2a and us-west-2b",
        "keep the subnet in the zone of reservation cr-0123456789abcdef0",
    ),
    (
        "capacity.a_capacity_block_under_the_wrong_key",
        "reservation-usable",
        "reservation cr-0123456789abcdef0 is a Capacity Block",
        "say capacity-block instead of reservation, or name a reservation",
    ),
    (
        "capacity.an_expired_reservation",
        "reservation-usable",
        "reservation cr-0123456789abcdef0 is expired",
        "name a reservation that is active, for Linux/UNIX and of default tenancy",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "capacity.p4_on_spot_with_another_quota",
        "quota-covers-vcpus",
        "quota L-7212CCBC: 96 vCPUs or more (`muster schema facts` shows the form)",
    ),
    (
        "capacity.p6_on_spot_of_which_nobody_says_the_quota",
        "quota-covers-vcpus",
        "which spot quota counts p6-b200.48xlarge: EC2's guide names none",
    ),
    (
        "capacity.a_reservation_not_yet_known",
        "reservation-covers-nodes",
        "the reservation's id, not known before creation",
    ),
    (
        "capacity.a_quota_of_another_family",
        "quota-covers-vcpus",
        "quota L-DB2E81BA: 192 vCPUs or more (`muster schema facts` shows the form)",
    ),
    (
        "capacity.a_foreign_group_on_a_reservation_nobody_knows",
        "reservation-zone-matches-subnet",
        "the zone of reservation cr-0123456789abcdef0 (`muster schema facts` shows the form)",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
