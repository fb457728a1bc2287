"""The resources that a program creates, compared with the account's quotas."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from muster.fleet.resources import ControlPlane, CountedResource, Fleet, LustreFileSystem, NodeGroup, Reference
from muster.fleet.resources.ref import ADDRESS, INTERNET_GATEWAY, NAT_GATEWAY, VPC
from muster.hardware import quotas
from muster.hardware.quotas import Quota
from muster.object_cache import cached_by_identity
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed, unknown_use, used_by_others
from muster.unknown import NotKnown, stored

_WORDS = {
    quotas.VPCS: ("VPC", "VPCs"),
    quotas.INTERNET_GATEWAYS: ("internet gateway", "internet gateways"),
    quotas.ADDRESSES: ("Elastic IP", "Elastic IPs"),
    quotas.NAT_GATEWAYS: ("NAT gateway in one zone", "NAT gateways in one zone"),
    quotas.EKS_CLUSTERS: ("EKS cluster", "EKS clusters"),
    quotas.NODE_GROUPS: ("managed node group", "managed node groups"),
    **dict.fromkeys(quotas.LUSTRE.values(), ("GiB of FSx for Lustre", "GiB of FSx for Lustre")),
}


@dataclass(frozen=True, slots=True)
class QuotaCount:
    """The resources of a program that count against one quota."""

    quota: Quota
    first: Reference
    """The first of them: the finding is reported there."""
    number: int

    @property
    def words(self) -> str:
        """``2 Elastic IPs``."""
        return f"{self.number} {_WORDS[self.quota][self.number != 1]}"


@cached_by_identity(4)
def quota_counts(fleet: Fleet) -> tuple[QuotaCount, ...]:
    """The counts of a program, without existing resources and without sizes that are not known yet."""
    return tuple(_counts(fleet))


def _counts(fleet: Fleet) -> Iterator[QuotaCount]:
    for kind, quota in {
        VPC: quotas.VPCS,
        INTERNET_GATEWAY: quotas.INTERNET_GATEWAYS,
        ADDRESS: quotas.ADDRESSES,
    }.items():
        yield from _all(quota, (each.ref for each in _of(kind, fleet)))
    yield from _nat_gateways(fleet)
    yield from _all(quotas.EKS_CLUSTERS, (each.ref for each in fleet.of(ControlPlane) if not each.existing))
    if len(fleet.of(ControlPlane)) == 1:
        yield from _all(quotas.NODE_GROUPS, (each.ref for each in fleet.of(NodeGroup) if each.managed))
    yield from _file_systems(fleet)


def _all(quota: Quota, refs: Iterable[Reference]) -> Iterator[QuotaCount]:
    found = list(refs)
    if found:
        yield QuotaCount(quota, found[0], len(found))


def _of(kind: str, fleet: Fleet) -> list[CountedResource]:
    return [each for each in fleet.of(CountedResource) if each.ref.type == kind]


def _nat_gateways(fleet: Fleet) -> Iterator[QuotaCount]:
    """The zone with the most of them."""
    zones = [(each, fleet.subnets.get(str(stored(each, "subnet")))) for each in _of(NAT_GATEWAY, fleet)]
    known = [(each.ref, subnet.zone) for each, subnet in zones if subnet and subnet.zone]
    for zone, number in Counter(zone for _, zone in known).most_common(1):
        yield QuotaCount(quotas.NAT_GATEWAYS, next(ref for ref, at in known if at == zone), number)


def _file_systems(fleet: Fleet) -> Iterator[QuotaCount]:
    """Their sizes, by deployment type."""
    sizes: dict[Quota, list[tuple[Reference, int]]] = {}
    for each in fleet.of(LustreFileSystem):
        quota, size = quotas.LUSTRE.get(stored(each, "deployment")), stored(each, "size", None)
        if quota and size and not each.existing:
            sizes.setdefault(quota, []).append((each.ref, size))
    for quota, found in sizes.items():
        yield QuotaCount(quota, found[0][0], sum(size for _, size in found))


def quota_covers_resources(
    thing: CountedResource | ControlPlane | NodeGroup | LustreFileSystem, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if fleet.facts is None:
        return
    counts = [each for each in quota_counts(fleet) if each.first == thing.ref]
    yield from rule.each(counts, lambda each: _verdict(each, thing, fleet, rule), thing.place)


def _verdict(
    count: QuotaCount, thing: CountedResource | ControlPlane | NodeGroup | LustreFileSystem, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    assert fleet.facts is not None
    quota, allowed = count.quota, fleet.facts.quotas.get(count.quota.code)
    used = used_by_others(fleet.facts.quotas_used, quota.code, fleet)
    wanted = count.number + (used or 0)
    if allowed is None:
        if facts_observed(fleet):  # facts that a person wrote before this rule existed do not have it
            what = f"the value of quota {quota.code} ({quota.name}), which must be {wanted} or more"
            raise NotKnown(fleet.missing(what))
    elif wanted > allowed:
        beside = f", and others use {used} of them" if used else ""
        yield rule.finding(
            thing,
            "control-plane" if isinstance(thing, ControlPlane) else "",
            got=f"the stack needs {count.words}, but quota {quota.code} ({quota.name}) allows {allowed}{beside}",
            change=f"request an increase: {quota.request(wanted)}; or delete unused ones",
        )
    elif used is None:
        raise NotKnown(unknown_use(f"{quota.code} ({quota.name})", allowed, wanted, fleet))
