"""Quotas of networks, addresses, clusters and file systems, and how many of each others have."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any

from muster.account import nat_gateways, quota_values
from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.question import Question
from muster.account.quota_values import values
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet import quotas
from muster.fleet.blueprint import Blueprint
from muster.fleet.description.storage import Lustre
from muster.fleet.facts import Facts
from muster.fleet.given_name import group_called
from muster.fleet.quotas import Quota
from muster.fleet.tags import STACK_TAG

Thing = Mapping[str, Any]
Count = Callable[[Thing, Wanted], int | None]
"""How many an answer has that are not the stack's; None where it does not say: a list that is left out is not an empty
one."""


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    asked = [*dict.fromkeys(_asked(wanted))]
    if not asked:
        return Learned()
    inventory = {quota: each for quota, each in _inventories(wanted).items() if quota in asked}
    gateways = [nat_gateways.LISTED] if quotas.NAT_GATEWAYS in asked else []
    known, told = yield from values(asked, [*(question for question, _ in inventory.values()), *gateways])
    used = {
        quota: number
        for (quota, (_, count)), answer in zip(inventory.items(), told, strict=False)
        if quota in known and (number := _number(answer, count, wanted)) is not None
    }
    there = (told[-1].result or {}).get("NatGateways") if gateways else None
    if there is not None and quotas.NAT_GATEWAYS in known:
        others = _others(there, wanted)
        fullest = yield from nat_gateways.in_the_fullest(others, wanted.blueprint.network.nat_zones)
        used |= {} if fullest is None else {quotas.NAT_GATEWAYS: fullest}
    allowed = {quota: int(said["Value"]) for quota, said in known.items()}
    facts = Facts(
        quotas={quota.code: value for quota, value in allowed.items()},
        quotasUsed={quota.code: value for quota, value in used.items()},
    )
    said = tuple(Said(f"quota {each.code}", _words(each, allowed[each], used)) for each in allowed)
    return Learned(facts, said, quota_values.open_of(asked, known, used))


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


def _number(answer: Answer, count: Count, wanted: Wanted) -> int | None:
    """Of what is in a thing that is not there, none."""
    if answer.result is None:
        return 0 if answer.absent else None
    return count(answer.result, wanted)


def _others(things: Sequence[Thing], wanted: Wanted) -> list[Thing]:
    """Without the stack's own, known by their tag."""
    own = {"Key": STACK_TAG, "Value": wanted.blueprint.stack}
    return [each for each in things if own not in each.get("Tags", ())]


def _count(key: str) -> Count:
    return lambda said, wanted: len(_others(said[key], wanted)) if key in said else None


def _clusters(said: Thing, wanted: Wanted) -> int | None:
    """They are listed by name, without tags."""
    names = said.get("clusters")
    return None if names is None else sum(name != wanted.blueprint.cluster_name for name in names)


def _gib(quota: Quota) -> Count:
    types = {deployment for deployment, each in quotas.LUSTRE.items() if each == quota}

    def count(said: Thing, wanted: Wanted) -> int | None:
        if "FileSystems" not in said:
            return None
        sizes = [_size(each, types) for each in _others(said["FileSystems"], wanted)]
        return None if None in sizes else sum(each or 0 for each in sizes)

    return count


def _size(system: Thing, types: Container[str]) -> int | None:
    """Its GiB where it is a Lustre of some deployment types, else 0; None where AWS does not say."""
    if system.get("FileSystemType", "LUSTRE") != "LUSTRE":
        return 0
    deployment = system.get("LustreConfiguration", {}).get("DeploymentType")
    size: int | None = system.get("StorageCapacity") if deployment in types else 0
    return None if deployment is None else size


def _node_groups(said: Thing, wanted: Wanted) -> int | None:
    """They are listed by name, which tells the stack's own, one of each."""
    names = said.get("nodegroups")
    if names is None:
        return None
    own = {each.name for each in wanted.blueprint.groups} & {group_called(name) for name in names}
    return len(names) - len(own)


_FILE_SYSTEMS = Question("fsx", "DescribeFileSystems", "file systems of the account")
_COUNTED: Mapping[Quota, tuple[Question, Count]] = {
    quotas.ADDRESSES: (Question("ec2", "DescribeAddresses", "Elastic IPs of the account"), _count("Addresses")),
    quotas.VPCS: (Question("ec2", "DescribeVpcs", "VPCs of the account"), _count("Vpcs")),
    quotas.INTERNET_GATEWAYS: (
        Question("ec2", "DescribeInternetGateways", "internet gateways of the account"),
        _count("InternetGateways"),
    ),
    quotas.EKS_CLUSTERS: (Question("eks", "ListClusters", "EKS clusters of the account"), _clusters),
    **{each: (_FILE_SYSTEMS, _gib(each)) for each in quotas.LUSTRE.values()},
}
"""These have no metric of use (AWS's answers for EC2-VPC Elastic IPs and VPCs name none): they are counted."""


def _inventories(wanted: Wanted) -> Mapping[Quota, tuple[Question, Count]]:
    """What counts the others of each quota; NAT gateways, by zone, take another question beside."""
    name = wanted.blueprint.cluster_name
    absent = frozenset({"ResourceNotFoundException"})
    groups = Question("eks", "ListNodegroups", f"managed node groups of {name}", {"clusterName": name}, absent)
    return {**_COUNTED, quotas.NODE_GROUPS: (groups, _node_groups)}


def _words(quota: Quota, allowed: int, used: Mapping[Quota, int]) -> str:
    unit = " GiB" if quota.service == "fsx" else ""
    return f"{quota.words}: {allowed}{unit}" + (f", others have {used[quota]}" if quota in used else "")


RESOURCE_QUOTAS = Topic(
    "quotas of resources",
    _inquire,
    frozenset({"quotas", "quotasUsed"}),
    quota_values.RIGHTS
    | {
        **nat_gateways.RIGHTS,
        "ec2:DescribeAddresses": "*",
        "ec2:DescribeInternetGateways": "*",
        "ec2:DescribeVpcs": "*",
        "eks:ListClusters": "*",
        "eks:ListNodegroups": "*",
        "fsx:DescribeFileSystems": "*",
    },
    {
        quota_values.ASKED: (quota_values.OF_DEFAULTS,),
        "ec2.DescribeNatGateways": ("ec2.DescribeSubnets",),
    },
)
