"""The description of a Slurm cluster on AWS Parallel Computing Service (PCS)."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt
from pydantic_core import PydanticCustomError

from muster.config.description.base import PCS, Change, OnDestroy, StrictModel, key
from muster.config.description.cluster import AnyCluster, Suppression
from muster.config.description.group import Group
from muster.config.description.network import Network
from muster.config.description.of_backend import model_on
from muster.config.description.pcs_nodes import ClusterSize, PcsLoginGroup, PcsName, PcsQueue
from muster.config.description.slurm_parts import SettingKey, SettingValue
from muster.config.description.storage import Registry, Storage
from muster.config.identifiers import ImageId, StorageName, TagKey, TagValue
from muster.finding import KeyPath
from muster.hardware.zones import ZoneName
from muster.versions import PCS_SLURM

_CLUSTER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{2,39}")


def _cluster_name(value: str) -> str:
    """The pattern of PCS (botocore, `ClusterName`)."""
    if not _CLUSTER_NAME.fullmatch(value):
        raise ValueError(
            f"'{value}' is not a valid name; use 3 to 40 letters, digits and -, with a letter first (AWS PCS)"
        )
    return value


PcsClusterName = Annotated[
    str, AfterValidator(_cluster_name), Field(json_schema_extra={"pattern": f"^{_CLUSTER_NAME.pattern}$"})
]


def _version(value: Any) -> Any:
    written = getattr(value, "text", value)
    newer = re.fullmatch(r"\d{2}\.\d{2}", str(written)) and str(written) > PCS_SLURM[-1]
    if isinstance(written, str) and written not in PCS_SLURM and not newer:
        raise PydanticCustomError(
            "choice",
            "'{found}' is not a version of Slurm that AWS PCS has; write one of {known}, in quotes",
            {"found": written, "known": ", ".join(PCS_SLURM)},
        )
    return value


SlurmVersion = Annotated[
    str,
    BeforeValidator(_version),
    Field(json_schema_extra={"pattern": r"^\d{2}\.\d{2}$", "examples": list(PCS_SLURM)}),
]


class PcsAccounting(StrictModel):
    """The accounting of Slurm, in a database that AWS PCS manages. AWS bills it."""

    keep_days: StrictInt | None = key(
        "Days for which the database keeps records, 1 to 10000. Default: as long as the cluster exists.",
        Change.IN_PLACE,
        default=None,
        ge=1,
        le=10_000,
    )


class PcsSlurm(StrictModel):
    """Settings of Slurm for the whole cluster."""

    version: SlurmVersion = key(
        f'Version of Slurm, in quotes: "{PCS_SLURM[-1]}". The image must contain it. PCS updates it in place; then '
        "give the cluster an image with the new version.",
        Change.IN_PLACE,
    )
    default_queue: PcsName | None = key(
        "Queue of jobs that do not select one. Required with more than one queue. Default: the only queue.",
        Change.IN_PLACE,
        default=None,
    )
    idle_minutes: StrictInt = key(
        "Minutes after which PCS terminates a dynamic node without a job. Default: 10.",
        Change.IN_PLACE,
        default=10,
        ge=1,
        le=166_666,
    )
    memory_scheduling: StrictBool = key(
        "Whether Slurm schedules memory, so that jobs must request it (`SelectTypeParameters: CR_CPU_Memory`). "
        "Default: false.",
        Change.IN_PLACE,
        default=False,
    )
    accounting: PcsAccounting | None = key(
        "Accounting of Slurm (since 24.11). AWS's pages disagree on whether PCS can turn it off again. Default: none.",
        Change.IN_PLACE,
        default=None,
    )
    settings: dict[SettingKey, SettingValue] = key(
        "Additional parameters of slurm.conf: map of key to value. PCS supports some of them (PCS user guide, "
        '"Custom Slurm settings for AWS PCS clusters"). Default: none.',
        Change.IN_PLACE,
        default={},
    )


MOST_PCS_TAGS = 45
"""PCS allows 200; the other resources of a cluster, such as IAM roles, 50. Muster uses up to two of them."""


@model_on(PCS)
class PcsCluster(AnyCluster):
    """A training cluster with Slurm on AWS Parallel Computing Service: `muster:cluster` with `backend: pcs`."""

    backend: Literal["pcs"] = key("Service that runs the cluster: pcs.", Change.REPLACES)
    name: PcsClusterName | None = key(
        "Name of the cluster. Default: the name of the stack.", Change.REPLACES, default=None
    )
    size: ClusterSize = key(
        "Size of the controller: small (32 nodes, 256 jobs), medium (512 nodes, 8192 jobs) or large (2048 nodes, "
        "16384 jobs).",
        Change.REPLACES,
    )
    slurm: PcsSlurm = key("Version and settings of Slurm.", Change.IN_PLACE)
    image: ImageId = key(
        "Id of the AMI of all nodes. It contains the AWS PCS agent, Slurm, the drivers of the devices, EFA's software "
        "and, for file systems, the Lustre client. AWS recommends its sample AMIs only for tests.",
        Change.NEXT_LAUNCH,
    )
    network: Network = key("Network of the cluster: {existing: ...} or {create: ...}.", Change.REPLACES)
    zone: ZoneName | None = key(
        "Zone of the controller's network interface. Default: the zone of the first group with a zone; otherwise the "
        "first with a private subnet.",
        Change.REPLACES,
        default=None,
    )
    queues: Annotated[dict[PcsName, PcsQueue], Field(min_length=1)] = key(
        "Queues by name. If you rename a queue, Muster creates a new one.", Change.REPLACES
    )
    login_nodes: dict[PcsName, PcsLoginGroup] = key(
        "Groups of login nodes by name. Default: none.", Change.REPLACES, default={}
    )
    storage: dict[StorageName, Storage] = key(
        "Shared file systems by name, mounted on every node at /NAME. Default: none.", Change.NEXT_LAUNCH, default={}
    )
    registry: Registry | None = key(
        "Container registry (ECR) for training images. Default: none.", Change.IN_PLACE, default=None
    )
    on_destroy: OnDestroy = key(
        "keep: `destroy` stops while the cluster exists. delete: it deletes the cluster with its accounting database. "
        "Default: delete.",
        Change.IN_PLACE,
        default=OnDestroy.DELETE,
    )
    tags: dict[TagKey, TagValue] = key(
        "AWS tags on every resource that supports tags. Default: none.",
        Change.IN_PLACE,
        default={},
        max_length=MOST_PCS_TAGS,
    )
    suppress: tuple[Suppression, ...] = key(
        "Findings that you accept, each with a reason and an end date. Default: none.", Change.NOTHING, default=()
    )

    @property
    def default_queue(self) -> str:
        """The queue of jobs that do not select one."""
        return self.slurm.default_queue or next(iter(self.queues))

    @property
    def groups(self) -> dict[str, Group]:
        """All compute node groups of queues by name."""
        return {name: group for queue in self.queues.values() for name, group in queue.groups.items()}

    def group_path(self, name: str) -> KeyPath:
        """Where a group is in the description."""
        queue = next(queue for queue, each in self.queues.items() if name in each.groups)
        return ("queues", queue, "groups", name)
