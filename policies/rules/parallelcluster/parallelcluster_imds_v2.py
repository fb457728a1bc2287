"""The instance metadata service."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, HeadNode, ParallelCluster
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Severity, Verdict, rule


@rule(
    "parallelcluster-imds-v2",
    title="Nodes hand out their role's credentials by IMDSv2 alone, the head node's to its administrators alone",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ParallelCluster | HeadNode,
    backends=("parallelcluster",),
    why="With IMDSv1 a program that can be made to fetch an address gives the node's credentials away; with "
    "`Imds.Secured: false` every user of the head node has its rights, the cluster's own among them.",
    source="ParallelCluster guide, Imds and HeadNode/Imds; EC2 user guide, Use IMDSv2",
    remedy="Leave both out: IMDSv2 and a secured head node are the default.",
    facts=("hardware.md#g",),
)
def parallelcluster_imds_v2(thing: ParallelCluster | HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, HeadNode):
        if thing.imds_secured is UNKNOWN:
            yield rule.unjudged(thing.place, "whether the head node's metadata is secured, not known before creation")
        elif thing.imds_secured is False:
            got = "every user of the head node may use its role (Imds.Secured: false)"
            yield rule.finding(thing.place, got, "leave Imds.Secured out")
    elif thing.imds is UNKNOWN:
        yield rule.unjudged(thing.place, "the version of the metadata service, not known before creation")
    elif thing.imds not in (None, "v2.0"):
        got = f"nodes answer IMDSv1 (ImdsSupport: {thing.imds})"
        yield rule.finding(thing.place, got, "write ImdsSupport: v2.0", at="head")
