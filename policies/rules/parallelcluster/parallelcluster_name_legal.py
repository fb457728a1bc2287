"""The name of a cluster."""

import re
from collections.abc import Iterator

from muster.fleet.description.slurm_cluster import MOST_LETTERS_WITH_ACCOUNTING
from muster.fleet.resources import Fleet, ParallelCluster
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule

_FORM = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
_LONGEST = 60


@rule(
    "parallelcluster-name-legal",
    title="ParallelCluster takes the cluster's name",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="A name begins with a letter, has letters, digits and dashes, 60 at most; with accounting 40, because Slurm "
    "names database tables by it. The cluster's own CloudFormation stack has that name: another stack cannot.",
    source="aws-parallelcluster 3.16.1, ClusterNameValidator; ParallelCluster guide, Use a custom resource",
    remedy="Take a shorter name of letters, digits and dashes.",
    facts=("rules.md#61", "hardware.md#g1"),
)
def parallelcluster_name_legal(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = cluster.name
    ways = (cluster.accounting, cluster.external_accounting)
    longest = MOST_LETTERS_WITH_ACCOUNTING if True in ways else _LONGEST
    doubtful = UNKNOWN in ways and isinstance(name, str) and MOST_LETTERS_WITH_ACCOUNTING < len(name) <= longest
    if name is UNKNOWN or doubtful:
        yield rule.unjudged(cluster.place, "the name, or whether the cluster has accounting, not known before creation")
    elif not name:
        got = f"the cluster of {cluster.ref.name} has no name"
        yield rule.finding(cluster.place, at="name", got=got, remedy="give it one, as in training")
    elif not _FORM.fullmatch(name):
        got = f"'{name}' is no name for a cluster of ParallelCluster"
        remedy = "begin with a letter, and take letters, digits and dashes; without `name` a cluster has its stack's"
        yield rule.finding(cluster.place, at="name", got=got, remedy=remedy)
    elif len(name) > longest:
        why = " beside accounting" if longest < _LONGEST else ""
        got = f"'{name}' has {len(name)} letters; ParallelCluster takes {longest}{why}"
        yield rule.finding(cluster.place, at="name", got=got, remedy=f"take a name of {longest} letters at most")
    elif name == cluster.stack_name:
        got = f"the cluster and the CloudFormation stack that makes it are both called '{name}'"
        yield rule.finding(cluster.place, at="name", got=got, remedy="call one of them otherwise")
