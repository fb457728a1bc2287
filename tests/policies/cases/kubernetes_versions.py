"""Kubernetes versions by EKS's own word."""

from datetime import date
from typing import Any

from muster.fleet.facts import Facts
from muster.unknown import UNKNOWN
from tests.factories import a_control_plane, a_fleet, elsewhere, facts
from tests.policies.case import cases

ENDS = {"endOfStandard": "2027-03-27T00:00:00Z", "endOfExtended": "2028-03-27T00:00:00Z"}


def eks_says(version: str = "1.35", **said: Any) -> Facts:
    """What EKS says of one version."""
    return facts(kubernetesVersions={version: {"offered": True, **said}})


cases(
    a_version_that_eks_offers=lambda: a_fleet(facts=eks_says(**ENDS)),
    # Whatever the calendar says.
    a_version_that_eks_does_not_offer=lambda: a_fleet(facts=eks_says(offered=False)),
    # One finding: EKS's own word.
    a_version_that_neither_eks_nor_the_calendar_knows=lambda: a_fleet(
        a_control_plane("1.99"), facts=eks_says("1.99", offered=False)
    ),
    a_version_whose_extended_support_ended_since_eks_was_asked=lambda: a_fleet(
        facts=eks_says(endOfStandard="2026-01-01T00:00:00Z", endOfExtended="2027-01-01T00:00:00Z"),
        as_of=date(2027, 1, 2),
    ),
    # EKS's own date, a day after it.
    a_version_whose_standard_support_ended_before_the_calendars=lambda: a_fleet(
        facts=eks_says(**{**ENDS, "endOfStandard": "2026-11-20T00:00:00Z"})
    ),
    a_version_whose_standard_support_eks_prolonged=lambda: a_fleet(
        facts=eks_says(**{**ENDS, "endOfStandard": "2027-06-27T00:00:00Z"}), as_of=date(2027, 6, 27)
    ),
    # Offered, so that it is no version that does not exist; nothing is pinned for it.
    a_version_that_eks_offers_and_muster_does_not_know_yet=lambda: a_fleet(
        a_control_plane("1.37"), facts=eks_says("1.37")
    ),
    a_foreign_cluster_of_a_version_that_muster_does_not_know_yet=lambda: a_fleet(
        elsewhere(a_control_plane("1.37"), "new"), facts=eks_says("1.37")
    ),
    a_version_not_yet_known_where_eks_was_asked=lambda: a_fleet(a_control_plane(UNKNOWN), facts=eks_says()),
    facts_of_a_person_who_says_nothing_of_versions=lambda: a_fleet(facts=facts(quotas={"L-417A185B": 384})),
)
