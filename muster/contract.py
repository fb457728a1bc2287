"""The outputs contract, version 1: what other teams' projects may read of a Muster stack.

One model is both writer and reader. Other projects import this module and nothing else of Muster::

    from muster.contract import read_cluster, read_kubeconfig
    stack = pulumi.StackReference("org/muster/p5-odcr")
    cluster = read_cluster(stack)          # pulumi.Output[Cluster], no secret
    kubeconfig = read_kubeconfig(stack)    # pulumi.Output[str], a secret

Keys are camelCase, so that TypeScript, Go and YAML programs read them as their own. Fields may be added, never renamed;
what is added has a default, so that a newer reader reads what an older Muster exported.
"""

import reprlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

if TYPE_CHECKING:
    from pulumi import Output

CONTRACT = 1


class NotTheContract(ValueError):
    """Outputs are not of this contract; the message says whose, and what is missing or of another form."""


class _Output(BaseModel):
    """The base of every block: unknown keys of a newer writer are passed over."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, validate_by_name=True, serialize_by_alias=True
    )


class ClusterIdentity(_Output):
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


class TaintOutput(_Output):
    """A taint, in Kubernetes' words."""

    key: str = Field(description='As in "nvidia.com/gpu"')
    value: str = Field(description="Its value, or an empty text")
    effect: str = Field(description="NoSchedule, PreferNoSchedule or NoExecute")


class CapacityOutput(_Output):
    """Where the group's instances come from."""

    kind: Literal["on-demand", "spot", "reservation", "reservation-group", "capacity-block", "training-plan"] = Field(
        description="What was chosen"
    )
    reservation: str | None = Field(default=None, description="The reservation's or Capacity Block's id")
    reservation_group: str | None = Field(default=None, description="The resource group's ARN")
    training_plan: str | None = Field(default=None, description="The ARN of HyperPod's training plan")
    zone: str | None = Field(default=None, description="The zone in which the instances are held")
    count: int | None = Field(default=None, description="How many instances are held")
    starts: str | None = Field(default=None, description='The day a Capacity Block starts, as in "2026-12-01"')
    ends: str | None = Field(default=None, description="The day a Capacity Block ends, at 11:30 UTC")
    placement_group: str | None = Field(default=None, description="The placement group's name")


class CountOutput(_Output):
    """How many nodes: the bounds; how many there are, the live cluster knows."""

    min: int = Field(description="At least")
    start: int = Field(description="At first")
    max: int = Field(description="At most")


class NodeGroupOutput(_Output):
    """One node group and what each of its nodes offers."""

    purpose: str = Field(description="system, training or inference")
    instance_type: str = Field(description='As in "p5.48xlarge"; on HyperPod "ml.p5.48xlarge"')
    zones: tuple[str, ...] = Field(description="The zones its nodes may be in, by name")
    count: CountOutput = Field(description="How many nodes")
    offers: dict[str, int | str] = Field(
        description='What a node has beside cpu and memory: "nvidia.com/gpu": 8, "hugepages-2Mi": "10256Mi"'
    )
    allocatable: dict[str, str] = Field(description='What a node has for pods: "cpu": "191450m", "memory": "1928154Mi"')
    pods: int = Field(description="How many pods a node takes")
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


class SecurityGroups(_Output):
    """Security groups to attach other things to."""

    cluster: str = Field(description="EKS's own: whoever carries it reaches the API and every node")
    efa: str | None = Field(default=None, description="The EFA interfaces', where a group has them")


class NetworkOutput(_Output):
    """Where the cluster stands."""

    vpc: str = Field(description="The VPC's id")
    private_subnets: dict[str, str] = Field(description="Zone name -> subnet id; the nodes are here")
    public_subnets: dict[str, str] = Field(description="Zone name -> subnet id")
    security_groups: SecurityGroups = Field(description="The ids of security groups")
    cidr: str | None = Field(default=None, description="The VPC's addresses, where Muster made it")
    zone_ids: dict[str, str] = Field(
        default={}, description="Zone name -> zone id, as far as known: names differ between accounts, ids do not"
    )
    private_route_tables: dict[str, str] = Field(
        default={}, description="Zone name -> route table id, where Muster made them: for peerings and endpoints"
    )
    nat_addresses: dict[str, str] = Field(
        default={}, description="Zone name -> the NAT gateway's public address, where Muster made it: for allow lists"
    )


class StorageOutput(_Output):
    """A shared file system: FSx for Lustre. Of one that existed before, what Muster was told."""

    file_system: str = Field(description="Its id")
    dns_name: str = Field(description="Resolves inside the VPC; a client mounts DNSNAME@tcp:/MOUNTNAME")
    mount_name: str = Field(description="The second half of what a client mounts")
    claim: str | None = Field(
        default=None, description="The Kubernetes claim that pods mount. None: this stack makes none"
    )
    capacity: str | None = Field(default=None, description='As Kubernetes counts, "4800Gi"')
    claim_namespace: str | None = Field(default=None, description="The namespace that the claim is in")
    type: str | None = Field(default=None, description="PERSISTENT_2, PERSISTENT_1, SCRATCH_2 or SCRATCH_1")
    disk: str | None = Field(default=None, description="SSD or HDD")
    throughput: int | None = Field(default=None, description="MB/s for each TiB")
    version: str | None = Field(default=None, description='Lustre\'s, as in "2.15"')
    zone: str | None = Field(default=None, description="The zone it is in, by name")
    security_group: str | None = Field(default=None, description="Its security group, where Muster made it")
    efa: bool | None = Field(default=None, description="Whether it takes EFA traffic too")


