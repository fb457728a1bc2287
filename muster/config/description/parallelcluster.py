"""The description of a Slurm cluster on AWS ParallelCluster: its version, settings of Slurm, accounting."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt
from pydantic_core import PydanticCustomError

from muster.config.description.base import NO_BOOL_OR_FLOAT, PARALLELCLUSTER, Change, OnDestroy, StrictModel, key
from muster.config.description.cluster import AnyCluster, Suppression
from muster.config.description.group import Group
from muster.config.description.network import Network
from muster.config.description.of_backend import model_on
from muster.config.description.parallelcluster_nodes import (
    MOST_LOGIN_POOLS,
    HeadNode,
    LoginPool,
    PostInstall,
    SlurmQueue,
)
from muster.config.description.slurm_parts import SettingKey, SettingValue
from muster.config.description.storage import Registry, Storage
from muster.config.identifiers import (
    BucketPath,
    ImageId,
    QueueName,
    SecretArn,
    SlurmName,
    StorageName,
    TagKey,
    TagValue,
)
from muster.finding import KeyPath
from muster.versions import PARALLELCLUSTER as VERSION


class OnUpdate(StrEnum):
    """What happens to running nodes when an update changes their queue (`QueueUpdateStrategy`)."""

    DRAIN = "drain"
    """ParallelCluster replaces the nodes after their jobs have ended."""
    TERMINATE = "terminate"
    """ParallelCluster replaces the nodes at once; their jobs are lost or requeued."""


class Scaling(StrEnum):
    """What ParallelCluster does if EC2 cannot launch all nodes that jobs wait for (`ScalingStrategy`)."""

    ALL_OR_NOTHING = "all-or-nothing"
    """Each job gets all its nodes, or none is launched for it."""
    GREEDY = "greedy-all-or-nothing"
    """It launches as many nodes as possible for all jobs, and terminates those of jobs that lack some."""
    BEST_EFFORT = "best-effort"
    """It keeps every node that it can launch, even if a job lacks others: these nodes wait, and bill."""


class SlurmSettings(StrictModel):
    """Settings of Slurm for the whole cluster."""

    default_queue: QueueName | None = key(
        "Queue of jobs that do not select one. Required with more than one queue. Default: the only queue.",
        Change.WITH_ANOTHER,
        default=None,
    )
    idle_minutes: StrictInt = key(
        "Minutes after which ParallelCluster terminates a dynamic node without a job; -1 keeps it. Default: 60.",
        Change.FLEET_STOP,
        default=60,
        ge=-1,
    )
    on_update: OnUpdate = key(
        "What happens to nodes when their queue changes: drain (their jobs end first) or terminate. Default: drain.",
        Change.IN_PLACE,
        default=OnUpdate.DRAIN,
    )
    scaling: Scaling = key(
        "What happens if EC2 cannot launch all nodes of a job: all-or-nothing, greedy-all-or-nothing or best-effort "
        "(`ScalingStrategy`). Default: all-or-nothing.",
        Change.IN_PLACE,
        default=Scaling.ALL_OR_NOTHING,
    )
    memory_scheduling: StrictBool = key(
        "Whether Slurm schedules memory, so that jobs must request it. Default: false.",
        Change.FLEET_STOP,
        default=False,
    )
    settings: dict[SettingKey, SettingValue] = key(
        "Additional parameters of slurm.conf: map of key to value. ParallelCluster refuses those that it sets "
        "itself. Default: none.",
        Change.IN_PLACE,
        default={},
    )


_SERVER = r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?"
_DATABASE = r"[0-9a-z_]{1,64}"
"""The characters that ParallelCluster allows (`DatabaseSchema`), and the length that MySQL allows."""

MOST_LETTERS_OF_A_USER = 32
"""The limit of MySQL."""


def _server(value: str) -> str:
    if not re.fullmatch(_SERVER, value):
        raise ValueError(
            f"'{value}' is not the address of a database server; write its DNS name, with :PORT if the port is not 3306"
        )
    return value


def _user(value: str) -> str:
    if not 1 <= len(value) <= MOST_LETTERS_OF_A_USER:
        got = f"'{value}' has {len(value)} characters, but the name of a MySQL user has"
        raise ValueError(f"{got} 1 to {MOST_LETTERS_OF_A_USER}; write the name of a user of the database")
    return value


def _database(value: str) -> str:
    if not re.fullmatch(_DATABASE, value):
        raise ValueError(
            f"'{value}' is not a valid name of a database; use lower-case letters, digits and _, at most 64 characters"
        )
    return value


class Accounting(StrictModel):
    """An existing MySQL-compatible database for the accounting of Slurm. Muster does not create one.

    The database must allow traffic from the head node: from security group `nodes` of the stack's outputs, or from one
    that you attach with `head.security-groups`.
    """

    server: Annotated[str, AfterValidator(_server), Field(json_schema_extra={"pattern": f"^{_SERVER}$"})] = key(
        "DNS name of the database server, with :PORT if the port is not 3306.", Change.FLEET_STOP
    )
    user: Annotated[
        str,
        AfterValidator(_user),
        Field(json_schema_extra={"minLength": 1, "maxLength": MOST_LETTERS_OF_A_USER}),
    ] = key("Database user of Slurm, 1 to 32 characters.", Change.FLEET_STOP)
    password_secret: SecretArn = key(
        "ARN of the secret in Secrets Manager that contains the password as plain text.", Change.FLEET_STOP
    )
    database: (
        Annotated[str, AfterValidator(_database), Field(json_schema_extra={"pattern": f"^{_DATABASE}$"})] | None
    ) = key("Name of the database. Default: a name that ParallelCluster chooses.", Change.IN_PLACE, default=None)


MISSING = (
    "'version' is missing",
    f'write version: "{VERSION}", the ParallelCluster version that this Muster supports',
)
"""What is wrong, and what to write."""

_REMEDY = (
    "for an existing cluster, use the Muster release that created it: another version replaces the cluster and deletes "
    f'/home and /apps; for a new cluster, in another stack and with another name, write version: "{VERSION}"'
)


def _of_this_muster(value: Any) -> Any:
    written = getattr(value, "text", value)
    if isinstance(value, bool) or not isinstance(value, str | int | float) or written == VERSION:
        return value
    raise PydanticCustomError(
        "choice",
        "{got}; {remedy}",
        {
            "got": f"this Muster supports only ParallelCluster {VERSION}, not '{written}'",
            "remedy": _REMEDY,
        },
    )


ParallelClusterVersion = Annotated[str, BeforeValidator(_of_this_muster), Field(json_schema_extra={"enum": [VERSION]})]


MOST_QUEUES = 50
"""The maximum for one cluster (`MAX_NUMBER_OF_QUEUES` of 3.16.1)."""

MOST_LETTERS_WITH_ACCOUNTING = 40
"""The maximum length of a cluster's name, which Slurm uses in names of database tables
(`PCLUSTER_NAME_MAX_LENGTH_SLURM_ACCOUNTING`)."""


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
"""An operating system of earlier versions -> its replacement."""


def _still_there(value: Any) -> Any:
    if isinstance(value, str) and value in ENDED:
        raise PydanticCustomError(
            "choice",
            "ParallelCluster 3.16 no longer supports the operating system '{found}'; write {instead}",
            {"found": value, "instead": ENDED[value].value},
        )
    return value


RetentionDays = Annotated[
    Literal[1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653],
    NO_BOOL_OR_FLOAT,
]
"""The periods that ParallelCluster 3.16.1 supports (`CloudWatchLogsSchema`): not all of those of CloudWatch."""


class SlurmLogs(StrictModel):
    """The logs of all nodes, in CloudWatch."""

    retention_days: RetentionDays = key(
        "Days for which CloudWatch keeps the logs. Default: 90.", Change.IN_PLACE, default=90
    )
    on_destroy: OnDestroy = key(
        "What happens to the logs when you delete the cluster: keep or delete. Default: keep.",
        Change.IN_PLACE,
        default=OnDestroy.KEEP,
    )


class Monitoring(StrictModel):
    """Monitoring in CloudWatch."""

    detailed: StrictBool = key(
        "Whether CloudWatch measures instances every minute, at extra cost, instead of every five minutes. Default: "
        "true.",
        Change.FLEET_STOP,
        default=True,
    )
    dashboard: StrictBool = key(
        "Whether ParallelCluster creates a CloudWatch dashboard. Default: true.", Change.IN_PLACE, default=True
    )


class S3Right(StrEnum):
    """What nodes may do with objects."""

    READ = "read"
    WRITE = "write"
    """Also allows reading."""


class OnFailure(StrEnum):
    """What happens to a cluster whose creation fails."""

    ROLLBACK = "rollback"
    """ParallelCluster deletes the cluster and its resources; `pulumi up --refresh` creates it again."""
    KEEP = "keep"
    """The cluster stays, so that you can examine it."""


MOST_SLURM_TAGS = 38
"""ParallelCluster allows 40. Muster uses one, and AWS's provider adds another (`parallelcluster:custom_resource`)."""


