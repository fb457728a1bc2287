"""What a stack with a Kubernetes cluster exports, on EKS or HyperPod."""

from typing import Any, Literal

from pydantic import Field

from muster.contract.blocks import CapacityOutput, CountOutput, NetworkCore, Output, Stack, StorageOutput


class ClusterIdentity(Output):
    """The EKS cluster."""

    name: str = Field(description="Name of the cluster in AWS")
    arn: str = Field(description="ARN of the cluster, which never changes")
    version: str = Field(description='Kubernetes version, as in "1.35"')
    endpoint: str = Field(description="Address of the Kubernetes API, with https://")
    endpoint_mode: Literal["private", "public-and-private"] = Field(
        description="From where the Kubernetes API is reachable"
    )
    certificate_authority: str = Field(description="Certificate authority of the API: PEM in base64")
    oidc_issuer: str = Field(description="Issuer of the tokens of its service accounts, with https://")
    oidc_provider_arn: str | None = Field(
        default=None, description="Always absent: the cluster uses Pod Identity, so no OIDC provider exists"
    )
    service_cidr: str | None = Field(default=None, description="CIDR block of Kubernetes services")


class TaintOutput(Output):
    """A taint, in Kubernetes' words."""

    key: str = Field(description='Key of the taint, as in "nvidia.com/gpu"')
    value: str = Field(description="Value of the taint, or an empty text")
    effect: str = Field(description="Effect: NoSchedule, PreferNoSchedule or NoExecute")


class NodeGroupOutput(Output):
    """One node group and what each of its nodes offers."""

    purpose: str = Field(description="Purpose: system, training or inference")
    instance_type: str = Field(description='Instance type, as in "p5.48xlarge"; on HyperPod "ml.p5.48xlarge"')
    zones: tuple[str, ...] = Field(description="Names of the zones in which its nodes may run")
    count: CountOutput = Field(description="Number of nodes")
    offers: dict[str, int | str] = Field(
        description='Resources of a node, except cpu and memory: "nvidia.com/gpu": 8, "hugepages-2Mi": "10256Mi"'
    )
    claims: dict[str, int] = Field(
        default={},
        description='Devices of a node that pods claim from a DRA driver, by DeviceClass: "gpu.nvidia.com": 8',
    )
    allocatable: dict[str, str] = Field(
        description='Allocatable resources of a node: "cpu": "191450m", "memory": "1928154Mi"'
    )
    pods: int | None = Field(
        default=None,
        description="Maximum number of pods on a node; none if no source states it for the instance type",
    )
    labels: dict[str, str] = Field(description="Labels of the nodes")
    taints: tuple[TaintOutput, ...] = Field(description="Taints of the nodes")
    role_arn: str = Field(description="ARN of the IAM role of the nodes. Grant it what every pod on them may do")
    capacity: CapacityOutput = Field(description="Source of its instances")
    managed: bool | None = Field(default=None, description="Whether EKS manages the group")
    image_family: str | None = Field(default=None, description="Operating system: al2023 or bottlerocket")
    ami_type: str | None = Field(
        default=None, description="AMI type of a managed group in EKS's API; CUSTOM for a custom AMI"
    )
    auto_scaling_group: str | None = Field(default=None, description="Name of the Auto Scaling group of the node group")
    interfaces: str | None = Field(
        default=None, description="Layout of its EFA interfaces: aws, classic, or plain (none)"
    )
    threads_per_core: int | None = Field(default=None, description="Threads per CPU core, on HyperPod")
    kubelet: dict[str, Any] | None = Field(
        default=None, description="Fields of the kubelet's configuration that the group sets itself"
    )
    session: str | None = Field(
        default=None,
        description="Command that opens a shell on a HyperPod node; replace INSTANCE with the id of the node",
    )


class SecurityGroups(Output):
    """Security groups to attach other things to."""

    cluster: str = Field(description="Id of EKS's cluster security group. Its members can reach the API and every node")
    efa: str | None = Field(default=None, description="Id of the security group of EFA interfaces, if a group has them")


