"""EFA, GPUDirect and placement groups of compute resources."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, HeadNode, Placement
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.parallelcluster import BLOCK, display_name


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
    settings = resource.placement
    if isinstance(settings, Placement) and (settings.enabled is not None or settings.name is not None):
        return
    if settings is UNKNOWN or UNKNOWN in (resource.efa, resource.capacity_type):
        yield rule.unjudged(resource.place, f"the placement of {display_name(resource)}, not known before creation")
        return
    yield rule.finding(
        resource.place,
        got=f"{display_name(resource)} has EFA and says nothing of a placement group",
        remedy="write PlacementGroup.Enabled: true, or false where the reservation has a placement of its own",
    )


@rule(
    "parallelcluster-gdr-beside-efa",
    title="GPUDirect is asked for beside EFA, and EFA not of the head node",
    judges=ComputeResource | HeadNode,
    backends=("parallelcluster",),
    why="GPUDirect (`Efa.GdrSupport`) is a way of EFA; without `Efa.Enabled` it is refused. The head node "
    "has no `Efa` at all.",
    source="aws-parallelcluster 3.16.1, EfaValidator; HeadNodeSchema",
    remedy="Turn EFA on, on compute resources.",
    facts=("rules.md#12",),
)
def parallelcluster_gdr_beside_efa(thing: ComputeResource | HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, HeadNode):
        if thing.efa:
            remedy = "leave it out, and turn EFA on in compute resources"
            yield rule.finding(thing.place, "the head node asks for EFA, which it cannot have", remedy)
        return
    if thing.gdr in (False, None) or thing.efa is True:
        return
    if UNKNOWN in (thing.gdr, thing.efa):
        yield rule.unjudged(thing.place, f"whether {display_name(thing)} has EFA, not known before creation")
        return
    got = f"{display_name(thing)} asks for GPUDirect without EFA"
    yield rule.finding(thing.place, at="efa", got=got, remedy="turn EFA on, or leave GdrSupport out")


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
    settings = resource.placement
    if not isinstance(settings, Placement):
        yield rule.unjudged(resource.place, f"the placement of {display_name(resource)}, not known before creation")
    elif settings.both:
        got = f"{display_name(resource)} gives a placement group's name and its id"
        yield rule.finding(resource.place, got, "leave PlacementGroup.Id out")
    elif settings.name is not None and settings.enabled is UNKNOWN:
        missing = f"whether the placement group of {display_name(resource)} is turned off, not known before creation"
        yield rule.unjudged(resource.place, missing)
    elif settings.name is not None and settings.enabled is False:
        got = f"{display_name(resource)} names a placement group and turns it off"
        yield rule.finding(resource.place, got, "leave its name out, or write Enabled: true")
