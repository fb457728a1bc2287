"""What a Capacity Block's launch template must say."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from muster.fleet.unknown import UNKNOWN
from policies.reading.targets import BLOCK_CAPACITY, BLOCK_MARKET, on_block, template_on_block
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import some


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
    # Where a description says reservation and AWS says block, reservation-usable speaks.
    described = [group for group in groups if group.capacity is not None]
    if not any(on_block(group, fleet) for group in groups) and (described or not template_on_block(template, fleet)):
        return
    lacking = {
        f"instanceMarketOptions: {{marketType: {BLOCK_MARKET}}}": template.market_type not in (BLOCK_MARKET, UNKNOWN),
        # A block that says neither target nor preference is reservation-target-given's.
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
            remedy=f"write {some(missing)} into it",
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
