"""Launch templates and managed node groups on Capacity Blocks."""

from collections.abc import Iterator

from muster.fleet.backend_sets import FROM_LAUNCH_TEMPLATES
from muster.fleet.resources import Fleet, LaunchTemplate, NodeGroup
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.capacity_targets import BLOCK_CAPACITY, BLOCK_MARKET, on_block, template_on_block
from muster.policies.lookups.launch_templates import template_of
from muster.unknown import any_of, if_known, stored


@rule(
    "capacity-block-template",
    title="The template and the managed group of a Capacity Block have its market type, its id and one instance type",
    severity=Severity.CRITICAL,
    judges=LaunchTemplate | NodeGroup,
    backends=FROM_LAUNCH_TEMPLATES,
    why="Without the market type EC2 rejects the block's id, and without an id no instance launches into the block. "
    "EKS reads the instance type only from the template, and rejects on-demand and spot groups, and groups with a list "
    "of types. AWS bills the block from its first day, used or not.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html",
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-blocks-launch.html",
        "https://github.com/eksctl-io/eksctl/blob/v0.230.0/pkg/cfn/builder/managed_nodegroup.go",
    ),
    remedy="Set instanceMarketOptions.marketType: capacity-block, capacityReservationTarget and instanceType in the "
    "template, and capacityType: CAPACITY_BLOCK without instanceTypes in a managed group.",
    facts=("rules.md#17", "rules.md#18", "hardware.md#R16", "hardware.md#D13"),
)
def capacity_block_template(thing: LaunchTemplate | NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from (
        _of_template(thing, fleet, rule) if isinstance(thing, LaunchTemplate) else _of_managed_group(thing, fleet, rule)
    )


def _of_template(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the launch template."""
    if template.of_karpenter:
        return  # it sets the market type of a block itself
    groups = tuple(fleet.groups_of(template))
    # If the description has a reservation and AWS has a block, reservation-usable reports it.
    described = [group for group in groups if group.capacity is not None]
    if not any_of(
        *(lambda group=group: on_block(group, fleet) for group in groups),
        lambda: not described and template_on_block(template, fleet),
    ):
        return
    lacking = {
        f"instanceMarketOptions: {{marketType: {BLOCK_MARKET}}}": lambda: template.market_type != BLOCK_MARKET,
        # A specification without target and preference is reported by reservation-target-clear.
        "capacityReservationTarget: {capacityReservationId: cr-...}": lambda: (
            not template.target.has_target
            and all(group.target is None for group in groups)
            and "capacityReservationSpecification" not in template.settings
        ),
        # Types in the group instead are `_of_managed_group`'s.
        "instanceType": lambda: template.instance is None and all(group.instance_types == () for group in groups),
    }
    missing = [name for name, lacks in lacking.items() if if_known(lacks)]
    if missing:
        yield rule.finding(
            template.place,
            at="capacity",
            got=f"{_because(template, fleet)}, but does not set {' and '.join(missing)}{_but(template)}",
            remedy=f"set {and_list(missing)} in the template",
        )
    _ = template.market_type


def _but(template: LaunchTemplate) -> str:
    others = if_known(lambda: template.market_type not in (None, BLOCK_MARKET))
    return f" (its marketType is {template.market_type})" if others else ""


def _because(template: LaunchTemplate, fleet: Fleet) -> str:
    if if_known(lambda: template.market_type == BLOCK_MARKET):
        return "the template is for a Capacity Block"
    if any(stored(group, "capacity_type") == BLOCK_CAPACITY for group in fleet.groups_of(template)):
        return f"the template is for a group with capacityType {BLOCK_CAPACITY}"
    return "the template targets a Capacity Block"


def _of_managed_group(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges a managed group."""
    if not group.managed or not any_of(
        lambda: group.capacity_type == BLOCK_CAPACITY,
        lambda: (template := fleet.template_of(group)) is not None and template.market_type == BLOCK_MARKET,
    ):
        return
    if if_known(lambda: group.instance_types):
        types = and_list(group.instance_types)
        yield rule.finding(
            group.place,
            got=f"the group is on a Capacity Block, which holds one type, but sets instanceTypes to {types}",
            remedy="remove instanceTypes, and set instanceType in the launch template to the block's type",
        )
    if if_known(lambda: group.template, "") is None:
        got = f"capacityType is {BLOCK_CAPACITY}, but the group has no launch template"
        yield rule.finding(group.place, got, "set launchTemplate to a launch template that targets the block")
    if group.capacity_type != BLOCK_CAPACITY:
        capacity_type = group.capacity_type or "ON_DEMAND (EKS's default)"
        yield rule.finding(
            group.place,
            got=f"capacityType is {capacity_type}, but the launch template is for a Capacity Block",
            remedy=f"set capacityType: {BLOCK_CAPACITY}, or remove instanceMarketOptions.marketType from the template",
        )
    template_of(group, fleet)
    _ = group.instance_types
