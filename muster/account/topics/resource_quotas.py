"""Quotas of networks, addresses, clusters and file systems, and how many of each others have."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from muster.account import quota_values
from muster.account.question import Question
from muster.account.quota_values import values
from muster.account.topic import Inquiry, Learned, Said, Topic, Wanted
from muster.fleet import quotas
from muster.fleet.blueprint import Blueprint
from muster.fleet.description.storage import Lustre
from muster.fleet.facts import Facts
from muster.fleet.quotas import Quota
from muster.fleet.tags import STACK_TAG

Thing = Mapping[str, Any]


def _inquire(wanted: Wanted) -> Inquiry:
    asked = [*dict.fromkeys(_asked(wanted))]
    if not asked:
        return Learned()
    inventory = {quota: _INVENTORIES[quota] for quota in asked if quota in _INVENTORIES}
    known, told = yield from values(asked, [question for question, _ in inventory.values()])
    used = {
        quota: count(answer.result, wanted)
        for (quota, (_, count)), answer in zip(inventory.items(), told, strict=True)
        if answer.result is not None and quota in known
    }
    allowed = {quota: int(said["Value"]) for quota, said in known.items()}
    facts = Facts(
        quotas={quota.code: value for quota, value in allowed.items()},
        quotasUsed={quota.code: value for quota, value in used.items()},
    )
    return Learned(facts, tuple(Said(f"quota {each.code}", _words(each, allowed[each], used)) for each in allowed))


def _asked(wanted: Wanted) -> Iterator[Quota]:
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


def _others(things: Sequence[Thing], wanted: Wanted) -> list[Thing]:
    """Without the stack's own, known by their tag."""
    own = {"Key": STACK_TAG, "Value": wanted.blueprint.stack}
    return [each for each in things if own not in each.get("Tags", ())]


def _count(key: str) -> Callable[[Thing, Wanted], int]:
    return lambda said, wanted: len(_others(said.get(key, ()), wanted))


def _clusters(said: Thing, wanted: Wanted) -> int:
    """They are listed by name, without tags."""
    return sum(name != wanted.blueprint.cluster_name for name in said.get("clusters", ()))


def _gib(quota: Quota) -> Callable[[Thing, Wanted], int]:
    types = {deployment for deployment, each in quotas.LUSTRE.items() if each == quota}

    def count(said: Thing, wanted: Wanted) -> int:
        others = _others(said.get("FileSystems", ()), wanted)
        return sum(
            each.get("StorageCapacity", 0)
            for each in others
            if each.get("LustreConfiguration", {}).get("DeploymentType") in types
        )

    return count


_FILE_SYSTEMS = Question("fsx", "DescribeFileSystems", "file systems of the account")
_INVENTORIES: Mapping[Quota, tuple[Question, Callable[[Thing, Wanted], int]]] = {
    quotas.ADDRESSES: (Question("ec2", "DescribeAddresses", "Elastic IPs of the account"), _count("Addresses")),
    quotas.VPCS: (Question("ec2", "DescribeVpcs", "VPCs of the account"), _count("Vpcs")),
    quotas.INTERNET_GATEWAYS: (
        Question("ec2", "DescribeInternetGateways", "internet gateways of the account"),
        _count("InternetGateways"),
    ),
    quotas.EKS_CLUSTERS: (Question("eks", "ListClusters", "EKS clusters of the account"), _clusters),
    **{each: (_FILE_SYSTEMS, _gib(each)) for each in quotas.LUSTRE.values()},
}
"""These have no metric of use (AWS's answers for EC2-VPC Elastic IPs and VPCs name none): they are counted. What is
counted by zone or by cluster is not."""


def _words(quota: Quota, allowed: int, used: Mapping[Quota, int]) -> str:
    unit = " GiB" if quota.service == "fsx" else ""
    return f"{quota.name}: {allowed}{unit}" + (f", others have {used[quota]}" if quota in used else "")


RESOURCE_QUOTAS = Topic(
    "quotas of resources",
    _inquire,
    quota_values.RIGHTS
    | {
        "ec2:DescribeAddresses": "*",
        "ec2:DescribeInternetGateways": "*",
        "ec2:DescribeVpcs": "*",
        "eks:ListClusters": "*",
        "fsx:DescribeFileSystems": "*",
    },
)
