"""The instance groups of a HyperPod cluster with Slurm: the controller, the login nodes, and groups of compute nodes.

Sources: SageMaker guide, "Getting started with SageMaker HyperPod using the AWS CLI"
(smcluster-getting-started-slurm-cli) and "SageMaker HyperPod Slurm configuration" (sagemaker-hyperpod-ref).
"""

import re
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, BeforeValidator, Field, StrictInt, model_validator

from muster.config.description.base import Change, Choice, Nothing, StrictModel, key
from muster.config.description.capacity import HyperPodSlurmCapacity
from muster.config.description.instance_group import (
    MOST_INSTANCES,
    InstanceCount,
    InstanceSettings,
    Interface,
    OwnScripts,
    count_from_number,
)
from muster.config.description.node_group import BaseGroup, InstanceType, Purpose, SecurityGroups, Tier
from muster.config.identifiers import GroupName
from muster.hardware.catalogue import hardware
from muster.hardware.default_types import HYPERPOD_CONTROLLER
from muster.hardware.hyperpod_types import ML
from muster.hardware.interfaces import Layout
from muster.hardware.zones import ZoneName

PARTITION = r"[a-zA-Z0-9](-*[a-zA-Z0-9])*"
LONGEST_PARTITION = 1024
"""Both of `ClusterPartitionName` in SageMaker's model."""

EVERY_NODE = "dev"
"""The partition that HyperPod creates with all compute nodes (sagemaker-hyperpod-ref, SlurmConfig). It is the default
partition of jobs."""


def _partition(value: str) -> str:
    if not re.fullmatch(PARTITION, value) or len(value) > LONGEST_PARTITION:
        raise ValueError(
            f"'{value}' is not a valid name of a partition; use letters and digits, with dashes between them, as in "
            "training"
        )
    return value


PartitionName = Annotated[
    str, AfterValidator(_partition), Field(json_schema_extra={"pattern": f"^{PARTITION}$", "examples": ["training"]})
]


class SlurmLifecycle(Choice):
    """Which lifecycle scripts run on a new instance of a cluster with Slurm."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"none"})

    none: Nothing | None = key(
        "No scripts: HyperPod sets up Slurm, Docker, Enroot, Pyxis, accounting and file systems from its image.",
        Change.NEXT_LAUNCH,
        default=None,
    )
    own: OwnScripts | None = key(
        "Your own scripts, from an existing bucket. With on-init-complete, they run after HyperPod's own setup. With "
        "on-create, they replace it: they must install the software, mount file systems and start Slurm.",
        Change.NEXT_LAUNCH,
        default=None,
    )


class SlurmInstanceSettings(InstanceSettings):
    """Settings that only an instance group of HyperPod has."""

    lifecycle: SlurmLifecycle | None = key(
        "Lifecycle scripts that run on new instances of the group. Default: those of the cluster.",
        Change.NEXT_LAUNCH,
        default=None,
    )


class _ServiceNodes(StrictModel):
    """Nodes that run no jobs."""

    @property
    def instance_type(self) -> str:
        """SageMaker's name for its type."""
        return f"{ML}{self.instance}"

    name: GroupName = key("Name of the instance group.", Change.REPLACES, default="")
    instance: InstanceType = key("EC2 instance type without `ml.`, as in p5.48xlarge.", Change.REFUSED)
    security_groups: SecurityGroups = key(
        "Existing security groups to attach to every network interface, in addition to Muster's. Default: none.",
        Change.REFUSED,
        default=(),
    )
    hyperpod: SlurmInstanceSettings = key(
        "Settings that only HyperPod has. Default: those of HyperPod.", Change.REFUSED, default=SlurmInstanceSettings()
    )


class Controller(_ServiceNodes):
    """The controller: one instance, which runs slurmctld and, unless you set `accounting`, the database of jobs."""

    name: GroupName = key(
        "Name of its instance group. Another name creates another controller, without the jobs of this one. Default: "
        "controller.",
        Change.REPLACES,
        default="controller",
    )
    instance: InstanceType = key(
        f"EC2 instance type without `ml.`. Default: {HYPERPOD_CONTROLLER}.",
        Change.REFUSED,
        default=HYPERPOD_CONTROLLER,
    )

    @property
    def nodes(self) -> int:
        """One."""
        return 1


class LoginNodes(_ServiceNodes):
    """The nodes on which users log in and submit jobs."""

    name: GroupName = key("Name of their instance group. Default: login.", Change.REPLACES, default="login")
    nodes: StrictInt = key("Number of nodes. Default: 1.", Change.IN_PLACE, default=1, ge=0, le=MOST_INSTANCES)


class ComputeGroup(BaseGroup):
    """One instance group of compute nodes (`NodeType: Compute`). Write the instance type as EC2 does: Muster adds
    `ml.`."""

    subnets: ClassVar[Tier] = Tier.PRIVATE
    self_managed: ClassVar[bool] = False

    @model_validator(mode="after")
    def _fits_its_hardware(self) -> Self:
        if self.hyperpod.interface and not hardware(self.instance).max_efa:
            raise ValueError(f"{self.instance} has no EFA; remove hyperpod.interface")
        return self

    purpose: Purpose = key("Purpose of the instances: training, inference or system.", Change.IN_PLACE, alias="for")
    instance: InstanceType = key("EC2 instance type without `ml.`, as in p5.48xlarge.", Change.REFUSED)
    partition: PartitionName = key(
        "Slurm partition of the nodes (`PartitionNames`). Several groups can share one. All nodes are also in "
        "partition dev, the default.",
        Change.IN_PLACE,
    )
    zone: ZoneName | None = key(
        "The one zone of its nodes. Default: the zone of its capacity; otherwise the zone of the cluster.",
        Change.REFUSED,
        default=None,
    )
    security_groups: SecurityGroups = key(
        "Existing security groups to attach to every network interface, in addition to Muster's. Default: none.",
        Change.REFUSED,
        default=(),
    )
    nodes: Annotated[
        InstanceCount,
        BeforeValidator(
            count_from_number, json_schema_input_type=InstanceCount | Annotated[int, Field(ge=0, le=MOST_INSTANCES)]
        ),
    ] = key("Number of instances, or {count, minimum}.", Change.IN_PLACE)
    capacity: HyperPodSlurmCapacity = key(
        "Source of the instances: on-demand or {training-plan: ...}. Default: on-demand.",
        Change.REFUSED,
        default=HyperPodSlurmCapacity(**{"on-demand": Nothing()}),
    )
    hyperpod: SlurmInstanceSettings = key(
        "Settings that only HyperPod has.", Change.REFUSED, default=SlurmInstanceSettings()
    )

    @property
    def only_zone(self) -> ZoneName | None:
        """The one zone of its nodes: `zone`, or the zone of its capacity; None for the zone of the cluster."""
        return self.zone or super().only_zone

    @property
    def instance_type(self) -> str:
        """SageMaker's name for its type: ``ml.p5.48xlarge``."""
        return f"{ML}{self.instance}"

    @property
    def nodes_now(self) -> InstanceCount:
        """The numbers that Muster sends to AWS."""
        return self.nodes

    @property
    def has_efa(self) -> bool:
        """Whether its nodes have EFA: HyperPod attaches it to every type that supports it."""
        return hardware(self.instance).max_efa > 0

    @property
    def layout(self) -> Layout:
        """As on EKS: EFA also on the primary interface, unless `efa-only` is set."""
        return Layout.AWS if self.hyperpod.interface is Interface.EFA_ONLY else Layout.CLASSIC
