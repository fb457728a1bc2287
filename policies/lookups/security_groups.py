"""The traffic that security groups allow between resources, and within a group, as EFA needs it."""

from collections.abc import Collection, Iterable
from functools import partial
from typing import NamedTuple

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import (
    ComputeNodeGroup,
    ComputeResource,
    ControlPlane,
    Fleet,
    HeadNode,
    InstanceGroup,
    LoginPool,
    Ref,
    Reference,
    SecurityGroup,
)
from muster.fleet.resources.ec2 import EGRESS, INGRESS
from muster.fleet.resources.fleet import AnyGroup, TemplateGroup
from muster.fleet.resources.parallelcluster import MADE_GROUP, STORAGE_GROUP
from muster.fleet.resources.ref import CLUSTER
from muster.hardware.interfaces import InterfaceType
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import name_list, name_of
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.machines import machines_of
from muster.unknown import NotKnown, all_of, any_of, if_known, stored
from muster.versions import EKS_CALENDAR
from muster.whole_number import version_numbers

SLURMCTLD, SLURMD, NFS = 6817, 6818, 2049
"""The default ports of the daemons (slurm.conf, SlurmctldPort and SlurmdPort), and of NFS."""


class CarriedGroups(NamedTuple):
    """The security groups on the interfaces of a group's nodes."""

    groups: frozenset[Reference]
    sure: bool = True
    """False if these are all possible groups, and only creation shows which of them are on which interface."""


def carried_groups(group: AnyGroup | HeadNode | LoginPool, fleet: Fleet, *, efa: bool = False) -> CarriedGroups:
    """The security groups of a node's IP interfaces, or of its EFA interfaces. On HyperPod and on ParallelCluster,
    every interface of a node has the same groups; head nodes and login nodes have no EFA.

    Raises:
        NotKnown: no group is known.
    """
    if isinstance(group, InstanceGroup):
        with_efa = efa and any(machine.max_efa for machine in machines_of(group, fleet))
        return CarriedGroups(frozenset(() if efa and not with_efa else group.security_groups))
    if not isinstance(group, TemplateGroup):
        with_efa = efa and isinstance(group, ComputeResource) and bool(group.efa)
        return CarriedGroups(frozenset(() if efa and not with_efa else group.carried))
    if isinstance(group, ComputeNodeGroup) and stored(group, "security_groups") is not None:
        # Its template then has no network interfaces, and so no EFA.
        return CarriedGroups(frozenset(() if efa else group.security_groups or ()))
    return _of_template(group, fleet, efa=efa)


def _of_template(group: TemplateGroup, fleet: Fleet, *, efa: bool) -> CarriedGroups:
    template = template_of(group, fleet)
    if template is None:
        return CarriedGroups(frozenset() if efa else cluster_groups(fleet))
    carrying = [nic for nic in template.interfaces if (nic.is_efa if efa else nic.type != InterfaceType.EFA_ONLY)]
    try:
        named = {each for nic in carrying for each in nic.security_groups}
        named |= set(() if efa else template.security_groups)
    except NotKnown:
        # The security group of an existing cluster is an id, not a resource.
        if fleet.having(ControlPlane, "existing", True) or not template.depends_on:
            raise
        return CarriedGroups(frozenset[Reference](template.depends_on), sure=False)
    return CarriedGroups(frozenset(named) if named or efa else cluster_groups(fleet))


@cached_by_identity(4)
def cluster_groups(fleet: Fleet) -> frozenset[Reference]:
    """The security group that EKS creates for the cluster. EKS attaches it to nodes whose template sets none."""
    groups: set[Reference] = set()
    for plane in fleet.of(ControlPlane):
        if not plane.existing:
            groups.add(plane.ref)
        else:
            groups |= set(stored(plane, "security_groups", ()))
    return frozenset(groups)


def allows_traffic(
    groups: Iterable[Reference], direction: str, port: int | None, peers: Iterable[Reference], fleet: Fleet
) -> bool:
    """Whether any of the groups allows TCP on a port, or everything (None), in from or out to any of the peers.

    Raises:
        NotKnown: none surely does, and the rules of one are not known.
    """
    wanted = frozenset(peers)
    return bool(wanted) and any_of(*(partial(_one, group, direction, port, wanted, fleet) for group in groups))


def _is_of_eks(group: Reference, fleet: Fleet) -> bool:
    return (isinstance(group, Ref) and group.type == CLUSTER) or group in cluster_groups(fleet)


