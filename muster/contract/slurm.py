"""What a stack with a Slurm cluster exports, on ParallelCluster."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from muster.contract.blocks import CapacityOutput, CountOutput, NetworkCore, Output, Stack, StorageOutput

_KUBERNETES = "has a Kubernetes cluster: read it by `read_cluster`, or `Cluster.read`"


class SlurmIdentity(Output):
    """The Slurm cluster."""

    name: str = Field(description="Its name: `pcluster` commands and Slurm go by it")
    version: str = Field(
        description='ParallelCluster\'s, as in "3.16.1": the `pcluster` command of that version fits it'
    )
    os: str = Field(description='The nodes\' operating system, as in "alinux2023"')
    image: str | None = Field(default=None, description="The nodes' image, where it is one of your own")
    stack: str = Field(description="The ARN of the CloudFormation stack that ParallelCluster made of it")
    provider_stack: str = Field(
        description="The id of Muster's CloudFormation stack, which holds ParallelCluster's provider and the cluster"
    )


class HeadNodeOutput(Output):
    """Where people log in, and where Slurm's controller runs."""

    instance_type: str = Field(description='As in "m5.8xlarge"')
    instance_id: str = Field(description="Its EC2 instance")
    private_address: str = Field(description="Its address inside the VPC")
    public_address: str | None = Field(default=None, description="Its public address, in a public subnet")
    zone: str | None = Field(default=None, description="The zone it is in, by name")
    user: str = Field(description="The operating system's user to log in as")
    session: str = Field(description="The command for a shell on it by Session Manager, with no port open")
    ssh: str | None = Field(default=None, description="The command for a shell by SSH, where it has a key pair")
    key_pair: str | None = Field(default=None, description="The EC2 key pair whose private half SSH needs")


class ComputeResourceOutput(Output):
    """A group of equal nodes, a compute resource of ParallelCluster, and what each node has."""

    purpose: str = Field(description="system, training or inference")
    queue: str = Field(description="The queue that it is in")
    instance_type: str = Field(description='As in "p4de.24xlarge"')
    zones: tuple[str, ...] = Field(description="The zones its nodes may be in, by name")
    count: CountOutput = Field(description="How many nodes; those beyond `min` start for jobs, and go when idle")
    cpus: int = Field(description="Slurm's CPUs of a node: threads, or cores where hyper-threading is off")
    memory_mib: int = Field(description="Memory of a node that jobs may have, as Slurm counts it (RealMemory)")
    gpus: int = Field(description="GPUs of a node, which Slurm gives to jobs; Neuron devices it does not count")
    efa: int = Field(description="EFA interfaces of a node")
    offers: dict[str, int | str] = Field(description='All devices of a node: "gres/gpu": 8, "efa": 4, "neuron": 16')
    capacity: CapacityOutput = Field(description="Where its instances come from")


class QueueOutput(Output):
    """A queue, which is a partition of the same name in Slurm."""

    groups: tuple[str, ...] = Field(description="Its groups of nodes (`nodeGroups`)")
    zones: tuple[str, ...] = Field(description="The zones its nodes may be in, by name")
    exclusive: bool = Field(description="Whether a job has its nodes alone")
    default: bool = Field(description="Whether jobs that name no partition come here")


class SlurmSecurityGroups(Output):
    """Security groups to let in, or to attach to other things."""

    nodes: str = Field(description="Muster's: the head node and every compute node carry it")


class SlurmNetwork(NetworkCore):
    """Where the cluster stands."""

    security_groups: SlurmSecurityGroups = Field(description="The ids of security groups")


class SlurmCluster(Stack):
    """Everything a stack with a Slurm cluster exports. Nothing of it is a secret."""

    other_backends: ClassVar[Mapping[str, str]] = {"eks": _KUBERNETES, "hyperpod": _KUBERNETES}

    contract: Literal[1] = Field(description="The contract's number; another one is another form")
    backend: Literal["parallelcluster"] = Field(description="What the cluster is")
    region: str = Field(description="The AWS Region")
    cluster: SlurmIdentity = Field(description="The cluster")
    head_node: HeadNodeOutput = Field(description="The head node")
    node_groups: dict[str, ComputeResourceOutput] = Field(description="The groups of compute nodes, by name")
    queues: dict[str, QueueOutput] = Field(description="The queues, by name")
    network: SlurmNetwork = Field(description="Where the cluster stands")
    storage: dict[str, StorageOutput] = Field(default={}, description="Shared file systems, by name")
    registry: str | None = Field(default=None, description="The address of the registry of training images")
    buckets: dict[str, str] = Field(default={}, description="S3 buckets, by what they are for")
    log_groups: dict[str, str] = Field(
        default={},
        description="CloudWatch log groups, by what logs there: `provider` by its name; of `nodes` the beginning of "
        "the name, which ParallelCluster ends with the time of creation",
    )
    validation_messages: str = Field(
        description="What ParallelCluster said of the configuration at the last creation or update, as JSON; long text "
        "is cut off"
    )
