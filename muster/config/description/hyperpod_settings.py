"""Settings of a HyperPod cluster, except its groups; includes SageMaker's managed MLflow."""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, Field, StrictBool, StrictInt, model_validator

from muster.config.description.base import (
    HYPERPOD,
    HYPERPOD_SLURM,
    Change,
    Form,
    Nothing,
    OnDestroy,
    StrictModel,
    key,
    optional,
)
from muster.config.description.instance_group import Lifecycle
from muster.config.description.task_governance import TaskGovernance
from muster.config.identifiers import HyperPodName, Namespace, RoleArn
from muster.versions import MLFLOW_CLIENTS

_NAME = Form(
    r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,255}",
    "a valid name of a tracking server",
    "ml-runs, with letters, digits and dashes between them, at most 256 characters",
    256,
)
_WINDOW = Form(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun):([01][0-9]|2[0-3]):[0-5][0-9]", "a day and time in UTC", "Tue:03:30")
"""Both patterns are those of the API (botocore `sagemaker`, CreateMlflowTrackingServer)."""
_ACCOUNT = Form(
    "[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?",
    "a valid name of a service account",
    "team-a, with lower-case letters, digits and dashes",
)


class MlflowSize(StrEnum):
    """The size of a tracking server. AWS recommends small, medium and large for up to 25, 50 and 100 users."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


def _version(value: str) -> str:
    if value in MLFLOW_CLIENTS:
        return value
    known = ", ".join(f'"{each}"' for each in MLFLOW_CLIENTS)
    short = ".".join(value.split(".")[:2])
    hint = f'write "{short}", without a third number' if short in MLFLOW_CLIENTS else f"write {known}"
    raise ValueError(f"SageMaker has no tracking server with MLflow version '{value}'; {hint}")


class MlflowPods(StrictModel):
    """The pods that may log to the tracking server: those of one service account, by EKS Pod Identity. Muster creates
    the service account."""

    namespace: Namespace = key(
        "Namespace of the service account. Muster creates it if it does not exist, and never deletes it. In a "
        "namespace that an add-on creates, Muster creates the service account after the add-on. Default: default.",
        Change.REPLACES,
        default="default",
    )
    service_account: Annotated[str, _ACCOUNT] = key(
        "Name of the service account, which pods set as `serviceAccountName`. Such pods get all their AWS "
        "permissions from it, and none from the node. Default: mlflow.",
        Change.REPLACES,
        default="mlflow",
    )


class Mlflow(StrictModel):
    """A tracking server or a serverless MLflow App in the Region of the cluster, with its own S3 bucket for artifacts.

    AWS bills a tracking server by the hour while it runs, even if no run logs to it.
    """

    @model_validator(mode="after")
    def _no_server_no_size(self) -> Self:
        given = [key for key in ("size", "version") if key in self.model_fields_set]
        if self.serverless and given:
            raise ValueError(
                f"{' and '.join(given)} {'is' if len(given) == 1 else 'are'} for a tracking server, but serverless is "
                f"true; remove {' and '.join(given)}, or serverless"
            )
        return self

    serverless: StrictBool = key(
        "true: an MLflow App, which has no size, and whose MLflow version AWS chooses. false: a tracking server. A "
        "change creates the other one, without the experiments and runs. Default: false.",
        Change.REPLACES,
        default=False,
    )

    name: Annotated[str, _NAME] | None = optional(
        "Name of the tracking server or the app. Default: the name of the EKS cluster.", Change.REPLACES
    )
    size: MlflowSize = key(
        "Size of a tracking server: small (up to 25 users), medium (50) or large (100). Default: small.",
        Change.IN_PLACE,
        default=MlflowSize.SMALL,
    )
    version: Annotated[str, AfterValidator(_version), Field(json_schema_extra={"enum": list(MLFLOW_CLIENTS)})] = key(
        'Version of MLflow of a tracking server, as in "3.0". Another version creates another server, without the '
        "experiments and runs of the old one. Default: the newest version that Muster supports.",
        Change.REPLACES,
        default=next(iter(MLFLOW_CLIENTS)),
    )
    maintenance: Annotated[str, _WINDOW] | None = optional(
        "Day and time of the weekly maintenance by AWS, in UTC, as in Tue:03:30. Default: a time that AWS chooses.",
        Change.IN_PLACE,
    )
    register_models: StrictBool = key(
        "Whether models registered in MLflow appear in the model registry of SageMaker. Default: false.",
        Change.IN_PLACE,
        default=False,
    )
    pods: MlflowPods = key(
        "Pods that may log to the server. Default: those of service account mlflow in namespace default.",
        Change.IN_PLACE,
        default=MlflowPods.model_construct(),
    )
    on_destroy: OnDestroy = key(
        "keep: `destroy` stops before it deletes anything while the server and the bucket exist (with "
        "--skip-preview, only after it deletes all other resources). delete: it deletes both, with experiments, "
        "runs and artifacts. Default: keep.",
        Change.IN_PLACE,
        default=OnDestroy.KEEP,
    )


class NodeRecovery(StrEnum):
    """Whether HyperPod replaces or reboots instances that fail their health checks."""

    AUTOMATIC = "automatic"
    NONE = "none"


class Provisioning(StrEnum):
    """How HyperPod provisions instances."""

    ALL_AT_ONCE = "all-at-once"
    """HyperPod provisions all instances of a group, or none."""
    CONTINUOUS = "continuous"
    """Available instances start now, the others later (`NodeProvisioningMode: Continuous`)."""


class Autoscaling(StrEnum):
    """What adds and removes instances according to the requests of pods."""

    NONE = "none"
    KARPENTER = "karpenter"


class TieredStorage(StrictModel):
    """Checkpoints in the memory of the instances, by HyperPod's tiered storage."""

    memory_percent: StrictInt = key(
        "Percentage of the memory of each instance, 1 to 100.", Change.IN_PLACE, ge=1, le=100
    )


