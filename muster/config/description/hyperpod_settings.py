"""Settings of a HyperPod cluster beside its groups, with SageMaker's managed MLflow."""

import re
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StrictBool, StrictInt

from muster.config.description.base import Change, Nothing, OnDestroy, StrictModel, field
from muster.config.description.instance_group import Lifecycle
from muster.config.identifiers import HyperPodName, Namespace
from muster.versions import MLFLOW_CLIENTS

_NAME = r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,255}"
_LONGEST_NAME = 256
_WINDOW = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun):([01][0-9]|2[0-3]):[0-5][0-9]"
"""Both are the API's own forms (botocore `sagemaker`, CreateMlflowTrackingServer)."""
_ACCOUNT = r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?"


class MlflowSize(StrEnum):
    """How large a tracking server is. AWS recommends one by people: up to 25, 50, 100."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


def _name(value: str) -> str:
    if len(value) > _LONGEST_NAME or not re.fullmatch(_NAME, value):
        raise ValueError(
            f"'{value}' is not the name of a tracking server; use letters and digits, and dashes between them, "
            f"{_LONGEST_NAME} at most"
        )
    return value


def _version(value: str) -> str:
    if value in MLFLOW_CLIENTS:
        return value
    known = ", ".join(f'"{each}"' for each in MLFLOW_CLIENTS)
    short = ".".join(value.split(".")[:2])
    hint = f'write "{short}": the version has no third number here' if short in MLFLOW_CLIENTS else f"write {known}"
    raise ValueError(f"SageMaker has no tracking server of MLflow '{value}'; {hint}")


def _window(value: str) -> str:
    if not re.fullmatch(_WINDOW, value):
        raise ValueError(f"'{value}' is not a time of the week in UTC; write one like Tue:03:30")
    return value


def _account(value: str) -> str:
    if not re.fullmatch(_ACCOUNT, value):
        raise ValueError(f"'{value}' is not the name of a service account; use lower-case letters, digits and dashes")
    return value


def _pattern(form: str) -> Any:
    return Field(json_schema_extra={"pattern": f"^{form}$"})


class MlflowPods(StrictModel):
    """Which pods may log to it: those of one service account, by EKS Pod Identity. Muster makes the account."""

    namespace: Namespace = field(
        "The account's namespace. Made if it is not there, and it stays. In one that an add-on makes the account "
        "comes after the add-on.",
        Change.REPLACES,
        default="default",
    )
    service_account: Annotated[str, AfterValidator(_account), _pattern(_ACCOUNT)] = field(
        "Its name: pods say `serviceAccountName`. Their other rights in AWS come from it, too, and not from the node.",
        Change.REPLACES,
        default="mlflow",
    )


class Mlflow(StrictModel):
    """A tracking server, in the cluster's Region, with a bucket of its own for artifacts.

    It costs by the hour while it runs, whether or not anybody logs to it.
    """

    name: Annotated[str, AfterValidator(_name), _pattern(_NAME)] | None = field(
        "Its name, part of its ARN; the EKS cluster's without it.", Change.REPLACES, default=None
    )
    size: MlflowSize = field(
        "small (up to 25 people), medium (50) or large (100).", Change.IN_PLACE, default=MlflowSize.SMALL
    )
    version: Annotated[str, AfterValidator(_version), Field(json_schema_extra={"enum": list(MLFLOW_CLIENTS)})] = field(
        'MLflow\'s, as in "3.0". Another one is another server: experiments and runs are in the old one.',
        Change.REPLACES,
        default=next(iter(MLFLOW_CLIENTS)),
    )
    maintenance: Annotated[str, AfterValidator(_window), _pattern(_WINDOW)] | None = field(
        "When AWS may maintain it, a time of the week in UTC, as in Tue:03:30; AWS chooses without it.",
        Change.IN_PLACE,
        default=None,
    )
    register_models: StrictBool = field(
        "Whether models registered in MLflow appear in SageMaker's model registry.", Change.IN_PLACE, default=False
    )
    pods: MlflowPods = field("Which pods may log to it.", Change.IN_PLACE, default=MlflowPods())
    on_destroy: OnDestroy = field(
        "keep: `destroy` stops while server and bucket exist, before it deletes anything (with --skip-preview only "
        "after all else). delete: they go, with experiments, runs and artifacts.",
        Change.IN_PLACE,
        default=OnDestroy.KEEP,
    )


class NodeRecovery(StrEnum):
    """Whether HyperPod replaces or reboots instances that fail their health checks."""

    AUTOMATIC = "automatic"
    NONE = "none"


class Provisioning(StrEnum):
    """How instances come."""

    ALL_AT_ONCE = "all-at-once"
    """A group comes whole, or not at all."""
    CONTINUOUS = "continuous"
    """What there is starts, what lacks comes later (`NodeProvisioningMode: Continuous`)."""


class Autoscaling(StrEnum):
    """Who adds and takes away instances by what pods ask for."""

    NONE = "none"
    KARPENTER = "karpenter"


class TieredStorage(StrictModel):
    """Checkpoints in the instances' own memory, kept by HyperPod's tiered storage."""

    memory_percent: StrictInt = field("So many of a hundred of each instance's memory.", Change.IN_PLACE, ge=1, le=100)


class HyperPod(StrictModel):
    """The HyperPod cluster: its name, how it mends itself, how instances come."""

    name: HyperPodName | None = field("Its name; the EKS cluster's without it.", Change.REPLACES, default=None)
    node_recovery: NodeRecovery = field(
        "automatic: instances that fail are rebooted or replaced. none: they stay, with a label.",
        Change.IN_PLACE,
        default=NodeRecovery.AUTOMATIC,
    )
    provisioning: Provisioning = field(
        "all-at-once or continuous. SageMaker has no word that takes continuous back: a cluster that has it keeps it, "
        "and another `name` makes one without.",
        Change.IN_PLACE,
        default=Provisioning.ALL_AT_ONCE,
    )
    autoscaling: Autoscaling = field(
        "none, or karpenter: HyperPod's own; needs `provisioning: continuous`.",
        Change.IN_PLACE,
        default=Autoscaling.NONE,
    )
    tiered_storage: TieredStorage | None = field(
        "Checkpoints in memory; off without it.", Change.IN_PLACE, default=None
    )
    lifecycle: Lifecycle = field(
        "Whose scripts run on new instances: default (Muster's), {own: ...} or none.",
        Change.NEXT_LAUNCH,
        default=Lifecycle(default=Nothing()),
    )
    mlflow: Mlflow | None = field(
        "SageMaker's managed MLflow: a tracking server, its bucket, and the right to log to it; none without it.",
        Change.IN_PLACE,
        default=None,
    )
