"""The services that nodes reach through endpoints of their VPC."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from muster import backends
from muster.fleet.facts import EndpointDoubt, Facts, SubnetFacts, VpcFacts
from muster.fleet.resources import Fleet, HeadNode, LoginPool
from muster.fleet.resources.fleet import AnyGroup
from muster.policies.lookups.account_facts import facts_observed
from muster.policies.lookups.security_groups import carried_groups
from muster.unknown import UNKNOWN

DOUBTS: Mapping[EndpointDoubt, str] = {
    EndpointDoubt.PRIVATE_DNS_OFF: "whether a hosted zone resolves to the endpoint of {}, whose private DNS is off",
    EndpointDoubt.CALLERS_UNKNOWN: "whether the endpoint of {} allows nodes on TCP 443",
    EndpointDoubt.KIND_UNKNOWN: "whether the endpoint of {} is in the subnet's route table",
}


@dataclass(frozen=True, slots=True)
class MissingEndpoints:
    """The services that nodes of a subnet need and cannot reach through endpoints."""

    absent: tuple[str, ...] = ()
    """Services without any endpoint."""
    shut: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Services whose endpoints do not serve the subnet, each with the security groups that they allow, if any."""
    open: tuple[str, ...] = ()
    """The unknown values, as text."""

    @property
    def services(self) -> tuple[str, ...]:
        """The services that nodes cannot reach."""
        return tuple(sorted((*self.absent, *(name for name, _ in self.shut))))


def missing_endpoints(subnet: str, vpc: str | None, needed: Iterable[str], fleet: Fleet) -> MissingEndpoints | None:
    """The needed services that nodes of a subnet cannot reach through endpoints; None if the endpoints are unknown."""
    facts = fleet.facts or Facts()
    known = facts.subnets.get(subnet, SubnetFacts())
    there = facts.vpcs.get(vpc or "", VpcFacts()).endpoints
    served = known.endpoints
    if served is None and not facts_observed(fleet):
        # Facts written by hand state the endpoints of the VPC.
        served = there
    if served is None:
        return None
    absent, shut, open_ = [], [], []
    for name in sorted({*needed} - {*served}):
        callers = known.endpoints_open_to.get(name, ())
        in_ = _in(subnet, callers, fleet) if callers else False
        if in_ is True:
            continue
        if in_ is None or name in known.endpoints_in_doubt:
            open_.append(DOUBTS[known.endpoints_in_doubt.get(name, EndpointDoubt.CALLERS_UNKNOWN)].format(name))
        elif callers or name in (there or ()):
            shut.append((name, callers))
        else:
            absent.append(name)
    return MissingEndpoints(tuple(absent), tuple(shut), tuple(open_))


def _in(subnet: str, groups: tuple[str, ...], fleet: Fleet) -> bool | None:
    """Whether all nodes of a subnet have one of the security groups; None if that is not known."""
    nodes: list[AnyGroup | HeadNode | LoginPool] = [
        *(each for each in fleet.groups if each.subnets is not UNKNOWN and subnet in map(str, each.subnets)),
        *(each for each in fleet.of(HeadNode) if str(each.subnet) == subnet),
        *(each for each in fleet.of(LoginPool) if each.subnets is not UNKNOWN and subnet in map(str, each.subnets)),
    ]
    each_carries = [carried_groups(node, fleet) for node in nodes]
    among = [bool({*map(str, each.groups)} & {*groups}) for each in each_carries]
    if any(each.missing or (not each.sure and inside) for each, inside in zip(each_carries, among, strict=True)):
        return None
    return all(among)


def needed_services(fleet: Fleet) -> frozenset[str]:
    """The services that nodes of the cluster call."""
    return frozenset(service for each in fleet.backends for service in backends.named(each).node_endpoints)
