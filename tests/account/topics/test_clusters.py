"""The cluster that groups join, and the HyperPod clusters on it, of answers."""

from muster.account.preflight import run_topics
from muster.account.topic import MAX_ONE_BY_ONE
from muster.account.topics.eks import CLUSTERS
from muster.account.topics.hyperpod import HYPERPOD_CLUSTERS
from muster.fleet.facts import ClusterFacts
from tests.account.aws import Refused
from tests.account.canned import Canned
from tests.account.needs import needs
from tests.account.sound_services import answers, cluster_arn

EKS, HYPERPOD = needs("p5-join-existing"), needs("hyperpod-existing-eks")
NAME = "ml-platform"


def both(wanted, said):
    """What both topics come to, and what they asked."""
    result = Canned(said)
    return run_topics([CLUSTERS, HYPERPOD_CLUSTERS], wanted, result), result


def facts_of(wanted, **said) -> ClusterFacts | None:
    """What is known of the cluster where some answers are others than a sound account's."""
    result, _ = both(wanted, {**answers(wanted), **dotted(said)})
    return result.facts.clusters.get(NAME)


def dotted(said):
    """``eks_ListAddons`` -> ``eks.ListAddons``."""
    return {key.replace("_", "."): each for key, each in said.items()}


def hyperpods(**on: str):
    """SageMaker's answers: name -> the ARN of the EKS cluster it is on."""
    return {
        "sagemaker_ListClusters": {"ClusterSummaries": [{"ClusterName": each} for each in on]},
        "sagemaker_DescribeCluster": lambda asked: {
            "ClusterName": asked["ClusterName"],
            "InstanceGroups": [],
            "Orchestrator": {"Eks": {"ClusterArn": on[asked["ClusterName"]]}} if on[asked["ClusterName"]] else {},
        },
    }


def test_hyperpod_clusters_are_those_on_this_eks_cluster() -> None:
    """Not those on another one, whose name may end alike, nor those of Slurm."""
    arn = cluster_arn(HYPERPOD)
    there = hyperpods(ours=arn, theirs=arn.replace("/ml-", "/other-ml-"), slurm="")
    known = facts_of(HYPERPOD, **there)
    assert known is not None
    assert known.hyperpod_clusters == ("ours",)


def test_a_hyperpod_cluster_that_went_meanwhile_is_not_there() -> None:
    """SageMaker listed it, and does not know it any more."""
    there = hyperpods(gone=cluster_arn(HYPERPOD))
    there["sagemaker_DescribeCluster"] = Refused("ResourceNotFound", "gone")
    known = facts_of(HYPERPOD, **there)
    assert known is not None
    assert known.hyperpod_clusters == ()


def test_too_many_to_ask_about_one_by_one_are_not_known() -> None:
    """The number of calls is bounded, and what that leaves open is said."""
    many = [f"addon-{number}" for number in range(MAX_ONE_BY_ONE + 1)]
    asked = {**answers(EKS), "eks.ListAddons": {"addons": many}}
    result, put = both(EKS, asked)
    assert result.facts.clusters[NAME].eks_addons is None
    assert "eks.DescribeAddon" not in put.operations
