"""The outputs contract, version 1: what other teams' projects may read of a Muster stack.

One model is both writer and reader. Other projects import this module and nothing else of Muster::

    from muster.contract import read_cluster, read_kubeconfig
    stack = pulumi.StackReference("org/muster/p5-odcr")
    cluster = read_cluster(stack)          # pulumi.Output[Cluster], no secret
    kubeconfig = read_kubeconfig(stack)    # pulumi.Output[str], a secret

A stack with a Slurm cluster has another contract: on ParallelCluster `read_slurm_cluster`, on HyperPod
`read_hyperpod_slurm_cluster`, on AWS PCS `read_pcs_cluster`.

Keys are camelCase, so that TypeScript, Go and YAML programs read them as their own. Fields may be added, never renamed;
what is added has a default, so that a newer reader reads what an older Muster exported.
"""

from muster.contract.blocks import CONTRACT, SECRETS, CapacityOutput, CountOutput, NotTheContract, StorageOutput
from muster.contract.hyperpod_slurm import HyperPodSlurmCluster, HyperPodSlurmIdentity, ServiceNodesOutput
from muster.contract.kubernetes import (
    AddonOutput,
    ChartOutput,
    Cluster,
    ClusterIdentity,
    HyperPodOutput,
    MlflowOutput,
    NetworkOutput,
    NodeGroupOutput,
    SecurityGroups,
    TaintOutput,
)
from muster.contract.parallelcluster import (
    ComputeResourceOutput,
    HeadNodeOutput,
    QueueOutput,
    SlurmCluster,
    SlurmIdentity,
    SlurmNetwork,
    SlurmSecurityGroups,
)
from muster.contract.pcs import (
    PcsCluster,
    PcsEndpoint,
    PcsIdentity,
    PcsLoginOutput,
    PcsNetwork,
    PcsNodeGroupOutput,
    PcsQueueOutput,
    PcsSecurityGroups,
)
from muster.contract.reading import (
    Readable,
    read_cluster,
    read_hyperpod_slurm_cluster,
    read_kubeconfig,
    read_pcs_cluster,
    read_slurm_cluster,
)

__all__ = [
    "CONTRACT",
    "SECRETS",
    "AddonOutput",
    "CapacityOutput",
    "ChartOutput",
    "Cluster",
    "ClusterIdentity",
    "ComputeResourceOutput",
    "CountOutput",
    "HeadNodeOutput",
    "HyperPodOutput",
    "HyperPodSlurmCluster",
    "HyperPodSlurmIdentity",
    "MlflowOutput",
    "NetworkOutput",
    "NodeGroupOutput",
    "NotTheContract",
    "PcsCluster",
    "PcsEndpoint",
    "PcsIdentity",
    "PcsLoginOutput",
    "PcsNetwork",
    "PcsNodeGroupOutput",
    "PcsQueueOutput",
    "PcsSecurityGroups",
    "QueueOutput",
    "Readable",
    "SecurityGroups",
    "ServiceNodesOutput",
    "SlurmCluster",
    "SlurmIdentity",
    "SlurmNetwork",
    "SlurmSecurityGroups",
    "StorageOutput",
    "TaintOutput",
    "read_cluster",
    "read_hyperpod_slurm_cluster",
    "read_kubeconfig",
    "read_pcs_cluster",
    "read_slurm_cluster",
]
