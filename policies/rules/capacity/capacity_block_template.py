"""Launch templates and managed node groups on Capacity Blocks."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate, NodeGroup
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.capacity_targets import BLOCK_CAPACITY, BLOCK_MARKET, on_block, template_on_block
from policies.lookups.launch_templates import template_of


@rule(
    "capacity-block-template",
    title="A Capacity Block's template says marketType capacity-block, the block's id and the instance type",
    severity=Severity.CRITICAL,
    judges=LaunchTemplate,
    why="Without the market type EC2 refuses the block's id, without an id nothing is launched into the block; and EKS "
    "reads the instance type from the template only. The block bills from its first day whether it is used or not.",
    source="EKS user guide, Create a managed node group with Capacity Blocks; EC2 user guide, Launch instances using "
    "Capacity Blocks",
    remedy="Say instanceMarketOptions.marketType capacity-block, capacityReservationTarget and instanceType in it.",
    facts=("rules.md#17", "hardware.md#R16"),
)
def capacity_block_template(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    groups = tuple(fleet.groups_of(template))
    if template.market_type is UNKNOWN and template.target.has_target:
        yield rule.unjudged(template.place, "instanceMarketOptions.marketType, not known before creation")
        return
    # Where the description has a reservation and AWS has a block, reservation-usable reports it.
    described = [group for group in groups if group.capacity is not None]
    if not any(on_block(group, fleet) for group in groups) and (described or not template_on_block(template, fleet)):
        return
    lacking = {
        f"instanceMarketOptions: {{marketType: {BLOCK_MARKET}}}": template.market_type not in (BLOCK_MARKET, UNKNOWN),
        # A specification without target and preference is reported by reservation-target-given.
        "capacityReservationTarget: {capacityReservationId: cr-...}": not template.target.has_target
        and all(group.target is None for group in groups)
        and "capacityReservationSpecification" not in template.settings,
        # Types in the group instead are capacity-block-managed-group's.
        "instanceType": template.instance is None and all(group.instance_types == () for group in groups),
    }
    missing = [name for name, lacks in lacking.items() if lacks]
    if missing:
        yield rule.finding(
            template.place,
            at="capacity",
            got=f"{_because(template, fleet)}, and has no {' and no '.join(missing)}{_but(template)}",
            remedy=f"write {and_list(missing)} into it",
        )


def _but(template: LaunchTemplate) -> str:
    others = template.market_type not in (None, BLOCK_MARKET, UNKNOWN)
    return f", but marketType {template.market_type}" if others else ""


def _because(template: LaunchTemplate, fleet: Fleet) -> str:
    if template.market_type == BLOCK_MARKET:
        return "the template is for a Capacity Block"
    if any(group.capacity_type == BLOCK_CAPACITY for group in fleet.groups_of(template)):
        return f"the template's group is of capacityType {BLOCK_CAPACITY}"
    return "the template targets a Capacity Block"


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
        types = and_list(group.instance_types)
        yield rule.finding(
            group.place,
            got=f"instanceTypes {types} on a Capacity Block, which holds one type",
            remedy="remove instanceTypes, and say the block's type as the template's instanceType",
        )
