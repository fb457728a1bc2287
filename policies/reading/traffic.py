"""What passes between things, by the security groups that they carry."""

from collections.abc import Iterable
from dataclasses import dataclass

from muster.fleet.interfaces import InterfaceType
from muster.fleet.resources import (
    ComputeResource,
    ControlPlane,
    Fleet,
    HeadNode,
    InstanceGroup,
    LaunchTemplate,
    NodeGroup,
    Ref,
    Reference,
    SecurityGroup,
)
from muster.fleet.resources.fleet import AnyGroup
from muster.fleet.resources.parallelcluster import MADE_GROUP, STORAGE_GROUP
from muster.fleet.resources.place import CLUSTER
from muster.fleet.resources.security_group import EGRESS
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.reading.machines import machines_of
from policies.reading.templates import template_of


@dataclass(frozen=True, slots=True)
class Carried:
    """The security groups on the interfaces of a group's nodes."""

    groups: frozenset[Reference]
    sure: bool = True
    """False: these are all that its interfaces are made of; which of them is where, creation will tell."""
    missing: str = ""
    """What is not known, where no group is."""


def carried(group: AnyGroup | HeadNode, fleet: Fleet, *, efa: bool = False) -> Carried:
    """The groups that a node's IP traffic passes, or those of its EFA interfaces."""
    if isinstance(group, InstanceGroup):
        return _of_hyperpod(group, fleet, efa=efa)
    if not isinstance(group, NodeGroup):
        return _of_slurm(group, efa=efa)
    template, missing = template_of(group, fleet)
    if template is None:
        return Carried(frozenset() if missing or efa else _eks_own(fleet), missing=missing)
    if template.interfaces is UNKNOWN:
        return Carried(frozenset(), missing="the network interfaces, not known before creation")
    listed = _named(template, efa=efa)
    if any(groups is UNKNOWN for groups in listed):
        # The group of a cluster that exists is an id, and no resource stands behind it.
        joins = any(plane.existing for plane in fleet.of(ControlPlane))
        of_what = frozenset[Reference](() if joins else template.depends_on)
        return Carried(of_what, sure=False, missing="" if of_what else "the security groups of its interfaces")
    named = frozenset(group for groups in listed if groups is not UNKNOWN for group in groups)
    return Carried(named if named or efa else _eks_own(fleet))


def _of_hyperpod(group: InstanceGroup, fleet: Fleet, *, efa: bool) -> Carried:
    """HyperPod gives every interface of a node the same groups, and no other."""
    machines, missing = machines_of(group, fleet)
    if efa and not (missing or any(machine.max_efa for machine in machines)):
        return Carried(frozenset())
    if group.security_groups is UNKNOWN:
        return Carried(frozenset(), missing="the security groups, not known before creation")
    return Carried(frozenset(group.security_groups), sure=not (efa and missing))


def _of_slurm(node: ComputeResource | HeadNode, *, efa: bool) -> Carried:
    """Every interface of a node has the same groups. A head node has no EFA."""
    has_efa = node.has_efa if isinstance(node, ComputeResource) else False
    if efa and has_efa is False:
        return Carried(frozenset())
    if node.carried is UNKNOWN:
        return Carried(frozenset(), missing="the security groups, not known before creation")
    return Carried(frozenset(node.carried), sure=not (efa and has_efa is UNKNOWN))


def _named(template: LaunchTemplate, *, efa: bool) -> list[tuple[Reference, ...] | UnknownType]:
    nics = () if template.interfaces is UNKNOWN else template.interfaces
    if efa:
        return [nic.security_groups for nic in nics if nic.is_efa is True]
    return [template.security_groups, *(nic.security_groups for nic in nics if nic.type != InterfaceType.EFA_ONLY)]


def _eks_own(fleet: Fleet) -> frozenset[Reference]:
    """The group that EKS makes for the cluster: it attaches it to nodes whose template names none."""
    groups: set[Reference] = set()
    for plane in fleet.of(ControlPlane):
        if not plane.existing:
            groups.add(plane.ref)
        elif plane.security_groups is not UNKNOWN:
            groups |= set(plane.security_groups)
    return frozenset(groups)


def lets(
    groups: Iterable[Reference], direction: str, port: int | None, peers: Iterable[Reference], fleet: Fleet
) -> bool | UnknownType:
    """Whether any of some groups lets TCP on a port, or everything (None), in from or out to any of the peers."""
    wanted = tuple(peers)
    answers = {_one(group, direction, port, peer, fleet) for group in groups for peer in wanted}
    return True if True in answers else UNKNOWN if UNKNOWN in answers else False


def _one(group: Reference, direction: str, port: int | None, peer: Reference, fleet: Fleet) -> bool | UnknownType:
    if (isinstance(group, Ref) and group.type == CLUSTER) or group in _eks_own(fleet):
        # EKS's own lets itself in, and everything out. What else a program adds to it nobody has looked at.
        return True if group == peer or (direction == EGRESS and port is not None) else UNKNOWN
    if isinstance(group, Ref) and group.type == MADE_GROUP:
        return _by_parallelcluster(group, direction, port, peer)
    known = fleet.find(SecurityGroup, group)
    return known.lets(direction, port, peer) if known else UNKNOWN


def _by_parallelcluster(group: Ref, direction: str, port: int | None, peer: Reference) -> bool:
    """What a group that ParallelCluster makes lets pass: everything with the others that it makes, everything out that
    is IP; of a file system's, everything with all nodes of the cluster (`templates/cluster_stack.py` of 3.16.1)."""
    among_its_own = isinstance(peer, Ref) and peer.type == MADE_GROUP
    return among_its_own or group == STORAGE_GROUP or (direction == EGRESS and port is not None)
