"""Settings of clusters with Slurm: parameters of slurm.conf, versions, accounting, operating system."""

import re
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt
from pydantic_core import PydanticCustomError

from muster.config.description.base import (
    HYPERPOD_SLURM,
    PARALLELCLUSTER,
    PCS,
    Change,
    Form,
    StrictModel,
    key,
    optional,
)
from muster.config.description.pcs_nodes import PcsName
from muster.config.identifiers import QueueName, SecretArn
from muster.versions import PARALLELCLUSTER as PARALLELCLUSTER_VERSION
from muster.versions import PCS_SLURM

_PARTS = frozenset({"nodename", "nodeset", "partitionname", "downnodes", "include"})
"""Lines that define nodes and partitions: a description has queues and groups for them. In lower case, because Slurm
ignores case."""


def _no_part(value: str) -> str:
    if value.lower() in _PARTS:
        raise ValueError(
            f"you cannot set '{value}', because Muster writes nodes and partitions from your queues and groups; "
            "remove it"
        )
    return value


def _value(value: Any) -> Any:
    """One line of text, or a whole number. `1.5` and `true` are values of YAML, not of Slurm."""
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


SettingKey = Annotated[
    str,
    Form(r"[A-Za-z][A-Za-z0-9_.-]*", "a parameter of slurm.conf", "SelectTypeParameters, of slurm.conf(5)"),
    AfterValidator(_no_part),
]
SettingValue = Annotated[Any, BeforeValidator(_value, json_schema_input_type=str | int)]


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


def _slurm_version(value: Any) -> Any:
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
    BeforeValidator(_slurm_version),
    Field(json_schema_extra={"pattern": r"^\d{2}\.\d{2}$", "examples": list(PCS_SLURM)}),
]


class PcsAccounting(StrictModel):
    """The accounting of Slurm, in a database that AWS PCS manages. AWS bills it."""

    keep_days: StrictInt | None = optional(
        "Days for which the database keeps records, 1 to 10000. Default: as long as the cluster exists.",
        Change.IN_PLACE,
        ge=1,
        le=10_000,
    )


_HOST = r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?"
_SERVER = Form(
    rf"{_HOST}(:\d{{1,5}})?",
    "the address of a database server",
    "db.example.com, with :PORT if the port is not 3306",
)
_ENDPOINT = Form(_HOST, "the address of a database server", "db.example.com, with the port in 'port'")
_DATABASE = Form(
    "[0-9a-z_]{1,64}", "a valid name of a database", "slurm_db: lower-case letters, digits and _, at most 64 characters"
)
"""The characters that ParallelCluster allows (`DatabaseSchema`), and the length that MySQL allows."""
_DATABASE_OF_HYPERPOD = Form(
    "[0-9A-Za-z_]{1,64}", "a valid name of a database", "slurm_db: letters, digits and _, at most 64 characters"
)


MYSQL = 3306


class Accounting(StrictModel):
    """An existing MySQL-compatible database for the accounting of Slurm. Muster does not create one.

    The database must allow traffic from security group `nodes` of the stack's outputs; on ParallelCluster, from that or
    from one that you attach with `head.security-groups`.
    """

    server: Annotated[str, _SERVER] = key(
        "DNS name of the database server, with :PORT if the port is not 3306.",
        {PARALLELCLUSTER: Change.FLEET_STOP},
        instead="endpoint",
    )
    user: str = key(
        "Database user of Slurm, 1 to 32 characters.",
        {PARALLELCLUSTER: Change.FLEET_STOP},
        min_length=1,
        max_length=32,
    )
    password_secret: SecretArn = key(
        "ARN of the secret in Secrets Manager that contains the password as plain text.",
        {PARALLELCLUSTER: Change.FLEET_STOP},
        instead="secret",
    )
    endpoint: Annotated[str, _ENDPOINT] = key(
        "DNS name of the database server.",
        {HYPERPOD_SLURM: Change.IN_PLACE},
        instead="server",
        sent="sagemaker.CreateCluster.Orchestrator.Slurm.AccountingDatabase.Endpoint",
    )
    port: StrictInt = key(
        f"Port of the database server. Default: {MYSQL}.",
        {HYPERPOD_SLURM: Change.IN_PLACE},
        instead="server",
        default=MYSQL,
        ge=1,
        le=65535,
    )
    secret: SecretArn = key(
        "ARN of the secret in Secrets Manager with the user name and the password.",
        {HYPERPOD_SLURM: Change.IN_PLACE},
        instead="password-secret",
    )
    database: str | None = optional(
        "Name of the database. Default: a name that the service chooses.",
        {PARALLELCLUSTER: Change.IN_PLACE, HYPERPOD_SLURM: Change.IN_PLACE},
        here={
            PARALLELCLUSTER: {"form": Annotated[str, _DATABASE] | None},
            HYPERPOD_SLURM: {"form": Annotated[str, _DATABASE_OF_HYPERPOD] | None},
        },
    )


