"""The description of a cluster on SageMaker HyperPod, orchestrated by Slurm."""

from muster.config.description.base import HYPERPOD_SLURM
from muster.config.description.cluster import Cluster
from muster.config.description.of_backend import model_on


@model_on(HYPERPOD_SLURM)
class HyperPodSlurmCluster(Cluster):
    """A training cluster on SageMaker HyperPod with Slurm: `muster:cluster` with `backend: hyperpod-slurm`."""
