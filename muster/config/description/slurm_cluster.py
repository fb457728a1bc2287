"""The description of a Slurm cluster on AWS ParallelCluster: its version, Slurm's settings, accounting."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt
from pydantic_core import PydanticCustomError

from muster.config.description.base import NO_BOOL_OR_FLOAT, Change, OnDestroy, StrictModel, field
from muster.config.description.cluster import AnyCluster, Suppression
from muster.config.description.network import Network
from muster.config.description.slurm_nodes import ComputeResource, HeadNode, PostInstall, SlurmQueue
from muster.config.description.storage import Registry, Storage
from muster.config.identifiers import BucketPath, ImageId, QueueName, SlurmName, StorageName, TagKey, TagValue
from muster.finding import KeyPath
from muster.versions import PARALLELCLUSTER


class OnUpdate(StrEnum):
    """What becomes of nodes that run when an update changes their queue (`QueueUpdateStrategy`)."""

    DRAIN = "drain"
    """Jobs end first; then their nodes are replaced."""
    TERMINATE = "terminate"
    """Nodes are replaced at once: their jobs are lost, or requeued."""


_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
"""Slurm reads names in any case. Which there are a rule knows (slurm-settings-known)."""
_PARTS = frozenset({"nodename", "nodeset", "partitionname", "downnodes", "include"})
"""Lines that make nodes and partitions: a description has queues and groups for them. Small, for Slurm takes either."""


def _key(value: str) -> str:
    if not _KEY.fullmatch(value):
        raise ValueError(f"'{value}' is not a parameter of slurm.conf: each is one word; write one of slurm.conf(5)")
    if value.lower() in _PARTS:
        raise ValueError(f"'{value}' is not yours to set: queues and their groups become nodes and partitions")
    return value


def _value(value: Any) -> Any:
    """One line of text, or a number: `1.5` and `true` are YAML's, not Slurm's."""
    if isinstance(value, str) and value.strip() and value.isprintable():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    got = "a text of several lines" if isinstance(value, str) and value.strip() else f"'{value}'"
    raise PydanticCustomError(
        "choice",
        "{got} is not a value of slurm.conf; write a whole number, or text of one line in quotes",
        {"got": got},
    )


SettingKey = Annotated[str, AfterValidator(_key), Field(json_schema_extra={"pattern": f"^{_KEY.pattern}$"})]
SettingValue = Annotated[Any, BeforeValidator(_value, json_schema_input_type=str | int)]


class SlurmSettings(StrictModel):
    """Settings of Slurm for the whole cluster."""

    default_queue: QueueName | None = field(
        "The queue of jobs that name none; needed where there are several.", Change.WITH_ANOTHER, default=None
    )
    idle_minutes: StrictInt = field(
        "After how long a dynamic node without a job goes; -1 keeps it.", Change.FLEET_STOP, default=60, ge=-1
    )
    on_update: OnUpdate = field(
        "drain (jobs end first) or terminate: what becomes of nodes when their queue changes.",
        Change.IN_PLACE,
        default=OnUpdate.DRAIN,
    )
    memory_scheduling: StrictBool = field(
        "Whether Slurm counts memory, so that jobs must say how much they want.", Change.FLEET_STOP, default=False
    )
    settings: dict[SettingKey, SettingValue] = field(
        "Further lines of slurm.conf: key -> value. ParallelCluster refuses those it sets itself.",
        Change.IN_PLACE,
        default={},
    )


_ARN = r"arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[A-Za-z0-9/_+=.@-]+"
_SERVER = r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?"
_DATABASE = r"[0-9a-z_]{1,64}"
"""ParallelCluster's letters (`DatabaseSchema`), and MySQL's length."""

MOST_LETTERS_OF_A_USER = 32
"""MySQL's."""


def _secret(value: str) -> str:
    if not re.fullmatch(_ARN, value):
        raise ValueError(f"'{value}' is not a secret's ARN; write arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME")
    return value


def _server(value: str) -> str:
    if not re.fullmatch(_SERVER, value):
        raise ValueError(f"'{value}' is not a database server; write its DNS name, with :PORT where that is not 3306")
    return value


