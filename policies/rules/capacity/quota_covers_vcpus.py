"""The account's vCPU quotas against what a description may grow to."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import Field

from muster.fleet.hardware import Hardware, UnknownInstance, hardware
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.unknown import UNKNOWN
from policies.options import Options
from policies.reading.remembered import remembered
from policies.rule import Rule, Verdict, rule
from policies.words import some

QUOTAS = {"p": "L-417A185B", "g": "L-DB2E81BA", "trn": "L-2C3B7624"}
"""A type's series -> the code of "Running On-Demand ... instances" that counts its vCPUs. The codes are no AWS text:
several public repositories name them so."""

SPOT_QUOTAS = {"p4": "L-7212CCBC", "p5": "L-C4BD4855", "g": "L-3819A6DF", "trn": "L-6B0D517C"}
"""The same of "All ... Spot Instance Requests". EC2's guide names one for P4, P3 and P2 and one for P5, none for P6."""


class Others(Options):
    """What else runs in the account."""

    vcpus: int = Field(
        default=0, ge=0, description="vCPUs of each quota that others in the account use, and the groups do not get."
    )


@rule(
    "quota-covers-vcpus",
    title="The account's vCPU quota covers all accelerated nodes that the description may grow to",
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
    code = _quota(group, fleet)
    if code is None:
        if group.capacity and group.capacity.spot and _series(group, fleet) in QUOTAS:
            what = f"which spot quota counts {fleet.instance_of(group)}: EC2's guide names none"
            yield rule.unjudged(group.place, what)
        return
    quota = fleet.facts.quotas.get(code) if fleet.facts else None
    of_quota, others = _counted(fleet)[code], Others.of(rule.settings).vcpus
    wanted = of_quota.vcpus
    if quota is None:
        yield rule.unjudged(group.place, fleet.missing(f"quota {code}: {wanted + others} vCPUs or more"))
    elif wanted + others > quota:
        beside = f", and others use {others} of them" if others else ""
        yield rule.finding(
            group.place,
            at="nodes",
            got=f"{some(of_quota.groups)} may grow to {wanted} vCPUs; quota {code} allows {quota}{beside}",
            remedy=f"have {code} raised to {wanted + others} (aws service-quotas request-service-quota-increase), "
            "or lower max",
        )
    elif of_quota.unknown:
        yield rule.unjudged(group.place, f"the most nodes of {some(of_quota.unknown)}, not known before creation")


@dataclass(frozen=True, slots=True)
class _Counted:
    """What counts against one quota."""

    groups: tuple[str, ...]
    """By name."""
    unknown: tuple[str, ...]
    """Those of them of which it is not known how far they may grow."""
    vcpus: int
    """Of the others."""


@remembered(4)
def _counted(fleet: Fleet) -> Mapping[str, _Counted]:
    """Quota -> what counts against it. Each group asks for those of all."""
    of: dict[str, list[Ec2Group]] = {}
    for each in fleet.ec2_groups:
        if code := _quota(each, fleet):
            of.setdefault(code, []).append(each)
    return {
        code: _Counted(
            tuple(each.ref.name for each in groups),
            tuple(each.ref.name for each in groups if each.nodes_max is UNKNOWN),
            sum(_vcpus(each, fleet) for each in groups),
        )
        for code, groups in of.items()
    }


def _quota(group: Ec2Group, fleet: Fleet) -> str | None:
    """The quota that a group counts against. What a foreign program has beside it nobody knows here."""
    series = _series(group, fleet)
    if group.capacity is None or group.capacity.capacity_block or series is None:
        return None
    if not group.capacity.spot:
        return QUOTAS.get(series)
    generation = re.match(r"[a-z]+\d*", str(fleet.instance_of(group)))
    return SPOT_QUOTAS.get(series) or (SPOT_QUOTAS.get(generation.group()) if generation else None)


def _series(group: Ec2Group, fleet: Fleet) -> str | None:
    machine = _machine(group, fleet)
    series = re.match(r"[a-z]+", machine.instance) if machine else None
    return series.group() if series else None


def _vcpus(group: Ec2Group, fleet: Fleet) -> int:
    machine = _machine(group, fleet)
    return 0 if machine is None or group.nodes_max is UNKNOWN else group.nodes_max * machine.vcpus


def _machine(group: Ec2Group, fleet: Fleet) -> Hardware | None:
    instance = fleet.instance_of(group)
    try:
        return hardware(instance) if isinstance(instance, str) else None
    except UnknownInstance:
        return None
