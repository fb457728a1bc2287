"""What the descriptions of clusters with Kubernetes have, and add-ons for the cluster of another stack."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

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
from muster.config.description.cluster import AnyCluster, Suppression
from muster.config.description.network import Network
from muster.config.description.storage import Registry, Storage
from muster.config.identifiers import (
    Cidr,
    ClusterName,
    ExistingClusterName,
    FullStackName,
    KmsKeyArn,
    NamespacePattern,
    PrincipalArn,
    SecurityGroupId,
    StorageName,
    TagKey,
    TagValue,
)

if TYPE_CHECKING:
    from muster.config.description.hyperpod_settings import HyperPod
    from muster.config.description.instance_group import InstanceGroup
    from muster.config.description.node_group import Group


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
    namespaces: Annotated[tuple[NamespacePattern, ...], Field(min_length=1)] = field(
        "Only there, `*` for any characters (`team-*`); everywhere without it.", Change.REPLACES, default=()
    )


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


_CHART_MIRROR = field(
    "Where all charts are taken from instead: the address of an index (https://...) or of a registry (oci://...).",
    Change.IN_PLACE,
    default=None,
)
_IMAGE_MIRROR = field(
    "The registry that all images of add-ons are taken from instead, by the same names; EKS's own add-ons stay.",
    Change.IN_PLACE,
    default=None,
)


class KubernetesCluster(AnyCluster):
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
    if TYPE_CHECKING:
        groups: Mapping[str, Group | InstanceGroup]

        @property
        def hyperpod(self) -> HyperPod | None:
            """The HyperPod cluster, on that backend."""

    else:
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
    chart_mirror: ChartRepository | None = _CHART_MIRROR
    image_mirror: ImageRegistry | None = _IMAGE_MIRROR
    tags: dict[TagKey, TagValue] = field(
        "AWS tags on all that takes them, nodes too.", Change.DRAINS, default={}, max_length=MOST_TAGS
    )
    suppress: tuple[Suppression, ...] = field("Findings taken as known.", Change.NOTHING, default=())


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
    chart_mirror: ChartRepository | None = _CHART_MIRROR
    image_mirror: ImageRegistry | None = _IMAGE_MIRROR
    suppress: tuple[Suppression, ...] = field("Findings taken as known.", Change.NOTHING, default=())
