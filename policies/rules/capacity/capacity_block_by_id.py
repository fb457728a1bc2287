"""Capacity Blocks behind a resource group."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.hardware import UnknownInstance, hardware
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from policies.reading.targets import BLOCK_TYPE, Kind, on_block, short, target_of, types_of
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import some


@rule(
    "capacity-block-by-id",
    title="A Capacity Block of instances is targeted by its id, not through a resource group",
    # Sources disagree. EC2's newest pages allow blocks in groups, an older edition refuses them, and EKS's page asks
    # for the id to this day: so it is said, and refuses nothing.
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="EKS documents blocks by id only, EC2 allowed them in groups but lately, and only an active block can be added "
    "to one: until it begins, the group is empty.",
    source="EC2 user guide, Capacity Blocks (considerations) and Capacity Reservation groups; EKS user guide, Capacity "
    "Blocks",
    remedy="Target the block by its id.",
    facts=("rules.md#19", "hardware.md#D12"),
)
def capacity_block_by_id(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target, _ = target_of(group, fleet)
    if target is None or target.kind is not Kind.GROUP or _of_ultraservers(group, fleet):
        return
    blocks = [short(each.ref) for each in target.holdings if each.known.reservation_type == BLOCK_TYPE]
    if blocks or on_block(group, fleet):
        what = some(blocks) if blocks else "a Capacity Block"
        yield rule.finding(
            group.place,
            at=target.named_at,
            got=f"{what} targeted through {target.name}",
            remedy=f"target {what} by id (capacity-block: {{id: ...}}), with a {_GROUPS[type(group)]} for each block",
        )


_GROUPS: dict[type, str] = {NodeGroup: "node group", ComputeResource: "compute resource"}


def _of_ultraservers(group: Ec2Group, fleet: Fleet) -> bool:
    """UltraServer blocks are what such groups were made for."""
    try:
        sold_as = {hardware(each).capacity_block for each in types_of(group, fleet) or ()}
    except UnknownInstance:
        return False
    return sold_as == {"ultraserver-only"}
