"""Quotas of EC2's vCPUs, networks, addresses, clusters and file systems, with their use by others."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import jmespath

from muster.account import capacity_queries
from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import MAX_FILTER_VALUES, PreflightRequest, Topic, id_filter
from muster.blueprint.logical_names import STACK_TAG
from muster.config.description.capacity import CapacityBlock
from muster.config.description.storage import Lustre
from muster.config.identifiers import group_of_generated_name
from muster.fleet.facts import Facts
from muster.hardware import quotas
from muster.hardware.quotas import VCPUS, Quota, vcpu_quota

_NONE = frozenset({"NoSuchResourceException"})
"""The error for a quota without an applied value."""

Values = Mapping[Quota, Mapping[str, Any]]
"""The entry of each quota in Service Quotas' answers: `Value`, `UsageMetric`."""


def query_quota_values(quotas: Sequence[Quota]) -> Inquiry[Values]:
    """The values of quotas: the applied ones, else the defaults."""
    found = dict(zip(quotas, (yield [_question("GetServiceQuota", each) for each in quotas]), strict=True))
    lacking = [quota for quota, answer in found.items() if answer.absent]
    if lacking:
        defaults = yield [_question("GetAWSDefaultServiceQuota", each) for each in lacking]
        found |= dict(zip(lacking, defaults, strict=True))
    return {quota: answer.result["Quota"] for quota, answer in found.items() if answer.result}


def _question(operation: str, quota: Quota) -> Query:
    parameters = {"ServiceCode": quota.service, "QuotaCode": quota.code}
    about = f"quota {quota.code} ({quota.name})"
    # If a service behind it fails, Service Quotas answers with an `ErrorReason` instead of a value.
    return Query("service-quotas", operation, about, parameters, absent=_NONE, needs=("Quota.Value",))


_SECONDS = 300
"""The period of the metric: CloudWatch has a point every few minutes."""

_WINDOW = timedelta(days=1)
_NOT_ANSWERED = frozenset({"InternalError", "Forbidden"})
"""A metric's `StatusCode` with which its latest points may be missing."""


_OF_A_METRIC = ("MetricNamespace", "MetricName", "MetricDimensions")
"""The parts of a metric's identity: if one is missing, the query would be for another metric, which has no points."""


def query_usage(known: Values, until: datetime) -> Inquiry[dict[Quota, int]]:
    """The latest use of those quotas that have a usage metric, in the day before a moment."""
    metrics = {quota: each.get("UsageMetric", {}) for quota, each in known.items()}
    measured = [quota for quota, metric in metrics.items() if all(metric.get(each) for each in _OF_A_METRIC)]
    if not measured:
        return {}
    parameters = {
        "MetricDataQueries": [_query(f"q{index}", metrics[quota]) for index, quota in enumerate(measured)],
        "StartTime": (until - _WINDOW).isoformat(),
        "EndTime": until.isoformat(),
        "ScanBy": "TimestampDescending",
    }
    needs = tuple(f"MetricDataResults[].{each}" for each in ("Id", "StatusCode", "Values"))
    (answer,) = yield [Query("cloudwatch", "GetMetricData", "the use of the quotas", parameters, needs=needs)]
    latest = {quota: _latest(f"q{index}", answer) for index, quota in enumerate(measured)}
    return {quota: value for quota, value in latest.items() if value is not None}


def _latest(id_: str, answer: Answer) -> int | None:
    """The latest value of one metric; 0 of one without points. Its answer may be in parts, the latest first; None if
    AWS did not answer all."""
    parts = [each for each in (answer.result or {}).get("MetricDataResults", ()) if each["Id"] == id_]
    if any(each["StatusCode"] in _NOT_ANSWERED for each in parts):
        return None
    values = [value for each in parts for value in each["Values"]]
    if values:
        return int(values[0])
    return 0 if parts and parts[-1]["StatusCode"] == "Complete" else None


def _query(id_: str, metric: Mapping[str, Any]) -> dict[str, Any]:
    dimensions = metric["MetricDimensions"]
    return {
        "Id": id_,
        "MetricStat": {
            "Metric": {
                "Namespace": metric["MetricNamespace"],
                "MetricName": metric["MetricName"],
                "Dimensions": [{"Name": name, "Value": dimensions[name]} for name in sorted(dimensions)],
            },
            "Period": _SECONDS,
            "Stat": metric.get("MetricStatisticRecommendation", "Maximum"),
        },
    }


