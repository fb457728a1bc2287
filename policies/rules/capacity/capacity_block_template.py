"""Launch templates and managed node groups on Capacity Blocks."""

from collections.abc import Iterator

from muster.edits import remove, set_to
from muster.fleet.resources import Fleet, LaunchTemplate, NodeGroup
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import BLOCK_CAPACITY, BLOCK_MARKET, on_block, template_on_block
from muster.policies.lookups.launch_templates import template_of
from muster.unknown import any_of, if_known


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
        _MARKET: lambda: template.market_type != BLOCK_MARKET,
        # A specification without target and preference is reported by reservation-target-clear.
        _ID: lambda: (
            not template.target.has_target
            and all(group.target is None for group in groups)
            and "capacityReservationSpecification" not in template.settings
        ),
        # Types in the group instead are `_of_managed_group`'s.
        _TYPE: lambda: template.instance is None and all(group.instance_types == () for group in groups),
    }
    missing = [name for name, lacks in lacking.items() if if_known(lacks)]
    if missing:
        got = f"the template is for a Capacity Block, but does not set {and_list(map(rule.terms.key, missing))} for it"
        change = f"set {and_list(f'{rule.terms.key(each)} to {_VALUES[each]}' for each in missing)}"
        yield rule.finding(template, "capacity", got=got, change=change)
    _ = template.market_type


_MARKET, _ID = "instanceMarketOptions.marketType", "capacityReservationTarget.capacityReservationId"
_TYPE = "instanceType"
_VALUES = {_MARKET: BLOCK_MARKET, _ID: "the block's id", _TYPE: "the block's type"}


def _of_managed_group(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges a managed group."""
    if not group.managed or not any_of(
        lambda: group.capacity_type == BLOCK_CAPACITY,
        lambda: (template := fleet.template_of(group)) is not None and template.market_type == BLOCK_MARKET,
    ):
        return
    if if_known(lambda: group.instance_types):
        given = f"{rule.terms.key('instanceTypes')} is {and_list(group.instance_types)}"
        got = f"{given}, but a Capacity Block holds one type, which EKS reads from the launch template"
        yield rule.finding(group, "", got=got, change=remove(at="instanceTypes"))
    if if_known(lambda: group.template, "") is None:
        got = f"{rule.terms.key('capacityType')} is {BLOCK_CAPACITY}, but the group has no launch template"
        change = set_to(words="one that targets the block", at="launchTemplate")
        yield rule.finding(group, "", got=got, change=change)
    if group.capacity_type != BLOCK_CAPACITY:
        capacity_type = group.capacity_type or "ON_DEMAND (EKS's default)"
        yield rule.finding(
            group,
            "",
            got=f"{rule.terms.key('capacityType')} is {capacity_type}, but the launch template is for a Capacity Block",
            change=(set_to(BLOCK_CAPACITY, at="capacityType"), f"remove {rule.terms.key(_MARKET)} from the template"),
        )
    template_of(group, fleet)
    _ = group.instance_types
