"""What a stack with a HyperPod cluster with Slurm exports."""

from typing import Literal

from pydantic import Field

from muster.contract.blocks import Output, Stack, StorageOutput
from muster.contract.parallelcluster import ComputeResourceOutput, QueueOutput, SlurmNetwork


class HyperPodSlurmIdentity(Output):
    """The HyperPod cluster."""

    name: str = Field(description="Its name")
    arn: str = Field(description="Its ARN")
    id: str = Field(
        description="Id of the cluster: the last part of its ARN, which Session Manager and the log group use"
    )
    role_arn: str = Field(description="ARN of the role of its instances")
    list_nodes: str = Field(description="Command that lists its nodes, with their instance ids")


class ServiceNodesOutput(Output):
    """Nodes that run no jobs: the controller, or the login nodes."""

    instance_group: str = Field(description="Name of the instance group")
    instance_type: str = Field(description='Instance type, as in "ml.m5.4xlarge"')
    count: int = Field(description="Number of nodes")
    session: str = Field(
        description="Command that opens a shell on one of them with Session Manager. INSTANCE is the id of the node"
    )


class HyperPodSlurmCluster(Stack):
    """Everything a stack with a HyperPod cluster with Slurm exports. Nothing of it is a secret."""

    backends = frozenset({"hyperpod-slurm"})
    noun = "a HyperPod cluster with Slurm"
    reader = "read_hyperpod_slurm_cluster"

    backend: Literal["hyperpod-slurm"] = Field(description="Backend of the cluster")
    cluster: HyperPodSlurmIdentity = Field(description="The cluster")
    controller: ServiceNodesOutput = Field(description="The controller")
    login: ServiceNodesOutput | None = Field(default=None, description="The login nodes, if there are some")
    node_groups: dict[str, ComputeResourceOutput] = Field(description="Groups of compute nodes, by name")
    queues: dict[str, QueueOutput] = Field(description="Partitions, by name")
    network: SlurmNetwork = Field(description="Network of the cluster")
    storage: dict[str, StorageOutput] = Field(default={}, description="Shared file systems, by name")
    registry: str | None = Field(default=None, description="Address of the registry of training images")
    log_groups: dict[str, str] = Field(default={}, description="CloudWatch log groups, by source")
    log_streams: dict[str, str] = Field(
        default={}, description="Source of logs -> the names of its streams in the log group `hyperpod`"
    )
