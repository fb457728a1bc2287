"""What AWS's package says of a cluster, as rules read it."""

from collections.abc import Mapping

from muster.authority.environment import NotInstalled
from muster.authority.judgement import Judgement, judge
from muster.authority.message import Level, Message
from muster.authority.session import NoAnswer
from muster.fleet.derive.refs import PARALLELCLUSTER_REF
from muster.fleet.description.slurm_cluster import SlurmCluster
from muster.fleet.parallelcluster.fields import field_of
from muster.fleet.resources import AuthorityReport, Place, Ref, Said
from muster.fleet.slurm_blueprint import SlurmBlueprint

ANSWERED: Mapping[str, str] = {
    "EfaPlacementGroupValidator": "who provided the reservation decides, and placement-group-by-provenance knows that",
    "EfaValidator": "efa-used-fully asks it of training groups; others may do without",
    "KeyPairValidator": "`login: ssm` is a choice, and sessions are how people get in",
    "DetailedMonitoringValidator": "`monitoring.detailed` is a choice; it says what it costs",
    "PlacementGroupCapacityReservationValidator": "placement-group-by-provenance knows whose the reservation is",
}
"""Validators whose warnings are not told again, each with what answers them here. Their errors are."""

REF = Ref("muster:parallelcluster:Authority", PARALLELCLUSTER_REF.name)
"""Another than the cluster's own: what is found by a reference is one thing."""


def report(blueprint: SlurmBlueprint) -> AuthorityReport:
    """The package's errors and warnings of a cluster, or why it could not be asked."""
    place = Place("")
    try:
        judgement = judge(blueprint)
    except NotInstalled as cause:
        return AuthorityReport(REF, place, missing=str(cause))
    except NoAnswer as cause:
        return AuthorityReport(REF, place, missing=f"an answer of AWS's own package: {cause}")
    told = (each for each in judgement.messages if is_told(each))
    return AuthorityReport(REF, place, tuple(_said(each, judgement, blueprint.described) for each in told))


def is_told(message: Message) -> bool:
    """Whether `check` has it, too: errors, and warnings that nothing else here answers."""
    return message.level is Level.ERROR or (message.level is Level.WARNING and message.validator not in ANSWERED)


def _said(message: Message, judgement: Judgement, described: SlurmCluster) -> Said:
    return Said(
        by=message.validator,
        level=message.level.value,
        text=message.text,
        key=message.place,
        at=field_of(message.path, judgement.configuration, described),
        failed=message.crashed,
    )
