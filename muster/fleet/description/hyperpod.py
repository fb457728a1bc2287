"""What a description says of a HyperPod cluster beside its groups."""

from enum import StrEnum

from pydantic import StrictInt

from muster.fleet.description.identifiers import HyperPodName
from muster.fleet.description.lifecycle import Lifecycle
from muster.fleet.description.mlflow import Mlflow
from muster.fleet.description.part import Change, Nothing, Part, field


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


class TieredStorage(Part):
    """Checkpoints in the instances' own memory, kept by HyperPod's tiered storage."""

    memory_percent: StrictInt = field("So many of a hundred of each instance's memory.", Change.IN_PLACE, ge=1, le=100)


class HyperPod(Part):
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
