"""The whole description of a Slurm cluster on AWS ParallelCluster."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, StrictBool
from pydantic_core import PydanticCustomError

from muster.fleet.description.accounting import Accounting
from muster.fleet.description.cluster import Suppression
from muster.fleet.description.compute_resource import ComputeResource
from muster.fleet.description.head_node import HeadNode
from muster.fleet.description.identifiers import ImageId, QueueName, S3Path, SlurmName, StorageName, TagKey, TagValue
from muster.fleet.description.network import Network
from muster.fleet.description.on_destroy import OnDestroy
from muster.fleet.description.part import WHOLE, Change, Part, field
from muster.fleet.description.pcluster_version import ParallelClusterVersion
from muster.fleet.description.post_install import PostInstall
from muster.fleet.description.registry import Registry
from muster.fleet.description.slurm_queue import SlurmQueue
from muster.fleet.description.slurm_settings import SlurmSettings
from muster.fleet.description.storage import Storage
from muster.versions import PARALLELCLUSTER

MOST_QUEUES = 50
"""Of one cluster (`MAX_NUMBER_OF_QUEUES` of 3.16.1)."""

MOST_LETTERS_WITH_ACCOUNTING = 40
"""Of a cluster's name: Slurm names database tables by it (`PCLUSTER_NAME_MAX_LENGTH_SLURM_ACCOUNTING`)."""


class Os(StrEnum):
    """The operating systems of ParallelCluster 3.16.1 (`SUPPORTED_OSES`)."""

    ALINUX2023 = "alinux2023"
    UBUNTU2204 = "ubuntu2204"
    UBUNTU2404 = "ubuntu2404"
    RHEL8 = "rhel8"
    RHEL9 = "rhel9"
    ROCKY8 = "rocky8"
    ROCKY9 = "rocky9"


ENDED: Mapping[str, Os] = {
    "alinux": Os.ALINUX2023,
    "alinux2": Os.ALINUX2023,
    "centos7": Os.ROCKY9,
    "centos8": Os.ROCKY9,
    "ubuntu1804": Os.UBUNTU2204,
    "ubuntu2004": Os.UBUNTU2204,
}
"""What earlier versions had -> what takes its place."""


def _still_there(value: Any) -> Any:
    if isinstance(value, str) and value in ENDED:
        raise PydanticCustomError(
            "choice",
            "'{found}' is an operating system that ParallelCluster 3.16 no longer has; write {instead}",
            {"found": value, "instead": ENDED[value].value},
        )
    return value


RetentionDays = Annotated[
    Literal[1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653],
    WHOLE,
]
"""The periods that ParallelCluster 3.16.1 takes (`CloudWatchLogsSchema`): not all of CloudWatch's."""


class SlurmLogs(Part):
    """The logs of all nodes, in CloudWatch."""

    retention_days: RetentionDays = field("How long they are kept.", Change.IN_PLACE, default=90)
    on_destroy: OnDestroy = field(
        "keep or delete: what becomes of them when the cluster goes.", Change.IN_PLACE, default=OnDestroy.KEEP
    )


class Monitoring(Part):
    """What CloudWatch measures."""

    detailed: StrictBool = field("Each minute, for a price, instead of each five.", Change.FLEET_STOP, default=True)
    dashboard: StrictBool = field("ParallelCluster's dashboard.", Change.IN_PLACE, default=True)


class S3Right(StrEnum):
    """What nodes may do with objects."""

    READ = "read"
    WRITE = "write"
    """Read them, too."""


class OnFailure(StrEnum):
    """What becomes of a cluster whose creation fails."""

    ROLLBACK = "rollback"
    """It goes, and what it made; `pulumi up --refresh` makes it anew."""
    KEEP = "keep"
    """It stays for a look at it."""


MOST_SLURM_TAGS = 38
"""ParallelCluster takes 40: one is Muster's own, one its provider's (`muster.fleet.tags`)."""


