"""Public subnets of nodes that cannot have a public address."""

from collections.abc import Iterator

from muster.edits import Remedy, set_to
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup, Subnet
from muster.fleet.resources.fleet import Ec2Group
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import vpc_of
from muster.policies.lookups.endpoints import MissingEndpoints, missing_endpoints, needed_services
from muster.policies.lookups.launch_templates import WITHOUT_EFA, template_of
from muster.policies.lookups.machines import several_interfaces
from muster.unknown import NotKnown, if_known, known


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
