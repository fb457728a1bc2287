"""EKS's versions, the cluster that groups join, and the HyperPod clusters on it, of answers."""

from datetime import datetime, timedelta, timezone

import pytest

from muster.account.topic import MAX_ONE_BY_ONE
from muster.account.topics.eks import CLUSTERS, VERSIONS
from muster.account.topics.hyperpod import HYPERPOD_CLUSTERS
from tests.account.aws import Refused
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.sound_services import answers, cluster_arn

EKS, HYPERPOD = needs("p5-join-existing"), needs("hyperpod-existing-eks")
NAME = "ml-platform"


def test_hyperpod_clusters_are_those_on_this_eks_cluster() -> None:
    """Not those on another one, whose name may end alike, nor those of Slurm, nor one that went meanwhile."""
    arn = cluster_arn(HYPERPOD)
    on = {"ours": arn, "theirs": arn.replace("/ml-", "/other-ml-"), "slurm": "", "gone": None}

    def say(asked):
        at = on[asked["ClusterName"]]
        orchestrator = {"Orchestrator": {"Eks": {"ClusterArn": at}}} if at else {}
        return Refused("ResourceNotFound") if at is None else {"InstanceGroups": [], **orchestrator}

    listed = {"ClusterSummaries": [{"ClusterName": each} for each in on]}
    said = {**answers(HYPERPOD), "sagemaker.ListClusters": listed, "sagemaker.DescribeCluster": say}
    result, _ = run_topic(HYPERPOD_CLUSTERS, HYPERPOD, said)
    assert result.facts.clusters[NAME].hyperpod_clusters == ("ours",)


def test_too_many_to_ask_about_one_by_one_are_not_known() -> None:
    """The number of calls is bounded, and what that leaves open is said."""
    many = [f"addon-{number}" for number in range(MAX_ONE_BY_ONE + 1)]
    result, put = run_topic(CLUSTERS, EKS, {**answers(EKS), "eks.ListAddons": {"addons": many}})
    assert result.facts.clusters[NAME].eks_addons is None
    assert "eks.DescribeAddon" not in put.operations


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