class SlurmSettings(StrictModel):
    """Settings of Slurm for the whole cluster."""

    version: SlurmVersion = key(
        f'Version of Slurm, in quotes: "{PCS_SLURM[-1]}". The image must contain it. PCS updates it in place; then '
        "give the cluster an image with the new version.",
        {PCS: Change.IN_PLACE},
    )
    default_queue: str | None = optional(
        "Queue of jobs that do not select one. Required with more than one queue. Default: the only queue.",
        {PARALLELCLUSTER: Change.WITH_ANOTHER, PCS: Change.IN_PLACE},
        here={PARALLELCLUSTER: {"form": QueueName | None}, PCS: {"form": PcsName | None}},
    )
    idle_minutes: StrictInt = key(
        "Minutes after which a dynamic node without a job is terminated; on ParallelCluster, -1 keeps it. "
        "Default: 60 on ParallelCluster, 10 on PCS.",
        {PARALLELCLUSTER: Change.FLEET_STOP, PCS: Change.IN_PLACE},
        here={
            PCS: {
                "default": 10,
                "ge": 1,
                "le": 166_666,
            }
        },
        default=60,
        ge=-1,
    )
    on_update: OnUpdate = key(
        "What happens to nodes when their queue changes: drain (their jobs end first) or terminate. Default: drain.",
        {PARALLELCLUSTER: Change.IN_PLACE},
        default=OnUpdate.DRAIN,
    )
    scaling: Scaling = key(
        "What happens if EC2 cannot launch all nodes of a job: all-or-nothing, greedy-all-or-nothing or best-effort "
        "(`ScalingStrategy`). Default: all-or-nothing.",
        {PARALLELCLUSTER: Change.IN_PLACE},
        default=Scaling.ALL_OR_NOTHING,
    )
    memory_scheduling: StrictBool = key(
        "Whether Slurm schedules memory, so that jobs must request it. Default: false.",
        {PARALLELCLUSTER: Change.FLEET_STOP, PCS: Change.IN_PLACE},
        default=False,
    )
    accounting: PcsAccounting | None = optional(
        "Accounting of Slurm (since 24.11). AWS's pages disagree on whether PCS can turn it off again. Default: none.",
        {PCS: Change.IN_PLACE},
        instead="accounting",
    )
    settings: dict[SettingKey, SettingValue] = key(
        "Additional parameters of slurm.conf: map of key to value. ParallelCluster refuses those that it sets "
        "itself; PCS supports some of them (PCS user guide, Custom Slurm settings for AWS PCS clusters). "
        "Default: none.",
        {PARALLELCLUSTER: Change.IN_PLACE, PCS: Change.IN_PLACE},
        default={},
    )


_REMEDY = (
    "for an existing cluster, use the Muster release that created it: another version replaces the cluster and deletes "
    "/home and /apps; for a new cluster, in another stack and with another name, write "
    f'version: "{PARALLELCLUSTER_VERSION}"'
)


def _of_this_muster(value: Any) -> Any:
    written = getattr(value, "text", value)
    if isinstance(value, bool) or not isinstance(value, str | int | float) or written == PARALLELCLUSTER_VERSION:
        return value
    raise PydanticCustomError(
        "choice",
        "{got}; {remedy}",
        {
            "got": f"this Muster supports only ParallelCluster {PARALLELCLUSTER_VERSION}, not '{written}'",
            "remedy": _REMEDY,
        },
    )


ParallelClusterVersion = Annotated[
    str, BeforeValidator(_of_this_muster), Field(json_schema_extra={"enum": [PARALLELCLUSTER_VERSION]})
]


class Os(StrEnum):
    """The operating systems of ParallelCluster 3.16.1 (`SUPPORTED_OSES`)."""

    ALINUX2023 = "alinux2023"
    UBUNTU2204 = "ubuntu2204"
    UBUNTU2404 = "ubuntu2404"
    RHEL8 = "rhel8"
    RHEL9 = "rhel9"
    ROCKY8 = "rocky8"
    ROCKY9 = "rocky9"


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


MOST_QUEUES = 50
"""The maximum for one cluster (`MAX_NUMBER_OF_QUEUES` of 3.16.1)."""


MOST_LETTERS_WITH_ACCOUNTING = 40
"""The maximum length of a cluster's name, which Slurm uses in names of database tables
(`PCLUSTER_NAME_MAX_LENGTH_SLURM_ACCOUNTING`)."""
