"""Placement of nodes with EFA."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, Placement
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import BLOCK, called
from policies.rule import Rule, Verdict, rule


@rule(
    "parallelcluster-efa-placement-stated",
    title="A compute resource with EFA says whether it has a placement group",
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="Nodes close to each other are what EFA is for, and a reservation may bring a placement of its own: "
    "ParallelCluster chooses neither and refuses silence. On a Capacity Block placement is the block's.",
    source="aws-parallelcluster 3.16.1, EfaPlacementGroupValidator",
    remedy="Write Enabled: true, or false, or a group's name.",
    facts=("rules.md#34", "hardware.md#R22"),
)
def parallelcluster_efa_placement_stated(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if resource.efa in (False, None) or resource.capacity_type == BLOCK:
        return
    said = resource.placement
    if isinstance(said, Placement) and (said.enabled is not None or said.name is not None):
        return
    if said is UNKNOWN or UNKNOWN in (resource.efa, resource.capacity_type):
        yield rule.unjudged(resource.place, f"the placement of {called(resource)}, not known before creation")
        return
    yield rule.finding(
        resource.place,
        got=f"{called(resource)} has EFA and says nothing of a placement group",
        remedy="write PlacementGroup.Enabled: true, or false where the reservation has a placement of its own",
    )
