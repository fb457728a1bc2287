"""The HyperPod clusters on an EKS cluster that exists."""

from collections.abc import Mapping, Sequence
from typing import Any

from muster.account import held, hyperpod_usage
from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.one_by_one import MOST, told
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet.blueprint import Blueprint
from muster.fleet.facts import ClusterFacts, Facts


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    blueprint = wanted.blueprint
    joins = isinstance(blueprint, Blueprint) and blueprint.hyperpod and blueprint.control_plane.existing
    if not joins:
        return Learned()
    name = blueprint.cluster_name
    (listing,) = yield [hyperpod_usage.LISTED]
    listed = hyperpod_usage.names(listing)
    if listed is None:
        return Learned()
    asked = yield [held.hyperpod_cluster(each) for each in listed] if len(listed) <= MOST else []
    on_it = _on(name, asked) if len(asked) == len(listed) else None
    said = (Said(f"HyperPod clusters on {name}", told(len(listed), on_it)),)
    return Learned(Facts(clusters={} if on_it is None else {name: ClusterFacts(hyperpodClusters=on_it)}), said)


def _on(name: str, answers: Sequence[Answer]) -> tuple[str, ...] | None:
    """Those whose orchestrator is that EKS cluster; None as soon as one's is not known."""
    if not all(each.answered for each in answers):
        return None
    # By the name that was asked about: an answer need not say it again.
    there = [(str(each.question.parameters["ClusterName"]), each.result) for each in answers if each.result is not None]
    return tuple(each for each, said in there if _orchestrator(said).endswith(f":cluster/{name}"))


def _orchestrator(hyperpod: Mapping[str, Any]) -> str:
    return str(hyperpod.get("Orchestrator", {}).get("Eks", {}).get("ClusterArn", ""))


HYPERPOD_CLUSTERS = Topic(
    "HyperPod clusters",
    _inquire,
    frozenset({"clusters"}),
    dict.fromkeys(("sagemaker:DescribeCluster", "sagemaker:ListClusters"), "*"),
    {"sagemaker.ListClusters": ("sagemaker.DescribeCluster",)},
)
