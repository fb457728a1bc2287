"""The words of the rules about Auto Scaling groups of other teams: what was found, what to do about this very thing."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "auto_scaling_groups.no_type_anywhere",
        "instance-type-stated",
        "neither the group nor its launch template says an instance type",
        "say it in the launch template, or in the group's mixedInstancesPolicy",
    ),
    (
        "auto_scaling_groups.efa_on_a_share_of_spot",
        "spot-not-for-training",
        "a group with EFA interfaces on spot instances",
        "take on-demand or reserved capacity, or give it no EFA interfaces",
    ),
    (
        "auto_scaling_groups.a_block_of_its_own_and_no_market_type",
        "capacity-block-template",
        "the template targets a Capacity Block, and has no instanceMarketOptions: {marketType: capacity-block}",
        "write instanceMarketOptions: {marketType: capacity-block} into it",
    ),
    (
        "auto_scaling_groups.updates_and_repair_of_a_self_managed_group",
        "managed-settings-only",
        "node-repair said of a self-managed group, where nobody applies it",
        "remove node-repair, or self-managed",
    ),
    (
        "auto_scaling_groups.updates_and_repair_of_a_self_managed_group",
        "managed-settings-only",
        "updates said of a self-managed group, where nobody applies it",
        "remove updates, or self-managed",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "auto_scaling_groups.efa_on_a_share_not_yet_known",
        "spot-not-for-training",
        "whether its instances are spot, not known before creation",
    ),
    (
        "auto_scaling_groups.several_reservations_of_its_own",
        "reservation-zone-matches-subnet",
        "which reservation the group's capacityReservationSpecification leads to",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