def _user(value: str) -> str:
    if not 1 <= len(value) <= MOST_LETTERS_OF_A_USER:
        got = f"'{value}' has {len(value)} letters, and a user of MySQL"
        raise ValueError(f"{got} 1 to {MOST_LETTERS_OF_A_USER}; write the name that the database knows")
    return value


def _database(value: str) -> str:
    if not re.fullmatch(_DATABASE, value):
        raise ValueError(f"'{value}' is not a database's name here; use lower-case letters, digits and _, 64 at most")
    return value


class Accounting(StrictModel):
    """A MySQL-compatible database that exists, for Slurm's accounting. Muster makes none.

    It must let the head node in: by the security group `nodes` of the stack's outputs, or by one of its own in
    `head.security-groups`.
    """

    server: Annotated[str, AfterValidator(_server), Field(json_schema_extra={"pattern": f"^{_SERVER}$"})] = field(
        "Its DNS name, with :PORT where that is not 3306.", Change.FLEET_STOP
    )
    user: Annotated[
        str,
        AfterValidator(_user),
        Field(json_schema_extra={"minLength": 1, "maxLength": MOST_LETTERS_OF_A_USER}),
    ] = field("The user that Slurm is to it.", Change.FLEET_STOP)
    password_secret: Annotated[str, AfterValidator(_secret), Field(json_schema_extra={"pattern": f"^{_ARN}$"})] = field(
        "The secret in Secrets Manager that holds the password, as plain text.", Change.FLEET_STOP
    )
    database: (
        Annotated[str, AfterValidator(_database), Field(json_schema_extra={"pattern": f"^{_DATABASE}$"})] | None
    ) = field("The database's name; ParallelCluster's choice without it.", Change.IN_PLACE, default=None)


MISSING = (
    "'version' is missing",
    f'write version: "{PARALLELCLUSTER}", the ParallelCluster that this Muster makes clusters of',
)
"""What is found, and the word to write."""

_REMEDY = (
    "keep a cluster that exists to the Muster that made it: of another version it would be made anew, and /home and "
    f'/apps would go; for a new cluster, in a stack and under a name of its own, write version: "{PARALLELCLUSTER}"'
)


def _of_this_muster(value: Any) -> Any:
    written = getattr(value, "text", value)
    if isinstance(value, bool) or not isinstance(value, str | int | float) or written == PARALLELCLUSTER:
        return value
    raise PydanticCustomError(
        "choice",
        "{got}; {remedy}",
        {
            "got": f"this Muster makes clusters of ParallelCluster {PARALLELCLUSTER} alone, and '{written}' is another",
            "remedy": _REMEDY,
        },
    )


ParallelClusterVersion = Annotated[
    str, BeforeValidator(_of_this_muster), Field(json_schema_extra={"enum": [PARALLELCLUSTER]})
]


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
    NO_BOOL_OR_FLOAT,
]
"""The periods that ParallelCluster 3.16.1 takes (`CloudWatchLogsSchema`): not all of CloudWatch's."""


class SlurmLogs(StrictModel):
    """The logs of all nodes, in CloudWatch."""

    retention_days: RetentionDays = field("How long they are kept.", Change.IN_PLACE, default=90)
    on_destroy: OnDestroy = field(
        "keep or delete: what becomes of them when the cluster goes.", Change.IN_PLACE, default=OnDestroy.KEEP
    )


class Monitoring(StrictModel):
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
"""ParallelCluster takes 40: one is Muster's own, one its provider's (`muster.blueprint.tags`)."""


class SlurmCluster(AnyCluster):
    """A training cluster with Slurm on AWS ParallelCluster: `muster:cluster` with `backend: parallelcluster`."""

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
    s3: dict[BucketPath, S3Right] = field(
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

    def is_refused_below(self, name: str) -> bool:
        """What the head node installs, it installs once (`HeadNodeCustomActionsSchema`)."""
        return name == "post_install" and self.head.post_install is None

    @property
    def default_queue(self) -> str:
        """The queue of jobs that name none."""
        return self.slurm.default_queue or next(iter(self.queues))

    @property
    def groups(self) -> dict[str, ComputeResource]:
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
