"""Placement groups of groups on Capacity Blocks."""

from collections.abc import Iterator

from muster.fleet.backend_sets import IN_EC2
from muster.fleet.resources import ComputeResource, Fleet, LaunchTemplate
from muster.policies.engine.finding_text import name_of
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.capacity_targets import on_block, template_on_block
from muster.policies.lookups.parallelcluster import MADE_PLACEMENT, placement
from muster.unknown import UNKNOWN


@rule(
    "capacity-block-no-placement-group",
    title="A group on a Capacity Block is in no placement group",
    judges=LaunchTemplate | ComputeResource,
    backends=IN_EC2,
    why="EC2 places the instances of a Capacity Block close together in an UltraCluster, and does not support "
    "placement groups for it: launches fail with insufficient capacity. ParallelCluster only warns.",
    source=(
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html",
        "https://github.com/terraform-aws-modules/terraform-aws-eks/issues/3730",
        "https://github.com/aws/aws-parallelcluster/tree/v3.16.1/cli/src/pcluster/validators",
    ),
    remedy="Remove the placement group.",
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
            got=f"the launch template is for a Capacity Block, but sets {named}",
            remedy="remove placement from the template",
        )


def _of_slurm(group: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not on_block(group, fleet):
        return
    placed = placement(group)
    if placed is UNKNOWN:
        yield rule.unjudged(group.place, "its placement group (known only after `pulumi up`)")
    elif placed is not None:
        named = "a placement group" if placed == MADE_PLACEMENT else f"placement group {name_of(placed)}"
        got = f"the compute resource is on a Capacity Block, but uses {named}"
        yield rule.advice.finding(
            group.place, got, "set PlacementGroup: {Enabled: false}", at="capacity.capacity-block"
        )
