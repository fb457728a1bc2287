"""The description of a cluster on any backend: each key once."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator

from muster.config.description.addons import Addons, ChartRepository, ImageRegistry
from muster.config.description.base import (
    EKS,
    FOR_GOOD,
    HYPERPOD,
    HYPERPOD_SLURM,
    PARALLELCLUSTER,
    PCS,
    Change,
    OnDestroy,
    StrictModel,
    everywhere,
    key,
    optional,
    unique_items,
)
from muster.config.description.control_plane import Access, Api, ControlPlaneSource, KubernetesVersion, Logs, one_each
from muster.config.description.group import Group
from muster.config.description.hyperpod_settings import HyperPod
from muster.config.description.hyperpod_slurm_nodes import Controller, LoginNodes, OpenZfsHome
from muster.config.description.iam import Iam
from muster.config.description.network import Network
from muster.config.description.node_boot import Proxy
from muster.config.description.parallelcluster_nodes import HeadNode, PostInstall
from muster.config.description.pcs_nodes import ClusterSize, PcsClusterName, PcsName
from muster.config.description.queues import MOST_LOGIN_POOLS, LoginPool, Queue
from muster.config.description.slurm_settings import (
    MOST_QUEUES,
    Accounting,
    Monitoring,
    OnFailure,
    Os,
    ParallelClusterVersion,
    S3Right,
    SlurmSettings,
)
from muster.config.description.storage import Registry, Storage
from muster.config.description.suppression import Suppression
from muster.config.identifiers import (
    BucketName,
    BucketPath,
    ClusterName,
    FullStackName,
    GroupName,
    HyperPodName,
    ImageId,
    KmsKeyArn,
    QueueName,
    SecretName,
    SlurmName,
    StorageName,
    TagKey,
)
from muster.finding import KeyPath
from muster.hardware.zones import ZoneName
from muster.versions import PARALLELCLUSTER as PARALLELCLUSTER_VERSION

MOST_TAGS = 40
"""AWS allows 50; Muster, EKS and the provider add some."""
MOST_SLURM_TAGS = 38
"""ParallelCluster allows 40. Muster uses one, and AWS's provider adds another (`parallelcluster:custom_resource`)."""
MOST_PCS_TAGS = 45
"""PCS allows 200; the other resources of a cluster, such as IAM roles, 50. Muster uses up to two of them."""

_MOST_GROUPS = 100
_MOST_SLURM_GROUPS = 98
"""The API allows 100 instance groups; two are those of the controller and of login nodes."""

_KUBERNETES = (EKS, HYPERPOD)
_SLURM = (PARALLELCLUSTER, PCS)
_WITH_EKS = dict.fromkeys(_KUBERNETES, Change.IN_PLACE)
_FOREVER = dict.fromkeys(_KUBERNETES, Change.REPLACES)


CHART_MIRROR = (
    "Repository from which Muster installs all Helm charts instead of their public ones: an index (https://...) or "
    "a registry (oci://...). Default: the public repositories."
)
IMAGE_MIRROR = (
    "Registry from which nodes pull all images of add-ons, under the same names. EKS add-ons keep their own "
    "registry. Default: the public registries."
)
SUPPRESS = "Findings that you accept, each with a reason and an end date. Default: none."