def _inquire_vcpus(wanted: PreflightRequest) -> Inquiry[Facts]:
    counting = _vcpu_quotas(wanted)
    if not counting:
        return Facts()
    own = yield from capacity_queries.own_vcpus(wanted)
    known = yield from query_quota_values(counting)
    measured = yield from query_usage(known, wanted.observed)
    # AWS measures the use every few minutes: instances that the stack has just launched may be missing.
    used = {} if own is None else {quota: max(0, all_ - own.get(quota, 0)) for quota, all_ in measured.items()}
    return _facts(known, used)


def _facts(known: Values, used: Mapping[Quota, int]) -> Facts:
    return Facts(
        quotas={quota.code: int(each["Value"]) for quota, each in known.items()},
        quotasUsed={quota.code: each for quota, each in used.items() if quota in known},
    )


def _vcpu_quotas(wanted: PreflightRequest) -> list[Quota]:
    """The quotas that count the stack's instances. No vCPU quota counts instances of Capacity Blocks and of
    HyperPod."""
    found = set()
    for group in wanted.blueprint.groups:
        capacity = group.described.capacity
        if group.in_ec2 and not isinstance(capacity.held, CapacityBlock):
            spot = capacity.spot is not None
            found.add(vcpu_quota(group.node.hardware.instance, spot=spot))
    found |= {vcpu_quota(each, spot=False) for each in wanted.blueprint.other_instances}
    return [each for each in VCPUS if each in found]


VCPU_QUOTAS = Topic(
    "quotas of vCPUs",
    "EC2's quotas of vCPUs, and their use by others.",
    _inquire_vcpus,
    frozenset({"quotas", "quotasUsed"}),
)


Entry = Mapping[str, Any]
Count = Callable[[Entry, PreflightRequest], int]
"""The number of resources in an answer that do not belong to the stack."""


def _inquire_resources(wanted: PreflightRequest) -> Inquiry[Facts]:
    limiting = [*dict.fromkeys(_resource_quotas_of(wanted))]
    if not limiting:
        return Facts()
    known = yield from query_quota_values(limiting)
    counts = {quota: each for quota, each in _inventories(wanted).items() if quota in limiting}
    nats = [_LIST_NAT_GATEWAYS] if quotas.NAT_GATEWAYS in limiting else []
    answers = yield [*(query for query, _ in counts.values()), *nats]
    used = {
        # There is nothing in a cluster that does not exist.
        quota: count(answer.result or {}, wanted)
        for (quota, (_, count)), answer in zip(counts.items(), answers, strict=False)
        if answer.answered
    }
    if nats and (listed := answers[-1].result):
        others = _others(listed["NatGateways"], wanted)
        fullest = yield from _most_in_one_zone(others, wanted.blueprint.network.nat_zones)
        used |= {} if fullest is None else {quotas.NAT_GATEWAYS: fullest}
    return _facts(known, used)


def _resource_quotas_of(wanted: PreflightRequest) -> Iterator[Quota]:
    blueprint = wanted.blueprint
    if blueprint.network.created:
        yield from (quotas.VPCS, quotas.INTERNET_GATEWAYS, quotas.ADDRESSES, quotas.NAT_GATEWAYS)
    if blueprint.on_kubernetes:
        if not blueprint.cluster.existing:
            yield quotas.EKS_CLUSTERS
        if any(group.resource.managed for group in blueprint.eks_groups):
            yield quotas.NODE_GROUPS
    for each in blueprint.storage:
        if isinstance(each.described, Lustre):
            yield quotas.LUSTRE[each.described.type.aws]


