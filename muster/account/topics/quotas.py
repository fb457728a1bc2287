"""Quotas of EC2's vCPUs, networks, addresses, clusters and file systems, with their use by others."""

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from typing import Any

from muster.account import service_quotas, stack_usage
from muster.account.query import Answer, Inquiry, Query
from muster.account.service_quotas import query_quota_values
from muster.account.topic import (
    MAX_FILTER_VALUES,
    PreflightRequest,
    Topic,
    TopicLine,
    TopicResult,
    id_filter,
    index_by_id,
)
from muster.blueprint.kubernetes import Blueprint
from muster.blueprint.tags import STACK_TAG
from muster.config.description.capacity import CapacityBlock
from muster.config.description.storage import Lustre
from muster.config.identifiers import group_of_generated_name
from muster.fleet.facts import Facts
from muster.hardware import quotas
from muster.hardware.quotas import VCPUS, Quota, vcpu_quota


def _inquire_vcpus(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    counting = _vcpu_quotas(wanted)
    if not counting:
        return TopicResult()
    known, answers = yield from query_quota_values(counting, stack_usage.vcpu_queries(wanted))
    measured = service_quotas.quotas_with_metric(known)
    used: dict[Quota, int] = {}
    if measured:
        *members, usage = yield [
            *stack_usage.member_queries(wanted, answers),
            service_quotas.query_usage(measured, known, wanted.observed),
        ]
        own = stack_usage.stack_vcpus(answers, members)
        if own is not None:
            # AWS measures the use every few minutes: instances that the stack has just launched may be missing.
            used = {
                quota: max(0, all_ - own.get(quota, 0))
                for quota, all_ in service_quotas.latest_usage(measured, usage).items()
            }
    allowed = {quota: int(entry["Value"]) for quota, entry in known.items()}
    facts = Facts(
        quotas={quota.code: value for quota, value in allowed.items()},
        quotasUsed={quota.code: value for quota, value in used.items()},
    )
    lines = tuple(TopicLine(f"quota {each.code}", _vcpu_text(each, allowed[each], used.get(each))) for each in allowed)
    return TopicResult(facts, lines, service_quotas.unknown_quota_facts(counting, known, used))


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


def _vcpu_text(quota: Quota, allowed: int, used: int | None) -> str:
    beside = f", of which others use {used}" if used is not None else ", use by others unknown"
    return f"{quota.words}: {allowed} vCPUs{beside}"


VCPU_QUOTAS = Topic(
    "quotas of vCPUs",
    "EC2's quotas of vCPUs, and their use by others.",
    _inquire_vcpus,
    frozenset({"quotas", "quotasUsed"}),
    service_quotas.QUOTA_RIGHTS | stack_usage.STACK_VCPU_RIGHTS | service_quotas.USAGE_RIGHTS,
    {
        service_quotas.GET_SERVICE_QUOTA: (service_quotas.GET_DEFAULT_QUOTA, "cloudwatch.GetMetricData"),
        "resource-groups.ListGroupResources": ("ec2.DescribeCapacityReservations",),
    },
)


NAT_GATEWAY_RIGHTS = {"ec2:DescribeNatGateways": "*", "ec2:DescribeSubnets": "*"}

_COUNTED_NAT_STATES = ("pending", "available", "deleting")
"""The states in which NAT gateways count (VPC user guide, Amazon VPC quotas)."""

LIST_NAT_GATEWAYS = Query(
    "ec2", "DescribeNatGateways", "NAT gateways of the account", {"Filter": id_filter("state", _COUNTED_NAT_STATES)}
)

NatGateway = Mapping[str, Any]


def most_in_one_zone(gateways: Sequence[NatGateway], zones: Collection[str]) -> Inquiry[int | None]:
    """The highest number of gateways in one of these zones; None if an answer lacks a zone.

    Args:
        gateways: the entries of `DescribeNatGateways`; a regional gateway is in the zones of its addresses.
        zones: the names of the zones.
    """
    subnets = sorted({each["SubnetId"] for each in gateways if "SubnetId" in each})
    if len(subnets) > MAX_FILTER_VALUES:
        return None
    where: dict[str, str] = {}
    if subnets:
        about = "the subnets of NAT gateways"
        (answer,) = yield [Query("ec2", "DescribeSubnets", about, {"Filters": id_filter("subnet-id", tuple(subnets))})]
        found = index_by_id(answer, "Subnets", "SubnetId")
        if found is None or not all("AvailabilityZone" in each for each in found.values()):
            return None
        where = {id_: each["AvailabilityZone"] for id_, each in found.items()}
    of_each = [_zones_of_subnets(each, where) for each in gateways]
    if None in of_each:
        return None
    count = Counter(zone for each in of_each for zone in each or ())
    return max((count[zone] for zone in zones), default=0)


def _zones_of_subnets(gateway: NatGateway, where: Mapping[str, str]) -> set[str] | None:
    """The zones of a gateway; empty if its subnet no longer exists, or if it is regional and has no address. None if
    the answer lacks its zone."""
    if "SubnetId" in gateway:
        return {where[gateway["SubnetId"]]} if gateway["SubnetId"] in where else set()
    addresses = gateway.get("NatGatewayAddresses")
    if addresses is None or not all("AvailabilityZone" in each for each in addresses):
        return None
    regional = gateway.get("AvailabilityMode") == "regional"
    return {each["AvailabilityZone"] for each in addresses} if addresses or regional else None


Entry = Mapping[str, Any]
Count = Callable[[Entry, PreflightRequest], int | None]
"""The number of resources in an answer that do not belong to the stack; None if the list is missing, which does not
mean that it is empty."""


def _inquire_resources(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    limiting = [*dict.fromkeys(_resource_quotas_of(wanted))]
    if not limiting:
        return TopicResult()
    inventory = {quota: each for quota, each in _inventories(wanted).items() if quota in limiting}
    gateways = [LIST_NAT_GATEWAYS] if quotas.NAT_GATEWAYS in limiting else []
    known, answers = yield from query_quota_values(
        limiting, [*(question for question, _ in inventory.values()), *gateways]
    )
    used = {
        quota: number
        for (quota, (_, count)), answer in zip(inventory.items(), answers, strict=False)
        if quota in known and (number := _number(answer, count, wanted)) is not None
    }
    there = (answers[-1].result or {}).get("NatGateways") if gateways else None
    if there is not None and quotas.NAT_GATEWAYS in known:
        others = _others(there, wanted)
        fullest = yield from most_in_one_zone(others, wanted.blueprint.network.nat_zones)
        used |= {} if fullest is None else {quotas.NAT_GATEWAYS: fullest}
    allowed = {quota: int(entry["Value"]) for quota, entry in known.items()}
    facts = Facts(
        quotas={quota.code: value for quota, value in allowed.items()},
        quotasUsed={quota.code: value for quota, value in used.items()},
    )
    lines = tuple(TopicLine(f"quota {each.code}", _resource_text(each, allowed[each], used)) for each in allowed)
    return TopicResult(facts, lines, service_quotas.unknown_quota_facts(limiting, known, used))


def _resource_quotas_of(wanted: PreflightRequest) -> Iterator[Quota]:
    blueprint = wanted.blueprint
    if blueprint.network.created:
        yield from (quotas.VPCS, quotas.INTERNET_GATEWAYS, quotas.ADDRESSES, quotas.NAT_GATEWAYS)
    if isinstance(blueprint, Blueprint):
        if not blueprint.control_plane.existing:
            yield quotas.EKS_CLUSTERS
        if any(group.node_group.managed for group in blueprint.eks_groups):
            yield quotas.NODE_GROUPS
    for each in blueprint.storage:
        if isinstance(each.described, Lustre):
            yield quotas.LUSTRE[each.described.type.aws]


def _number(answer: Answer, count: Count, wanted: PreflightRequest) -> int | None:
    """The number of items in an answer: 0 if the container does not exist, None without an answer."""
    if answer.result is None:
        return 0 if answer.absent else None
    return count(answer.result, wanted)


def _others(things: Sequence[Entry], wanted: PreflightRequest) -> list[Entry]:
    """The resources without those of the stack, which have its tag."""
    own = {"Key": STACK_TAG, "Value": wanted.blueprint.stack}
    return [each for each in things if own not in each.get("Tags", ())]


def _count(key: str) -> Count:
    return lambda result, wanted: len(_others(result[key], wanted)) if key in result else None


def _clusters(result: Entry, wanted: PreflightRequest) -> int | None:
    """Counts EKS clusters, which are listed by name, without tags."""
    names = result.get("clusters")
    return None if names is None else sum(name != wanted.blueprint.cluster_name for name in names)


def _gib(quota: Quota) -> Count:
    types = {deployment for deployment, each in quotas.LUSTRE.items() if each == quota}

    def count(result: Entry, wanted: PreflightRequest) -> int | None:
        if "FileSystems" not in result:
            return None
        sizes = [_size(each, types) for each in _others(result["FileSystems"], wanted)]
        return None if None in sizes else sum(each or 0 for each in sizes)

    return count


def _size(system: Entry, types: Container[str]) -> int | None:
    """Its GiB if it is a Lustre file system with one of these deployment types, else 0; None if the answer lacks the
    type."""
    if system.get("FileSystemType", "LUSTRE") != "LUSTRE":
        return 0
    deployment = system.get("LustreConfiguration", {}).get("DeploymentType")
    size: int | None = system.get("StorageCapacity") if deployment in types else 0
    return None if deployment is None else size


def _node_groups(result: Entry, wanted: PreflightRequest) -> int | None:
    """Counts managed node groups, which are listed by name; the name identifies those of the stack."""
    names = result.get("nodegroups")
    if names is None:
        return None
    own = {each.name for each in wanted.blueprint.groups} & {group_of_generated_name(name) for name in names}
    return len(names) - len(own)


_FILE_SYSTEMS = Query("fsx", "DescribeFileSystems", "file systems of the account")
_COUNTED: Mapping[Quota, tuple[Query, Count]] = {
    quotas.ADDRESSES: (Query("ec2", "DescribeAddresses", "Elastic IPs of the account"), _count("Addresses")),
    quotas.VPCS: (Query("ec2", "DescribeVpcs", "VPCs of the account"), _count("Vpcs")),
    quotas.INTERNET_GATEWAYS: (
        Query("ec2", "DescribeInternetGateways", "internet gateways of the account"),
        _count("InternetGateways"),
    ),
    quotas.EKS_CLUSTERS: (Query("eks", "ListClusters", "EKS clusters of the account"), _clusters),
    **{each: (_FILE_SYSTEMS, _gib(each)) for each in quotas.LUSTRE.values()},
}
"""Quotas without a usage metric (AWS's answers for EC2-VPC Elastic IPs and VPCs have none): Muster counts the
resources."""


def _inventories(wanted: PreflightRequest) -> Mapping[Quota, tuple[Query, Count]]:
    """Quota -> the query for its existing resources, and the count of its answer. NAT gateways count by zone, and also
    need another query."""
    name = wanted.blueprint.cluster_name
    absent = frozenset({"ResourceNotFoundException"})
    groups = Query("eks", "ListNodegroups", f"managed node groups of {name}", {"clusterName": name}, absent)
    return {**_COUNTED, quotas.NODE_GROUPS: (groups, _node_groups)}


def _resource_text(quota: Quota, allowed: int, used: Mapping[Quota, int]) -> str:
    unit = " GiB" if quota.service == "fsx" else ""
    return f"{quota.words}: {allowed}{unit}" + (f", of which others use {used[quota]}" if quota in used else "")


RESOURCE_QUOTAS = Topic(
    "quotas of resources",
    "Quotas of networks, addresses, clusters and file systems, and their use by others.",
    _inquire_resources,
    frozenset({"quotas", "quotasUsed"}),
    service_quotas.QUOTA_RIGHTS
    | {
        **NAT_GATEWAY_RIGHTS,
        "ec2:DescribeAddresses": "*",
        "ec2:DescribeInternetGateways": "*",
        "ec2:DescribeVpcs": "*",
        "eks:ListClusters": "*",
        "eks:ListNodegroups": "*",
        "fsx:DescribeFileSystems": "*",
    },
    {
        service_quotas.GET_SERVICE_QUOTA: (service_quotas.GET_DEFAULT_QUOTA,),
        "ec2.DescribeNatGateways": ("ec2.DescribeSubnets",),
    },
)
