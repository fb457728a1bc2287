"""The operating system, and the instance types that it runs on."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, HeadNode, LoginPool
from muster.fleet.resources.fleet import machine
from muster.message_text import or_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.parallelcluster import cluster_of, display_name, types_of
from muster.unknown import if_known

_INSTEAD = ("alinux2023", "ubuntu2204", "ubuntu2404", "rocky9")


@rule(
    "parallelcluster-os-runs-type",
    title="The operating system runs on the instance type",
    judges=ComputeResource | HeadNode | LoginPool,
    backends=("parallelcluster",),
    why="The p6e-gb200 has an Arm processor, and needs drivers that have no packages for older operating systems. "
    "ParallelCluster refuses it with those systems.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/ec2_validators.py#L197",
    ),
    remedy="Use an operating system that runs on the type.",
    facts=("hardware.md#R22",),
)
def parallelcluster_os_runs_type(
    thing: ComputeResource | HeadNode | LoginPool, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    cluster = cluster_of(thing, fleet)
    for each in types_of(thing):
        refused = if_known(lambda: machine(each).parallelcluster_refuses)
        if refused and cluster and cluster.os in refused:
            got = f"{display_name(thing)} has {each}, which {cluster.os} does not run on"
            change = f"set {rule.key(cluster, 'os')} to {or_list(_INSTEAD)}"
            yield rule.finding(thing, "instance", got=got, change=change)
