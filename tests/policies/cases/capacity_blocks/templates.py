"""Templates, groups and placement groups on a block."""

from muster.fleet.resources import CapacityTarget, Fleet, Ref
from muster.fleet.resources.ref import PLACEMENT_GROUP
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_fleet, a_group
from tests.policies.capacity_blocks import BLOCK, NOBODY_SAYS, RULE, WORKERS, theirs
from tests.policies.case import case

# the template


@case(f"{RULE}-template @ {WORKERS}.capacity")
def a_template_without_market_type() -> Fleet:
    return theirs(template={"market_type": None})


@case(f"{RULE}-template @ {WORKERS}.capacity")
def a_block_targeted_like_a_reservation() -> Fleet:
    return theirs(template={"market_type": None}, capacity_type="ON_DEMAND")


@case(f"{RULE}-template @ {WORKERS}.capacity")
def a_template_without_target() -> Fleet:
    return theirs(template={"target": CapacityTarget()})


@case(f"{RULE}-template @ {WORKERS}.capacity", unjudged=(f"{RULE}-instance-type @ {WORKERS}", NOBODY_SAYS[0]))
def a_template_without_instance_type() -> Fleet:
    return theirs(template={"instance": None, "interfaces": ()})


@case(unjudged=(f"{RULE}-template @ {WORKERS}", f"managed-template-settings @ {WORKERS}"))
def a_market_type_not_yet_known() -> Fleet:
    return theirs(template={"market_type": UNKNOWN})


@case(f"{RULE}-template @ {WORKERS}.capacity")
def a_spot_market_on_a_block() -> Fleet:
    return theirs(template={"market_type": "spot"})


@case(f"{RULE}-template @ {WORKERS}.capacity")
def a_spot_market_on_a_self_managed_groups_block() -> Fleet:
    end = ("2026-11-28T10:30:00Z",)
    return theirs(template={"market_type": "spot"}, managed=False, capacity_type=None, zero_at=end)


# the managed group


@case(f"{RULE}-managed-group @ {WORKERS}")
def spot_beside_a_blocks_template() -> Fleet:
    return theirs(capacity_type="SPOT")


@case(f"{RULE}-managed-group @ {WORKERS}")
def on_demand_beside_a_blocks_template() -> Fleet:
    return theirs(capacity_type=None)


@case(f"{RULE}-managed-group @ {WORKERS}", f"instance-offered-in-zone @ {WORKERS}.zone")
def two_types_on_a_block() -> Fleet:
    types = ("p5.48xlarge", "p5e.48xlarge")
    return theirs(template={"instance": None, "interfaces": ()}, instance_types=types)


@case(f"{RULE}-managed-group @ {WORKERS}", f"instance-offered-in-zone @ {WORKERS}.zone")
def two_types_beside_the_templates_own() -> Fleet:
    return theirs(instance_types=("p5.48xlarge", "p5e.48xlarge"))


@case(f"{RULE}-managed-group @ {WORKERS}")
def a_block_without_template() -> Fleet:
    return a_fleet(a_group(template=None, capacity_type="CAPACITY_BLOCK", instance_types=("p5.48xlarge",)))


@case(unjudged=(f"{RULE}-managed-group @ {WORKERS}",))
def a_capacity_type_not_yet_known() -> Fleet:
    return theirs(capacity_type=UNKNOWN)


# placement


@case(f"{RULE}-no-placement-group @ {BLOCK}")
def a_block_in_a_placement_group() -> Fleet:
    return theirs(template={"placement_group": Ref(PLACEMENT_GROUP, "workers")})


@case(f"{RULE}-no-placement-group @ {BLOCK}")
def a_block_in_a_placement_group_not_yet_known() -> Fleet:
    return theirs(template={"placement_group": UNKNOWN})
