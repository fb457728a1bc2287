"""What a stack with a Slurm cluster exports, on ParallelCluster."""

from typing import Literal

from pydantic import Field

from muster.contract.blocks import CapacityOutput, CountOutput, NetworkCore, Output, Stack, StorageOutput


class SlurmIdentity(Output):
    """The Slurm cluster."""

    name: str = Field(description="Name of the cluster, which `pcluster` commands and Slurm use")
    version: str = Field(
        description='Version of ParallelCluster, as in "3.16.1"; use the `pcluster` command of that version'
    )
    os: str = Field(description='Operating system of the nodes, as in "alinux2023"')
    image: str | None = Field(default=None, description="Id of the AMI of the nodes, if it is a custom AMI")
    stack: str = Field(description="ARN of the CloudFormation stack that ParallelCluster created for it")
    provider_stack: str = Field(
        description="Id of Muster's CloudFormation stack, which contains ParallelCluster's provider and the cluster"
    )


class HeadNodeOutput(Output):
    """Where people log in, and where Slurm's controller runs."""

    instance_type: str = Field(description='Instance type, as in "m5.8xlarge"')
    instance_id: str = Field(description="Id of its EC2 instance")
    private_address: str = Field(description="Its private address in the VPC")
    public_address: str | None = Field(default=None, description="Its public address, if it is in a public subnet")
    zone: str | None = Field(default=None, description="Name of its zone")
    user: str = Field(description="User of the operating system for logins")
    session: str = Field(description="Command that opens a shell on it with Session Manager, without an open port")
    ssh: str | None = Field(default=None, description="Command that opens a shell with SSH, if it has a key pair")
    key_pair: str | None = Field(default=None, description="EC2 key pair whose private key SSH needs")


class ComputeResourceOutput(Output):
    """A group of equal nodes, a compute resource of ParallelCluster, and what each node has."""

    purpose: str = Field(description="Purpose: system, training or inference")
    queue: str = Field(description="Queue of the group")
    instance_type: str = Field(description='Instance type, as in "p4de.24xlarge"')
    zones: tuple[str, ...] = Field(description="Names of the zones in which its nodes may run")
    count: CountOutput = Field(description="Number of nodes. Those beyond `min` start for jobs, and stop when idle")
    cpus: int = Field(description="CPUs of a node in Slurm: threads, or cores if hyper-threading is off")
    memory_mib: int = Field(description="Memory of a node that jobs may use, as Slurm counts it (RealMemory)")
    gpus: int = Field(description="GPUs of a node that Slurm allocates to jobs; Slurm does not count Neuron devices")
    efa: int = Field(description="EFA interfaces of a node")
    offers: dict[str, int | str] = Field(description='All devices of a node: "gres/gpu": 8, "efa": 4, "neuron": 16')
    capacity: CapacityOutput = Field(description="Source of its instances")


class QueueOutput(Output):
    """A queue, which is a partition of the same name in Slurm."""

    groups: tuple[str, ...] = Field(description="Names of its groups of nodes (`nodeGroups`)")
    zones: tuple[str, ...] = Field(description="Names of the zones in which its nodes may run")
    exclusive: bool = Field(description="Whether a job has exclusive use of its nodes")
    default: bool = Field(description="Whether it runs jobs that do not select a partition")


class SlurmSecurityGroups(Output):
    """Security groups to allow as a source, or to attach to other resources."""

    nodes: str = Field(
        description="Id of Muster's security group, which is attached to the head node, every login node and every "
        "compute node"
    )


class SlurmNetwork(NetworkCore):
    """Where the cluster stands."""

    security_groups: SlurmSecurityGroups = Field(description="Ids of security groups")


class SlurmCluster(Stack):
    """Everything a stack with a Slurm cluster exports. Nothing of it is a secret."""

    backends = frozenset({"parallelcluster"})
    noun = "a Slurm cluster on ParallelCluster"
    reader = "read_slurm_cluster"

    backend: Literal["parallelcluster"] = Field(description="Backend of the cluster")
    cluster: SlurmIdentity = Field(description="The cluster")
    head_node: HeadNodeOutput = Field(description="Head node")
    node_groups: dict[str, ComputeResourceOutput] = Field(description="Groups of compute nodes, by name")
    queues: dict[str, QueueOutput] = Field(description="Queues, by name")
    network: SlurmNetwork = Field(description="Network of the cluster")
    storage: dict[str, StorageOutput] = Field(default={}, description="Shared file systems, by name")
    registry: str | None = Field(default=None, description="Address of the registry of training images")
    buckets: dict[str, str] = Field(default={}, description="S3 buckets, by purpose")
    log_groups: dict[str, str] = Field(
        default={},
        description="CloudWatch log groups, by source. `provider` is a name; `nodes` is the beginning of the name, "
        "to which ParallelCluster appends the time of creation",
    )
    validation_messages: str = Field(
        description="Messages of ParallelCluster about the configuration at the last creation or update, as JSON; "
        "long text is cut off"
    )
