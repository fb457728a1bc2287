"""What a stack with a Kubernetes cluster exports, on EKS or HyperPod."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from muster.contract.blocks import CapacityOutput, CountOutput, NetworkCore, Output, Stack, StorageOutput


class ClusterIdentity(Output):
    """The EKS cluster."""

    name: str = Field(description="Its name in AWS")
    arn: str = Field(description="Its ARN: the one thing about it that never changes")
    version: str = Field(description='Kubernetes, as in "1.35"')
    endpoint: str = Field(description="The address of its API, with https://")
    endpoint_mode: Literal["private", "public-and-private"] = Field(description="From where the API can be reached")
    certificate_authority: str = Field(description="PEM in base64")
    oidc_issuer: str = Field(description="The issuer of its service accounts' tokens, with https://")
    oidc_provider_arn: str | None = Field(default=None, description="Absent: Pod Identity is used, no provider exists")
    service_cidr: str | None = Field(default=None, description="The addresses of Kubernetes services")


class TaintOutput(Output):
    """A taint, in Kubernetes' words."""

    key: str = Field(description='As in "nvidia.com/gpu"')
    value: str = Field(description="Its value, or an empty text")
    effect: str = Field(description="NoSchedule, PreferNoSchedule or NoExecute")


class NodeGroupOutput(Output):
    """One node group and what each of its nodes offers."""

    purpose: str = Field(description="system, training or inference")
    instance_type: str = Field(description='As in "p5.48xlarge"; on HyperPod "ml.p5.48xlarge"')
    zones: tuple[str, ...] = Field(description="The zones its nodes may be in, by name")
    count: CountOutput = Field(description="How many nodes")
    offers: dict[str, int | str] = Field(
        description='What a node has beside cpu and memory: "nvidia.com/gpu": 8, "hugepages-2Mi": "10256Mi"'
    )
    allocatable: dict[str, str] = Field(description='What a node has for pods: "cpu": "191450m", "memory": "1928154Mi"')
    pods: int | None = Field(description="How many pods a node takes. None: no source gives the type's number")
    labels: dict[str, str] = Field(description="The nodes' labels")
    taints: tuple[TaintOutput, ...] = Field(description="The nodes' taints")
    role_arn: str = Field(description="The nodes' role: grant it what every pod of theirs may do")
    capacity: CapacityOutput = Field(description="Where its instances come from")
    managed: bool | None = Field(default=None, description="Whether EKS manages the group")
    image_family: str | None = Field(default=None, description="al2023 or bottlerocket")
    ami_type: str | None = Field(
        default=None, description="EKS's word for a managed group's image; CUSTOM for one of your own"
    )
    auto_scaling_group: str | None = Field(default=None, description="The name of the Auto Scaling group behind it")
    interfaces: str | None = Field(
        default=None, description="How its EFA interfaces are laid out: aws, classic, or plain (none)"
    )
    threads_per_core: int | None = Field(default=None, description="Of its CPUs, on HyperPod")
    session: str | None = Field(
        default=None, description="The command for a shell on a node of HyperPod's; INSTANCE stands for the node's id"
    )


class SecurityGroups(Output):
    """Security groups to attach other things to."""

    cluster: str = Field(description="EKS's own: whoever carries it reaches the API and every node")
    efa: str | None = Field(default=None, description="The EFA interfaces', where a group has them")


class NetworkOutput(NetworkCore):
    """Where the cluster stands."""

    security_groups: SecurityGroups = Field(description="The ids of security groups")


class AddonOutput(Output):
    """An installed add-on."""

    version: str = Field(description="The chart's, or the manifest's")
    namespace: str = Field(description="Where it runs")


class HyperPodOutput(Output):
    """The HyperPod cluster whose instances are the nodes."""

    name: str = Field(description="Its name")
    arn: str = Field(description="Its ARN")
    id: str = Field(description="The last part of its ARN: Session Manager and the log group go by it")
    lifecycle: str | None = Field(default=None, description="The bucket of lifecycle scripts, where Muster made it")
    list_nodes: str = Field(description="The command that lists its nodes, with their instance ids")
    log_streams: dict[str, str] = Field(
        default={}, description="What logs -> the names of its streams in the log group `hyperpod`"
    )


class MlflowOutput(Output):
    """SageMaker's managed MLflow: where runs are logged, and by whom."""

    name: str = Field(description="The tracking server's name")
    arn: str = Field(description="Its ARN: what clients with the plugin sagemaker-mlflow take as MLFLOW_TRACKING_URI")
    url: str = Field(description="Its address")
    version: str = Field(description='MLflow\'s, as in "3.0"')
    client: str = Field(description='The client that goes with it, as pip takes it: "mlflow==3.0.0"')
    artifacts: str = Field(description="Where artifacts are, s3://BUCKET")
    namespace: str = Field(description="The namespace of the pods that may log to it")
    service_account: str = Field(description="The service account of those pods")
    role_arn: str = Field(description="Their role: grant it what else they may do in AWS")


class ChartOutput(Output):
    """A chart that the description names by itself."""

    chart: str = Field(description="The chart's name")
    version: str = Field(description="The chart's version")
    namespace: str = Field(description="Where it is installed")


class Cluster(Stack):
    """Everything a stack with a Kubernetes cluster exports. `kubeconfig` is the only secret."""

    other_backends: ClassVar[Mapping[str, str]] = {
        "parallelcluster": (
            "has a Slurm cluster on ParallelCluster and no Kubernetes: read it by `read_slurm_cluster`, or "
            "`SlurmCluster.read`"
        )
    }

    contract: Literal[1] = Field(description="The contract's number; another one is another form")
    backend: str = Field(description="What the cluster is: eks or hyperpod")
    region: str = Field(description="The AWS Region")
    cluster: ClusterIdentity = Field(description="The control plane")
    kubeconfig: str | None = Field(
        default=None,
        description="A secret. JSON, which kubectl takes; holds no token, asks `aws eks get-token` for one",
    )
    node_groups: dict[str, NodeGroupOutput] = Field(description="The groups, by name")
    network: NetworkOutput = Field(description="Where the cluster stands")
    hyperpod: HyperPodOutput | None = Field(default=None, description="The HyperPod cluster, on that backend")
    mlflow: MlflowOutput | None = Field(default=None, description="Managed MLflow, where the description has it")
    storage: dict[str, StorageOutput] = Field(default={}, description="Shared file systems, by name")
    addons: dict[str, AddonOutput] = Field(default={}, description="Kubernetes add-ons that Muster installed, by name")
    charts: dict[str, ChartOutput] = Field(
        default={}, description="Other charts that the description installs, by release"
    )
    eks_addons: dict[str, str] = Field(default={}, description="EKS's own add-ons that Muster chose: name -> version")
    registry: str | None = Field(default=None, description="The address of the registry of training images")
    buckets: dict[str, str] = Field(default={}, description="S3 buckets, by what they are for")
    log_groups: dict[str, str] = Field(default={}, description="CloudWatch log groups, by what logs there")
    queues: dict[str, str] = Field(default={}, description="Job queues: name -> its node group; none on EKS")