class NetworkOutput(NetworkCore):
    """Where the cluster stands."""

    security_groups: SecurityGroups = Field(description="Ids of security groups")


class AddonOutput(Output):
    """An installed add-on."""

    version: str = Field(description="Version of the chart or the manifest")
    namespace: str = Field(description="Namespace of the add-on")


class HyperPodOutput(Output):
    """The HyperPod cluster whose instances are the nodes."""

    name: str = Field(description="Its name")
    arn: str = Field(description="Its ARN")
    id: str = Field(
        description="Id of the cluster: the last part of its ARN, which Session Manager and the log group use"
    )
    lifecycle: str | None = Field(default=None, description="Bucket of lifecycle scripts, if Muster created it")
    list_nodes: str = Field(description="Command that lists its nodes, with their instance ids")
    log_streams: dict[str, str] = Field(
        default={}, description="Source of logs -> the names of its streams in the log group `hyperpod`"
    )


class MlflowOutput(Output):
    """SageMaker's managed MLflow: where runs are logged, and by whom."""

    name: str = Field(description="Name of the tracking server or the MLflow App")
    arn: str = Field(
        description="ARN of the tracking server or the MLflow App, which clients with the plugin sagemaker-mlflow use "
        "as MLFLOW_TRACKING_URI"
    )
    url: str | None = Field(default=None, description="Its address; an MLflow App has none")
    version: str | None = Field(default=None, description='Version of MLflow of a tracking server, as in "3.0"')
    client: str | None = Field(
        default=None, description='Client that matches a tracking server, as a pip requirement: "mlflow==3.0.0"'
    )
    artifacts: str = Field(description="Location of artifacts: s3://BUCKET")
    namespace: str = Field(description="Namespace of the pods that may log to it")
    service_account: str = Field(description="Service account of those pods")
    role_arn: str = Field(description="ARN of their IAM role. Grant it what else they may do in AWS")


class ChartOutput(Output):
    """A chart that the description adds."""

    chart: str = Field(description="Name of the chart")
    version: str = Field(description="Version of the chart")
    namespace: str = Field(description="Namespace of the release")


class Cluster(Stack):
    """Everything a stack with a Kubernetes cluster exports. `kubeconfig` is the only secret."""

    backends = frozenset({"eks", "hyperpod"})
    noun = "a Kubernetes cluster"
    reader = "read_cluster"

    backend: str = Field(description="Backend of the cluster: eks or hyperpod")
    cluster: ClusterIdentity = Field(description="Control plane")
    kubeconfig: str | None = Field(
        default=None,
        description="A secret: JSON, which kubectl reads. It contains no token; it calls `aws eks get-token` for one",
    )
    node_groups: dict[str, NodeGroupOutput] = Field(description="Groups of nodes, by name")
    network: NetworkOutput = Field(description="Network of the cluster")
    hyperpod: HyperPodOutput | None = Field(default=None, description="HyperPod cluster, on that backend")
    mlflow: MlflowOutput | None = Field(default=None, description="Managed MLflow, if the description has it")
    storage: dict[str, StorageOutput] = Field(default={}, description="Shared file systems, by name")
    addons: dict[str, AddonOutput] = Field(default={}, description="Kubernetes add-ons that Muster installed, by name")
    charts: dict[str, ChartOutput] = Field(
        default={}, description="Other charts that the description installs, by release"
    )
    eks_addons: dict[str, str] = Field(
        default={}, description="EKS add-ons that Muster installed: name -> version, or nothing if EKS chose it"
    )
    registry: str | None = Field(default=None, description="Address of the registry of training images")
    buckets: dict[str, str] = Field(default={}, description="S3 buckets, by purpose")
    log_groups: dict[str, str] = Field(default={}, description="CloudWatch log groups, by source")
    queues: dict[str, str] = Field(default={}, description="Job queues: name -> its node group; none on EKS")
