"""What a managed node group on a Capacity Block must say."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.targets import BLOCK_CAPACITY, BLOCK_MARKET
from policies.reading.templates import template_of
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "capacity-block-managed-group",
    title="A managed group on a Capacity Block has capacityType CAPACITY_BLOCK, a template and no instanceTypes",
    judges=NodeGroup,
    why="EKS refuses on-demand and spot groups whose template asks for a Capacity Block, and a list of types beside "
    "it: a block holds one type, and the template says which.",
    source="EKS user guide, Create a managed node group with Capacity Blocks; eksctl managed_nodegroup.go",
    remedy="Say capacityType CAPACITY_BLOCK and leave the one instance type to the template.",
    facts=("rules.md#18", "hardware.md#R16", "hardware.md#D13"),
)
def capacity_block_managed_group(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    template, missing = template_of(group, fleet)
    of_market = template is not None and template.market_type == BLOCK_MARKET
    if not group.managed or not (of_market or group.capacity_type == BLOCK_CAPACITY):
        return
    if missing:
        yield rule.unjudged(group.place, missing)
    if group.capacity_type is UNKNOWN:
        yield rule.unjudged(group.place, "capacityType, not known before creation")
    elif group.capacity_type != BLOCK_CAPACITY:
        said = group.capacity_type or "ON_DEMAND (which is what EKS takes where nothing is said)"
        yield rule.finding(
            group.place,
            got=f"capacityType {said} beside a template for a Capacity Block",
            remedy=f"say capacityType {BLOCK_CAPACITY}, or remove the market type from the template",
        )
    if group.template is None:
        got = f"capacityType {BLOCK_CAPACITY} without a launch template"
        yield rule.finding(group.place, got, "give it a template that names the block")
    if group.instance_types is UNKNOWN:
        yield rule.unjudged(group.place, "instanceTypes, not known before creation")
    elif group.instance_types:
        types = some(group.instance_types)
        yield rule.finding(
            group.place,
            got=f"instanceTypes {types} on a Capacity Block, which holds one type",
            remedy="remove instanceTypes, and say the block's type as the template's instanceType",
        )
