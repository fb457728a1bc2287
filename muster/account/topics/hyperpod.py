"""SageMaker HyperPod: clusters on an existing EKS cluster, quotas, and their use by other clusters."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from muster.account import capacity_queries, service_quotas
from muster.account.query import Answer, Inquiry, Query
from muster.account.service_quotas import query_quota_values
from muster.account.topic import MAX_ONE_BY_ONE, PreflightRequest, Topic, TopicLine, TopicResult, describe_one_by_one
from muster.blueprint.kubernetes import Blueprint
from muster.fleet.facts import ClusterFacts, Facts
from muster.hardware.hyperpod_quotas import (
    CODES,
    IN_ALL_CLUSTERS,
    IN_ONE_CLUSTER,
    LARGEST_VOLUME,
    ON_SPOT,
    SERVICE,
    instance_quota,
)
from muster.hardware.quotas import Quota
from muster.unknown import UNKNOWN

LIST_CLUSTERS = Query("sagemaker", "ListClusters", "HyperPod clusters")


def cluster_names(listing: Answer) -> list[str] | None:
    """The names of the account's clusters; None if AWS did not return all names."""
    summaries = (listing.result or {}).get("ClusterSummaries")
    if summaries is None or not all("ClusterName" in each for each in summaries):
        return None
    return sorted(each["ClusterName"] for each in summaries)


def instances_of_others(quotas: Sequence[str], listing: Answer, own: str) -> Inquiry[dict[str, int]]:
    """Quota -> the number of its instances in other clusters; empty if an answer is missing, or lacks a count or a
    type.

    Args:
        quotas: by name; quotas that do not count instances are left out.
        listing: the answer to `LIST_CLUSTERS`.
        own: the name of the stack's cluster.
    """
    every = cluster_names(listing)
    others = [each for each in every or () if each != own]
    if every is None or len(others) > MAX_ONE_BY_ONE:
        return {}
    answers = (yield [capacity_queries.query_hyperpod_cluster(each) for each in others]) if others else ()
    every_group = [capacity_queries.listed_instance_groups(each) for each in answers]
    groups = [group for each in every_group for group in each or ()]
    if None in every_group or not all(map(_is_complete, groups)):
        return {}
    count: Counter[str] = Counter()
    for group in groups:
        count.update(dict(_counted(group)))
    return {name: count[name] for name in quotas if name in {IN_ALL_CLUSTERS, ON_SPOT} or _of_a_type(name)}


def _of_a_type(quota: str) -> bool:
    return quota.startswith("ml.")


def _is_complete(group: Mapping[str, Any]) -> bool:
    """Whether the answer has the type, the current count and the target count."""
    types = group.get("InstanceTypeDetails", ())
    typed = "InstanceType" in group or types
    return (
        bool(typed)
        and all("InstanceType" in each and "CurrentCount" in each for each in types)
        and ({"CurrentCount", "TargetCount"} <= group.keys())
    )


