"""The words of node recovery."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HyperPodCluster
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.rule import Rule, Verdict, rule

_KNOWN = ("Automatic", "None")


@rule(
    "hyperpod-node-recovery-known",
    title="Node recovery is Automatic or None",
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="The API refuses any other word. With None instances that fail stay where they are, with a label. A "
    "description has its own two words.",
    source="SageMaker API, ClusterNodeRecovery",
    remedy="Write Automatic.",
    facts=("rules.md#59", "hardware.md#R19"),
)
def hyperpod_node_recovery_known(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.node_recovery is UNKNOWN:
        yield rule.unjudged(cluster.place, f"the node recovery of {called(cluster)}, not known before creation")
    elif cluster.node_recovery is not None and cluster.node_recovery not in _KNOWN:
        got = f"{called(cluster)} asks for node recovery '{cluster.node_recovery}'"
        yield rule.finding(
            cluster.place,
            at="node-recovery",
            got=got,
            remedy="write Automatic, which reboots or replaces instances that fail",
        )
