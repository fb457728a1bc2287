"""The control plane of a cluster with Kubernetes: who may use its API, from where, and its logs."""

from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, StrictBool, model_validator

from muster.config.description.base import (
    EKS,
    HYPERPOD,
    NO_BOOL_OR_FLOAT,
    PARALLELCLUSTER,
    Change,
    Choice,
    Form,
    Nothing,
    OnDestroy,
    StrictModel,
    everywhere,
    fault_at,
    key,
    optional,
    unique_items,
)
from muster.config.identifiers import (
    Cidr,
    ExistingClusterName,
    KubernetesGroup,
    NamespacePattern,
    PrincipalArn,
    SecurityGroupId,
)


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

    create: Nothing | None = optional("Muster creates the control plane.", Change.REPLACES)
    existing: ExistingControlPlane | None = optional("An existing control plane, which groups join.", Change.REPLACES)


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
    policy: AccessPolicy | None = optional(
        "EKS access policy of the principal: cluster-admin, admin, edit or view. Of these, only cluster-admin gives "
        "rights on custom resources, such as the jobs of operators. Default: none, only `groups`.",
        Change.REPLACES,
    )
    namespaces: Annotated[tuple[NamespacePattern, ...], Field(min_length=1)] = key(
        "Namespaces to which the policy and `jobs` apply. `*` matches any characters, as in `team-*` (not with "
        "`jobs`). Default: all namespaces.",
        Change.REPLACES,
        default=(),
    )
    groups: Annotated[tuple[KubernetesGroup, ...], AfterValidator(unique_items)] = key(
        "Kubernetes groups of the principal, for RoleBindings and ClusterRoleBindings. Default: none.",
        Change.IN_PLACE,
        default=(),
    )
    jobs: StrictBool = key(
        "Whether the groups may create, change and delete jobs: those of Kubernetes, and those of the operators below "
        "`addons`. Muster makes the ClusterRole `muster-jobs` and its bindings, and namespaces that do not exist. "
        "Default: false.",
        Change.IN_PLACE,
        default=False,
    )

    @model_validator(mode="after")
    def _gives_something(self) -> Self:
        """Raises a fault for an entry without rights, and for jobs that no RoleBinding can allow."""
        patterns = [each for each in self.namespaces if "*" in each]
        if self.jobs and not self.groups:
            at, got, remedy = "jobs", "jobs are allowed to the groups, and there are none", "add groups, as in [team-a]"
        elif self.jobs and patterns:
            got = f"a RoleBinding is in one namespace, and '{patterns[0]}' is a pattern"
            at, remedy = "namespaces", "list the namespaces, or leave them out"
        elif self.policy is None and not self.groups:
            at, got, remedy = "policy", "the entry gives no rights", "set policy or groups"
        else:
            return self
        raise fault_at(at, got, remedy)


def one_each(access: tuple[Access, ...]) -> tuple[Access, ...]:
    """The entries, after a check that none has the principal and the policy of another.

    Raises:
        ValueError: two have.
    """
    given = [(each.principal, each.policy) for each in access]
    for each in given:
        if given.count(each) > 1:
            raise ValueError(
                f"{each[0]} has {f'policy {each[1].value}' if each[1] else 'no policy'} in two entries; keep one "
                "entry, with all namespaces"
            )
    return access


class Api(Choice):
    """From where the endpoint of the Kubernetes API is reachable. Nodes always use the private endpoint."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"private"})

    private: Nothing | None = optional("Reachable only from inside the VPC.", Change.IN_PLACE)
    public: Annotated[tuple[Cidr, ...], Field(min_length=1, max_length=40)] | None = optional(
        "Reachable from these networks (IPv4 CIDR blocks), and from inside the VPC.", Change.IN_PLACE
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


KubernetesVersion = Annotated[str, Form(r"1\.\d{2}", "a Kubernetes version", '"1.35", in quotes')]

RetentionDaysOfSlurm = Annotated[
    Literal[1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653],
    NO_BOOL_OR_FLOAT,
]
"""The periods that ParallelCluster 3.16.1 supports (`CloudWatchLogsSchema`): not all of those of CloudWatch."""


class Logs(StrictModel):
    """Logs in CloudWatch: of the control plane, or, on ParallelCluster, of all nodes."""

    types: tuple[LogType, ...] = key(
        "Logs to enable: api, audit, authenticator, controllerManager, scheduler. Default: all of them.",
        {EKS: Change.IN_PLACE, HYPERPOD: Change.IN_PLACE},
        default=tuple(LogType),
    )
    retention_days: RetentionDays = key(
        "Days for which CloudWatch keeps the logs. Default: 90.",
        everywhere(Change.IN_PLACE),
        here={PARALLELCLUSTER: {"form": RetentionDaysOfSlurm}},
        default=90,
    )
    on_destroy: OnDestroy = key(
        "delete: `destroy` deletes the logs with the cluster. keep: `destroy` stops before it deletes anything "
        "while the log group exists (with --skip-preview, only after it deletes all other resources). Default: "
        "delete.",
        everywhere(Change.IN_PLACE),
        here={
            PARALLELCLUSTER: {
                "doc": "What happens to the logs when you delete the cluster: keep or delete. Default: keep.",
                "default": OnDestroy.KEEP,
            }
        },
        default=OnDestroy.DELETE,
    )
