"""The cluster that groups join, and the HyperPod clusters on it, of answers."""

import pytest

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


@pytest.mark.parametrize("wanted", [EKS, HYPERPOD], ids=["eks", "hyperpod"])
def test_a_sound_account_says_what_the_description_says(wanted) -> None:
    """Of the cluster itself, its add-ons, and on HyperPod the HyperPod clusters there."""
    plane, known = wanted.blueprint.control_plane, facts_of(wanted)
    assert known is not None
    assert known.model_dump(exclude_none=True) == {
        "exists": True,
        "version": plane.kubernetes,
        "vpc": plane.vpc,
        "security_group": plane.security_groups[0],
        "authentication": plane.authentication,
        "state": "ACTIVE",
        "eks_addons": {"vpc-cni": "v1.23.1-eksbuild.1"},
        **({"hyperpod_clusters": ()} if wanted is HYPERPOD else {}),
    }


def test_a_cluster_that_does_not_exist() -> None:
    """That is all that is known of it; nothing more is asked."""
    none = Refused("ResourceNotFoundException", "No cluster found for name: ml-platform.")
    result, asked = both(EKS, {"eks.DescribeCluster": none, "eks.ListAddons": none})
    assert result.facts.clusters[NAME] == ClusterFacts(exists=False)
    assert (result.unanswered, asked.operations) == ((), ["eks.DescribeCluster", "eks.ListAddons"])


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
