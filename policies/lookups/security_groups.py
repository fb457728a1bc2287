"""The traffic that security groups allow between resources, and within a group, as EFA needs it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import (
    ComputeNodeGroup,
    ComputeResource,
    ControlPlane,
    Fleet,
    HeadNode,
    InstanceGroup,
    LaunchTemplate,
    LoginPool,
    Ref,
    Reference,
    SecurityGroup,
)
from muster.fleet.resources.ec2 import EGRESS, EVERY_PROTOCOL, EVERYWHERE, INGRESS
from muster.fleet.resources.fleet import AnyGroup, TemplateGroup
from muster.fleet.resources.parallelcluster import MADE_GROUP, STORAGE_GROUP
from muster.fleet.resources.ref import CLUSTER
from muster.hardware.interfaces import InterfaceType
from muster.object_cache import cached_by_identity
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.machines import machines_of
from muster.unknown import UNKNOWN, UnknownType
from muster.versions import EKS_CALENDAR
from muster.whole_number import version_numbers


@dataclass(frozen=True, slots=True)
class CarriedGroups:
    """The security groups on the interfaces of a group's nodes."""

    groups: frozenset[Reference]
    sure: bool = True
    """False if these are all possible groups, and only creation shows which of them are on which interface."""
    missing: str = ""
    """What is not known, if no group is known."""


def carried_groups(group: AnyGroup | HeadNode | LoginPool, fleet: Fleet, *, efa: bool = False) -> CarriedGroups:
    """The security groups of a node's IP interfaces, or of its EFA interfaces."""
    if isinstance(group, InstanceGroup):
        return _of_hyperpod(group, fleet, efa=efa)
    if not isinstance(group, TemplateGroup):
        return _of_slurm(group, efa=efa)
    if isinstance(group, ComputeNodeGroup) and group.security_groups is not None:
        return _of_pcs(group.security_groups, efa=efa)
    return _of_template(group, fleet, efa=efa)


def _of_template(group: TemplateGroup, fleet: Fleet, *, efa: bool) -> CarriedGroups:
    template, missing = template_of(group, fleet)
    if template is None:
        return CarriedGroups(frozenset() if missing or efa else cluster_groups(fleet), missing=missing)
    if template.interfaces is UNKNOWN:
        return CarriedGroups(frozenset(), missing="the network interfaces (known only after `pulumi up`)")
    listed = _named(template, efa=efa)
    if any(groups is UNKNOWN for groups in listed):
        # The security group of an existing cluster is an id, not a resource.
        joins = bool(fleet.having(ControlPlane, "existing", True))
        of_what = frozenset[Reference](() if joins else template.depends_on)
        return CarriedGroups(of_what, sure=False, missing="" if of_what else "the security groups of its interfaces")
    named = frozenset(group for groups in listed if groups is not UNKNOWN for group in groups)
    return CarriedGroups(named if named or efa else cluster_groups(fleet))


def _of_hyperpod(group: InstanceGroup, fleet: Fleet, *, efa: bool) -> CarriedGroups:
    """HyperPod gives every interface of a node the same groups, and no other."""
    machines, missing = machines_of(group, fleet)
    if efa and (missing or not any(machine.max_efa for machine in machines)):
        return CarriedGroups(frozenset(), missing=missing)
    if group.security_groups is UNKNOWN:
        return CarriedGroups(frozenset(), missing="the security groups (known only after `pulumi up`)")
    return CarriedGroups(frozenset(group.security_groups))


def _of_slurm(node: ComputeResource | HeadNode | LoginPool, *, efa: bool) -> CarriedGroups:
    """Every interface of a node has the same groups. Head nodes and login nodes have no EFA."""
    has_efa = efa and isinstance(node, ComputeResource) and node.has_efa
    if efa and has_efa is not True:
        missing = "whether its nodes have EFA (known only after `pulumi up`)" if has_efa is UNKNOWN else ""
        return CarriedGroups(frozenset(), missing=missing)
    if node.security_groups is UNKNOWN:
        return CarriedGroups(frozenset(), missing="the security groups (known only after `pulumi up`)")
    return CarriedGroups(frozenset(node.carried))


def _of_pcs(groups: tuple[Reference, ...] | UnknownType, *, efa: bool) -> CarriedGroups:
    """Groups that a compute node group sets itself. Its template then has no network interfaces, and so no EFA."""
    if groups is UNKNOWN and not efa:
        return CarriedGroups(frozenset(), missing="the security groups (known only after `pulumi up`)")
    return CarriedGroups(frozenset(() if efa or groups is UNKNOWN else groups))


def _named(template: LaunchTemplate, *, efa: bool) -> list[tuple[Reference, ...] | UnknownType]:
    nics = () if template.interfaces is UNKNOWN else template.interfaces
    if efa:
        return [nic.security_groups for nic in nics if nic.is_efa is True]
    return [template.security_groups, *(nic.security_groups for nic in nics if nic.type != InterfaceType.EFA_ONLY)]


