"""SageMaker HyperPod: clusters on an existing EKS cluster, quotas, and their use by other clusters."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import jmespath

from muster.account import capacity_queries
from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import MAX_ONE_BY_ONE, PreflightRequest, Topic
from muster.fleet.facts import ClusterFacts, Facts
from muster.hardware.hyperpod_quotas import (
    IN_ALL_CLUSTERS,
    IN_ONE_CLUSTER,
    LARGEST_VOLUME,
    ON_SPOT,
    SERVICE,
    instance_quota,
)

LIST_CLUSTERS = Query("sagemaker", "ListClusters", "HyperPod clusters", needs=("ClusterSummaries[].ClusterName",))


def _describe_clusters(listing: Answer, own: str = "") -> Inquiry[dict[str, Answer] | None]:
    """The clusters of the account but the stack's own, by name; None unless all are answered."""
    names = jmespath.search("ClusterSummaries[].ClusterName", listing.result)
    if names is None or len(names) > MAX_ONE_BY_ONE:
        return None
    others = sorted({*names} - {own})
    answers = (yield [*map(capacity_queries.query_hyperpod_cluster, others)]) if others else ()
    return dict(zip(others, answers, strict=True)) if all(each.answered for each in answers) else None


def _inquire_clusters(wanted: PreflightRequest) -> Inquiry[Facts]:
    blueprint = wanted.blueprint
    joins = blueprint.on_kubernetes and blueprint.hyperpod and blueprint.cluster.existing
    if not joins:
        return Facts()
    name = blueprint.cluster_name
    (listing,) = yield [LIST_CLUSTERS]
    every = yield from _describe_clusters(listing)
    if every is None:
        return Facts()
    arns = {each: jmespath.search("Orchestrator.Eks.ClusterArn", answer.result) for each, answer in every.items()}
    on_it = tuple(each for each, arn in arns.items() if arn and arn.endswith(f":cluster/{name}"))
    return Facts(clusters={name: ClusterFacts(hyperpodClusters=on_it)})


HYPERPOD_CLUSTERS = Topic(
    "HyperPod clusters",
    "The HyperPod clusters on an existing EKS cluster.",
    _inquire_clusters,
    frozenset({"clusters"}),
)


def _every(operation: str, about: str) -> Query:
    # The largest page of Service Quotas: SageMaker's quotas fill about 20 of them.
    parameters = {"ServiceCode": SERVICE, "MaxResults": 100}
    return Query("service-quotas", operation, about, parameters, needs=("Quotas[].QuotaName",))


_APPLIED = _every("ListServiceQuotas", "SageMaker's quotas")
_DEFAULTS = _every("ListAWSDefaultServiceQuotas", "the defaults of SageMaker's quotas")


def _inquire_quotas(wanted: PreflightRequest) -> Inquiry[Facts]:
    names = {*_names(wanted)}
    if not names:
        return Facts()
    applied, defaults, clusters = yield [_APPLIED, _DEFAULTS, LIST_CLUSTERS]
    # A quota without an applied value has its default; of a quota whose service fails, AWS lists the name alone.
    values = {**_by_name(defaults), **_by_name(applied)} if applied.result is not None else {}
    found = {name: int(value) for name in sorted(names) if (value := values.get(name)) is not None}
    cluster = wanted.blueprint.hyperpod_cluster
    others = yield from _describe_clusters(clusters, str(cluster.name) if cluster else "")
    used = {} if others is None else _used(found, others.values())
    return Facts(hyperpodQuotas=found, hyperpodQuotasUsed=used)


def _by_name(listing: Answer) -> dict[str, float | None]:
    return {each["QuotaName"]: each.get("Value") for each in (listing.result or {}).get("Quotas", ())}


def _names(wanted: PreflightRequest) -> Iterator[str]:
    """The quotas of the stack's instances, and those of clusters. Training plans have their own quotas."""
    groups = wanted.blueprint.hyperpod_groups
    for group in groups:
        if group.training_plan is None:
            yield from (instance_quota(each, spot=group.spot) for each in group.instance_types)
    if groups:
        yield from (IN_ONE_CLUSTER, IN_ALL_CLUSTERS)
    if any(group.spot for group in groups):
        yield ON_SPOT
    if any(group.volumes for group in groups):
        yield LARGEST_VOLUME


def _used(names: Iterable[str], clusters: Iterable[Answer]) -> dict[str, int]:
    """Quota -> the number of its instances in clusters; without quotas that do not count instances."""
    count: Counter[str] = Counter()
    for cluster in clusters:
        for group in capacity_queries.instance_groups(cluster):
            count.update(dict(_counted(group)))
    return {name: count[name] for name in names if name not in {IN_ONE_CLUSTER, LARGEST_VOLUME}}


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


HYPERPOD_QUOTAS = Topic(
    "quotas of HyperPod",
    "SageMaker's quotas of HyperPod: instances by type, and the limits of clusters.",
    _inquire_quotas,
    frozenset({"hyperpodQuotas", "hyperpodQuotasUsed"}),
)
