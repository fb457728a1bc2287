"""Public subnets under nodes that can have no public address."""

from collections.abc import Iterator

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup, Subnet
from muster.fleet.resources.fleet import Ec2Group
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, singular_or_plural
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.launch_templates import template_of
from policies.lookups.machines import machines_of
from policies.lookups.parallelcluster import interfaces


@rule(
    "several-interfaces-private-subnets",
    title="Nodes that can have no public IP address are not in public subnets",
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="A node with several interfaces gets no public IP address, and a public subnet has no NAT: the node has no way "
    "out, never reaches its registry, the EKS API or AWS's other services, and never joins.",
    source="EC2 user guide, Public IPv4 addresses; ParallelCluster cluster_validators.py",
    remedy="Use private subnets with a NAT gateway.",
    facts=("rules.md#9", "hardware.md#R4", "pains.md#16"),
)
def several_interfaces_private_subnets(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    layout = _of_slurm(group, fleet) if isinstance(group, ComputeResource) else _of_template(group, fleet)
    several, without, missing = layout
    if missing:
        yield rule.unjudged(group.place, missing)
    if not several and not without:
        return
    if group.subnets is UNKNOWN:
        if not _surely_private(group, fleet):
            yield rule.unjudged(group.place, "the subnets, not known before creation")
        return
    known = {name: fleet.subnets.get(name) for name in map(str, group.subnets)}
    public = [name for name, subnet in known.items() if subnet and (subnet.public or subnet.map_public_ip)]
    open_ = [name for name, subnet in known.items() if subnet is None or subnet.map_public_ip is None]
    open_ = [name for name in open_ if not fleet.gone(ResourceKind.SUBNET, name)]
    if public:
        yield rule.finding(
            group.place,
            at="subnets",
            got=f"its nodes can have no public IP address, and {and_list(public)} "
            + singular_or_plural(public, "is a public subnet", "are public subnets"),
            remedy=_remedy([known[name] for name in public])
            + (", or interfaces: plain where EFA is not needed" if isinstance(group, NodeGroup) else ""),
        )
    elif open_ and several:
        yield rule.unjudged(
            group.place,
            fleet.missing(
                f"whether {and_list(open_)} {singular_or_plural(open_, 'gives', 'give')} public IP addresses"
            ),
        )


def _remedy(public: list[Subnet | None]) -> str:
    """The remedy. Subnets that the description lists as private, and that assign public addresses, are in the wrong
    list, or have map-public-ip-on-launch set."""
    listed = [each for each in public if each and each.declared_at and not each.public]
    if not listed or len(listed) < len(public):
        return "use private subnets (subnets: private)"
    (first, *_) = listed
    off = f"aws ec2 modify-subnet-attribute --subnet-id {first.id} --no-map-public-ip-on-launch"
    names = and_list(each.id for each in listed)
    return f"list {names} below public, or, with a route to NAT, switch that off (`{off}`)"


def _surely_private(group: Ec2Group, fleet: Fleet) -> bool:
    """Whether none of the subnets that it can be in gives public addresses."""
    among = group.subnets_among if isinstance(group, ComputeResource) else None
    candidates = fleet.subnets_of(among.candidates) if among else ()
    return bool(candidates) and all(each.map_public_ip is False and not each.public for each in candidates)


def _of_template(group: NodeGroup, fleet: Fleet) -> tuple[bool, bool, str]:
    """Whether the nodes have several interfaces; whether a single interface is set to have no public address; and what
    is unknown."""
    template, missing = template_of(group, fleet)
    if template is None:
        return False, False, missing
    if template.interfaces is UNKNOWN:
        return False, False, "the network interfaces, not known before creation"
    return len(template.interfaces) > 1, any(nic.public_ip is False for nic in template.interfaces), ""


def _of_slurm(group: ComputeResource, fleet: Fleet) -> tuple[bool, bool, str]:
    """Likewise. A single interface has what its subnet gives."""
    machines, missing = machines_of(group, fleet)
    counts = [interfaces(group, machine) for machine in machines]
    if any(count is not UNKNOWN and count > 1 for count in counts):
        return True, False, ""
    return False, False, missing or ("whether it has EFA, not known before creation" if UNKNOWN in counts else "")
