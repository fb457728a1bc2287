"""The words of the rules about resource groups of reservations: what was found, what to do about this very thing."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "reservation_groups.efa_on_reservations_in_both_zones",
        "efa-single-zone",
        "a group with EFA has subnets in us-west-2a and us-west-2b",
        "give it one zone (zone: us-west-2a), or a group for each",
    ),
    (
        "reservation_groups.more_nodes_than_both_hold",
        "reservation-covers-nodes",
        "reservation group p5 holds 2 (AWS says so); the group may grow to 3",
        "let the group grow to 2 nodes at most, or add reservations to the group",
    ),
    (
        "reservation_groups.one_of_two_is_of_another_type",
        "reservation-covers-nodes",
        "reservation group p5 holds 1 that its instances match (AWS says so); the group may grow to 2",
        "let the group grow to 1 node at most, or add reservations to the group",
    ),
    (
        "reservation_groups.both_are_over",
        "reservation-usable",
        (
            "nothing in reservation group p5 can be launched into: cr-00000000000000001 is expired and "
            "cr-00000000000000002 is for Windows"
        ),
        "name a reservation that is active, for Linux/UNIX and of default tenancy",
    ),
    (
        "reservation_groups.both_are_in_another_zone",
        "reservation-zone-matches-subnet",
        "reservation group p5 is in us-west-2b (AWS says so), the group's subnets are in us-west-2a",
        (
            "put the group into us-west-2b only (zone: us-west-2b, with a subnet there), or name a reservation in "
            "us-west-2a"
        ),
    ),
    (
        "reservation_groups.a_described_group_that_holds_more",
        "reservation-as-declared",
        "count 2; AWS says that p5 holds 6",
        "write count: 6",
    ),
    (
        "reservation_groups.a_block_in_a_group",
        "capacity-block-by-id",
        "cr-00000000000000001 and cr-00000000000000002 targeted through reservation group p5",
        (
            "target cr-00000000000000001 and cr-00000000000000002 by id (capacity-block: {id: ...}), with a node "
            "group for each block"
        ),
    ),
    (
        "reservation_groups.a_market_for_blocks_and_a_group",
        "capacity-block-by-id",
        "a Capacity Block targeted through reservation group p5",
        "target a Capacity Block by id (capacity-block: {id: ...}), with a node group for each block",
    ),
    (
        "reservation_groups.a_group_without_preference",
        "reservation-group-preference",
        "a reservation group as target without a preference: when it is full, nodes launch on demand",
        "add capacityReservationPreference: capacity-reservations-only beside the target",
    ),
    (
        "reservation_groups.an_empty_group",
        "reservation-group-has-members",
        "reservation group p5 is empty (AWS says so)",
        "put reservations into it, or name another",
    ),
    (
        "reservation_groups.a_group_with_the_pool_entry_only",
        "reservation-group-configured",
        "reservation group p5 has no entry AWS::ResourceGroups::Generic (AWS says so)",
        "have its owner add AWS::ResourceGroups::Generic, or name another group",
    ),
    (
        "reservation_groups.a_group_of_another_region",
        "reservation-group-one-region",
        "p5 is in us-east-1, the stack in us-west-2",
        "name one in us-west-2 instead of p5",
    ),
    (
        "reservation_groups.a_group_of_its_own_with_nothing_in_it",
        "reservation-group-has-members",
        "no reservation is put into the group",
        "list the reservations' ARNs (in a program of your own an aws.resourcegroups.Resource for each)",
    ),
    (
        "reservation_groups.a_group_of_its_own_with_the_pool_entry_only",
        "reservation-group-configured",
        "the group has no entry AWS::ResourceGroups::Generic",
        "add AWS::ResourceGroups::Generic to it",
    ),
    (
        "reservation_groups.a_group_of_its_own_for_other_types",
        "reservation-group-configured",
        "allowed-resource-types of AWS::ResourceGroups::Generic: AWS::EC2::Host",
        "add AWS::EC2::CapacityReservation to its values",
    ),
    (
        "reservation_groups.a_group_of_its_own_of_reservations_of_two_regions",
        "reservation-group-one-region",
        "cr-00000000000000002 is in us-east-1, the stack in us-west-2",
        "name one in us-west-2 instead of cr-00000000000000002",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "reservation_groups.a_group_nobody_knows",
        "reservation-covers-nodes",
        (
            "the reservations of arn:aws:resource-groups:us-west-2:000000000000:group/p5 (`muster schema facts` "
            "shows the form)"
        ),
    ),
    (
        "reservation_groups.nobody_says_whether_they_are_active",
        "reservation-usable",
        "the state of reservation group p5: cr-00000000000000001 (`muster schema facts` shows the form)",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