@cached_by_identity(4)
def cluster_groups(fleet: Fleet) -> frozenset[Reference]:
    """The security group that EKS creates for the cluster. EKS attaches it to nodes whose template sets none."""
    groups: set[Reference] = set()
    for plane in fleet.of(ControlPlane):
        if not plane.existing:
            groups.add(plane.ref)
        elif plane.security_groups is not UNKNOWN:
            groups |= set(plane.security_groups)
    return frozenset(groups)


def allows_traffic(
    groups: Iterable[Reference], direction: str, port: int | None, peers: Iterable[Reference], fleet: Fleet
) -> bool | UnknownType:
    """Whether any of the groups allows TCP on a port, or everything (None), in from or out to any of the peers."""
    wanted = frozenset(peers)
    answers = {_one(group, direction, port, wanted, fleet) for group in groups} if wanted else set()
    return True if True in answers else UNKNOWN if UNKNOWN in answers else False


def _is_of_eks(group: Reference, fleet: Fleet) -> bool:
    return (isinstance(group, Ref) and group.type == CLUSTER) or group in cluster_groups(fleet)


def _one(
    group: Reference, direction: str, port: int | None, peers: frozenset[Reference], fleet: Fleet
) -> bool | UnknownType:
    if _is_of_eks(group, fleet):
        # EKS's own group allows traffic from itself, and all egress. Rules that a program adds to it are not read.
        return True if group in peers or (direction == EGRESS and port is not None) else UNKNOWN
    if isinstance(group, Ref) and group.type == MADE_GROUP:
        return _by_parallelcluster(group, direction, port, peers)
    known = fleet.find(SecurityGroup, group)
    return known.lets(direction, port, peers) if known else UNKNOWN


def _by_parallelcluster(group: Ref, direction: str, port: int | None, peers: frozenset[Reference]) -> bool:
    """What a group that ParallelCluster creates allows: everything to and from the others that it creates, and all IP
    egress; a file system's group, everything to and from all nodes (`templates/cluster_stack.py` of 3.16.1)."""
    among_its_own = any(isinstance(peer, Ref) and peer.type == MADE_GROUP for peer in peers)
    return among_its_own or group == STORAGE_GROUP or (direction == EGRESS and port is not None)


def missing_self_traffic(group: Reference, fleet: Fleet) -> str | UnknownType | None:
    """The direction in which the group does not allow traffic with itself: ``from``, ``to``, ``from or to``, or empty.

    None if it is not known, UNKNOWN if it is known after creation.
    """
    if isinstance(group, Ref) and group.type == CLUSTER:
        return _cluster_lacks(fleet.find(ControlPlane, group))
    if fleet.gone(ResourceKind.SECURITY_GROUP, group):
        return ""  # named-things-exist's finding
    observed = fleet.facts.security_groups if fleet.facts else {}
    known = fleet.find(SecurityGroup, group) or observed.get(str(group))
    if known is None or None in (known.self_ingress, known.self_egress):
        return None
    if UNKNOWN in (known.self_ingress, known.self_egress):
        return UNKNOWN
    return " or ".join(
        word for word, allowed in (("from", known.self_ingress), ("to", known.self_egress)) if not allowed
    )


def missing_traffic_among(groups: Collection[Reference], fleet: Fleet) -> tuple[str, list[Reference]]:
    """The direction in which the groups of one interface, taken together, do not allow traffic among themselves, in
    the words of `missing_self_traffic`; and the groups whose rules are not known. Rules of several groups add up."""
    answers = {each: missing_self_traffic(each, fleet) for each in sorted(groups, key=str)}
    known = [each for each in answers.values() if isinstance(each, str)]
    lacking = [
        word
        for word, direction in (("from", INGRESS), ("to", EGRESS))
        if all(word in each for each in known) and not _among(groups, direction, fleet)
    ]
    return " or ".join(lacking), [each for each, answer in answers.items() if not isinstance(answer, str)]


def _among(groups: Collection[Reference], direction: str, fleet: Fleet) -> bool:
    """Whether one of the groups allows everything from or to one of them. `_cluster_lacks` knows what EKS's does."""
    every = frozenset(groups)
    return any(_one(each, direction, None, every, fleet) is True for each in every if not _is_of_eks(each, fleet))


def _cluster_lacks(cluster: ControlPlane | None) -> str:
    """The group that EKS creates allows traffic from itself and, "for EFA traffic", to itself (EKS user guide,
    "security group requirements"). EKS adds these rules, so the program has none. Before 1.33 EKS did not add the
    second one (eksctl `pkg/utils/efa`).
    """
    version = cluster.kubernetes if cluster else None
    old = isinstance(version, str) and version in EKS_CALENDAR and version_numbers(version) < (1, 33)
    return "to" if old else ""


def only_to_everywhere(group: Reference, fleet: Fleet) -> bool:
    """Whether a group allows all egress to 0.0.0.0/0. That looks sufficient but is not: EFA is not IP."""
    known = fleet.find(SecurityGroup, group)
    return known is not None and any(
        each.direction == EGRESS and each.protocol == EVERY_PROTOCOL and each.peer == EVERYWHERE
        for each in known.allows
    )
