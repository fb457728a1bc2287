"""The fields that clusters with Kubernetes have on every backend, and add-ons for the cluster of another stack."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from muster.config.description.addons import Addons, ChartRepository, ImageRegistry
from muster.config.description.base import (
    EKS,
    HYPERPOD,
    NO_BOOL_OR_FLOAT,
    Change,
    Choice,
    Nothing,
    OnDestroy,
    StrictModel,
    key,
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
    from muster.config.description.group import Group
    from muster.config.description.hyperpod_settings import HyperPod


class AuthenticationMode(StrEnum):
    """How an EKS cluster authenticates IAM principals: by access entries, by its aws-auth ConfigMap, or by both."""

    API = "api"
    BOTH = "api-and-config-map"
    CONFIG_MAP = "config-map"


class ExistingControlPlane(StrictModel):
    """An existing EKS cluster. Groups join it; Muster changes none of its settings."""

    name: ExistingClusterName = key("Name of the EKS cluster.", Change.REPLACES)
    security_group: SecurityGroupId = key(
        "Security group that EKS created for the cluster (`vpcConfig.clusterSecurityGroupId`). Nodes need it to "
        "join. On HyperPod, another security group replaces the HyperPod cluster.",
        {EKS: Change.DRAINS, HYPERPOD: Change.REPLACES},
    )
    authentication: AuthenticationMode = key(
        "Authentication mode of the cluster (`accessConfig.authenticationMode`): api, api-and-config-map or "
        "config-map.",
        Change.NOTHING,
    )


class ControlPlaneSource(Choice):
    """The control plane: one that Muster creates, or an existing one."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"create"})

    create: Nothing | None = key("Muster creates the control plane.", Change.REPLACES, default=None)
    existing: ExistingControlPlane | None = key(
        "An existing control plane, which groups join.", Change.REPLACES, default=None
    )


class AccessPolicy(StrEnum):
    """EKS access policies, by their short names (`AmazonEKS...Policy`)."""

    CLUSTER_ADMIN = "cluster-admin"
    ADMIN = "admin"
    EDIT = "edit"
    VIEW = "view"


class Access(StrictModel):
    """Who may use the Kubernetes API, and with which rights.

    Do not list the identity that deploys: EKS makes it administrator, and refuses a second entry for it.
    """

    principal: PrincipalArn = key("ARN of an IAM role or user.", Change.REPLACES)
    policy: AccessPolicy = key(
        "EKS access policy of the principal: cluster-admin, admin, edit or view.", Change.REPLACES
    )
    namespaces: Annotated[tuple[NamespacePattern, ...], Field(min_length=1)] = key(
        "Namespaces to which the policy applies. `*` matches any characters, as in `team-*`. Default: all namespaces.",
        Change.REPLACES,
        default=(),
    )


