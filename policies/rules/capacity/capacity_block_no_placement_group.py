"""Placement groups around Capacity Blocks."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ComputeResource, Fleet, LaunchTemplate
from muster.unknown import UNKNOWN
from policies.engine.finding_text import name_of
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.capacity_targets import on_block, template_on_block
from policies.lookups.parallelcluster import MADE_PLACEMENT, placement


@rule(
    "capacity-block-no-placement-group",
    title="A group on a Capacity Block is in no placement group",
    # EC2's older pages rule it out, its newer ones do not mention it; ParallelCluster warns; terraform-aws-eks and
    # pulumi-eks add one. So this is advice.
    level=Level.ADVISORY,
    judges=LaunchTemplate | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="EC2 places the instances of a Capacity Block close together in an UltraCluster. A placement group adds "
    "nothing, and ParallelCluster warns that launches may fail with one for lack of capacity.",
    source="EC2 user guide, Capacity Blocks (considerations); ParallelCluster validators",
    remedy="Leave the placement group out.",
    facts=("rules.md#31", "hardware.md#R16", "hardware.md#D15"),
)
def capacity_block_no_placement_group(
    thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if isinstance(thing, ComputeResource):
        yield from _of_slurm(thing, fleet, rule)
        return
    template = thing
    group = template.placement_group
    for_block = template_on_block(template, fleet) or any(on_block(each, fleet) for each in fleet.groups_of(template))
    if for_block and group is not None:
        named = "a placement group" if group is UNKNOWN else f"placement group {name_of(group)}"
        yield rule.finding(
            template.place,
            at="capacity.capacity-block",
            got=f"{named} around a Capacity Block",
            remedy="remove placement from the template",
        )


def _of_slurm(group: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not on_block(group, fleet):
        return
    placed = placement(group)
    if placed is UNKNOWN:
        yield rule.unjudged(group.place, "whether it is in a placement group, not known before creation")
    elif placed is not None:
        named = "a placement group" if placed == MADE_PLACEMENT else f"placement group {name_of(placed)}"
        got = f"{named} around a Capacity Block"
        yield rule.finding(group.place, got, "write PlacementGroup: {Enabled: false}", at="capacity.capacity-block")
