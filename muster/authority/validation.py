"""The result of ParallelCluster's schema and validators for a cluster, and the report that rules read."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from muster.authority.installation import NotInstalled
from muster.authority.moto_content import moto_content, placeholder_id
from muster.authority.result_cache import keep_result, read_result
from muster.authority.skipped_validators import SUPPRESSED
from muster.authority.worker_process import NoAnswer, worker
from muster.blueprint.logical_names import PARALLELCLUSTER_REF
from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint
from muster.blueprint.parallelcluster.configuration import configuration
from muster.blueprint.parallelcluster.description_fields import field_of
from muster.blueprint.tags import PARALLELCLUSTER_PROVIDER_TAG
from muster.config.description.slurm_cluster import SlurmCluster
from muster.fleet.resources import AuthorityReport, Place, Ref, ValidatorMessage

SCHEMA = "schema"
"""The validator's name in messages of the schema."""

Path = tuple[str | int, ...]


class Level(StrEnum):
    """The levels of the package: `create-cluster` stops at ERROR."""

    ERROR = "ERROR"
    WARNING = "WARNING"
    INFO = "INFO"


@dataclass(frozen=True, slots=True)
class Message:
    """One message about a configuration."""

    validator: str
    """The validator's class, or `SCHEMA`."""
    level: Level
    text: str
    path: Path
    """The place in the configuration: ``("Scheduling", "SlurmQueues", 0, "Name")``. If the package does not name the
    key, the block that contains it."""
    crashed: bool = False
    """Whether the validator raised an exception, because moto could not answer its queries."""

    @classmethod
    def of(cls, fields: dict[str, Any]) -> "Message":
        """The message from the fields that the worker sends."""
        return cls(
            fields["validator"],
            Level(fields["level"]),
            fields["text"],
            tuple(fields["path"]),
            fields.get("crashed", False),
        )

    @property
    def place(self) -> str:
        """``Scheduling.SlurmQueues[0].Name``; an empty string for the whole configuration."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return "".join(steps).removeprefix(".")


Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PackageResult:
    """The messages of all validators."""

    configuration: Json
    """The validated configuration. Instead of ids that are not known yet, it contains the names of the resources."""
    messages: tuple[Message, ...]
    """In the package's order. If the schema refuses the configuration, no validator runs."""
    ran: Mapping[str, int]
    """Validator class -> how often it ran."""
    suppressed: tuple[str, ...]
    """The validators that would have run, but that Muster skips (`muster.authority.skipped_validators`)."""
    seconds: float


def validate_cluster(blueprint: ParallelClusterBlueprint) -> PackageResult:
    """The messages of the package about a cluster.

    Raises:
        NotInstalled: the package is not installed.
        NoAnswer: the package failed.
    """
    return validate_configuration(
        configuration(blueprint, placeholder_id), blueprint.cluster_name, moto_content(blueprint)
    )


def validate_configuration(given: Json, name: str, around: Json) -> PackageResult:
    """The messages of the package about a configuration of a cluster in an account (`muster.authority.moto_content`).

    Raises:
        NotInstalled: the package is not installed.
        NoAnswer: the package failed.
    """
    request = {
        "cluster": name,
        "configuration": as_sent(_provided(given)),
        "account": around,
        "suppressed": sorted(SUPPRESSED),
    }
    result = read_result(request)
    if result is None:
        result = worker().ask("judge", **request)
        keep_result(request, result)
    return PackageResult(
        given, tuple(map(Message.of, result["messages"])), result["ran"], tuple(result["suppressed"]), result["seconds"]
    )


def _provided(given: Json) -> Json:
    """The configuration as AWS's provider passes it on: with an additional tag at the end
    (`cloudformation/custom_resource/cluster.yaml`)."""
    return {**given, "Tags": [*given.get("Tags", ()), {"Key": PARALLELCLUSTER_PROVIDER_TAG, "Value": "cluster"}]}


def as_sent(value: Any) -> Any:
    """A value as CloudFormation passes it to ParallelCluster's Lambda function: a custom resource gets all primitives
    as strings."""
    if isinstance(value, Mapping):
        return {key: as_sent(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_sent(each) for each in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


ANSWERED_BY_RULES: Mapping[str, str] = {
    "EfaPlacementGroupValidator": (
        "it depends on who provided the reservation, and the rule placement-group-by-provenance reads that"
    ),
    "EfaValidator": "the rule efa-used-fully requires EFA for training groups; other groups may run without EFA",
    "KeyPairValidator": "with `login: ssm`, users intentionally log in through SSM sessions, which need no key pair",
    "DetailedMonitoringValidator": "`monitoring.detailed` is an intentional choice; its description states the cost",
    "PlacementGroupCapacityReservationValidator": (
        "the rule placement-group-by-provenance reads who provided the reservation"
    ),
}
"""Validators whose warnings are not reported, each with the reason. Their errors are reported."""

REPORT_REF = Ref("muster:parallelcluster:Authority", PARALLELCLUSTER_REF.name)
"""The report's reference. It differs from the cluster's, because a reference identifies one object."""


def package_report(blueprint: ParallelClusterBlueprint) -> AuthorityReport:
    """The errors and warnings of the package about a cluster, or the reason why it could not run."""
    place = Place("")
    try:
        judgement = validate_cluster(blueprint)
    except NotInstalled as cause:
        return AuthorityReport(REPORT_REF, place, missing=str(cause))
    except NoAnswer as cause:
        return AuthorityReport(REPORT_REF, place, missing=f"an answer from AWS's package aws-parallelcluster: {cause}")
    reported = (each for each in judgement.messages if is_reported(each))
    return AuthorityReport(
        REPORT_REF, place, tuple(_report_line(each, judgement, blueprint.described) for each in reported)
    )


def is_reported(message: Message) -> bool:
    """Whether `check` reports the message: errors, and warnings that no rule of Muster covers. If a rule found the same
    fault, `check` prints the rule's finding instead (`muster.policies.engine.repeated_messages`)."""
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