class ConfigStrategy(StrEnum):
    """How HyperPod changes the partitions in slurm.conf (`SlurmConfigStrategy`)."""

    MANAGED = "managed"
    """Only HyperPod changes them. An update fails if you changed them on the controller."""
    OVERWRITE = "overwrite"
    """HyperPod overwrites your changes on the controller."""
    MERGE = "merge"
    """HyperPod keeps your changes on the controller."""


_WITH_EKS = {HYPERPOD: Change.IN_PLACE}


class HyperPod(StrictModel):
    """The HyperPod cluster: its node recovery, its roles, and how it provisions and configures instances."""

    @model_validator(mode="after")
    def _role_has_a_use(self) -> Self:
        if self.cluster_role and self.autoscaling is not Autoscaling.KARPENTER:
            raise ValueError(
                "cluster-role is set, but only Karpenter uses it; write autoscaling: karpenter, or remove cluster-role"
            )
        return self

    name: HyperPodName | None = optional(
        "Name of the HyperPod cluster. Default: the name of the EKS cluster.",
        {HYPERPOD: Change.REPLACES},
        instead="name",
    )
    node_recovery: NodeRecovery = key(
        "automatic: HyperPod reboots or replaces instances that fail. none: you do it; on EKS, HyperPod labels them. "
        "Default: automatic.",
        Change.IN_PLACE,
        default=NodeRecovery.AUTOMATIC,
    )
    execution_role: RoleArn | None = optional(
        "ARN of an existing role of the instances (`ExecutionRole`). Muster then creates none: this role needs "
        "AmazonSageMakerClusterInstanceRolePolicy, and access to the network, the images and the lifecycle scripts. "
        "Default: Muster creates a role.",
        Change.IN_PLACE,
    )
    cluster_role: RoleArn | None = optional(
        "ARN of an existing role with which Karpenter adds nodes (`ClusterRole`). Only with `autoscaling: karpenter`. "
        "Default: Muster creates a role.",
        _WITH_EKS,
    )
    provisioning: Provisioning = key(
        "Provisioning of instances: all-at-once or continuous. SageMaker cannot turn continuous off in an existing "
        "cluster; for all-at-once, create a cluster with another `name`. Default: all-at-once.",
        Change.IN_PLACE,
        default=Provisioning.ALL_AT_ONCE,
    )
    autoscaling: Autoscaling = key(
        "Autoscaling of the nodes: none, or karpenter, which HyperPod runs. karpenter needs `provisioning: "
        "continuous`. Default: none.",
        _WITH_EKS,
        default=Autoscaling.NONE,
    )
    tiered_storage: TieredStorage | None = optional(
        "Tiered storage for checkpoints, in the memory of the instances. Default: off.", _WITH_EKS
    )
    config_strategy: ConfigStrategy | None = optional(
        "What HyperPod does with changes that you make to partitions in slurm.conf: managed (an update fails), "
        "overwrite or merge (`SlurmConfigStrategy`). Not with `provisioning: continuous`, which always merges. "
        "Default: managed.",
        {HYPERPOD_SLURM: Change.IN_PLACE},
    )
    lifecycle: Lifecycle = key(
        "Lifecycle scripts that run on new instances: default (Muster's, only with EKS), {own: ...} or none. "
        "Default: default; with Slurm, none.",
        {HYPERPOD: Change.NEXT_LAUNCH, HYPERPOD_SLURM: Change.NEXT_LAUNCH},
        here={
            HYPERPOD_SLURM: {
                "default": Lifecycle.model_construct(none=Nothing()),
            }
        },
        default=Lifecycle.model_construct(default=Nothing()),
    )
    mlflow: Mlflow | None = optional(
        "SageMaker's managed MLflow: a tracking server, its bucket, and the permission for pods to log to it. "
        "Default: none.",
        _WITH_EKS,
    )
    task_governance: TaskGovernance | None = optional(
        "Quotas of teams, and priority classes of jobs. Default: none.", _WITH_EKS
    )
