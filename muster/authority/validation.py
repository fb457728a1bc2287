"""What ParallelCluster's own schema and validators say of a cluster, and the report that rules read."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from muster.authority.installation import NotInstalled
from muster.authority.moto_content import moto_content, placeholder_id
from muster.authority.skipped_validators import SUPPRESSED
from muster.authority.worker_process import NoAnswer, worker
from muster.blueprint.logical_names import PARALLELCLUSTER_REF
from muster.blueprint.parallelcluster.configuration import configuration
from muster.blueprint.parallelcluster.description_fields import field_of
from muster.blueprint.slurm import SlurmBlueprint
from muster.blueprint.tags import PARALLELCLUSTER_PROVIDER_TAG
from muster.config.description.slurm_cluster import SlurmCluster
from muster.fleet.resources import AuthorityReport, Place, Ref, ValidatorMessage

SCHEMA = "schema"
"""The validator's name of what the schema itself says."""

Path = tuple[str | int, ...]


class Level(StrEnum):
    """The package's own levels: `create-cluster` stops at ERROR."""

    ERROR = "ERROR"
    WARNING = "WARNING"
    INFO = "INFO"


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that was said of a configuration."""

    validator: str
    """The class that says it, or `SCHEMA`."""
    level: Level
    text: str
    path: Path
    """Where in the configuration: ``("Scheduling", "SlurmQueues", 0, "Name")``; the block around it, where the package
    does not say more."""
    crashed: bool = False
    """Whether the validator failed instead of judging: what it asked for, the stand-in does not have."""

    @classmethod
    def of(cls, said: dict[str, Any]) -> "Message":
        """From the process's words."""
        return cls(
            said["validator"], Level(said["level"]), said["text"], tuple(said["path"]), said.get("crashed", False)
        )

    @property
    def place(self) -> str:
        """``Scheduling.SlurmQueues[0].Name``; "" for the whole configuration."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return "".join(steps).removeprefix(".")


Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PackageResult:
    """What was said, and by whom."""

    configuration: Json
    """What was judged: ids that are not known yet are the names of what will have them."""
    messages: tuple[Message, ...]
    """In the order they were said in. Where the schema refuses, no validator is asked."""
    ran: Mapping[str, int]
    """Validator class -> how often it was asked."""
    suppressed: tuple[str, ...]
    """Those that would have been asked, too (`muster.authority.skipped_validators`)."""
    seconds: float


def validate_cluster(blueprint: SlurmBlueprint) -> PackageResult:
    """What the package says of a cluster.

    Raises:
        NotInstalled: it is not here.
        NoAnswer: it failed.
    """
    return validate_configuration(
        configuration(blueprint, placeholder_id), blueprint.cluster_name, moto_content(blueprint)
    )


def validate_configuration(said: Json, name: str, around: Json) -> PackageResult:
    """What the package says of a configuration for a cluster of a name, in an account
    (`muster.authority.moto_content`).

    Raises:
        NotInstalled: it is not here.
        NoAnswer: it failed.
    """
    told = worker().ask(
        "judge", cluster=name, configuration=as_sent(_provided(said)), account=around, suppressed=sorted(SUPPRESSED)
    )
    return PackageResult(
        said, tuple(map(Message.of, told["messages"])), told["ran"], tuple(told["suppressed"]), told["seconds"]
    )


def _provided(said: Json) -> Json:
    """As AWS's provider hands it on: with a tag of its own, last (`cloudformation/custom_resource/cluster.yaml`)."""
    return {**said, "Tags": [*said.get("Tags", ()), {"Key": PARALLELCLUSTER_PROVIDER_TAG, "Value": "cluster"}]}


def as_sent(value: Any) -> Any:
    """As CloudFormation hands it to ParallelCluster's Lambda: a custom resource gets every primitive as text."""
    if isinstance(value, Mapping):
        return {key: as_sent(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_sent(each) for each in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


ANSWERED_BY_RULES: Mapping[str, str] = {
    "EfaPlacementGroupValidator": "who provided the reservation decides, and placement-group-by-provenance knows that",
    "EfaValidator": "efa-used-fully asks it of training groups; others may do without",
    "KeyPairValidator": "`login: ssm` is a choice, and sessions are how people get in",
    "DetailedMonitoringValidator": "`monitoring.detailed` is a choice; it says what it costs",
    "PlacementGroupCapacityReservationValidator": "placement-group-by-provenance knows whose the reservation is",
}
"""Validators whose warnings are not told again, each with what answers them here. Their errors are."""

REPORT_REF = Ref("muster:parallelcluster:Authority", PARALLELCLUSTER_REF.name)
"""Another than the cluster's own: what is found by a reference is one thing."""


def package_report(blueprint: SlurmBlueprint) -> AuthorityReport:
    """The package's errors and warnings of a cluster, or why it could not be asked."""
    place = Place("")
    try:
        judgement = validate_cluster(blueprint)
    except NotInstalled as cause:
        return AuthorityReport(REPORT_REF, place, missing=str(cause))
    except NoAnswer as cause:
        return AuthorityReport(REPORT_REF, place, missing=f"an answer of AWS's own package: {cause}")
    told = (each for each in judgement.messages if is_reported(each))
    return AuthorityReport(
        REPORT_REF, place, tuple(_report_line(each, judgement, blueprint.described) for each in told)
    )


def is_reported(message: Message) -> bool:
    """Whether `check` has it, too: errors, and warnings that nothing else here answers."""
    return message.level is Level.ERROR or (
        message.level is Level.WARNING and message.validator not in ANSWERED_BY_RULES
    )


def _report_line(message: Message, judgement: PackageResult, described: SlurmCluster) -> ValidatorMessage:
    return ValidatorMessage(
        by=message.validator,
        level=message.level.value,
        text=message.text,
        key=message.place,
        at=field_of(message.path, judgement.configuration, described),
        failed=message.crashed,
    )
