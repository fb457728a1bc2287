"""Operating systems that one instance type does not run."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, HeadNode
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import called, cluster_of, types_of
from policies.rule import Rule, Verdict, rule
from policies.words import choice

_TOO_OLD_FOR = {"p6e-gb200": ("rhel8", "rocky8", "rhel9")}
"""Family -> operating systems that it does not run."""
_INSTEAD = ("alinux2023", "ubuntu2204", "ubuntu2404", "rocky9")


@rule(
    "parallelcluster-os-runs-type",
    title="The operating system runs on the instance type",
    judges=ComputeResource | HeadNode,
    backends=("parallelcluster",),
    why="The p6e-gb200 has an Arm processor and drivers that older systems have no package for: ParallelCluster "
    "refuses it with them.",
    source="aws-parallelcluster 3.16.1, InstanceTypeOSCompatibleValidator: UNSUPPORTED_OSES_FOR_P6E_GB200",
    remedy="Take an operating system that the type runs.",
    facts=("hardware.md#R22",),
)
def parallelcluster_os_runs_type(thing: ComputeResource | HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(thing, fleet)
    types = types_of(thing) if isinstance(thing, ComputeResource) else (thing.instance,)
    for each in types:
        family = str(each).partition(".")[0]
        if family not in _TOO_OLD_FOR or cluster is None:
            continue
        if cluster.os is UNKNOWN:
            yield rule.unjudged(thing.place, f"the operating system for {each}, not known before creation")
        elif cluster.os in _TOO_OLD_FOR[family]:
            got = f"{called(thing)} has {each}, which does not run {cluster.os}"
            yield rule.finding(thing.place, at="instance", got=got, remedy=f"take os: {choice(_INSTEAD)}")