def _counted(group: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """The instances of one instance group that count against each quota: the current or the target number, whichever is
    larger. Instances of a training plan do not count against a type's quota: plans have their own quotas."""
    spot = "Spot" in group.get("CapacityRequirements", {})
    types = {each["InstanceType"]: each["CurrentCount"] for each in group.get("InstanceTypeDetails", ())}
    most = max(group["CurrentCount"], group["TargetCount"], sum(types.values()))
    if "InstanceType" in group:
        types = {group["InstanceType"]: most}
    yield IN_ALL_CLUSTERS, most
    if spot:
        yield ON_SPOT, most
    if not group.get("TrainingPlanArn"):
        yield from ((instance_quota(each, spot=spot), number) for each, number in types.items())


def _inquire_clusters(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    blueprint = wanted.blueprint
    joins = isinstance(blueprint, Blueprint) and blueprint.hyperpod and blueprint.control_plane.existing
    if not joins:
        return TopicResult()
    name = blueprint.cluster_name
    (listing,) = yield [LIST_CLUSTERS]
    listed = cluster_names(listing)
    if listed is None:
        return TopicResult()
    answers = (
        yield [capacity_queries.query_hyperpod_cluster(each) for each in listed]
        if len(listed) <= MAX_ONE_BY_ONE
        else []
    )
    on_it = _on(name, answers) if len(answers) == len(listed) else None
    lines = (TopicLine(f"HyperPod clusters on {name}", describe_one_by_one(len(listed), on_it)),)
    return TopicResult(Facts(clusters={} if on_it is None else {name: ClusterFacts(hyperpodClusters=on_it)}), lines)


def _on(name: str, answers: Sequence[Answer]) -> tuple[str, ...] | None:
    """The clusters whose orchestrator is that EKS cluster; None if the orchestrator of one is unknown."""
    if not all(each.answered for each in answers):
        return None
    # Names come from the query: the answer need not repeat them.
    there = [(str(each.question.parameters["ClusterName"]), each.result) for each in answers if each.result is not None]
    return tuple(each for each, result in there if _orchestrator(result).endswith(f":cluster/{name}"))


def _orchestrator(hyperpod: Mapping[str, Any]) -> str:
    return str(hyperpod.get("Orchestrator", {}).get("Eks", {}).get("ClusterArn", ""))


HYPERPOD_CLUSTERS = Topic(
    "HyperPod clusters",
    "The HyperPod clusters on an existing EKS cluster.",
    _inquire_clusters,
    frozenset({"clusters"}),
    dict.fromkeys(("sagemaker:DescribeCluster", "sagemaker:ListClusters"), "*"),
    {"sagemaker.ListClusters": ("sagemaker.DescribeCluster",)},
)


_PAGE = 100
"""The maximum page size of Service Quotas: SageMaker's quotas fill about 20 pages."""


def _inquire_quotas(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    names = [*dict.fromkeys(_names(wanted))]
    if not names:
        return TopicResult()
    coded = [Quota(SERVICE, CODES[name], name) for name in names if name in CODES]
    beside = _APPLIED if len(coded) < len(names) else ()
    known, (clusters, *listed) = yield from query_quota_values(coded, [LIST_CLUSTERS, *beside])
    found = _by_name(names, [*known.values(), *_quotas(listed)])
    # Only by name: the code is unknown, or belongs to another quota. A quota without an applied value has its default.
    open_ = {name for name in names if name not in CODES}
    open_ |= {quota.name for quota, entry in known.items() if entry.get("QuotaName") != quota.name}
    if open_ - found.keys() and not listed:
        listed = [*(yield _APPLIED)]
        found = _by_name(names, _quotas(listed)) | found
    if (left := open_ - found.keys()) and _without(left, listed):
        found = _by_name(names, _quotas((yield _DEFAULTS))) | found
    used = yield from instances_of_others([*found], clusters, _stack_hyperpod_name(wanted))
    lines = (TopicLine(f"quota {name}", _quota_text(name, found[name], used)) for name in names if name in found)
    open_facts = {("hyperpodQuotas", name) for name in names if name not in found}
    open_facts |= {("hyperpodQuotasUsed", name) for name in names if name not in used}
    return TopicResult(Facts(hyperpodQuotas=found, hyperpodQuotasUsed=used), tuple(lines), frozenset(open_facts))


def _stack_hyperpod_name(wanted: PreflightRequest) -> str:
    """The name of the stack's cluster."""
    cluster = wanted.blueprint.hyperpod_cluster
    return str(cluster.name) if cluster else ""


def _quota_text(name: str, allowed: int, used: Mapping[str, int]) -> str:
    if name in used:
        return f"{allowed}, of which other clusters use {used[name]}"
    return f"{allowed}" if name in _OF_ONE else f"{allowed}, use by other clusters unknown"


_OF_ONE = (IN_ONE_CLUSTER, LARGEST_VOLUME)
"""Quotas that are not sums over all clusters."""


def _by_name(names: Sequence[str], entries: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    return {
        each["QuotaName"]: int(each["Value"]) for each in entries if each.get("QuotaName") in names and "Value" in each
    }


def _quotas(answers: Sequence[Answer]) -> list[Mapping[str, Any]]:
    return [each for answer in answers if answer.result for each in answer.result.get("Quotas", ())]


def _without(names: Collection[str], applied: Sequence[Answer]) -> bool:
    """Whether some quotas have no applied value, so that their defaults count: AWS lists all applied quotas by name,
    and each of them has its value."""
    whole = all(answer.result is not None and "Quotas" in answer.result for answer in applied)
    return whole and not any(each.get("QuotaName") in {*names, None} for each in _quotas(applied))


def _every(operation: str, about: str) -> list[Query]:
    return [Query("service-quotas", operation, about, {"ServiceCode": SERVICE, "MaxResults": _PAGE})]


_APPLIED = _every("ListServiceQuotas", "SageMaker's quotas")
_DEFAULTS = _every("ListAWSDefaultServiceQuotas", "the defaults of SageMaker's quotas")


def _names(wanted: PreflightRequest) -> Iterator[str]:
    """The quotas of the stack's instances, and those of clusters. Training plans have their own quotas."""
    groups = wanted.blueprint.hyperpod_groups
    for group in groups:
        if group.training_plan is None:
            types = () if group.instance_types is UNKNOWN else group.instance_types
            yield from (instance_quota(each, spot=group.spot is True) for each in types)
    if groups:
        yield from (IN_ONE_CLUSTER, IN_ALL_CLUSTERS)
    if any(group.spot for group in groups):
        yield ON_SPOT
    if any(group.volumes for group in groups):
        yield LARGEST_VOLUME


HYPERPOD_QUOTAS = Topic(
    "quotas of HyperPod",
    "SageMaker's quotas of HyperPod: instances by type, and the limits of clusters.",
    _inquire_quotas,
    frozenset({"hyperpodQuotas", "hyperpodQuotasUsed"}),
    service_quotas.QUOTA_RIGHTS
    | dict.fromkeys(("servicequotas:ListAWSDefaultServiceQuotas", "servicequotas:ListServiceQuotas"), "*")
    | dict.fromkeys(("sagemaker:DescribeCluster", "sagemaker:ListClusters"), "*"),
    {
        service_quotas.GET_SERVICE_QUOTA: (service_quotas.GET_DEFAULT_QUOTA, "service-quotas.ListServiceQuotas"),
        "service-quotas.ListServiceQuotas": ("service-quotas.ListAWSDefaultServiceQuotas",),
        "sagemaker.ListClusters": ("sagemaker.DescribeCluster",),
    },
)
