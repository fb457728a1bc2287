"""The instance metadata service."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, HeadNode, ParallelCluster
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.unknown import UNKNOWN


@rule(
    "parallelcluster-imds-v2",
    title="Nodes use IMDSv2 only, and only administrators of the head node can use its role",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ParallelCluster | HeadNode,
    backends=("parallelcluster",),
    why="With IMDSv1, an attacker who makes a program fetch a URL gets the node's credentials. With `Imds.Secured: "
    "false`, every user of the head node has the rights of its role, including those over the cluster.",
    source=(
        "https://docs.aws.amazon.com/parallelcluster/latest/ug/Imds-cluster-v3.html",
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html",
    ),
    remedy="Remove both settings. IMDSv2 and a secured head node are the defaults.",
    facts=("hardware.md#g",),
)
def parallelcluster_imds_v2(thing: ParallelCluster | HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, HeadNode):
        if thing.imds_secured is UNKNOWN:
            yield rule.unjudged(
                thing.place, "whether the head node's metadata is secured (known only after `pulumi up`)"
            )
        elif thing.imds_secured is False:
            got = "every user of the head node can use its role (Imds.Secured: false)"
            remedy = "remove metadata-for-all-users" if thing.place.described else "remove Imds.Secured"
            yield rule.finding(thing.place, got, remedy, at="metadata-for-all-users")
    elif thing.imds is UNKNOWN:
        yield rule.unjudged(thing.place, "the version of the metadata service (known only after `pulumi up`)")
    elif thing.imds not in (None, "v2.0"):
        got = f"the nodes accept IMDSv1 (ImdsSupport: {thing.imds})"
        yield rule.finding(thing.place, got, "set ImdsSupport to v2.0", at="head")
