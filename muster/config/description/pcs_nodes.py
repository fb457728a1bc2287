"""The nodes of a Slurm cluster on AWS PCS: queues with their compute node groups, and groups of login nodes."""

import re
from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt

from muster.config.description.base import Change, Nothing, StrictModel, key
from muster.config.description.capacity import Capacity
from muster.config.description.node_group import BaseGroup, InstanceType, Purpose, SecurityGroups, Tier
from muster.config.description.slurm_parts import NodeRange, node_range
from muster.config.identifiers import KeyPairName
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import Layout
from muster.hardware.zones import ZoneName
from muster.size import Size

MOST_NODES = 2048
"""The nodes of the largest cluster (PCS API reference, CreateCluster, size)."""


class ClusterSize(StrEnum):
    """The size of the controller (PCS API reference, CreateCluster, size)."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"

    @property
    def nodes(self) -> int:
        """The maximum number of nodes that Slurm manages."""
        return {"small": 32, "medium": 512, "large": 2048}[self.value]

    @property
    def jobs(self) -> int:
        """The maximum number of active and queued jobs."""
        return {"small": 256, "medium": 8192, "large": 16384}[self.value]


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{2,24}")


def _pcs_name(value: str) -> str:
    """The pattern of PCS for names of groups and queues (botocore, `ComputeNodeGroupName` and `QueueName`). The pattern
    also excludes `pcs_`, which contains a character that no name has."""
    if not _NAME.fullmatch(value):
        raise ValueError(
            f"'{value}' is not a valid name; use 3 to 25 letters, digits and -, with a letter first (AWS PCS)"
        )
    return value


PcsName = Annotated[
    str,
    AfterValidator(_pcs_name),
    Field(json_schema_extra={"pattern": f"^{_NAME.pattern}$", "minLength": 3, "maxLength": 25}),
]


class PcsNodes(NodeRange):
    """Number of nodes: always running, and the maximum. With a single number, that number of nodes always runs."""

    min: StrictInt = key("Number of nodes that always run (static).", Change.IN_PLACE, ge=0, le=MOST_NODES)
    max: StrictInt = key(
        "Maximum number of nodes. Those beyond `min` start for jobs and stop when idle (dynamic).",
        Change.IN_PLACE,
        ge=1,
        le=MOST_NODES,
    )


Nodes = Annotated[
    PcsNodes, BeforeValidator(node_range, json_schema_input_type=PcsNodes | Annotated[int, Field(ge=1, le=MOST_NODES)])
]


class PcsGroup(BaseGroup):
    """One compute node group: nodes of one instance type, from one source of capacity."""

    self_managed: ClassVar[bool] = True
    """Its launch template has the market type, as that of an Auto Scaling group."""

    purpose: Purpose = key(
        "Purpose of the nodes: training, inference or system (CPU nodes). Training nodes have EFA and a placement "
        "group.",
        Change.NEXT_LAUNCH,
        alias="for",
    )
    instance: InstanceType = key(
        "EC2 instance type, as in p5.48xlarge. For another type, give the group another name.", Change.REFUSED
    )
    nodes: Nodes = key("Number of nodes, or {min, max}.", Change.IN_PLACE)
    capacity: Capacity = key(
        "Source of the instances: on-demand, spot, reservation, reservation-group or capacity-block. Default: "
        "on-demand.",
        Change.NEXT_LAUNCH,
        default=Capacity(**{"on-demand": Nothing()}),
    )
    efa: StrictBool | None = key(
        "Whether the nodes have EFA. Default: true for training on instance types with EFA, false otherwise.",
        Change.NEXT_LAUNCH,
        default=None,
    )
    zone: ZoneName | None = key(
        "Zone of the nodes. Default: the zone of the capacity; otherwise the first with a private subnet.",
        Change.NEXT_LAUNCH,
        default=None,
    )
    memory: Size | None = key(
        "Memory of a node that jobs may use (`RealMemory` of Slurm), in MiB or GiB. Default: the value that AWS PCS "
        "sets.",
        Change.IN_PLACE,
        default=None,
    )
    security_groups: SecurityGroups = key(
        "Existing security groups to attach, in addition to that of the cluster. Default: none.",
        Change.NEXT_LAUNCH,
        default=(),
    )

    @property
    def only_zone(self) -> ZoneName | None:
        """The one zone of its nodes: `zone`, or the zone of its capacity."""
        return self.zone or super().only_zone

    @property
    def instance_type(self) -> str:
        """Its instance type."""
        return self.instance

    @property
    def nodes_now(self) -> PcsNodes:
        """The numbers that Muster sends to AWS. They do not change before a Capacity Block begins: PCS accepts a
        scheduled block (PCS user guide, "Configure a compute node group to use a Capacity Block")."""
        return self.nodes

    @property
    def has_efa(self) -> bool:
        """Whether its nodes have EFA: `efa`; otherwise true for training on a type with EFA."""
        if self.efa is not None:
            return self.efa
        return self.purpose is Purpose.TRAINING and hardware(self.instance).max_efa > 0

    @property
    def layout(self) -> Layout:
        """The layout of its network interfaces: an interface of type efa on each card, as in the PCS user guide
        ("Create or update an EC2 launch template")."""
        return Layout.CLASSIC if self.has_efa else Layout.PLAIN


class PcsQueue(StrictModel):
    """One queue, which is a partition of Slurm, and its compute node groups."""

    exclusive: StrictBool = key(
        "Whether a job has exclusive use of its nodes (`OverSubscribe=EXCLUSIVE`). Default: true.",
        Change.IN_PLACE,
        default=True,
    )
    groups: Annotated[dict[PcsName, PcsGroup], Field(min_length=1)] = key(
        "Compute node groups by name. Each name must be unique in the cluster. If you rename a group, Muster creates "
        "a new one.",
        Change.REPLACES,
    )


class PcsLoginGroup(StrictModel):
    """A group of login nodes: users log in there and submit jobs. It is a compute node group that is in no queue."""

    instance: InstanceType = key(
        "EC2 instance type. Its architecture is that of `image`. For another type, give the group another name.",
        Change.REFUSED,
    )
    nodes: StrictInt = key("Number of login nodes. Default: 1.", Change.IN_PLACE, default=1, ge=1, le=MOST_NODES)
    subnets: Tier = key(
        "Subnet of the login nodes: private or public. Default: private.", Change.NEXT_LAUNCH, default=Tier.PRIVATE
    )
    zone: ZoneName | None = key(
        "Zone of the login nodes. Default: the zone of the controller.", Change.NEXT_LAUNCH, default=None
    )
    key_pair: KeyPairName | None = key(
        "Name of an existing EC2 key pair for SSH. Sessions of Systems Manager always work. To allow SSH, attach a "
        "security group that does. Default: none.",
        Change.NEXT_LAUNCH,
        default=None,
    )
    security_groups: SecurityGroups = key(
        "Existing security groups to attach, in addition to that of the cluster, as for SSH. Default: none.",
        Change.NEXT_LAUNCH,
        default=(),
    )
