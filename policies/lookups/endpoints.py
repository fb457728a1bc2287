"""The services that nodes reach through endpoints of their VPC."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from muster import backends
from muster.fleet.facts import EndpointDoubt, Facts, SubnetFacts, VpcFacts
from muster.fleet.resources import Fleet, HeadNode, LoginPool
from muster.fleet.resources.fleet import AnyGroup
from muster.policies.engine.finding_text import and_list
from muster.policies.lookups.account_facts import facts_observed, vpc_of
from muster.policies.lookups.security_groups import carried_groups
from muster.unknown import NotKnown, all_of, if_known, stored

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

    @property
    def services(self) -> tuple[str, ...]:
        """The services that nodes cannot reach."""
        return tuple(sorted((*self.absent, *(name for name, _ in self.shut))))


def missing_endpoints(subnet: str, fleet: Fleet) -> MissingEndpoints:
    """The needed services that nodes of a subnet surely cannot reach through endpoints.

    Raises:
        NotKnown: there is none, but nodes may not reach one; or the endpoints are not known.
    """
    facts, named = fleet.facts or Facts(), vpc_of(fleet)
    vpc = named.id if named else ""
    known = facts.subnets.get(subnet, SubnetFacts())
    there = facts.vpcs.get(vpc, VpcFacts()).endpoints
    # Facts written by hand state the endpoints of the VPC.
    by_hand = known.endpoints is None and not facts_observed(fleet)
    served = fleet.need(there if by_hand else known.endpoints, f"the endpoints of {vpc or 'the VPC'}")
    absent, shut, doubts = [], [], []
    for name in sorted(needed_services(fleet) - {*served}):
        callers = known.endpoints_open_to.get(name, ())
        in_ = if_known(lambda: _all_carry(callers, subnet, fleet)) if callers else False
        if in_:
            continue
        if in_ is None or name in known.endpoints_in_doubt:
            doubts.append(DOUBTS[known.endpoints_in_doubt.get(name, EndpointDoubt.CALLERS_UNKNOWN)].format(name))
        elif callers or name in (there or ()):
            shut.append((name, callers))
        else:
            absent.append(name)
    if doubts and not absent and not shut:
        raise NotKnown(and_list(doubts))
    return MissingEndpoints(tuple(absent), tuple(shut))


def _all_carry(groups: tuple[str, ...], subnet: str, fleet: Fleet) -> bool:
    """Whether all nodes of a subnet have one of the security groups."""
    nodes: list[AnyGroup | HeadNode | LoginPool] = [
        *(each for each in fleet.groups if subnet in map(str, stored(each, "subnets", ()))),
        *(each for each in fleet.of(HeadNode) if str(stored(each, "subnet")) == subnet),
        *(each for each in fleet.of(LoginPool) if subnet in map(str, stored(each, "subnets", ()))),
    ]
    return all_of(*(partial(_carries, node, groups, fleet) for node in nodes))


def _carries(node: AnyGroup | HeadNode | LoginPool, groups: tuple[str, ...], fleet: Fleet) -> bool:
    carried = carried_groups(node, fleet)
    inside = not {*map(str, carried.groups)}.isdisjoint(groups)
    if inside and not carried.sure:
        raise NotKnown(f"the security groups of {node.ref.name}")
    return inside


def needed_services(fleet: Fleet) -> frozenset[str]:
    """The services that nodes of the cluster call."""
    return frozenset(service for each in fleet.backends for service in backends.RECORDS[each].node_endpoints)
