"""EFA, GPUDirect and placement groups of compute resources."""

from collections.abc import Iterator

from muster.edits import remove, set_to
from muster.fleet.resources import ComputeResource, Fleet, HeadNode
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.parallelcluster import BLOCK, display_name
from muster.unknown import all_of, stored


def parallelcluster_efa_placement_stated(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if all_of(
        lambda: resource.has_efa,
        lambda: resource.capacity_type != BLOCK,
        lambda: stored(resource.placement, "enabled") is None and stored(resource.placement, "name") is None,
    ):
        got = f"{display_name(resource)} has EFA, but does not state whether it uses a placement group"
        yield rule.finding(resource, "", got=got, change=set_to(True, False, at="PlacementGroup.Enabled"))


def parallelcluster_gdr_beside_efa(thing: ComputeResource | HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, HeadNode):
        if thing.efa:
            got = "the head node requests EFA, which only compute resources can have"
            yield rule.finding(thing, "", got=got, change=remove("Efa"))
    elif all_of(lambda: bool(thing.gdr), lambda: not thing.has_efa):
        got = f"{display_name(thing)} requests GPUDirect without EFA"
        yield rule.finding(thing, "efa", got=got, change=(set_to(True), remove("Efa.GdrSupport")))


def parallelcluster_placement_named_once(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    settings = resource.placement
    if settings.both:
        got = f"{display_name(resource)} sets both the name and the id of a placement group"
        yield rule.finding(resource, "", got=got, change=remove("PlacementGroup.Id"))
    elif stored(settings, "name") is not None and settings.enabled is False:
        got = f"{display_name(resource)} names a placement group, but sets Enabled: false"
        change = (remove("PlacementGroup.Name"), set_to(True, at="PlacementGroup.Enabled"))
        yield rule.finding(resource, "", got=got, change=change)
