"""Who orchestrates a HyperPod cluster."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HyperPodCluster
from policies.reading.instance_groups import called
from policies.rule import Rule, Verdict, rule


@rule(
    "hyperpod-orchestrator-single",
    title="A HyperPod cluster has one orchestrator",
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="EKS and Slurm exclude each other, and the API refuses an orchestrator that is neither. A description of this "
    "backend always names EKS.",
    source="SageMaker API, ClusterOrchestrator",
    remedy="Name the EKS cluster, and nothing else.",
    facts=("rules.md#59", "hardware.md#R19"),
)
def hyperpod_orchestrator_single(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.slurm and cluster.orchestrator is not None:
        got = f"{called(cluster)} names both an EKS cluster and Slurm as its orchestrator"
        yield rule.finding(cluster.place, got, "leave out orchestrator.slurm or orchestrator.eks")
    elif not cluster.slurm and cluster.orchestrator is None:
        got = f"{called(cluster)} has an orchestrator that is neither EKS nor Slurm"
        yield rule.finding(cluster.place, got, "give orchestrator.eks the ARN of the EKS cluster")