class AddonOutput(_Output):
    """An installed add-on."""

    version: str = Field(description="The chart's, or the manifest's")
    namespace: str = Field(description="Where it runs")


class HyperPodOutput(_Output):
    """The HyperPod cluster whose instances are the nodes."""

    name: str = Field(description="Its name")
    arn: str = Field(description="Its ARN")
    id: str = Field(description="The last part of its ARN: Session Manager and the log group go by it")
    lifecycle: str | None = Field(default=None, description="The bucket of lifecycle scripts, where Muster made it")
    list_nodes: str = Field(description="The command that lists its nodes, with their instance ids")
    log_streams: dict[str, str] = Field(
        default={}, description="What logs -> the names of its streams in the log group `hyperpod`"
    )


class MlflowOutput(_Output):
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


class ChartOutput(_Output):
    """A chart that the description names by itself."""

    chart: str = Field(description="The chart's name")
    version: str = Field(description="The chart's version")
    namespace: str = Field(description="Where it is installed")


class Cluster(_Output):
    """Everything a stack exports. `kubeconfig` is the only secret."""

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

    @classmethod
    def read(cls, outputs: Mapping[str, Any], stack: str = "") -> Self:
        """Reads a stack's outputs, with or without the kubeconfig.

        Args:
            outputs: name -> value, as `pulumi stack output --json` prints them.
            stack: what errors call the stack.

        Raises:
            NotTheContract: they are not of this contract; the message names everything missing or of another form.
        """
        whose = f"stack '{stack}'" if stack else "the stack"
        given = {name: value for name, value in outputs.items() if value is not None}
        if not given:
            raise NotTheContract(f"{whose} has no outputs: it is not deployed yet, or was destroyed")
        if "addonsOf" in given:
            raise NotTheContract(f"{whose} has no cluster, only add-ons for one: read stack '{given['addonsOf']}'")
        if "contract" not in given:
            raise NotTheContract(f"{whose} has no output 'contract': it is no stack of Muster's")
        if given["contract"] != CONTRACT:
            number = given["contract"]
            raise NotTheContract(
                # Numbers come as floats from the engine.
                f"{whose} exports contract {f'{number:g}' if isinstance(number, float) else repr(number)}; "
                f"this reader knows contract {CONTRACT}: "
                "use the muster package of the version that deployed it"
            )
        try:
            return cls.model_validate(given)
        except ValidationError as fault:
            raise NotTheContract("\n".join((f"{whose} does not export contract {CONTRACT}:", *_words(fault)))) from None


SECRETS = frozenset({"kubeconfig"})
"""Outputs that are exported as secrets."""


def _words(fault: ValidationError) -> Iterator[str]:
    """A line for each output that is missing or of another form, by its path."""
    for each in fault.errors(include_url=False):
        path = ".".join(str(step) for step in each["loc"])
        if each["type"] == "missing":
            yield f"  {path} is missing"
        elif each["loc"][0] in SECRETS:
            yield f"  {path} is of another form"
        else:
            yield f"  {path} is {reprlib.repr(each['input'])}: {each['msg'][:1].lower()}{each['msg'][1:]}"


class Readable(Protocol):
    """What outputs are read from: a `pulumi.StackReference`, or whatever answers like one."""

    def get_output(self, name: str) -> "Output[Any]":
        """One output, None where there is none of that name."""


def read_cluster(stack: Readable) -> "Output[Cluster]":
    """Reads a stack by reference, without its kubeconfig.

    An output made of all outputs would be as secret as the most secret of them, and so would be whatever follows from
    it: so the kubeconfig stays behind (`read_kubeconfig`), and nothing here is a secret unless that stack makes it one.
    In a preview a stack's outputs are those of its last `up`.

    Args:
        stack: a `pulumi.StackReference`.

    Raises:
        pulumi.RunError: when the program runs, where the outputs are not of this contract; the message says whose they
            are, and what is missing or of another form.
    """
    from pulumi import Output

    fields = {info.alias or name for name, info in Cluster.model_fields.items()}
    names = sorted({*fields, "addonsOf"} - SECRETS)
    read: Output[Cluster] = Output.all(
        stack=_name(stack), outputs=Output.all(**{name: stack.get_output(name) for name in names})
    ).apply(lambda given: _read(given["outputs"], given["stack"]))
    return read


def read_kubeconfig(stack: Readable) -> "Output[str]":
    """Reads a stack's kubeconfig, which stays a secret: JSON, as `pulumi_kubernetes.Provider` takes it.

    Args:
        stack: a `pulumi.StackReference`.

    Raises:
        pulumi.RunError: when the program runs, where there is none.
    """
    from pulumi import Output

    read: Output[str] = Output.all(stack=_name(stack), kubeconfig=stack.get_output("kubeconfig")).apply(
        lambda given: _required(given["kubeconfig"], given["stack"])
    )
    return Output.secret(read)


def _name(stack: Readable) -> Any:
    return getattr(stack, "name", "")


def _read(outputs: Mapping[str, Any], stack: str) -> Cluster:
    from pulumi import RunError

    try:
        return Cluster.read(outputs, stack)
    except NotTheContract as fault:
        raise RunError(str(fault)) from None


def _required(kubeconfig: Any, stack: str) -> str:
    from pulumi import RunError

    if not isinstance(kubeconfig, str):
        raise RunError(f"stack '{stack}' has no output 'kubeconfig': it is not deployed yet, or no stack of Muster's")
    return kubeconfig