class Cluster(StrictModel):
    """A training cluster: `muster:cluster`. The modules of the backends have its models."""

    backend: str = key(
        "Service that runs the cluster.",
        everywhere(Change.REPLACES),
        here={
            each: {"doc": f"Service that runs the cluster: {each}.", "form": Literal[each]}
            for each in everywhere(Change.REPLACES)
        },
    )
    version: ParallelClusterVersion = key(
        f'Version of ParallelCluster, in quotes: "{PARALLELCLUSTER_VERSION}". It cannot change: another version is '
        "another cluster, and /home and /apps are deleted with the old one.",
        {PARALLELCLUSTER: Change.REPLACES},
        instead=("kubernetes", "slurm.version"),
    )
    name: str | None = optional(
        "Name of the cluster; on HyperPod with EKS, of the EKS cluster. Default: the name of the stack.",
        everywhere(Change.REPLACES),
        here={
            EKS: {"form": ClusterName | None},
            HYPERPOD: {"form": ClusterName | None},
            HYPERPOD_SLURM: {"form": HyperPodName | None},
            PARALLELCLUSTER: {"form": SlurmName | None},
            PCS: {"form": PcsClusterName | None},
        },
    )
    size: ClusterSize = key(
        "Size of the controller: small (32 nodes, 256 jobs), medium (512 nodes, 8192 jobs) or large (2048 nodes, "
        "16384 jobs).",
        {PCS: Change.REPLACES},
        instead=("controller.instance", "head.instance"),
    )
    slurm: SlurmSettings = key(
        "Settings of Slurm, and its version on PCS.",
        dict.fromkeys(_SLURM, Change.IN_PLACE),
        here={PCS: {"default": ...}},
        default=SlurmSettings.model_construct(),
    )
    kubernetes: KubernetesVersion = key(
        'Kubernetes version, in quotes: "1.35". Raise it by one minor version at a time. Nodes follow; on '
        "HyperPod, when you update their image (`aws sagemaker update-cluster-software`, or `updates` of a "
        "group).",
        {EKS: Change.DRAINS, HYPERPOD: Change.IN_PLACE},
    )
    control_plane: ControlPlaneSource = key("Control plane: create, or {existing: ...}.", _FOREVER)
    access: Annotated[tuple[Access, ...], AfterValidator(one_each)] = key(
        "IAM roles and users that may use the Kubernetes API, as EKS access entries. Default: none.",
        _WITH_EKS,
        default=(),
    )
    api: Api | None = optional(
        "Endpoint of the Kubernetes API: private, or {public: [networks]}. With private, `up` and users must be in the "
        "VPC, or in a network that is connected to it. Required, except with an existing control plane, which has its "
        "own.",
        _WITH_EKS,
        instead="head.ssh-from",
    )
    logs: Logs = key(
        "Logs in CloudWatch: of the control plane, or of all nodes of ParallelCluster. Default: all types, "
        "for 90 days.",
        {EKS: Change.IN_PLACE, HYPERPOD: Change.IN_PLACE, PARALLELCLUSTER: Change.IN_PLACE},
        default=Logs.model_construct(),
    )
    secrets_key: KmsKeyArn | None = optional(
        "ARN of a customer managed KMS key for Kubernetes secrets. Default: a key that Muster creates. A cluster "
        "keeps the key that it was created with: EKS does not change it, and `up` does not report that. To use "
        "another key, create a cluster with another `name`.",
        dict.fromkeys(_KUBERNETES, Change.STAYS),
    )
    secrets_key_on_destroy: OnDestroy = key(
        "For the key that Muster creates. delete: AWS deletes it 30 days after the cluster. keep: `destroy` stops "
        "before it deletes anything while the key exists (with --skip-preview, only after it deletes all other "
        "resources). Default: delete.",
        _WITH_EKS,
        default=OnDestroy.DELETE,
    )
    os: Os = key(
        "Operating system of all nodes: alinux2023, ubuntu2204, ubuntu2404, rhel8, rhel9, rocky8 or rocky9. "
        "Default: alinux2023.",
        {PARALLELCLUSTER: Change.REFUSED},
        instead="image",
        default=Os.ALINUX2023,
    )
    image: ImageId | None = optional(
        "Id of a custom AMI, built with the same version of ParallelCluster (`muster config --image`). Default: the "
        "image of ParallelCluster for `os`.",
        {PARALLELCLUSTER: Change.REFUSED, PCS: Change.NEXT_LAUNCH},
        here={
            PCS: {
                "doc": "Id of the AMI of all nodes. It contains the AWS PCS agent, Slurm, the drivers of the devices, "
                "EFA's software and, for file systems, the Lustre client. AWS recommends its sample AMIs only for "
                "tests.",
                "form": ImageId,
                "default": ...,
            }
        },
        instead=("groups.*.image", "groups.*.hyperpod.image"),
    )
    iam: Iam = key(
        "Permissions boundary and path of the roles that Muster creates, and existing roles instead. Default: roles "
        "that Muster creates.",
        Change.IN_PLACE,
        default=Iam.model_construct(),
    )
    network: Network = key("Network of the cluster: {existing: ...} or {create: ...}.", FOR_GOOD)
    proxy: Proxy | None = optional(
        "HTTP proxy of the nodes. Default: none.",
        {EKS: Change.DRAINS},
        instead=("groups.*.hyperpod.lifecycle", "post-install", "image"),
    )
    zone: ZoneName | None = optional(
        "Zone of the controller, and on HyperPod of the login nodes and all groups that set no other zone. "
        "Another zone replaces the cluster. Default: the zone of the first (training) group that sets one; "
        "otherwise the first with a private subnet.",
        {HYPERPOD_SLURM: Change.REPLACES, PCS: Change.REPLACES},
        instead=("groups.*.zone", "queues.*.zones"),
    )
    controller: Controller = key(
        "The controller.",
        {HYPERPOD_SLURM: Change.IN_PLACE},
        instead=("head", "size"),
        default=Controller.model_construct(),
    )
    head: HeadNode = key(
        "Settings of the head node.",
        {PARALLELCLUSTER: Change.IN_PLACE},
        instead=("controller", "login-nodes"),
        default=HeadNode.model_construct(),
    )
    login: LoginNodes | None = optional(
        "Login nodes. Default: none; users then log in to the controller.",
        {HYPERPOD_SLURM: Change.IN_PLACE},
        instead="login-nodes",
    )
    groups: dict[str, Group] = key(
        "Groups of nodes by name. If you rename a group, Muster creates a new one.",
        dict.fromkeys((EKS, HYPERPOD, HYPERPOD_SLURM), Change.REPLACES),
        instead="queues",
        here={
            EKS: {"form": dict[GroupName, Group]},
            HYPERPOD: {"form": dict[GroupName, Group], "max_length": _MOST_GROUPS},
            HYPERPOD_SLURM: {"form": dict[GroupName, Group], "max_length": _MOST_SLURM_GROUPS},
        },
        elsewhere=lambda cluster: {
            name: group for queue in cluster.queues.values() for name, group in queue.groups.items()
        },
        min_length=1,
    )
    queues: dict[str, Queue] = key(
        "Queues by name. If you rename a queue, Muster creates a new one. To remove one of ParallelCluster, "
        "stop the compute fleet, or set `on-update: terminate`.",
        {PARALLELCLUSTER: Change.FLEET_STOP, PCS: Change.REPLACES},
        instead="groups",
        here={
            PARALLELCLUSTER: {
                "form": dict[QueueName, Queue],
                "max_length": MOST_QUEUES,
            },
            PCS: {"form": dict[PcsName, Queue]},
        },
        elsewhere=lambda _: {},
        min_length=1,
    )
    login_nodes: dict[str, LoginPool] = key(
        "Pools of login nodes by name. To remove one of ParallelCluster, set its `nodes` to 0 first. Default: none.",
        {PARALLELCLUSTER: Change.LOGIN_STOP, PCS: Change.REPLACES},
        instead="login",
        here={
            PARALLELCLUSTER: {
                "form": dict[QueueName, LoginPool],
                "max_length": MOST_LOGIN_POOLS,
            },
            PCS: {"form": dict[PcsName, LoginPool]},
        },
        default={},
    )
    s3: dict[BucketPath, S3Right] = key(
        "S3 permissions of the head node and the compute nodes: map of a bucket, or a prefix in it, to read or write. "
        "Default: none.",
        {PARALLELCLUSTER: Change.IN_PLACE},
        instead=("hyperpod.execution-role", "storage"),
        default={},
    )
    s3_bucket: BucketName | None = optional(
        "Existing bucket, in the Region of the cluster and with versioning, in which ParallelCluster keeps the files "
        "of the cluster (`CustomS3Bucket`). Default: the bucket that ParallelCluster creates for the account.",
        {PARALLELCLUSTER: Change.REFUSED},
    )
    post_install: PostInstall | None = optional(
        "Software and scripts to run on the head node and on every compute node when it starts. Default: none.",
        {PARALLELCLUSTER: Change.DRAINS},
        instead=("hyperpod.lifecycle", "image"),
    )
    hyperpod: HyperPod = key(
        "Settings of the HyperPod cluster itself.",
        {HYPERPOD: Change.IN_PLACE, HYPERPOD_SLURM: Change.IN_PLACE},
        elsewhere=lambda _: None,
        default=HyperPod.model_construct(),
    )
    accounting: Accounting | None = optional(
        "Accounting of Slurm, in an existing database. On HyperPod, only with `provisioning: continuous`. "
        "Default: none, or a database on the controller of HyperPod.",
        {PARALLELCLUSTER: Change.FLEET_STOP, HYPERPOD_SLURM: Change.IN_PLACE},
        instead="slurm.accounting",
    )
    home: OpenZfsHome | None = optional(
        "An existing FSx for OpenZFS file system, mounted on every node at /home. Default: none.",
        {HYPERPOD_SLURM: Change.NEXT_LAUNCH},
    )
    storage: dict[StorageName, Storage] = key(
        "Shared file systems by name; nodes with Slurm mount each at /NAME when they start, and pods through a claim. "
        "If you rename one, Muster creates a new one. HyperPod with Slurm has at most one of Lustre, and one of "
        "OpenZFS. Default: none.",
        {
            EKS: Change.REPLACES,
            HYPERPOD: Change.REPLACES,
            HYPERPOD_SLURM: Change.NEXT_LAUNCH,
            PARALLELCLUSTER: Change.IN_PLACE,
            PCS: Change.NEXT_LAUNCH,
        },
        default={},
    )
    registry: Registry | None = optional(
        "Container registry (ECR) for training images. Default: none.", Change.IN_PLACE
    )
    addons: Addons = key(
        "Kubernetes add-ons by name. Default: none.",
        _WITH_EKS,
        instead=("post-install", "image"),
        default=Addons.model_construct(),
    )
    addons_in: Annotated[tuple[FullStackName, ...], AfterValidator(unique_items)] = key(
        "Other stacks with more add-ons for this cluster (those with `addons-of`), as organization/project/stack. "
        "Muster checks their files with this one if it finds them here; it does not install their add-ons from "
        "here. Default: none.",
        dict.fromkeys(_KUBERNETES, Change.NOTHING),
        default=(),
    )
    chart_mirror: ChartRepository | None = optional(CHART_MIRROR, _WITH_EKS)
    image_mirror: ImageRegistry | None = optional(IMAGE_MIRROR, _WITH_EKS)
    image_pull_secrets: Annotated[tuple[SecretName, ...], AfterValidator(unique_items)] = key(
        "Names of Secrets (kubernetes.io/dockerconfigjson) with which the pods of Muster's jobs pull images. Muster "
        "does not create them: they must exist in the namespace of each job. Default: none.",
        dict.fromkeys(_KUBERNETES, Change.NOTHING),
        default=(),
    )
    monitoring: Monitoring = key(
        "Monitoring in CloudWatch.",
        {PARALLELCLUSTER: Change.IN_PLACE},
        instead="addons.cloudwatch-observability",
        default=Monitoring.model_construct(),
    )
    on_failure: OnFailure = key(
        "What happens to a cluster whose creation fails: rollback or keep. It applies only at creation. Default: "
        "rollback.",
        {PARALLELCLUSTER: Change.REFUSED},
        default=OnFailure.ROLLBACK,
    )
    on_destroy: OnDestroy = key(
        "keep: `destroy` stops while the cluster exists. delete: it deletes the cluster with /home and /apps, or with "
        "its accounting database. Default: delete.",
        dict.fromkeys(_SLURM, Change.IN_PLACE),
        default=OnDestroy.DELETE,
    )
    tags: dict[TagKey, str] = key(
        "AWS tags on every resource that supports tags, nodes included. Default: none.",
        everywhere(Change.IN_PLACE) | {EKS: Change.DRAINS},
        here={
            PARALLELCLUSTER: {"max_length": MOST_SLURM_TAGS},
            PCS: {"max_length": MOST_PCS_TAGS},
        },
        default={},
        max_length=MOST_TAGS,
        sent=everywhere("iam.CreateRole.Tags[].Value")
        | {PARALLELCLUSTER: ("iam.CreateRole.Tags[].Value", "cloudformation.CreateStack.Tags[].Value")},
        keys_sent="iam.CreateRole.Tags[].Key",
    )
    suppress: tuple[Suppression, ...] = key(SUPPRESS, Change.NOTHING, default=())

    def is_refused_below(self, name: str) -> bool:
        """The head node runs these scripts only once (`HeadNodeCustomActionsSchema`)."""
        return name == "post_install" and self.head.post_install is None

    @property
    def default_queue(self) -> str:
        """The queue of jobs that do not select one."""
        return self.slurm.default_queue or next(iter(self.queues))

    def queue_of(self, group: str) -> str:
        """The queue that a group is in.

        Raises:
            StopIteration: there is no such group in a queue.
        """
        return next(name for name, queue in self.queues.items() if group in queue.groups)

    def group_path(self, name: str) -> KeyPath:
        """Where a group is in the description."""
        return ("queues", self.queue_of(name), "groups", name) if self.queues else ("groups", name)

    def role_of(self, group: Group) -> str | None:
        """The ARN of the existing role of a group's nodes; None if Muster creates one."""
        return group.role or self.iam.roles.nodes

    @property
    def service_nodes(self) -> Mapping[str, Controller | LoginNodes]:
        """The nodes that run no jobs on HyperPod, by the key of the description."""
        return {"controller": self.controller, **({"login": self.login} if self.login else {})}
