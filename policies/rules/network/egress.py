"""How nodes reach AWS's services from a subnet."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from muster import backends
from muster.edits import Remedy, set_to
from muster.fleet.facts import EndpointDoubt, Facts, GatewayFault, SubnetFacts, VpcFacts, WayOut
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import (
    ComputeResource,
    ControlPlane,
    Fleet,
    HeadNode,
    LaunchTemplate,
    LoginPool,
    NodeGroup,
    ParallelCluster,
    PcsCluster,
    Reference,
    Subnet,
)
from muster.fleet.resources.fleet import AnyGroup, Ec2Group, machine
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed, subnet_facts_expected, vpc_of
from muster.policies.lookups.device_plugins import without_efa
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.machines import several_interfaces
from muster.policies.lookups.security_groups import carried_groups
from muster.unknown import NotKnown, all_of, any_of, if_known, known, stored

_FAULTS: Mapping[GatewayFault, str] = {
    GatewayFault.GONE: "which no longer exists",
    GatewayFault.NOT_AVAILABLE: "which is not available",
    GatewayFault.WITHOUT_INTERNET: "whose own subnet has no route to an internet gateway",
}


def _subnets_of_nodes(fleet: Fleet) -> Iterator[Subnet]:
    """The existing subnets with nodes, except a public subnet with only a head node, which has a public address."""
    groups = (*fleet.groups, *fleet.of(LoginPool))
    used = {str(each) for group in groups for each in stored(group, "subnets", ())}
    heads = {stored(head, "subnet") for head in fleet.of(HeadNode)}
    for subnet in fleet.subnets.values():
        if not subnet.created and (subnet.id in used or (subnet.id in heads and not subnet.public)):
            yield subnet


class MissingEndpoints(NamedTuple):
    """The services that nodes of a subnet need and cannot reach through endpoints."""

    absent: tuple[str, ...] = ()
    """Services without any endpoint."""
    shut: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Services whose endpoints do not serve the subnet, each with the security groups that they allow, if any."""

    @property
    def services(self) -> tuple[str, ...]:
        """The services that nodes cannot reach."""
        return tuple(sorted((*self.absent, *(name for name, _ in self.shut))))


class _Way(NamedTuple):
    """What subnets that are reported together have in common."""

    out: WayOut | None
    gateway: str | None
    fault: GatewayFault | None
    lack: MissingEndpoints | None
    """None if it is not known."""