def _one(group: Reference, direction: str, port: int | None, peers: frozenset[Reference], fleet: Fleet) -> bool:
    of_eks = _is_of_eks(group, fleet)
    if of_eks and (group in peers or (direction == EGRESS and port is not None)):
        return True  # EKS's own group allows traffic from itself, and all egress
    if isinstance(group, Ref) and group.type == MADE_GROUP:
        return _by_parallelcluster(group, direction, port, peers)
    known = None if of_eks else fleet.find(SecurityGroup, group)
    if known is not None:
        return known.lets(direction, port, peers)
    observed = fleet.facts.security_groups.get(str(group)) if fleet.facts and group in peers else None
    if observed and (observed.self_ingress if direction == INGRESS else observed.self_egress):
        return True
    # Rules that a program adds to EKS's own group are not read.
    raise NotKnown(fleet.missing(f"the rules of security group {name_of(group)}"))


class Way(NamedTuple):
    """Traffic that must be allowed: TCP on a port, in from or out to the peers."""

    groups: frozenset[Reference]
    direction: str
    port: int
    peers: frozenset[Reference]


def both_ways(callers: frozenset[Reference], port: int, servers: frozenset[Reference]) -> tuple[Way, Way]:
    """What lets callers reach a port of servers."""
    return Way(servers, INGRESS, port, callers), Way(callers, EGRESS, port, servers)


def shut_way(ways: Iterable[Way], fleet: Fleet) -> str:
    """The first that is surely not allowed, in words; empty if all are.

    Raises:
        NotKnown: none surely is not, and one is not known.
    """
    open_ = []
    for way in ways:
        answer = partial(allows_traffic, *way, fleet)
        if not if_known(answer, True):
            word = "from" if way.direction == INGRESS else "to"
            return f"security group {name_list(way.groups)} does not allow TCP {way.port} {word} {name_list(way.peers)}"
        open_.append(answer)
    all_of(*open_)
    return ""


def _by_parallelcluster(group: Ref, direction: str, port: int | None, peers: frozenset[Reference]) -> bool:
    """What a group that ParallelCluster creates allows: everything to and from the others that it creates, and all IP
    egress; a file system's group, everything to and from all nodes (`templates/cluster_stack.py` of 3.16.1). What it
    lets in from nodes with groups that replace its own, `parallelcluster-nodes-reach-head` knows."""
    among_its_own = any(isinstance(peer, Ref) and peer.type == MADE_GROUP for peer in peers)
    return among_its_own or group == STORAGE_GROUP or (direction == EGRESS and port is not None)


def missing_self_traffic(group: Reference, fleet: Fleet) -> str:
    """The direction in which the group does not allow traffic with itself: ``from``, ``to``, ``from or to``, or empty.

    Raises:
        NotKnown: its rules are not known.
    """
    if isinstance(group, Ref) and group.type == CLUSTER:
        return _cluster_lacks(fleet.find(ControlPlane, group))
    if fleet.gone(ResourceKind.SECURITY_GROUP, group):
        return ""  # named-things-exist's finding
    rules = f"the rules of security group {name_of(group)}"
    if made := fleet.find(SecurityGroup, group):
        own = frozenset({group})
        answers = [if_known(lambda: made.lets(way, None, own)) for way in (INGRESS, EGRESS)]
        if None in answers:
            raise NotKnown("rules", made)
    else:
        observed = fleet.facts.security_groups if fleet.facts else {}
        known = fleet.need(observed.get(str(group)), rules)
        answers = [fleet.need(known.self_ingress, rules), fleet.need(known.self_egress, rules)]
    return " or ".join(word for word, allowed in zip(("from", "to"), answers, strict=True) if not allowed)


def missing_traffic_among(groups: Collection[Reference], fleet: Fleet) -> str:
    """The direction in which the groups of one interface, taken together, do not allow traffic among themselves, in
    the words of `missing_self_traffic`. Rules of several groups add up.

    Raises:
        NotKnown: those whose rules are known do not, and one is not known.
    """
    ways = {"from": INGRESS, "to": EGRESS}
    return " or ".join(word for word, direction in ways.items() if not _among(groups, word, direction, fleet))


def _among(groups: Collection[Reference], word: str, direction: str, fleet: Fleet) -> bool:
    """Whether one of the groups allows everything from or to one of them. `_cluster_lacks` knows what EKS's does."""
    every = frozenset(groups)
    made = [each for each in every if not _is_of_eks(each, fleet)]
    return any(if_known(lambda: _one(each, direction, None, every, fleet)) for each in made) or any_of(
        *(lambda each=each: word not in missing_self_traffic(each, fleet) for each in sorted(groups, key=str))
    )


def _cluster_lacks(cluster: ControlPlane | None) -> str:
    """The group that EKS creates allows traffic from itself and, "for EFA traffic", to itself (EKS user guide,
    "security group requirements"). EKS adds these rules, so the program has none. Before 1.33 EKS did not add the
    second one (eksctl `pkg/utils/efa`).
    """
    version = stored(cluster, "kubernetes") if cluster else None
    old = isinstance(version, str) and version in EKS_CALENDAR and version_numbers(version) < (1, 33)
    return "to" if old else ""
