"""Kubernetes versions, of answers."""

from datetime import datetime, timedelta, timezone

import pytest

from muster.account.topics.eks import VERSIONS
from tests.account.canned import run_topic
from tests.account.needs import needs

WANTED = needs("p5-odcr")


def of(*said):
    """The facts of versions that EKS says."""
    return run_topic(VERSIONS, WANTED, {"eks.DescribeClusterVersions": {"clusterVersions": [*said]}})[0]


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
