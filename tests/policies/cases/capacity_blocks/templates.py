"""Templates, groups and placement groups on a block."""

from muster.fleet.resources import CapacityTarget, Ref
from muster.fleet.resources.ref import PLACEMENT_GROUP
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, a_group
from tests.policies.capacity_blocks import theirs
from tests.policies.case import cases

# the template


cases(
    a_template_without_market_type=lambda: theirs(template={"market_type": None}),
    a_block_targeted_like_a_reservation=lambda: theirs(template={"market_type": None}, capacity_type="ON_DEMAND"),
    a_template_without_target=lambda: theirs(template={"target": CapacityTarget()}),
    a_template_without_instance_type=lambda: theirs(template={"instance": None, "interfaces": ()}),
    a_market_type_not_yet_known=lambda: theirs(template={"market_type": UNKNOWN}),
    a_spot_market_on_a_block=lambda: theirs(template={"market_type": "spot"}),
    a_spot_market_on_a_self_managed_groups_block=lambda: theirs(
        template={"market_type": "spot"}, managed=False, capacity_type=None, zero_at=("2026-11-28T10:30:00Z",)
    ),
)


# the managed group


cases(
    spot_beside_a_blocks_template=lambda: theirs(capacity_type="SPOT"),
    on_demand_beside_a_blocks_template=lambda: theirs(capacity_type=None),
    two_types_on_a_block=lambda: theirs(
        template={"instance": None, "interfaces": ()}, instance_types=("p5.48xlarge", "p5e.48xlarge")
    ),
    two_types_beside_the_templates_own=lambda: theirs(instance_types=("p5.48xlarge", "p5e.48xlarge")),
    a_block_without_template=lambda: a_fleet(
        a_group(template=None, capacity_type="CAPACITY_BLOCK", instance_types=("p5.48xlarge",))
    ),
    a_capacity_type_not_yet_known=lambda: theirs(capacity_type=UNKNOWN),
)


# placement


cases(
    a_block_in_a_placement_group=lambda: theirs(template={"placement_group": Ref(PLACEMENT_GROUP, "workers")}),
    a_block_in_a_placement_group_not_yet_known=lambda: theirs(template={"placement_group": UNKNOWN}),
)
