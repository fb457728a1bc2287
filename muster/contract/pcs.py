"""What a stack with a Slurm cluster exports, on AWS PCS."""

from typing import Literal

from pydantic import Field

from muster.contract.blocks import CountOutput, NetworkCore, Output, Stack, StorageOutput
from muster.contract.parallelcluster import ComputeResourceOutput, QueueOutput


class PcsIdentity(Output):
    """The cluster of PCS."""

    name: str = Field(description="Name of the cluster")
    id: str = Field(description='Id of the cluster in PCS, as in "pcs_a1b2c3d4e5"')
    arn: str = Field(description="ARN of the cluster")
    size: str = Field(description="Size of the controller: SMALL, MEDIUM or LARGE")
    slurm_version: str = Field(description='Version of Slurm, as in "25.11"')
    image: str = Field(description="Id of the AMI of all nodes")
    accounting: bool = Field(description="Whether Slurm has accounting")


class PcsEndpoint(Output):
    """An address of the controller in the VPC."""

    type: str = Field(description="Daemon: SLURMCTLD, SLURMDBD or SLURMRESTD")
    private_ip_address: str = Field(description="Private address")
    port: str = Field(description="Port")


class PcsNodeGroupOutput(ComputeResourceOutput):
    """A compute node group of a queue, and what each node has."""

    id: str = Field(description='Id of the compute node group in PCS, as in "pcs_a1b2c3d4e5"')


class PcsQueueOutput(QueueOutput):
    """A queue, which is a partition of the same name in Slurm."""

    id: str = Field(description='Id of the queue in PCS, as in "pcs_a1b2c3d4e5"')


class PcsLoginOutput(Output):
    """A compute node group on which users log in."""

    id: str = Field(description='Id of the compute node group in PCS, as in "pcs_a1b2c3d4e5"')
    instance_type: str = Field(description="Instance type")
    count: CountOutput = Field(description="Number of nodes")
    zones: tuple[str, ...] = Field(description="Names of the zones in which its nodes may run")
    instances: str = Field(description="Command that lists the ids of its instances")


class PcsSecurityGroups(Output):
    """Security groups to allow as a source, or to attach to other resources."""

    cluster: str = Field(description="Id of the security group of the controller and of all nodes")


class PcsNetwork(NetworkCore):
    """Where the cluster is."""

    security_groups: PcsSecurityGroups = Field(description="Ids of security groups")


class PcsCluster(Stack):
    """Everything a stack with a Slurm cluster on AWS PCS exports. Nothing of it is a secret."""

    backends = frozenset({"pcs"})
    noun = "a Slurm cluster on AWS PCS"
    reader = "read_pcs_cluster"

    backend: Literal["pcs"] = Field(description="Backend of the cluster")
    cluster: PcsIdentity = Field(description="The cluster")
    endpoints: tuple[PcsEndpoint, ...] = Field(default=(), description="Addresses of the controller in the VPC")
    node_groups: dict[str, PcsNodeGroupOutput] = Field(description="Compute node groups of queues, by name")
    login_groups: dict[str, PcsLoginOutput] = Field(default={}, description="Groups of login nodes, by name")
    queues: dict[str, PcsQueueOutput] = Field(description="Queues, by name")
    network: PcsNetwork = Field(description="Network of the cluster")
    storage: dict[str, StorageOutput] = Field(default={}, description="Shared file systems, by name")
    registry: str | None = Field(default=None, description="Address of the registry of training images")