@model_on(PARALLELCLUSTER)
class SlurmCluster(AnyCluster):
    """A training cluster with Slurm on AWS ParallelCluster: `muster:cluster` with `backend: parallelcluster`."""

    backend: Literal["parallelcluster"] = key("Service that runs the cluster: parallelcluster.", Change.REPLACES)
    version: ParallelClusterVersion = key(
        f'Version of ParallelCluster, in quotes: "{VERSION}". It cannot change: another version is another '
        "cluster, and /home and /apps are deleted with the old one.",
        Change.REPLACES,
    )
    name: SlurmName | None = key("Name of the cluster. Default: the name of the stack.", Change.REPLACES, default=None)
    os: Annotated[Os, BeforeValidator(_still_there)] = key(
        "Operating system of all nodes: alinux2023, ubuntu2204, ubuntu2404, rhel8, rhel9, rocky8 or rocky9. "
        "Default: alinux2023.",
        Change.REFUSED,
        default=Os.ALINUX2023,
    )
    image: ImageId | None = key(
        "Id of a custom AMI, built with the same version of ParallelCluster (`muster config --image`). Default: the "
        "image of ParallelCluster for `os`.",
        Change.REFUSED,
        default=None,
    )
    network: Network = key("Network of the cluster: {existing: ...} or {create: ...}.", Change.REFUSED)
    head: HeadNode = key("Settings of the head node.", Change.IN_PLACE, default=HeadNode())
    queues: Annotated[dict[QueueName, SlurmQueue], Field(min_length=1, max_length=MOST_QUEUES)] = key(
        "Queues by name. You can add a queue in place. To remove one, stop the compute fleet, or set `on-update: "
        "terminate`.",
        Change.FLEET_STOP,
    )
    login_nodes: Annotated[dict[QueueName, LoginPool], Field(max_length=MOST_LOGIN_POOLS)] = key(
        "Pools of login nodes by name. You can add a pool in place. To remove one, set its `nodes` to 0 first. "
        "Default: none.",
        Change.LOGIN_STOP,
        default={},
    )
    s3: dict[BucketPath, S3Right] = key(
        "S3 permissions of the head node and the compute nodes: map of a bucket, or a prefix in it, to read or write. "
        "Default: none.",
        Change.IN_PLACE,
        default={},
    )
    post_install: PostInstall | None = key(
        "Software and scripts to run on the head node and on every compute node when it starts. Default: none.",
        Change.DRAINS,
        default=None,
    )
    slurm: SlurmSettings = key("Settings of Slurm.", Change.IN_PLACE, default=SlurmSettings())
    accounting: Accounting | None = key(
        "Accounting of Slurm, in an existing database. Default: none.", Change.FLEET_STOP, default=None
    )
    storage: dict[StorageName, Storage] = key(
        "Shared file systems by name, mounted on every node at /NAME. Default: none.", Change.IN_PLACE, default={}
    )
    registry: Registry | None = key(
        "Container registry (ECR) for training images. Default: none.", Change.IN_PLACE, default=None
    )
    logs: SlurmLogs = key(
        "Logs of all nodes, in CloudWatch. Default: kept for 90 days.", Change.IN_PLACE, default=SlurmLogs()
    )
    monitoring: Monitoring = key("Monitoring in CloudWatch.", Change.IN_PLACE, default=Monitoring())
    on_failure: OnFailure = key(
        "What happens to a cluster whose creation fails: rollback or keep. It applies only at creation. Default: "
        "rollback.",
        Change.REFUSED,
        default=OnFailure.ROLLBACK,
    )
    on_destroy: OnDestroy = key(
        "keep: `destroy` stops while the cluster exists. delete: it deletes the cluster with /home and /apps. "
        "Default: delete.",
        Change.IN_PLACE,
        default=OnDestroy.DELETE,
    )
    tags: dict[TagKey, TagValue] = key(
        "AWS tags on every resource that supports tags. Default: none.",
        Change.IN_PLACE,
        default={},
        max_length=MOST_SLURM_TAGS,
    )
    suppress: tuple[Suppression, ...] = key(
        "Findings that you accept, each with a reason and an end date. Default: none.", Change.NOTHING, default=()
    )

    def is_refused_below(self, name: str) -> bool:
        """The head node runs these scripts only once (`HeadNodeCustomActionsSchema`)."""
        return name == "post_install" and self.head.post_install is None

    @property
    def default_queue(self) -> str:
        """The queue of jobs that do not select one."""
        return self.slurm.default_queue or next(iter(self.queues))

    @property
    def groups(self) -> dict[str, Group]:
        """All compute resources by name."""
        return {name: group for queue in self.queues.values() for name, group in queue.groups.items()}

    def group_path(self, name: str) -> KeyPath:
        """Where a group is in the description."""
        return ("queues", self.queue_of(name), "groups", name)

    def queue_of(self, group: str) -> str:
        """The queue that a group is in.

        Raises:
            StopIteration: there is no such group.
        """
        return next(name for name, queue in self.queues.items() if group in queue.groups)
