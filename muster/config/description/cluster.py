"""The description of a cluster on EKS or HyperPod, and of add-ons for the cluster of another stack."""

import re
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from muster.config.description.addons import Addons, ChartRepository, ImageRegistry
from muster.config.description.base import (
    NO_BOOL_OR_FLOAT,
    Change,
    Choice,
    Nothing,
    OnDestroy,
    StrictModel,
    field,
    unique_items,
)
from muster.config.description.hyperpod import HyperPod
from muster.config.description.instance_group import InstanceGroup
from muster.config.description.network import Network
from muster.config.description.node_group import Group
from muster.config.description.storage import Registry, Storage
from muster.config.identifiers import (
    Cidr,
    ClusterName,
    ExistingClusterName,
    FullStackName,
    GroupName,
    KmsKeyArn,
    Namespace,
    PrincipalArn,
    SecurityGroupId,
    StorageName,
    TagKey,
    TagValue,
)


class AuthenticationMode(StrEnum):
    """Who an EKS cluster lets in: IAM principals with access entries, those in its aws-auth ConfigMap, or both."""

    API = "api"
    BOTH = "api-and-config-map"
    CONFIG_MAP = "config-map"


class ExistingControlPlane(StrictModel):
    """An EKS cluster that exists: groups join it, what is its own stays as it is."""

    name: ExistingClusterName = field("The EKS cluster's name.", Change.REPLACES)
    security_group: SecurityGroupId = field(
        "The group that EKS made for it (`vpcConfig.clusterSecurityGroupId`): nodes need it to join. "
        "Another one replaces the cluster on HyperPod.",
        Change.DRAINS,
    )
    authentication: AuthenticationMode = field(
        "`accessConfig.authenticationMode`: api, api-and-config-map or config-map.", Change.NOTHING
    )


class ControlPlaneSource(Choice):
    """Where the control plane comes from."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"create"})

    create: Nothing | None = field("Muster creates it.", Change.REPLACES, default=None)
    existing: ExistingControlPlane | None = field("It exists, and groups join it.", Change.REPLACES, default=None)


class AccessPolicy(StrEnum):
    """EKS access policies, by their short names (`AmazonEKS...Policy`)."""

    CLUSTER_ADMIN = "cluster-admin"
    ADMIN = "admin"
    EDIT = "edit"
    VIEW = "view"


class Access(StrictModel):
    """Who may use the Kubernetes API, and how far.

    Do not list the identity that deploys: EKS makes it administrator, and refuses a second entry for it.
    """

    principal: PrincipalArn = field("An IAM role or user.", Change.REPLACES)
    policy: AccessPolicy = field("What it may do.", Change.REPLACES)
    namespaces: tuple[Namespace, ...] = field("Only there; everywhere without it.", Change.REPLACES, default=())


class Api(Choice):
    """Who reaches the API endpoint. Nodes always use the private one."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"private"})

    private: Nothing | None = field("Only from inside the VPC.", Change.IN_PLACE, default=None)
    public: Annotated[tuple[Cidr, ...], Field(min_length=1, max_length=40)] | None = field(
        "From these networks, and from inside the VPC.", Change.IN_PLACE, default=None
    )


class LogType(StrEnum):
    """EKS control-plane logs."""

    API = "api"
    AUDIT = "audit"
    AUTHENTICATOR = "authenticator"
    CONTROLLER_MANAGER = "controllerManager"
    SCHEDULER = "scheduler"


RetentionDays = Annotated[
    Literal[1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653],
    NO_BOOL_OR_FLOAT,
]
"""The periods CloudWatch Logs accepts (PutRetentionPolicy)."""


class Logs(StrictModel):
    """Control-plane logs in CloudWatch."""

    types: tuple[LogType, ...] = field("Which logs.", Change.IN_PLACE, default=tuple(LogType))
    retention_days: RetentionDays = field("How long they are kept.", Change.IN_PLACE, default=90)
    on_destroy: OnDestroy = field(
        "delete: they go with the cluster. keep: `destroy` stops while their log group exists, before it deletes "
        "anything (with --skip-preview only after all else).",
        Change.IN_PLACE,
        default=OnDestroy.DELETE,
    )


class Suppression(StrictModel):
    """A finding the user has looked at and takes the blame for."""

    rule: str = field("The rule's id.", Change.NOTHING)
    at: str = field("The place the finding is at: groups.workers, or a path below it.", Change.NOTHING)
    reason: str = field("Why it is all right here.", Change.NOTHING, min_length=10)
    until: date = field('The day after which the finding counts again, in quotes: "2026-12-31".', Change.NOTHING)


def _one_each(access: tuple[Access, ...]) -> tuple[Access, ...]:
    given = [(each.principal, each.policy) for each in access]
    for each in given:
        if given.count(each) > 1:
            raise ValueError(f"{each[0]} is given {each[1].value} twice; keep one, with all its namespaces")
    return access


def _version(value: str) -> str:
    if not re.fullmatch(r"1\.\d{2}", value):
        raise ValueError(f"'{value}' is not a Kubernetes version; write major and minor, as in \"1.35\"")
    return value


KubernetesVersion = Annotated[str, AfterValidator(_version), Field(json_schema_extra={"pattern": r"^1\.\d{2}$"})]

MOST_TAGS = 40
"""AWS takes 50; Muster, EKS and the provider add some."""


CONTROL_PLANE_KEYS = ("name", "api", "logs", "secrets-key", "secrets-key-on-destroy")
"""The keys of what an existing cluster has of its own."""


