"""EKS and Slurm at once."""

from tests.policies.programs.hyperpod import cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    on = ground()
    eks = {"cluster_arn": on.world.cluster.arn}
    cluster(on, orchestrator={"eks": eks, "slurm": {"slurm_config_strategy": "Managed"}})
