"""Kubernetes versions, of answers."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from muster.account.topics.eks import VERSIONS
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.sound_services import answers

WANTED = needs("p5-odcr")


def of(*said):
    """The facts of versions that EKS says."""
    return run_topic(VERSIONS, WANTED, {"eks.DescribeClusterVersions": {"clusterVersions": [*said]}})[0]


def test_a_sound_account_offers_the_version_by_the_calendar() -> None:
    """EKS's dates, of what it offers; what it supports no more is not kept."""
    known = run_topic(VERSIONS, WANTED, answers(WANTED))[0].facts.kubernetes_versions
    assert known.keys() == {"1.37", "1.36", "1.35", "1.34", "1.33", "1.32", "1.31"}
    assert known["1.35"].model_dump(by_alias=True) == {
        "offered": True,
        "endOfStandard": datetime(2027, 3, 27, tzinfo=UTC),
        "endOfExtended": datetime(2028, 3, 27, tzinfo=UTC),
    }


def test_all_versions_are_asked_for_once() -> None:
    """Those that are not supported, too: one that is missing then does not exist."""
    _, result = run_topic(VERSIONS, WANTED, answers(WANTED))
    assert [(each.operation, dict(each.parameters)) for each in result.queries] == [
        ("DescribeClusterVersions", {"includeAll": True})
    ]


@pytest.mark.parametrize(
    "own",
    [[], [{"clusterVersion": "1.35", "versionStatus": "UNSUPPORTED"}]],
    ids=["not listed", "unsupported"],
)
def test_a_version_that_eks_does_not_offer(own) -> None:
    """Whether it is missing, or listed as what it is."""
    result = of(*own, {"clusterVersion": "1.36", "clusterType": "eks", "versionStatus": "STANDARD_SUPPORT"})
    assert {name: each.offered for name, each in result.facts.kubernetes_versions.items()} == {
        "1.35": False,
        "1.36": True,
    }
    assert result.lines[0].about == "Kubernetes 1.35"
    assert result.lines[0].words == "not offered by EKS, which offers 1.36"


def test_versions_of_outposts_are_others() -> None:
    """What EKS offers in a customer's own building is not what it offers in the Region."""
    result = of({"clusterVersion": "1.35", "clusterType": "eks-local-outposts", "versionStatus": "STANDARD_SUPPORT"})
    assert result.facts.kubernetes_versions["1.35"].offered is False


def test_dates_are_kept_in_utc() -> None:
    """botocore reads them into the machine's own time."""
    local = datetime(2027, 3, 26, 17, tzinfo=timezone(timedelta(hours=-7)))
    own = {"clusterVersion": "1.35", "versionStatus": "EXTENDED_SUPPORT", "endOfStandardSupportDate": local}
    result = of(own)
    assert str(result.facts.kubernetes_versions["1.35"].end_of_standard) == "2027-03-27 00:00:00+00:00"
    assert result.lines[0].words == "offered, standard support until 2027-03-27"


def test_slurm_asks_for_none() -> None:
    """It has no Kubernetes."""
    assert run_topic(VERSIONS, needs("pcluster-gpu"), {})[1].queries == []


def test_a_version_of_no_status_is_not_known_to_be_offered() -> None:
    """Nor not to be; and a list without versions is none."""
    result = of({"clusterVersion": "1.35"})
    assert result.facts.kubernetes_versions["1.35"].offered is None
    assert result.lines[0].words == "it is unknown whether EKS offers it"
    assert of({"versionStatus": "STANDARD_SUPPORT"}).facts.kubernetes_versions == {}
