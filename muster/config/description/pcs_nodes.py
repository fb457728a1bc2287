"""The nodes of a Slurm cluster on AWS PCS: queues with their compute node groups, and groups of login nodes."""

import re
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, StrictBool, StrictInt

from muster.config.description.base import PCS, Change, StrictModel, key
from muster.config.description.group import Group
from muster.config.description.node_group import InstanceType, Purpose, SecurityGroups, Tier
from muster.config.description.node_settings import MOST_OF_PCS
from muster.config.description.of_backend import model_on
from muster.config.identifiers import KeyPairName
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import Layout
from muster.hardware.zones import ZoneName


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


@model_on(PCS)
class PcsGroup(Group):
    """One compute node group: nodes of one instance type, from one source of capacity."""

    @property
    def has_market_type(self) -> bool:
        """Whether its launch template has the market type: as that of an Auto Scaling group."""
        return True

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
    groups: Annotated[dict[PcsName, Group], Field(min_length=1)] = key(
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
    nodes: StrictInt = key("Number of login nodes. Default: 1.", Change.IN_PLACE, default=1, ge=1, le=MOST_OF_PCS)
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
