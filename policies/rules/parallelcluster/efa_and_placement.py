"""EFA, GPUDirect and placement groups of compute resources."""

from collections.abc import Iterator

from muster.edits import remove, set_to
from muster.fleet.resources import ComputeResource, Fleet, HeadNode
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.parallelcluster import BLOCK, display_name
from muster.unknown import all_of, stored


@rule(
    "parallelcluster-efa-placement-stated",
    title="A compute resource with EFA states whether it uses a placement group",
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="EFA works best between nodes that are close to each other, but a reservation may have its own placement. "
    "ParallelCluster does not choose, and refuses a compute resource that does not state it. A Capacity Block always "
    "has its own placement.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L340",
    ),
    remedy="Set PlacementGroup.Enabled to true or false, or set PlacementGroup.Name.",
    facts=("rules.md#34", "hardware.md#R22"),
)
def parallelcluster_efa_placement_stated(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if all_of(
        lambda: resource.has_efa,
        lambda: resource.capacity_type != BLOCK,
        lambda: stored(resource.placement, "enabled") is None and stored(resource.placement, "name") is None,
    ):
        got = f"{display_name(resource)} has EFA, but does not state whether it uses a placement group"
        yield rule.finding(resource, "", got=got, change=set_to(True, False, at="PlacementGroup.Enabled"))


@rule(
    "parallelcluster-gdr-beside-efa",
    title="Only compute resources have EFA, and only those with EFA have GPUDirect",
    judges=ComputeResource | HeadNode,
    backends=("parallelcluster",),
    why="GPUDirect (`Efa.GdrSupport`) is a feature of EFA. ParallelCluster refuses it without `Efa.Enabled`, and "
    "refuses any `Efa` block on the head node.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L321",
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/schemas/cluster_schema.py#L1366",
    ),
    remedy="Set Efa.Enabled on the compute resources.",
    facts=("rules.md#12",),
)
def parallelcluster_gdr_beside_efa(thing: ComputeResource | HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, HeadNode):
        if thing.efa:
            got = "the head node requests EFA, which only compute resources can have"
            yield rule.finding(thing, "", got=got, change=remove("Efa"))
    elif all_of(lambda: bool(thing.gdr), lambda: not thing.has_efa):
        got = f"{display_name(thing)} requests GPUDirect without EFA"
        yield rule.finding(thing, "efa", got=got, change=(set_to(True), remove("Efa.GdrSupport")))


@rule(
    "parallelcluster-placement-named-once",
    title="A compute resource names its placement group once, and does not turn it off at the same time",
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="Both `Id` and `Name` name the placement group. ParallelCluster refuses them together, and either of them "
    "with `Enabled: false`.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/ec2_validators.py#L251",
    ),
    remedy="Set only the name.",
    facts=("rules.md#34",),
)
def parallelcluster_placement_named_once(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    settings = resource.placement
    if settings.both:
        got = f"{display_name(resource)} sets both the name and the id of a placement group"
        yield rule.finding(resource, "", got=got, change=remove("PlacementGroup.Id"))
    elif stored(settings, "name") is not None and settings.enabled is False:
        got = f"{display_name(resource)} names a placement group, but sets Enabled: false"
        change = (remove("PlacementGroup.Name"), set_to(True, at="PlacementGroup.Enabled"))
        yield rule.finding(resource, "", got=got, change=change)
