"""The account's vCPU quotas against what a description may grow to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field

from muster.fleet.quotas import STANDARD, STANDARD_SPOT, P, Quota, vcpu_quota, vcpus_of
from muster.fleet.resources import ComputeResource, Fleet, HeadNode, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.unknown import UNKNOWN
from policies.options import Options
from policies.reading.asked import was_asked
from policies.reading.remembered import remembered
from policies.rule import Rule, Verdict, rule
from policies.words import some


class Others(Options):
    """What else runs in the account."""

    vcpus: int = Field(
        default=0,
        ge=0,
        description="vCPUs of each quota that others in the account use, and the groups do not get. Where a preflight "
        "has seen more in use, that counts.",
    )


@rule(
    "quota-covers-vcpus",
    title="The account's vCPU quotas cover all nodes that the description may grow to",
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="Instances count against a quota of vCPUs for their family, those on On-Demand Capacity Reservations too, "
    "those of Capacity Blocks not, spot instances against quotas of their own. Beyond it launches fail, and a new "
    "account's quota is 0.",
    source="EC2 API, CreateCapacityReservation; EC2 user guide, On-Demand Instance quotas, Spot Instance quotas; quota "
    "codes as in public repositories",
    remedy="Have the quota raised, or lower the groups' maximum.",
    facts=("rules.md#37",),
    options=Others,
)
def quota_covers_vcpus(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    quota = _quota(group, fleet)
    if quota is None:
        if group.capacity and group.capacity.spot and vcpu_quota(_type(group, fleet), spot=False) is P:
            what = f"which spot quota counts {fleet.instance_of(group)}: EC2's guide names none"
            yield rule.unjudged(group.place, what)
        return
    code, of_quota = quota.code, _counted(fleet)[quota]
    allowed = fleet.facts.quotas.get(code) if fleet.facts else None
    seen = fleet.facts.quotas_used.get(code, 0) if fleet.facts else 0
    others, wanted = max(seen, Others.of(rule.settings).vcpus), of_quota.vcpus
    if allowed is None:
        # Of standard instances the quota is seldom what fails: a person who writes facts may leave it out.
        if quota not in (STANDARD, STANDARD_SPOT) or was_asked(fleet):
            yield rule.unjudged(group.place, fleet.missing(f"quota {code}: {wanted + others} vCPUs or more"))
    elif wanted + others > allowed:
        apart = " (without this stack's own nodes and reservations)" if seen and others == seen else ""
        beside = f", and others use {others} of them{apart}" if others else ""
        yield rule.finding(
            group.place,
            at="nodes",
            got=f"{some(of_quota.groups)} may grow to {wanted} vCPUs; quota {code} allows {allowed}{beside}",
            remedy=f"have {code} raised to {wanted + others} (aws service-quotas request-service-quota-increase), "
            "or lower max",
        )
    elif of_quota.unknown:
        yield rule.unjudged(group.place, f"the most nodes of {some(of_quota.unknown)}, not known before creation")


@dataclass(frozen=True, slots=True)
class _Counted:
    """What counts against one quota."""

    groups: tuple[str, ...]
    """By name; a head node is one of them."""
    unknown: tuple[str, ...]
    """Those of them of which it is not known how far they may grow."""
    vcpus: int
    """Of the others."""


@remembered(4)
def _counted(fleet: Fleet) -> Mapping[Quota, _Counted]:
    """Quota -> what counts against it. Each group asks for those of all."""
    of: dict[Quota, list[Ec2Group]] = {}
    for each in fleet.ec2_groups:
        if quota := _quota(each, fleet):
            of.setdefault(quota, []).append(each)
    return {quota: _together(groups, _heads(quota, fleet), fleet) for quota, groups in of.items()}


def _together(groups: Sequence[Ec2Group], heads: Sequence[HeadNode], fleet: Fleet) -> _Counted:
    most = [(each.ref.name, each.nodes_max, vcpus_of(_type(each, fleet)) or 0) for each in groups]
    return _Counted(
        (*(name for name, _, _ in most), *("the head node" for _ in heads)),
        tuple(name for name, nodes, _ in most if nodes is UNKNOWN),
        sum(nodes * vcpus for _, nodes, vcpus in most if nodes is not UNKNOWN)
        + sum(vcpus_of(str(each.instance)) or 0 for each in heads),
    )


def _heads(quota: Quota, fleet: Fleet) -> Sequence[HeadNode]:
    heads = (each for each in fleet.of(HeadNode) if isinstance(each.instance, str))
    return [each for each in heads if vcpu_quota(str(each.instance), spot=False) is quota]


def _quota(group: Ec2Group, fleet: Fleet) -> Quota | None:
    """The quota that a group counts against. What a foreign program has beside it nobody knows here."""
    if group.capacity is None or group.capacity.capacity_block or vcpus_of(_type(group, fleet)) is None:
        return None
    return vcpu_quota(_type(group, fleet), spot=group.capacity.spot is not None)


def _type(group: Ec2Group, fleet: Fleet) -> str:
    instance = fleet.instance_of(group)
    return instance if isinstance(instance, str) else ""
