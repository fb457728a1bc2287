"""GPUDirect, and EFA where there is none."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, HeadNode
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import called
from policies.rule import Rule, Verdict, rule


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
        yield rule.unjudged(thing.place, f"whether {called(thing)} has EFA, not known before creation")
        return
    got = f"{called(thing)} asks for GPUDirect without EFA"
    yield rule.finding(thing.place, at="efa", got=got, remedy="turn EFA on, or leave GdrSupport out")
