"""How many of what a program makes count against the account's quotas, and where the first of them stands."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from muster.fleet import quotas
from muster.fleet.quotas import Quota
from muster.fleet.resources import ControlPlane, CountedResource, Fleet, LustreFileSystem, NodeGroup, Reference
from muster.fleet.resources.place import ADDRESS, INTERNET_GATEWAY, NAT_GATEWAY, VPC
from muster.fleet.unknown import UNKNOWN
from policies.reading.remembered import remembered

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
class Count:
    """What of a program counts against one quota."""

    quota: Quota
    first: Reference
    """The first of it: the finding stands there."""
    number: int

    @property
    def words(self) -> str:
        """``2 Elastic IPs``."""
        return f"{self.number} {_WORDS[self.quota][self.number != 1]}"


@remembered(4)
def counts(fleet: Fleet) -> tuple[Count, ...]:
    """All of a program. What exists already is none of it; sizes that are not known yet are left out."""
    return tuple(_counts(fleet))


def _counts(fleet: Fleet) -> Iterator[Count]:
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


def _all(quota: Quota, refs: Iterable[Reference]) -> Iterator[Count]:
    found = list(refs)
    if found:
        yield Count(quota, found[0], len(found))


def _of(kind: str, fleet: Fleet) -> list[CountedResource]:
    return [each for each in fleet.of(CountedResource) if each.ref.type == kind]


def _nat_gateways(fleet: Fleet) -> Iterator[Count]:
    """The zone with the most of them."""
    zones = [(each, fleet.subnets.get(str(each.subnet))) for each in _of(NAT_GATEWAY, fleet)]
    known = [(each.ref, subnet.zone) for each, subnet in zones if subnet and subnet.zone]
    for zone, number in Counter(zone for _, zone in known).most_common(1):
        yield Count(quotas.NAT_GATEWAYS, next(ref for ref, at in known if at == zone), number)


def _file_systems(fleet: Fleet) -> Iterator[Count]:
    """Their sizes, by deployment type."""
    sizes: dict[Quota, list[tuple[Reference, int]]] = {}
    for each in fleet.of(LustreFileSystem):
        quota = quotas.LUSTRE.get(each.deployment) if isinstance(each.deployment, str) else None
        if quota and not each.existing and each.size is not None and each.size is not UNKNOWN:
            sizes.setdefault(quota, []).append((each.ref, each.size))
    for quota, found in sizes.items():
        yield Count(quota, found[0][0], sum(size for _, size in found))