class SlurmCluster(Part):
    """A training cluster with Slurm on AWS ParallelCluster: `muster:cluster` with `backend: parallelcluster`."""

    hyperpod: ClassVar[None] = None

    backend: Literal["parallelcluster"] = field("Which service runs the cluster.", Change.REPLACES)
    version: ParallelClusterVersion = field(
        f'The version of ParallelCluster, in quotes: "{PARALLELCLUSTER}". For good: another is another cluster, and '
        "/home and /apps go with the old one.",
        Change.REPLACES,
    )
    name: SlurmName | None = field("The cluster's name; the stack's without it.", Change.REPLACES, default=None)
    os: Annotated[Os, BeforeValidator(_still_there)] = field(
        "The nodes' operating system: alinux2023, ubuntu2204, ubuntu2404, rhel8, rhel9, rocky8 or rocky9.",
        Change.REFUSED,
        default=Os.ALINUX2023,
    )
    image: ImageId | None = field(
        "An image of your own, built by the same version (`muster pcluster image`); ParallelCluster's without it.",
        Change.REFUSED,
        default=None,
    )
    network: Network = field("The network.", Change.REFUSED)
    head: HeadNode = field("The head node.", Change.IN_PLACE, default=HeadNode())
    queues: Annotated[dict[QueueName, SlurmQueue], Field(min_length=1, max_length=MOST_QUEUES)] = field(
        "Queues by name. More come in place; one that goes wants the fleet stopped, or `on-update: terminate`.",
        Change.FLEET_STOP,
    )
    s3: dict[S3Path, S3Right] = field(
        "What all nodes may do in S3: a bucket, or a prefix in it -> read or write. Nothing without it.",
        Change.IN_PLACE,
        default={},
    )
    post_install: PostInstall | None = field(
        "What is installed on every node when it starts; nothing without it.", Change.DRAINS, default=None
    )
    slurm: SlurmSettings = field("Slurm's settings.", Change.IN_PLACE, default=SlurmSettings())
    accounting: Accounting | None = field(
        "Slurm's accounting, in a database that exists; none without it.", Change.FLEET_STOP, default=None
    )
    storage: dict[StorageName, Storage] = field(
        "Shared file systems by name, mounted on every node at /NAME.", Change.IN_PLACE, default={}
    )
    registry: Registry | None = field("A container registry (ECR) for training images.", Change.IN_PLACE, default=None)
    logs: SlurmLogs = field("The nodes' logs.", Change.IN_PLACE, default=SlurmLogs())
    monitoring: Monitoring = field("What CloudWatch measures.", Change.IN_PLACE, default=Monitoring())
    on_failure: OnFailure = field(
        "rollback or keep: what becomes of a cluster whose creation fails. Said once, when it is made.",
        Change.REFUSED,
        default=OnFailure.ROLLBACK,
    )
    on_destroy: OnDestroy = field(
        "keep: `destroy` stops while the cluster exists. delete: it goes, with /home and /apps.",
        Change.IN_PLACE,
        default=OnDestroy.DELETE,
    )
    tags: dict[TagKey, TagValue] = field(
        "AWS tags on all that takes them.", Change.IN_PLACE, default={}, max_length=MOST_SLURM_TAGS
    )
    suppress: tuple[Suppression, ...] = field("Findings taken as known.", Change.NOTHING, default=())

    @property
    def default_queue(self) -> str:
        """The queue of jobs that name none."""
        return self.slurm.default_queue or next(iter(self.queues))

    @property
    def groups(self) -> dict[str, ComputeResource]:
        """All compute resources by name."""
        return {name: group for queue in self.queues.values() for name, group in queue.groups.items()}

    def queue_of(self, group: str) -> str:
        """The queue that a group is in.

        Raises:
            StopIteration: there is no such group.
        """
        return next(name for name, queue in self.queues.items() if group in queue.groups)