class KubernetesCluster(StrictModel):
    """What a cluster on an EKS control plane is, whoever runs its nodes."""

    backend: Any = field("Which service runs the cluster.", Change.REPLACES)
    name: ClusterName | None = field("The EKS cluster's name; the stack's without it.", Change.REPLACES, default=None)
    kubernetes: KubernetesVersion = field(
        'The Kubernetes version, in quotes: "1.35". One minor version up at a time; nodes follow.',
        Change.DRAINS,
    )
    control_plane: ControlPlaneSource = field("create, or {existing: ...}.", Change.REPLACES)
    access: Annotated[tuple[Access, ...], AfterValidator(_one_each)] = field(
        "Who may use the Kubernetes API.", Change.IN_PLACE, default=()
    )
    api: Api | None = field(
        "private, or {public: [networks]}. Needed unless the control plane exists: that has its own.",
        Change.IN_PLACE,
        default=None,
    )
    logs: Logs = field("Control-plane logs.", Change.IN_PLACE, default=Logs())
    secrets_key: KmsKeyArn | None = field(
        "Your own KMS key for Kubernetes secrets; Muster creates one without it. A cluster keeps the key that it was "
        "made with: EKS changes none, and `up` does not say so. Another one takes another `name`.",
        Change.STAYS,
        default=None,
    )
    secrets_key_on_destroy: OnDestroy = field(
        "Of the key that Muster creates. delete: it goes with the cluster, 30 days later. keep: `destroy` stops while "
        "it exists, before it deletes anything (with --skip-preview only after all else).",
        Change.IN_PLACE,
        default=OnDestroy.DELETE,
    )
    network: Network = field("The network.", Change.REPLACES)
    groups: Any = field("Groups of nodes by name; each backend has its own form.", Change.REPLACES)
    storage: dict[StorageName, Storage] = field(
        "Shared file systems by name; one that is renamed is a new one.", Change.REPLACES, default={}
    )
    registry: Registry | None = field("A container registry (ECR) for training images.", Change.IN_PLACE, default=None)
    addons: Addons = field("Kubernetes add-ons by name.", Change.IN_PLACE, default=Addons())
    addons_in: Annotated[tuple[FullStackName, ...], AfterValidator(unique_items)] = field(
        "Stacks of their own that have more add-ons for this cluster (addons-of): organization/project/stack. Their "
        "files, where they are here, are judged with this one; Muster installs nothing of them from here.",
        Change.NOTHING,
        default=(),
    )
    chart_mirror: ChartRepository | None = field(
        "Where all charts are taken from instead: the address of an index (https://...) or of a registry (oci://...).",
        Change.IN_PLACE,
        default=None,
    )
    image_mirror: ImageRegistry | None = field(
        "The registry that all images of add-ons are taken from instead, by the same names; EKS's own add-ons stay.",
        Change.IN_PLACE,
        default=None,
    )
    tags: dict[TagKey, TagValue] = field(
        "AWS tags on all that takes them, nodes too.", Change.DRAINS, default={}, max_length=MOST_TAGS
    )
    suppress: tuple[Suppression, ...] = field("Findings taken as known.", Change.NOTHING, default=())


class EksCluster(KubernetesCluster):
    """A training cluster on EKS: `muster:cluster` with `backend: eks`."""

    backend: Literal["eks"] = field("Which service runs the cluster.", Change.REPLACES)
    groups: dict[GroupName, Group] = field(
        "Node groups by name; one that is renamed is a new one.", Change.REPLACES, min_length=1
    )
    hyperpod: ClassVar[None] = None


class HyperPodCluster(KubernetesCluster):
    """A training cluster on SageMaker HyperPod, orchestrated by EKS: `muster:cluster` with `backend: hyperpod`."""

    backend: Literal["hyperpod"] = field("Which service runs the cluster.", Change.REPLACES)
    kubernetes: KubernetesVersion = field(
        'The Kubernetes version, in quotes: "1.35". One minor version up at a time; nodes keep theirs until their '
        "image is updated (`aws sagemaker update-cluster-software`, or a group's `updates`).",
        Change.IN_PLACE,
    )
    tags: dict[TagKey, TagValue] = field(
        "AWS tags on all that takes them.", Change.IN_PLACE, default={}, max_length=MOST_TAGS
    )
    groups: Annotated[dict[GroupName, InstanceGroup], Field(min_length=1, max_length=100)] = field(
        "Instance groups by name; one that is renamed is a new one.", Change.REPLACES
    )
    hyperpod: HyperPod = field("The HyperPod cluster itself.", Change.IN_PLACE, default=HyperPod())


AnyKubernetes = EksCluster | HyperPodCluster
"""Every cluster that has a Kubernetes control plane."""


def _some(addons: Addons) -> Addons:
    if not addons.chosen and not addons.charts:
        raise ValueError("no add-on is named; name one, as in mpi-operator: {}")
    return addons


class AddonsOf(StrictModel):
    """Add-ons for the cluster of another stack: `muster:cluster` with `addons-of`.

    The cluster is described in its own stack, and known here by what that one exports.
    """

    addons_of: FullStackName = field(
        "The cluster's own stack: organization/project/stack, as `pulumi stack ls --all` lists it.", Change.REPLACES
    )
    addons: Annotated[Addons, AfterValidator(_some)] = field("Kubernetes add-ons by name.", Change.IN_PLACE)
    chart_mirror: ChartRepository | None = field(
        "Where all charts are taken from instead: the address of an index (https://...) or of a registry (oci://...).",
        Change.IN_PLACE,
        default=None,
    )
    image_mirror: ImageRegistry | None = field(
        "The registry that all images of add-ons are taken from instead, by the same names; EKS's own add-ons stay.",
        Change.IN_PLACE,
        default=None,
    )
    suppress: tuple[Suppression, ...] = field("Findings taken as known.", Change.NOTHING, default=())
