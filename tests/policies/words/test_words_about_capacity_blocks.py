"""The words of the rules about Capacity Blocks: what was found, what to do about this very thing."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "capacity_blocks.a_reservation_under_the_wrong_key",
        "reservation-usable",
        "Capacity Block cr-0123456789abcdef0 is an On-Demand Capacity Reservation",
        "say reservation instead of capacity-block, or name a block",
    ),
    (
        "capacity_blocks.a_block_whose_payment_failed",
        "reservation-usable",
        "Capacity Block cr-0123456789abcdef0 is payment-failed",
        "name a Capacity Block that is paid and has not ended",
    ),
    (
        "capacity_blocks.a_foreign_group_on_a_block_that_ends_today",
        "reservation-usable",
        "Capacity Block cr-0123456789abcdef0 ends on 2026-11-21",
        "name a Capacity Block that is paid and has not ended",
    ),
    (
        "capacity_blocks.a_foreign_group_on_a_block_that_has_ended",
        "reservation-usable",
        "Capacity Block cr-0123456789abcdef0 ended on 2026-11-28",
        "name a Capacity Block that is paid and has not ended",
    ),
    (
        "capacity_blocks.a_template_without_market_type",
        "capacity-block-template",
        (
            "the template's group is of capacityType CAPACITY_BLOCK, and has no instanceMarketOptions: "
            "{marketType: capacity-block}"
        ),
        "write instanceMarketOptions: {marketType: capacity-block} into it",
    ),
    (
        "capacity_blocks.a_block_targeted_like_a_reservation",
        "capacity-block-template",
        "the template targets a Capacity Block, and has no instanceMarketOptions: {marketType: capacity-block}",
        "write instanceMarketOptions: {marketType: capacity-block} into it",
    ),
    (
        "capacity_blocks.a_template_without_target",
        "capacity-block-template",
        ("the template is for a Capacity Block, and has no capacityReservationTarget: {capacityReservationId: cr-...}"),
        "write capacityReservationTarget: {capacityReservationId: cr-...} into it",
    ),
    (
        "capacity_blocks.a_template_without_instance_type",
        "capacity-block-template",
        "the template is for a Capacity Block, and has no instanceType",
        "write instanceType into it",
    ),
    (
        "capacity_blocks.a_spot_market_on_a_block",
        "capacity-block-template",
        (
            "the template's group is of capacityType CAPACITY_BLOCK, and has no instanceMarketOptions: "
            "{marketType: capacity-block}, but marketType spot"
        ),
        "write instanceMarketOptions: {marketType: capacity-block} into it",
    ),
    (
        "capacity_blocks.spot_beside_a_blocks_template",
        "capacity-block-managed-group",
        "capacityType SPOT beside a template for a Capacity Block",
        "say capacityType CAPACITY_BLOCK, or remove the market type from the template",
    ),
    (
        "capacity_blocks.on_demand_beside_a_blocks_template",
        "capacity-block-managed-group",
        (
            "capacityType ON_DEMAND (which is what EKS takes where nothing is said) beside a template for a "
            "Capacity Block"
        ),
        "say capacityType CAPACITY_BLOCK, or remove the market type from the template",
    ),
    (
        "capacity_blocks.two_types_on_a_block",
        "capacity-block-managed-group",
        "instanceTypes p5.48xlarge and p5e.48xlarge on a Capacity Block, which holds one type",
        "remove instanceTypes, and say the block's type as the template's instanceType",
    ),
    (
        "capacity_blocks.a_block_without_template",
        "capacity-block-managed-group",
        "capacityType CAPACITY_BLOCK without a launch template",
        "give it a template that names the block",
    ),
    (
        "capacity_blocks.a_block_without_template",
        "capacity-block-managed-group",
        "instanceTypes p5.48xlarge on a Capacity Block, which holds one type",
        "remove instanceTypes, and say the block's type as the template's instanceType",
    ),
    (
        "capacity_blocks.a_block_of_single_gb200",
        "capacity-block-instance-type",
        "a Capacity Block of single p6e-gb200.36xlarge: AWS sells them as UltraServers only",
        "target the UltraServer block's resource group by its ARN",
    ),
    (
        "capacity_blocks.a_block_that_nobody_knows_in_two_zones",
        "reservation-zone-matches-subnet",
        ("Capacity Block cr-0123456789abcdef0 is in one zone, the group's subnets are in us-west-2a and us-west-2b"),
        "keep the subnet in the zone of Capacity Block cr-0123456789abcdef0",
    ),
    (
        "capacity_blocks.a_block_in_another_zone",
        "reservation-zone-matches-subnet",
        ("Capacity Block cr-0123456789abcdef0 is in us-west-2b (AWS says so), the group's subnets are in us-west-2a"),
        ("put the group into us-west-2b only (zone: us-west-2b, with a subnet there), or name a block in us-west-2a"),
    ),
    (
        "capacity_blocks.more_nodes_than_the_block_holds",
        "reservation-covers-nodes",
        "Capacity Block cr-0123456789abcdef0 holds 1 (AWS says so); the group may grow to 2",
        "let the group grow to 1 node at most, or name a larger block",
    ),
    (
        "capacity_blocks.a_block_of_65",
        "capacity-block-size",
        "a Capacity Block of 65 instances; AWS sells 64 at most",
        "split it into 2 groups, each on a block of its own",
    ),
    (
        "capacity_blocks.a_foreign_group_larger_than_any_block",
        "capacity-block-size",
        "a maximum of 65 nodes on a Capacity Block; AWS sells blocks of 64 at most",
        "split it into 2 groups, each on a block of its own",
    ),
    (
        "capacity_blocks.a_block_that_ends_before_it_starts",
        "capacity-block-length",
        "ends on 2026-12-01, and starts on 2026-12-15",
        "check both dates: a block lasts 1 to 182 days, with every extension",
    ),
    (
        "capacity_blocks.a_block_that_ends_on_the_day_it_starts",
        "capacity-block-length",
        "ends on 2026-12-15, and starts on 2026-12-15",
        "check both dates: a block lasts 1 to 182 days, with every extension",
    ),
    (
        "capacity_blocks.active_before_it_starts",
        "capacity-block-dates",
        "active: true on 2026-11-21; the block starts on 2026-11-22",
        "write active: false until 2026-11-22",
    ),
    (
        "capacity_blocks.active_on_the_day_it_ends",
        "capacity-block-dates",
        "active: true on 2026-11-21; the block ends on 2026-11-21",
        "write active: false, name the next block, or remove the group",
    ),
    (
        "capacity_blocks.not_active_though_it_runs",
        "capacity-block-begun",
        "active: false, and the block has run since 2026-11-21: it has no nodes",
        "set active: true and deploy; it ends on 2026-11-28",
    ),
    (
        "capacity_blocks.over_and_not_active",
        "capacity-block-begun",
        "the block ended on 2026-11-21",
        "name the next block, or remove the group",
    ),
    (
        "capacity_blocks.aws_has_other_dates",
        "reservation-as-declared",
        "ends 2026-11-29; AWS says that cr-0123456789abcdef0 ends on 2026-11-28",
        'write ends: "2026-11-28"',
    ),
    (
        "capacity_blocks.aws_has_other_dates",
        "reservation-as-declared",
        "starts 2026-11-15; AWS says that cr-0123456789abcdef0 starts on 2026-11-14",
        'write starts: "2026-11-14"',
    ),
    (
        "capacity_blocks.aws_says_that_it_has_not_begun",
        "capacity-block-waits",
        "Capacity Block cr-0123456789abcdef0 is scheduled (AWS says so), and the group starts with 1 node",
        "write active: false until it has begun",
    ),
    (
        "capacity_blocks.a_foreign_group_with_nodes_before_its_block_begins",
        "capacity-block-waits",
        ("Capacity Block cr-0123456789abcdef0 starts on 2026-12-01 (AWS says so), and the group starts with 1 node"),
        "start with 0 nodes, and scale up when it has begun",
    ),
    (
        "capacity_blocks.drained_after_the_end_that_aws_knows",
        "capacity-block-drained",
        "scaled to 0 nodes at 2026-11-28T10:30:00Z; its Capacity Block ends at 2026-11-27T11:30:00Z",
        'write ends: "2026-11-27"',
    ),
    (
        "capacity_blocks.never_drained",
        "capacity-block-drained",
        "no schedule scales the group to 0 nodes before its Capacity Block ends",
        (
            "add an aws.autoscaling.Schedule with desiredCapacity 0, minSize 0 and maxSize -1, at "
            "2026-11-28T10:30:00Z or earlier"
        ),
    ),
    (
        "capacity_blocks.a_foreign_group_that_is_never_drained",
        "capacity-block-drained",
        "no schedule scales the group to 0 nodes before its Capacity Block ends",
        (
            "add an aws.autoscaling.Schedule with desiredCapacity 0, minSize 0 and maxSize -1, an hour "
            "before the end or earlier"
        ),
    ),
    (
        "capacity_blocks.a_foreign_group_drained_too_late",
        "capacity-block-drained",
        "scaled to 0 nodes at 2026-11-28T11:15:00Z; its Capacity Block ends at 2026-11-28T11:30:00Z",
        "schedule it to 0 at 2026-11-28T10:30:00Z or earlier",
    ),
    (
        "capacity_blocks.a_block_in_a_placement_group",
        "capacity-block-no-placement-group",
        "placement group workers around a Capacity Block",
        "remove placement from the template",
    ),
    (
        "capacity_blocks.a_block_in_a_placement_group_not_yet_known",
        "capacity-block-no-placement-group",
        "a placement group around a Capacity Block",
        "remove placement from the template",
    ),
    (
        "capacity_blocks.a_block_that_nobody_approves",
        "capacity-block-purchase-approved",
        "buys cb-0123456789abcdef0, and nobody is named who approves it",
        (
            "write approved: {offering: cb-0123456789abcdef0, by: NAME} (in a program of your own the tags "
            "muster:approved-by and muster:approved-offering), or buy nothing"
        ),
    ),
    (
        "capacity_blocks.a_block_that_spaces_approve",
        "capacity-block-purchase-approved",
        "buys an offering, and nobody is named who approves it",
        (
            "write approved: {offering: cb-..., by: NAME} (in a program of your own the tags "
            "muster:approved-by and muster:approved-offering), or buy nothing"
        ),
    ),
    (
        "capacity_blocks.a_block_bought_nine_weeks_ahead",
        "capacity-block-length",
        "a Capacity Block to buy that starts on 2027-01-17, more than 8 weeks from 2026-11-21",
        "buy one that starts on 2027-01-16 at the latest, or buy this one later",
    ),
    (
        "capacity_blocks.a_block_bought_for_15_days",
        "capacity-block-length",
        "from 2026-12-01 to 2026-12-16: 15 days",
        "check both dates: AWS sells 1 to 14 days, then 7 more at a time, up to 182",
    ),
    (
        "capacity_blocks.an_extended_block_with_its_first_end",
        "reservation-as-declared",
        "ends 2026-11-21; AWS says that cr-0123456789abcdef0 ends on 2026-12-05",
        'write ends: "2026-12-05"',
    ),
    (
        "capacity_blocks.an_extended_block_that_is_not_said_to_run",
        "capacity-block-begun",
        "active: false, and the block has run since 2026-11-14: it has no nodes",
        "set active: true and deploy; it ends on 2026-12-05",
    ),
    (
        "capacity_blocks.a_block_that_aws_says_is_over",
        "reservation-usable",
        "Capacity Block cr-0123456789abcdef0 ended on 2026-11-20",
        "name a Capacity Block that is paid and has not ended",
    ),
    (
        "capacity_blocks.drained_so_that_two_minutes_late_is_too_late",
        "capacity-block-drained",
        "scaled to 0 nodes at 2026-11-28T10:58:00Z; its Capacity Block ends at 2026-11-28T11:30:00Z",
        'write ends: "2026-11-27"',
    ),
    (
        "capacity_blocks.ultraservers_drained_an_hour_before_the_end",
        "capacity-block-drained",
        "scaled to 0 nodes at 2026-11-28T10:30:00Z; its Capacity Block ends at 2026-11-28T11:30:00Z",
        "schedule it to 0 at 2026-11-28T10:00:00Z or earlier",
    ),
    (
        "capacity_blocks.a_block_of_which_no_offering_is_approved",
        "capacity-block-purchase-approved",
        "buys cb-0123456789abcdef0, and no offering is named as approved",
        (
            "write approved: {offering: cb-0123456789abcdef0, by: NAME} (in a program of your own the tags "
            "muster:approved-by and muster:approved-offering), or buy nothing"
        ),
    ),
    (
        "capacity_blocks.an_approval_of_another_offering",
        "capacity-block-purchase-approved",
        "buys cb-0123456789abcdef0; head.of.research approved cb-0fedcba9876543210",
        "buy cb-0fedcba9876543210, or have cb-0123456789abcdef0 approved",
    ),
    (
        "capacity_blocks.a_block_to_buy_that_is_over",
        "capacity-block-not-bought-again",
        "buys cb-0123456789abcdef0, a block that ended on 2026-11-21",
        "write id: cr-..., the block that was bought, instead of buy; or take the block out",
    ),
    (
        "capacity_blocks.a_bought_block_that_runs",
        "capacity-block-kept-by-id",
        "buys cb-0123456789abcdef0, a block that has run since 2026-11-14",
        "write id: cr-... instead of buy (`aws ec2 describe-capacity-reservations` shows it)",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "capacity_blocks.an_approval_not_yet_known",
        "capacity-block-purchase-approved",
        "muster:approved-by, not known before creation",
    ),
    (
        "capacity_blocks.an_offering_not_yet_known",
        "capacity-block-purchase-approved",
        "capacityBlockOfferingId, not known before creation",
    ),
    (
        "capacity_blocks.a_block_to_buy",
        "reservation-instance-type-matches",
        (
            "the instance type of Capacity Block p5, which only its offering tells: aws ec2 "
            "describe-capacity-block-offerings"
        ),
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
