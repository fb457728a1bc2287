"""The cluster that groups join, and the HyperPod clusters on it, of answers."""

from muster.account.topic import MAX_ONE_BY_ONE
from muster.account.topics.eks import CLUSTERS
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
