"""Capacity Blocks that are targeted by their id."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.backend_sets import IN_EC2
from muster.fleet.resources import ComputeNodeGroup, ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.capacity_targets import (
    BLOCK_TYPE,
    Kind,
    block_of,
    on_block,
    short_name,
    target_of,
    types_of,
)
from muster.policies.lookups.property_names import property_of


@rule(
    "capacity-block-by-id",
    title="A Capacity Block of instances is targeted by its id, not through a resource group",
    # Sources disagree. EC2's newest pages allow blocks in groups, an older edition refuses them, and EKS's page still
    # requires the id: so the rule is advisory.
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup | ComputeResource | ComputeNodeGroup,
    backends=IN_EC2,
    why="EKS documents only targets by id, and EC2 has allowed blocks in resource groups only recently. Only an active "
    "block can be added to a group: until the block begins, the group is empty.",
    source="EC2 user guide, Capacity Blocks (considerations) and Capacity Reservation groups; EKS user guide, Capacity "
    "Blocks",
    remedy="Target the block by its id.",
    facts=("rules.md#19", "hardware.md#D12"),
)
def capacity_block_by_id(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target, _ = target_of(group, fleet)
    if target is None or target.kind is not Kind.GROUP or _of_ultraservers(group, fleet):
        return
    blocks = [short_name(each.ref) for each in target.holdings if each.known.reservation_type == BLOCK_TYPE]
    if blocks or on_block(group, fleet):
        what = and_list(blocks) if blocks else "a Capacity Block"
        yield rule.finding(
            group.place,
            at=target.named_at,
            got=f"the group targets {what} through {target.name}",
            remedy=f"target {what} by id (capacity-block: {{id: ...}}), with one {_GROUPS[type(group)]} per block",
            program_remedy=f"target {what} by id "
            f"({property_of(group, 'capacityReservationTarget.capacityReservationId')}), with one "
            f"{_GROUPS[type(group)]} per block",
        )


_GROUPS: dict[type, str] = {
    NodeGroup: "node group",
    ComputeResource: "compute resource",
    ComputeNodeGroup: "compute node group",
}


def _of_ultraservers(group: Ec2Group, fleet: Fleet) -> bool:
    """Whether its capacity is an UltraServer block, for which every edition of EC2's guide allows both targets."""
    try:
        sold_as = {hardware(each).capacity_block for each in types_of(group, fleet) or ()}
    except UnknownInstance:
        return False
    return sold_as == {"ultraserver-only"}


@rule(
    "capacity-block-kept-by-id",
    title="The description names a Capacity Block that was bought and has begun by its id",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup | ComputeResource | ComputeNodeGroup,
    backends=IN_EC2,
    why="With `id` instead of `buy`, no deployment can buy the block again, and the rules can check AWS's facts about "
    "it: zone, size, an extended end.",
    source="EC2 API, PurchaseCapacityBlock and DescribeCapacityReservations",
    remedy="Set id instead of buy.",
    facts=("rules.md#20", "rules.md#26"),
)
def capacity_block_kept_by_id(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block = block_of(group)
    # For ParallelCluster's nodes no setting states that the block is active.
    begun = block is not None and (block.active or isinstance(group, ComputeResource))
    if block and block.buy and begun and block.starts <= fleet.as_of < block.ends:
        yield rule.finding(
            group.place,
            at="capacity.capacity-block.buy",
            got=f"the group still buys {block.buy.offering}, a block that has run since {block.starts}",
            remedy="set id: cr-... instead of buy (`aws ec2 describe-capacity-reservations` prints the id)",
        )