class Api(Choice):
    """From where the endpoint of the Kubernetes API is reachable. Nodes always use the private endpoint."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"private"})

    private: Nothing | None = key("Reachable only from inside the VPC.", Change.IN_PLACE, default=None)
    public: Annotated[tuple[Cidr, ...], Field(min_length=1, max_length=40)] | None = key(
        "Reachable from these networks (IPv4 CIDR blocks), and from inside the VPC.", Change.IN_PLACE, default=None
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

    types: tuple[LogType, ...] = key(
        "Logs to enable: api, audit, authenticator, controllerManager, scheduler. Default: all of them.",
        Change.IN_PLACE,
        default=tuple(LogType),
    )
    retention_days: RetentionDays = key(
        "Days for which CloudWatch keeps the logs. Default: 90.", Change.IN_PLACE, default=90
    )
    on_destroy: OnDestroy = key(
        "delete: `destroy` deletes the logs with the cluster. keep: `destroy` stops before it deletes anything "
        "while the log group exists (with --skip-preview, only after it deletes all other resources). Default: "
        "delete.",
        Change.IN_PLACE,
        default=OnDestroy.DELETE,
    )


def _one_each(access: tuple[Access, ...]) -> tuple[Access, ...]:
    given = [(each.principal, each.policy) for each in access]
    for each in given:
        if given.count(each) > 1:
            raise ValueError(
                f"{each[0]} has policy {each[1].value} in two entries; keep one entry, with all namespaces"
            )
    return access


def _version(value: str) -> str:
    if not re.fullmatch(r"1\.\d{2}", value):
        raise ValueError(f"'{value}' is not a Kubernetes version; write major and minor, as in \"1.35\"")
    return value


KubernetesVersion = Annotated[str, AfterValidator(_version), Field(json_schema_extra={"pattern": r"^1\.\d{2}$"})]

MOST_TAGS = 40
"""AWS allows 50; Muster, EKS and the provider add some."""


CONTROL_PLANE_KEYS = ("name", "api", "logs", "secrets-key", "secrets-key-on-destroy")
"""Keys that an existing cluster already sets itself."""


_CHART_MIRROR = key(
    "Repository from which Muster installs all Helm charts instead of their public ones: an index (https://...) or "
    "a registry (oci://...). Default: the public repositories.",
    Change.IN_PLACE,
    default=None,
)
_IMAGE_MIRROR = key(
    "Registry from which nodes pull all images of add-ons, under the same names. EKS add-ons keep their own "
    "registry. Default: the public registries.",
    Change.IN_PLACE,
    default=None,
)


class KubernetesCluster(AnyCluster):
    """A cluster on an EKS control plane, with nodes on EKS or HyperPod."""

    backend: Any = key("Service that runs the cluster.", Change.REPLACES)
    name: ClusterName | None = key(
        "Name of the EKS cluster. Default: the name of the stack.", Change.REPLACES, default=None
    )
    kubernetes: KubernetesVersion = key(
        'Kubernetes version, in quotes: "1.35". Raise it by one minor version at a time. Nodes follow.',
        Change.DRAINS,
    )
    control_plane: ControlPlaneSource = key("Control plane: create, or {existing: ...}.", Change.REPLACES)
    access: Annotated[tuple[Access, ...], AfterValidator(_one_each)] = key(
        "IAM roles and users that may use the Kubernetes API, as EKS access entries. Default: none.",
        Change.IN_PLACE,
        default=(),
    )
    api: Api | None = key(
        "Endpoint of the Kubernetes API: private, or {public: [networks]}. Required, except with an existing "
        "control plane, which has its own.",
        Change.IN_PLACE,
        default=None,
    )
    logs: Logs = key(
        "Control-plane logs in CloudWatch. Default: all types, for 90 days.", Change.IN_PLACE, default=Logs()
    )
    secrets_key: KmsKeyArn | None = key(
        "ARN of a customer managed KMS key for Kubernetes secrets. Default: a key that Muster creates. A cluster "
        "keeps the key that it was created with: EKS does not change it, and `up` does not report that. To use "
        "another key, create a cluster with another `name`.",
        Change.STAYS,
        default=None,
    )
    secrets_key_on_destroy: OnDestroy = key(
        "For the key that Muster creates. delete: AWS deletes it 30 days after the cluster. keep: `destroy` stops "
        "before it deletes anything while the key exists (with --skip-preview, only after it deletes all other "
        "resources). Default: delete.",
        Change.IN_PLACE,
        default=OnDestroy.DELETE,
    )
    network: Network = key("Network of the cluster: {existing: ...} or {create: ...}.", Change.REPLACES)
    if TYPE_CHECKING:
        groups: Mapping[str, Group]

        @property
        def hyperpod(self) -> HyperPod | None:
            """The HyperPod cluster, on that backend."""

    else:
        groups: Any = key("Groups of nodes by name; each backend has its own model.", Change.REPLACES)
    storage: dict[StorageName, Storage] = key(
        "Shared file systems by name. If you rename one, Muster creates a new one. Default: none.",
        Change.REPLACES,
        default={},
    )
    registry: Registry | None = key(
        "Container registry (ECR) for training images. Default: none.", Change.IN_PLACE, default=None
    )
    addons: Addons = key("Kubernetes add-ons by name. Default: none.", Change.IN_PLACE, default=Addons())
    addons_in: Annotated[tuple[FullStackName, ...], AfterValidator(unique_items)] = key(
        "Other stacks with more add-ons for this cluster (those with `addons-of`), as organization/project/stack. "
        "Muster checks their files with this one if it finds them here; it does not install their add-ons from "
        "here. Default: none.",
        Change.NOTHING,
        default=(),
    )
    chart_mirror: ChartRepository | None = _CHART_MIRROR
    image_mirror: ImageRegistry | None = _IMAGE_MIRROR
    tags: dict[TagKey, TagValue] = key(
        "AWS tags on every resource that supports tags, nodes included. Default: none.",
        Change.DRAINS,
        default={},
        max_length=MOST_TAGS,
    )
    suppress: tuple[Suppression, ...] = key(
        "Findings that you accept, each with a reason and an end date. Default: none.", Change.NOTHING, default=()
    )


def _some(addons: Addons) -> Addons:
    if not addons.chosen and not addons.charts:
        raise ValueError("there is no add-on here; add one, as in mpi-operator: {}")
    return addons


class AddonsOf(StrictModel):
    """Add-ons for the cluster of another stack: `muster:cluster` with `addons-of`.

    The cluster is described in its own stack. This stack reads the outputs of that one.
    """

    addons_of: FullStackName = key(
        "Stack of the cluster: organization/project/stack, as `pulumi stack ls --all` prints it.", Change.REPLACES
    )
    addons: Annotated[Addons, AfterValidator(_some)] = key(
        "Kubernetes add-ons by name. Default: none.", Change.IN_PLACE
    )
    chart_mirror: ChartRepository | None = _CHART_MIRROR
    image_mirror: ImageRegistry | None = _IMAGE_MIRROR
    suppress: tuple[Suppression, ...] = key(
        "Findings that you accept, each with a reason and an end date. Default: none.", Change.NOTHING, default=()
    )
