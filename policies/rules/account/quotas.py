"""The resources that a program creates, compared with the account's quotas."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from muster.fleet.resources import ControlPlane, CountedResource, Fleet, LustreFileSystem, NodeGroup, Reference
from muster.fleet.resources.ref import ADDRESS, INTERNET_GATEWAY, NAT_GATEWAY, VPC
from muster.hardware import quotas
from muster.hardware.quotas import Quota
from muster.object_cache import cached_by_identity
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import exceeds_quota, facts_observed, used_by_others
from muster.unknown import needed, stored


class _Count(NamedTuple):
    """The resources of a program that count against one quota, without existing ones and sizes not known yet."""

    quota: Quota
    first: Reference
    """The first of them: the finding is reported there."""
    number: int


@cached_by_identity(4)
def _counts(fleet: Fleet) -> tuple[_Count, ...]:
    """The counts of a program."""
    planes = fleet.of(ControlPlane)
    alike: dict[Quota, Sequence[CountedResource | ControlPlane | NodeGroup]] = {
        quotas.VPCS: _of(VPC, fleet),
        quotas.INTERNET_GATEWAYS: _of(INTERNET_GATEWAY, fleet),
        quotas.ADDRESSES: _of(ADDRESS, fleet),
        quotas.EKS_CLUSTERS: [each for each in planes if not each.existing],
        quotas.NODE_GROUPS: [each for each in fleet.of(NodeGroup) if each.managed] if len(planes) == 1 else [],
    }
    numbers = (_Count(quota, found[0].ref, len(found)) for quota, found in alike.items() if found)
    return (*numbers, *_nat_gateways(fleet), *_file_systems(fleet))


def _of(kind: str, fleet: Fleet) -> list[CountedResource]:
    return [each for each in fleet.of(CountedResource) if each.ref.type == kind]


def _nat_gateways(fleet: Fleet) -> Iterator[_Count]:
    """The zone with the most of them."""
    zones = [(each, fleet.subnets.get(str(stored(each, "subnet")))) for each in _of(NAT_GATEWAY, fleet)]
    known = [(each.ref, subnet.zone) for each, subnet in zones if subnet and subnet.zone]
    for zone, number in Counter(zone for _, zone in known).most_common(1):
        yield _Count(quotas.NAT_GATEWAYS, next(ref for ref, at in known if at == zone), number)


def _file_systems(fleet: Fleet) -> Iterator[_Count]:
    """Their sizes, by deployment type."""
    sizes: dict[Quota, list[tuple[Reference, int]]] = {}
    for each in fleet.of(LustreFileSystem):
        quota, size = quotas.LUSTRE.get(stored(each, "deployment")), stored(each, "size", None)
        if quota and size and not each.existing:
            sizes.setdefault(quota, []).append((each.ref, size))
    for quota, found in sizes.items():
        yield _Count(quota, found[0][0], sum(size for _, size in found))


def quota_covers_resources(
    thing: CountedResource | ControlPlane | NodeGroup | LustreFileSystem, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if fleet.facts is None:
        return
    counts = [each for each in _counts(fleet) if each.first == thing.ref]
    yield from rule.each(counts, lambda each: _verdict(each, thing, fleet, rule), thing.place)
    stated = facts_observed(fleet) or any(each.code in fleet.facts.quotas for each in quotas.LUSTRE.values())
    if isinstance(thing, LustreFileSystem) and not thing.existing and stated:
        needed(thing.deployment, thing.size)  # what is not known counts, too


def _verdict(
    count: _Count, thing: CountedResource | ControlPlane | NodeGroup | LustreFileSystem, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    assert fleet.facts is not None
    quota, allowed = count.quota, fleet.facts.quotas.get(count.quota.code)
    used, name = used_by_others(fleet.facts.quotas_used, quota.code, fleet), f"{quota.code} ({quota.name})"
    if exceeds_quota(name, count.number, allowed, used, fleet):
        beside = f", and others use {used} of them" if used else ""
        yield rule.finding(
            thing,
            "control-plane" if isinstance(thing, ControlPlane) else "",
            got=f"the stack needs {count.number}, but quota {name} allows {allowed}{beside}",
            change=f"request an increase: {quota.request(count.number + (used or 0))}; or delete unused ones",
        )
