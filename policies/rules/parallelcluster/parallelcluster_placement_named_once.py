"""What is said of placement groups."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, Placement
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import called
from policies.rule import Rule, Verdict, rule


@rule(
    "parallelcluster-placement-named-once",
    title="A placement group goes by its name or its id, and is not turned off beside it",
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="A group's `Id` is another word for its `Name`; ParallelCluster refuses both, and either of them "
    "with `Enabled: false`.",
    source="aws-parallelcluster 3.16.1, PlacementGroupNamingValidator",
    remedy="Give the name alone.",
    facts=("rules.md#34",),
)
def parallelcluster_placement_named_once(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    said = resource.placement
    if not isinstance(said, Placement):
        yield rule.unjudged(resource.place, f"the placement of {called(resource)}, not known before creation")
    elif said.both:
        got = f"{called(resource)} gives a placement group's name and its id"
        yield rule.finding(resource.place, got, "leave PlacementGroup.Id out")
    elif said.name is not None and said.enabled is UNKNOWN:
        missing = f"whether the placement group of {called(resource)} is turned off, not known before creation"
        yield rule.unjudged(resource.place, missing)
    elif said.name is not None and said.enabled is False:
        got = f"{called(resource)} names a placement group and turns it off"
        yield rule.finding(resource.place, got, "leave its name out, or write Enabled: true")
