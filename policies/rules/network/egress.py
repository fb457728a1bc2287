"""How nodes reach AWS's services from a subnet."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from muster.edits import Remedy, set_to
from muster.fleet.facts import GatewayFault, SubnetFacts, WayOut
from muster.fleet.resource_references import ResourceKind, ResourceReference
from muster.fleet.resources import (
    ComputeResource,
    ControlPlane,
    Fleet,
    HeadNode,
    LaunchTemplate,
    LoginPool,
    NetworkInterface,
    NodeGroup,
    ParallelCluster,
    PcsCluster,
    Subnet,
)
from muster.fleet.resources.fleet import Ec2Group
from muster.policies.engine.finding_text import and_list, or_list, quantity_text, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import subnet_facts_expected, vpc_of
from muster.policies.lookups.endpoints import MissingEndpoints, missing_endpoints, needed_services
from muster.policies.lookups.launch_templates import WITHOUT_EFA, template_of
from muster.policies.lookups.machines import several_interfaces
from muster.unknown import NotKnown, all_of, any_of, if_known, known, stored

FAULTS: Mapping[GatewayFault, str] = {
    GatewayFault.GONE: "which no longer exists",
    GatewayFault.NOT_AVAILABLE: "which is not available",
    GatewayFault.WITHOUT_INTERNET: "whose own subnet has no route to an internet gateway",
}


def missing_endpoints_text(of: MissingEndpoints, network: str) -> Iterator[str]:
    """``vpc-1 has no endpoint for ec2``."""
    if of.absent:
        yield f"{network} has no endpoint for {and_list(of.absent)}"
    closed = [name for name, groups in of.shut if not groups]
    if closed:
        yield f"no endpoint for {and_list(closed)} serves the subnets"
    for name, groups in of.shut:
        if groups:
            yield f"the endpoint for {name} allows only {and_list(groups)} on TCP 443, which not all nodes have"


def endpoints_remedy(of: MissingEndpoints) -> Iterator[str]:
    """``create endpoints for ec2 in the VPC``."""
    if of.absent:
        yield f"create endpoints for {and_list(of.absent)} in the VPC"
    if of.shut:
        those = f"the endpoints for {and_list(name for name, _ in of.shut)}"
        yield f"make {those} serve the subnet (route table of a gateway endpoint, TCP 443 of an interface endpoint)"


def subnets_of_nodes(fleet: Fleet) -> Iterator[Subnet]:
    """The existing subnets with nodes, except a public subnet with only a head node, which has a public address."""
    groups = (*fleet.groups, *fleet.of(LoginPool))
    used = {str(each) for group in groups for each in stored(group, "subnets", ())}
    heads = {stored(head, "subnet") for head in fleet.of(HeadNode)}
    for subnet in fleet.subnets.values():
        if not subnet.created and (subnet.id in used or (subnet.id in heads and not subnet.public)):
            yield subnet


def subnet_reaches_aws(
    cluster: ControlPlane | ParallelCluster | PcsCluster, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if fleet.facts is None:
        return
    vpc, needed = vpc_of(fleet), needed_services(fleet)
    stuck: dict[_Way, list[Subnet]] = {}
    for subnet in subnets_of_nodes(fleet):
        known = fleet.facts.subnets.get(subnet.id, SubnetFacts())
        # Facts written by hand need not have the route.
        is_answered = known.way_out is not None or subnet_facts_expected(subnet, fleet)
        if is_answered and not _leads_out(known):
            lack = partial(missing_endpoints, subnet.id, vpc.id if vpc else None, needed, fleet)
            way = _Way(known.way_out, known.gateway, known.gateway_fault, if_known(lack))
            if way.lack != MissingEndpoints():  # endpoints are enough, whatever the route
                stuck.setdefault(way, []).append(subnet)
    # Subnets often share a route table: reported once, at the first of them.
    yield from rule.each(stuck.items(), lambda each: _judged(cluster, *each, vpc, fleet, rule), cluster.place)


class _Way(NamedTuple):
    """What subnets that are reported together have in common."""

    out: WayOut | None
    gateway: str | None
    fault: GatewayFault | None
    lack: MissingEndpoints | None
    """None if it is not known."""


def _judged(
    cluster: ControlPlane | ParallelCluster | PcsCluster,
    way: _Way,
    subnets: list[Subnet],
    vpc: ResourceReference | None,
    fleet: Fleet,
    rule: Rule,
) -> Iterator[Verdict]:
    where, network = and_list(each.id for each in subnets), vpc.id if vpc else "the VPC"
    if way.out is None and way.gateway:
        what = f"whether {way.gateway}, the gateway of {where}, has a route out of {network}"
        answered = fleet.unanswered is not None and not fleet.unanswered
        raise NotKnown(f"{what if answered else fleet.missing(what)}: {_OWNERS}")
    fleet.need(way.out, f"the default route of {where}")
    if way.out is WayOut.OTHER:
        services = and_list(way.lack.services) if way.lack else "AWS's services"
        by = way.gateway or "another network's gateway"
        raise NotKnown(f"whether nodes reach {services} through {by}, the gateway of {where}")
    lack = missing_endpoints(subnets[0].id, vpc.id if vpc else None, needed_services(fleet), fleet)
    works = " that is available, in a public subnet" if way.fault else ""
    yield rule.finding(
        cluster,
        subnets[0].declared_at,
        got=f"{where} {_why(way, subnets)}, and {', and '.join(missing_endpoints_text(lack, network))}",
        change=(f"route 0.0.0.0/0 of {where} to a NAT gateway{works}", or_list(endpoints_remedy(lack))),
    )


def _leads_out(known: SubnetFacts) -> bool:
    if known.way_out is WayOut.INTERNET_GATEWAY:
        # several-interfaces-private-subnets judges whether nodes may have the subnet's public address.
        return known.map_public_ip_on_launch is not False
    return known.way_out is WayOut.NAT


_OWNERS = "if another account shares the VPC, AWS answers only that account, so ask its owner"


def _why(way: _Way, subnets: list[Subnet]) -> str:
    if way.fault:
        return f"{singular_or_plural(subnets, 'routes', 'route')} to {way.gateway or 'a gateway'}, {FAULTS[way.fault]}"
    if way.out is WayOut.NONE:
        return singular_or_plural(subnets, "has no internet access", "have no internet access")
    route = singular_or_plural(subnets, "routes", "route")
    return (
        f"{route} to an internet gateway, but {singular_or_plural(subnets, 'gives', 'give')} nodes no public addresses"
    )


def several_interfaces_private_subnets(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    several = _has_several(group, fleet)
    if not several and not _has_no_address(group, fleet):
        return
    if not known(lambda: group.subnets) and _surely_private(group, fleet):
        return
    subnets = {
        name: fleet.subnets.get(name) for name in map(str, group.subnets) if not _needs_no_address(name, group, fleet)
    }
    public = [name for name, subnet in subnets.items() if subnet and (subnet.public or subnet.map_public_ip)]
    open_ = [name for name, subnet in subnets.items() if subnet is None or subnet.map_public_ip is None]
    open_ = [name for name in open_ if not fleet.gone(ResourceKind.SUBNET, name)]
    if public:
        yield rule.finding(
            group,
            "subnets",
            got=f"its nodes cannot have a public IP address, but {and_list(public)} "
            + singular_or_plural(public, "is a public subnet", "are public subnets"),
            change=(
                _elsewhere([subnets[name] for name in public]),
                *((WITHOUT_EFA,) if isinstance(group, NodeGroup) else ()),
            ),
        )
    elif open_ and several:
        assign = singular_or_plural(open_, "assigns", "assign")
        raise NotKnown(fleet.missing(f"whether {and_list(open_)} {assign} public IP addresses"))


def _needs_no_address(subnet: str, group: Ec2Group, fleet: Fleet) -> bool:
    """Whether endpoints of the VPC serve every service that nodes of the subnet call. ParallelCluster refuses subnets
    that assign public addresses, whatever their endpoints (`MultiNetworkInterfacesInstancesValidator`)."""
    known, vpc = fleet.subnets.get(subnet), vpc_of(fleet)
    if isinstance(group, ComputeResource) and (known is None or known.map_public_ip is not False):
        return False
    needed = needed_services(fleet)
    lack = if_known(lambda: missing_endpoints(subnet, vpc.id if vpc else None, needed, fleet)) if needed else None
    return lack == MissingEndpoints()


def _elsewhere(public: list[Subnet | None]) -> Remedy:
    """Subnets that the description lists as private, and that assign public addresses, are in the wrong
    list, or have map-public-ip-on-launch set by mistake."""
    listed = [each for each in public if each and each.declared_at and not each.public]
    if not listed or len(listed) < len(public):
        return set_to("private", in_program="private subnets with a route to a NAT gateway")
    (first, *_) = listed
    off = f"aws ec2 modify-subnet-attribute --subnet-id {first.id} --no-map-public-ip-on-launch"
    names = and_list(each.id for each in listed)
    return f"list {names} as public or, if there is a route to NAT, run `{off}`"


def _surely_private(group: Ec2Group, fleet: Fleet) -> bool:
    """Whether none of the subnets that it can be in assigns public addresses."""
    among = group.subnets_among if isinstance(group, ComputeResource) else None
    candidates = fleet.subnets_of(among.candidates) if among else ()
    return bool(candidates) and all(each.map_public_ip is False and not each.public for each in candidates)


def _has_several(group: Ec2Group, fleet: Fleet) -> bool:
    """Whether the nodes have several interfaces."""
    if isinstance(group, ComputeResource):
        return bool(several_interfaces(group, fleet))
    template = template_of(group, fleet)
    return template is not None and len(template.interfaces) > 1


def _has_no_address(group: Ec2Group, fleet: Fleet) -> bool:
    """Whether a single interface is set to have no public address. That of a compute resource has the address that its
    subnet assigns."""
    template = None if isinstance(group, ComputeResource) else template_of(group, fleet)
    return template is not None and any(nic.public_ip is False for nic in template.interfaces)


def several_interfaces_no_public_ip(
    thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    of = _of_slurm(thing, fleet, rule) if isinstance(thing, ComputeResource) else _of_template(thing, rule)
    yield from of


def _of_slurm(group: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the setting of its queue, which requests the address for the first interface."""
    if all_of(lambda: bool(group.public_ip), lambda: bool(several_interfaces(group, fleet))):
        instance, count = min(several_interfaces(group, fleet).items())
        got = f"AssignPublicIp is true, but {instance} has {quantity_text(count, 'interface')}"
        yield rule.finding(group, "Networking.AssignPublicIp", got=got, change=set_to(False))


def _of_template(template: LaunchTemplate, rule: Rule) -> Iterator[Verdict]:
    nics = template.interfaces
    if len(nics) > 1 and any_of(*(partial(_asks, nic) for nic in nics)):
        asking = [nic.label for nic in nics if if_known(partial(_asks, nic))]
        yield rule.finding(
            template,
            "interfaces",
            got=f"the template has {quantity_text(len(nics), 'interface')}, but {and_list(asking)} "
            f"{singular_or_plural(asking, 'requests', 'request')} a public IP address",
            change=set_to(False, at="associatePublicIpAddress", words=f"for {and_list(asking)}"),
        )


def _asks(nic: NetworkInterface) -> bool:
    return nic.public_ip is True