def subnet_reaches_aws(
    cluster: ControlPlane | ParallelCluster | PcsCluster, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if fleet.facts is None:
        return
    stuck: dict[_Way, list[Subnet]] = {}
    for subnet in _subnets_of_nodes(fleet):
        known = fleet.facts.subnets.get(subnet.id, SubnetFacts())
        # Facts written by hand need not have the route.
        is_answered = known.way_out is not None or subnet_facts_expected(subnet, fleet)
        if is_answered and not _leads_out(known):
            lack = if_known(partial(missing_endpoints, subnet.id, fleet))
            if lack != MissingEndpoints():  # endpoints are enough, whatever the route
                way = _Way(known.way_out, known.gateway, known.gateway_fault, lack)
                stuck.setdefault(way, []).append(subnet)
    # Subnets often share a route table: reported once, at the first of them.
    yield from rule.each(stuck.items(), lambda each: _judged(cluster, *each, fleet, rule), cluster.place)


def _leads_out(known: SubnetFacts) -> bool:
    if known.way_out is WayOut.INTERNET_GATEWAY:
        # several-interfaces-private-subnets judges whether nodes may have the subnet's public address.
        return known.map_public_ip_on_launch is not False
    return known.way_out is WayOut.NAT


_OWNERS = "if another account shares the VPC, AWS answers only that account, so ask its owner"


def _judged(
    cluster: ControlPlane | ParallelCluster | PcsCluster, way: _Way, subnets: list[Subnet], fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    where, gateway = and_list(each.id for each in subnets), way.gateway or "a gateway"
    if way.out is None and way.gateway:
        what = f"whether {gateway}, the gateway of {where}, has a route out of the VPC"
        answered = fleet.unanswered is not None and not fleet.unanswered
        raise NotKnown(f"{what if answered else fleet.missing(what)}: {_OWNERS}")
    fleet.need(way.out, f"the default route of {where}")
    if way.out is WayOut.OTHER:
        raise NotKnown(f"whether nodes reach AWS's services through {gateway}, the gateway of {where}")
    lack = missing_endpoints(subnets[0].id, fleet)
    route = f"to {gateway}, {_FAULTS[way.fault]}" if way.fault else "to an internet gateway, without public addresses"
    got = f"{where}: the route is {'none' if way.out is WayOut.NONE and not way.fault else route}; {_text(lack)}"
    nat = f"route 0.0.0.0/0 of {where} to a NAT gateway that is available, in a public subnet"
    services = f"make endpoints of {and_list(lack.services)} serve the subnet (route table of a gateway endpoint, TCP "
    services += "443 of an interface endpoint)"
    yield rule.finding(cluster, subnets[0].declared_at, got=got, change=(nat, services))


def _text(of: MissingEndpoints) -> str:
    """``no endpoint for ec2 and s3 serves the nodes; that for sts allows only sg-1``."""
    unserved = [*of.absent, *(name for name, groups in of.shut if not groups)]
    parts = [f"no endpoint for {and_list(unserved)} serves the nodes"] if unserved else []
    parts += [f"that for {name} allows only {and_list(groups)} on TCP 443" for name, groups in of.shut if groups]
    return "; ".join(parts)


def several_interfaces_private_subnets(group: Ec2Group | HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    several = _has_several(group, fleet)
    if not several and not _has_no_address(group, fleet):
        return
    if isinstance(group, HeadNode):
        placed: tuple[Reference, ...] = (group.subnet,) if group.subnet else ()
    else:
        if not known(lambda: group.subnets) and _surely_private(group, fleet):
            return
        placed = group.subnets
    reached = [each for each in map(str, placed) if not _needs_no_address(each, group, fleet)]
    subnets = fleet.subnets_of(tuple(reached))
    if public := [each for each in subnets if each.public or each.map_public_ip]:
        cannot = "its nodes cannot have public addresses, but are"
        if isinstance(group, HeadNode):
            cannot = "the head node has several interfaces, so it cannot have a public address, but is"
        got = f"{cannot} in public subnets: {and_list(each.id for each in public)}"
        otherwise: tuple[Remedy, ...] = (without_efa((group,), fleet),) if isinstance(group, NodeGroup) else ()
        if isinstance(group, HeadNode) and not group.place.described:
            otherwise = (set_to(True, at="Networking.ElasticIp"),)
        yield rule.finding(group, "subnets", got=got, change=(_elsewhere(public), *otherwise))
        return
    open_ = [each.id for each in subnets if each.map_public_ip is None]
    open_ = [each for each in open_ if not fleet.gone(ResourceKind.SUBNET, each)]
    if open_ and several:
        raise NotKnown(fleet.missing(f"whether nodes get public IP addresses in {and_list(open_)}"))


def _needs_no_address(subnet: str, group: Ec2Group | HeadNode, fleet: Fleet) -> bool:
    """Whether endpoints of the VPC serve every service that nodes of the subnet call. ParallelCluster refuses subnets
    that assign public addresses, whatever their endpoints (`MultiNetworkInterfacesInstancesValidator`)."""
    known = fleet.subnets.get(subnet)
    if isinstance(group, ComputeResource) and (known is None or known.map_public_ip is not False):
        return False
    return bool(needed_services(fleet)) and if_known(lambda: missing_endpoints(subnet, fleet)) == MissingEndpoints()


def _elsewhere(public: list[Subnet]) -> Remedy:
    """Subnets that the description lists as private, and that assign public addresses, are in the wrong
    list, or have map-public-ip-on-launch set by mistake."""
    if any(each.public or not each.declared_at for each in public):
        return set_to("private", in_program="private subnets with a route to a NAT gateway")
    off = f"aws ec2 modify-subnet-attribute --subnet-id {public[0].id} --no-map-public-ip-on-launch"
    return f"list {and_list(each.id for each in public)} as public or, if there is a route to NAT, run `{off}`"


def _surely_private(group: Ec2Group, fleet: Fleet) -> bool:
    """Whether none of the subnets that it can be in assigns public addresses."""
    among = group.subnets_among if isinstance(group, ComputeResource) else None
    candidates = fleet.subnets_of(among.candidates) if among else ()
    return bool(candidates) and all(each.map_public_ip is False and not each.public for each in candidates)


def _has_several(group: Ec2Group | HeadNode, fleet: Fleet) -> bool:
    """Whether the nodes have several interfaces. A head node has one on each card."""
    if isinstance(group, HeadNode):
        several = group.instance is not None and machine(group.instance).network_cards > 1
        return several and not group.own_way_out
    if isinstance(group, ComputeResource):
        return bool(several_interfaces(group, fleet))
    template = template_of(group, fleet)
    return template is not None and len(template.interfaces) > 1


def _has_no_address(group: Ec2Group | HeadNode, fleet: Fleet) -> bool:
    """Whether a single interface is set to have no public address. That of a compute resource has the address that its
    subnet assigns."""
    template = None if isinstance(group, ComputeResource | HeadNode) else template_of(group, fleet)
    return template is not None and any(nic.public_ip is False for nic in template.interfaces)


def several_interfaces_no_public_ip(
    thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if isinstance(thing, ComputeResource):  # its queue requests the address for the first interface
        if all_of(lambda: bool(thing.public_ip), lambda: bool(several_interfaces(thing, fleet))):
            instance, count = min(several_interfaces(thing, fleet).items())
            got = f"AssignPublicIp is true, but {instance} has {count} interfaces"
            yield rule.finding(thing, "Networking.AssignPublicIp", got=got, change=set_to(False))
        return
    nics = thing.interfaces
    if len(nics) > 1 and any_of(*(lambda nic=nic: nic.public_ip is True for nic in nics)):
        asking = and_list(nic.label for nic in nics if stored(nic, "public_ip") is True)
        got = f"of {len(nics)} interfaces, these request a public IP address: {asking}"
        change = set_to(False, at="associatePublicIpAddress", words=f"for {asking}")
        yield rule.finding(thing, "interfaces", got=got, change=change)


DOUBTS: Mapping[EndpointDoubt, str] = {
    EndpointDoubt.PRIVATE_DNS_OFF: "whether a hosted zone resolves to the endpoint of {}, whose private DNS is off",
    EndpointDoubt.CALLERS_UNKNOWN: "whether the endpoint of {} allows nodes on TCP 443",
    EndpointDoubt.KIND_UNKNOWN: "whether the endpoint of {} is in the subnet's route table",
}


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
    """The services that nodes of the cluster call, without a proxy. Of the parts of a node on EKS, only the VPC CNI has
    none: its add-on has no setting for it (aws/containers-roadmap#2480)."""
    templates = fleet.of(LaunchTemplate)
    if templates and all(if_known(lambda: each.proxied) for each in templates):
        return frozenset({"ec2"})
    return frozenset(service for each in fleet.backends for service in backends.RECORDS[each].node_endpoints)