def _inventories(wanted: PreflightRequest) -> Mapping[Quota, tuple[Query, Count]]:
    """Quota -> the query for its existing resources, and the count of its answer. These quotas have no usage metric
    (AWS's answers for EC2-VPC Elastic IPs and VPCs have none), so Muster counts the resources. NAT gateways count by
    zone, and are queried beside."""
    name = wanted.blueprint.cluster_name
    absent = frozenset({"ResourceNotFoundException"})
    node_groups = f"managed node groups of {name}"
    clusters = Query("eks", "ListClusters", "EKS clusters of the account", needs=("clusters",))
    kind = "|".join(f"{each}Configuration" for each in ("Lustre", "Windows", "Ontap", "OpenZFS"))
    needed = ("StorageCapacity", kind, "LustreConfiguration?.DeploymentType")
    needs = tuple(f"FileSystems[].{each}" for each in needed)
    lustre = Query("fsx", "DescribeFileSystems", "file systems of the account", needs=needs)
    return {
        quotas.ADDRESSES: _listed("DescribeAddresses", "Addresses", "Elastic IPs of the account"),
        quotas.VPCS: _listed("DescribeVpcs", "Vpcs", "VPCs of the account"),
        quotas.INTERNET_GATEWAYS: _listed(
            "DescribeInternetGateways", "InternetGateways", "internet gateways of the account"
        ),
        quotas.EKS_CLUSTERS: (clusters, _clusters),
        quotas.NODE_GROUPS: (
            Query("eks", "ListNodegroups", node_groups, {"clusterName": name}, absent, needs=("nodegroups",)),
            _node_groups,
        ),
        **{each: (lustre, _gib(each)) for each in quotas.LUSTRE.values()},
    }


def _listed(operation: str, key: str, about: str) -> tuple[Query, Count]:
    return Query("ec2", operation, about, needs=(key,)), lambda result, wanted: len(_others(result[key], wanted))


def _others(things: Sequence[Entry], wanted: PreflightRequest) -> list[Entry]:
    """Those without the stack's tag."""
    own = {"Key": STACK_TAG, "Value": wanted.blueprint.stack}
    return [each for each in things if own not in each.get("Tags", ())]


def _clusters(result: Entry, wanted: PreflightRequest) -> int:
    """Counts EKS clusters, which are listed by name, without tags."""
    return sum(name != wanted.blueprint.cluster_name for name in result["clusters"])


def _node_groups(result: Entry, wanted: PreflightRequest) -> int:
    """Counts managed node groups, which are listed by name; the name identifies those of the stack."""
    names = result.get("nodegroups", ())
    own = {each.name for each in wanted.blueprint.groups} & {group_of_generated_name(name) for name in names}
    return len(names) - len(own)


def _gib(quota: Quota) -> Count:
    """Counts the GiB of Lustre file systems of the deployment types that a quota limits."""
    types = [deployment for deployment, each in quotas.LUSTRE.items() if each == quota]

    def count(result: Entry, wanted: PreflightRequest) -> int:
        systems = _others(result["FileSystems"], wanted)
        deployed = [(jmespath.search("LustreConfiguration.DeploymentType", each), each) for each in systems]
        return sum(each["StorageCapacity"] for deployment, each in deployed if deployment in types)

    return count


_COUNTED_NAT_STATES = ("pending", "available", "deleting")
"""The states in which NAT gateways count (VPC user guide, Amazon VPC quotas)."""

_LIST_NAT_GATEWAYS = Query(
    "ec2",
    "DescribeNatGateways",
    "NAT gateways of the account",
    {"Filter": id_filter("state", _COUNTED_NAT_STATES)},
    needs=("NatGateways[].SubnetId|NatGatewayAddresses",),
)


def _most_in_one_zone(gateways: Sequence[Entry], zones: Sequence[str]) -> Inquiry[int | None]:
    """The highest number of NAT gateways in one of these zones; None if it is unknown. A regional gateway is in no
    subnet, but in the zones of its addresses."""
    subnets = tuple(sorted({each["SubnetId"] for each in gateways if "SubnetId" in each}))
    where: dict[str, str] = {}
    if subnets:
        needs = ("Subnets[].SubnetId", "Subnets[].AvailabilityZone")
        filters = {"Filters": id_filter("subnet-id", subnets[:MAX_FILTER_VALUES])}
        (answer,) = yield [Query("ec2", "DescribeSubnets", "the subnets of NAT gateways", filters, needs=needs)]
        if answer.result is None or len(subnets) > MAX_FILTER_VALUES:
            return None
        where = {each["SubnetId"]: each["AvailabilityZone"] for each in answer.result["Subnets"]}
    count: Counter[str | None] = Counter()
    for each in gateways:
        in_zones = jmespath.search("NatGatewayAddresses[].AvailabilityZone", each) or ()
        count.update({where.get(each["SubnetId"])} if "SubnetId" in each else {*in_zones})
    return max((count[zone] for zone in zones), default=0)


RESOURCE_QUOTAS = Topic(
    "quotas of resources",
    "Quotas of networks, addresses, clusters and file systems, and their use by others.",
    _inquire_resources,
    frozenset({"quotas", "quotasUsed"}),
)
