"""Traffic between a file system and the nodes."""

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from itertools import chain

from muster.edits import set_to
from muster.fleet.resources import (
    FileSystem,
    Fleet,
    HeadNode,
    LoginPool,
    LustreFileSystem,
    Ref,
    Reference,
    SecurityGroup,
)
from muster.fleet.resources.ec2 import EGRESS, INGRESS
from muster.fleet.resources.fleet import AnyGroup
from muster.fleet.resources.ref import DEFAULT_GROUP, EFS, LUSTRE, MOUNTED_BUCKET
from muster.message_text import in_words
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, name_list, name_of
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import is_of_another_kind
from muster.policies.lookups.parallelcluster import display_name
from muster.policies.lookups.security_groups import CarriedGroups, Way, allows_traffic, carried_groups, shut_way
from muster.unknown import NotKnown, all_of, if_known, stored

_Nodes = Mapping[CarriedGroups, list[str]]


def _ports(system: FileSystem) -> tuple[tuple[int, int], ...]:
    return system.kind.needed


def _has_no_target(system: FileSystem) -> bool:
    """Whether another program, or nobody, makes mount targets of EFS."""
    return system.ref.type == EFS and not system.existing and stored(system, "subnets") == ()


def _in_words(ports: tuple[tuple[int, int], ...]) -> str:
    return f"TCP {in_words([' to '.join(map(str, sorted({*each}))) for each in ports])}"


def _all(system: FileSystem) -> str:
    return _in_words(_ports(system))


def lustre_ports_open(system: FileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.ref.type == MOUNTED_BUCKET or _has_no_target(system):
        return
    if system.ref.type != LUSTRE and not system.place.described:
        rule = rule.advice  # whether the nodes mount it, only their pods and scripts say
    nodes = _nodes_of(fleet)
    known = {each: names for each, names in nodes.items() if each and each.groups}
    yield from (_of_existing if system.existing else _of_new)(system, known, fleet, rule)
    if None in nodes:
        raise NotKnown(f"the security groups of {and_list(nodes[None])}")


nfs_port_open = lustre_ports_open


@cached_by_identity(4)
def _nodes_of(fleet: Fleet) -> Mapping[CarriedGroups | None, list[str]]:
    """The nodes that have the same security groups; None: those whose groups are not known. A rule for each file
    system reads them."""
    every: list[AnyGroup | HeadNode | LoginPool] = [*fleet.groups, *fleet.of(HeadNode), *fleet.of(LoginPool)]
    found: dict[CarriedGroups | None, list[str]] = {}
    for each in every:
        name = display_name(each) if isinstance(each, HeadNode | LoginPool) else each.ref.name
        found.setdefault(if_known(partial(carried_groups, each, fleet)), []).append(name)
    return found


def _of_new(system: FileSystem, nodes: _Nodes, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    own = system.security_groups or tuple(
        each.ref for each in fleet.of(SecurityGroup) if each.ref.type == DEFAULT_GROUP
    )
    if not own:
        yield from _of_default_group(system, nodes, rule)
        return
    peers = {and_list(names): each for each, names in nodes.items()}
    ways = [(INGRESS, "from")]
    if system.kind.servers_talk:
        peers, ways = {"itself": CarriedGroups(frozenset(own)), **peers}, [*ways, (EGRESS, "to")]
    answers = {
        (ports, f"{_in_words((ports,))} {way} {name}"): if_known(
            partial(_passes, own, direction, range(ports[0], ports[1] + 1), each, fleet)
        )
        for name, each in peers.items()
        for ports in _ports(system)
        for direction, way in ways
    }
    if closed := {traffic: ports for (ports, traffic), answer in answers.items() if answer is False}:
        got = f"security group {name_list(own)} does not allow {and_list(closed)}"
        sides = ", in and out," if len(ways) > 1 else ""
        change = f"give {name_list(own)} rules for {_all(system)}{sides} that name the group of the other side"
        # FSx and ParallelCluster refuse groups that do not allow the first port, and no others.
        level = rule if _ports(system)[0] in closed.values() else rule.advice
        yield level.finding(system, "", got=got, change=change)
    if unclear := [traffic for (_, traffic), answer in answers.items() if answer is None]:
        raise NotKnown(f"whether security group {name_list(own)} allows {and_list(unclear)}")
    if not closed:
        yield from rule.each(nodes, lambda each: _of_clients(each, frozenset(own), system, fleet, rule), system.place)


def _of_clients(
    nodes: CarriedGroups, own: frozenset[Reference], system: FileSystem, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    """What the groups of nodes allow: clients open the connections to the first of the ports."""
    every = [nodes.groups] if nodes.sure else [frozenset({each}) for each in nodes.groups]
    if all(got := [shut_way([Way(each, EGRESS, _ports(system)[0][0], own)], fleet) for each in every]):
        yield rule.finding(
            system,
            "",
            got=got[0],
            change=f"allow {_all(system)} between {name_list(nodes.groups)} and {name_list(own)}",
        )


def _passes(groups: tuple[Reference, ...], direction: str, ports: range, other: CarriedGroups, fleet: Fleet) -> bool:
    """Whether all of the ports are open. If it is not known which group a node has: for each group, or for none."""
    peers = [other.groups] if other.sure else [frozenset({each}) for each in other.groups]
    answers = [partial(allows_traffic, groups, direction, port, peer, fleet) for peer in peers for port in ports]
    if not other.sure and len({answer() for answer in answers}) > 1:
        raise NotKnown("which security group a node has")
    return all_of(*answers)


def _of_default_group(system: FileSystem, nodes: _Nodes, rule: Rule) -> Iterator[Verdict]:
    """Judges a file system without groups: AWS attaches the VPC's default group, which allows its own members. Only a
    group that the program creates is surely another one."""
    outside = [
        name
        for each, names in nodes.items()
        for name in names
        if each.sure and all(isinstance(group, Ref) and group.type != DEFAULT_GROUP for group in each.groups)
    ]
    if outside:
        got = f"the file system has no security group, and {and_list(outside)} are not in the VPC's default group"
        change = set_to(words=f"a security group with rules for {_all(system)}")
        yield rule.finding(system, "securityGroupIds", got=got, change=change)
    elif nodes:
        raise NotKnown(f"which of {and_list(chain(*nodes.values()))} are in the VPC's default security group")


def _of_existing(system: FileSystem, nodes: _Nodes, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges an existing file system: only AWS knows what its groups allow."""
    known = fleet.file_system_facts(system.id)
    if known.ports_open_to_vpc or is_of_another_kind(system, fleet):
        return
    open_to = fleet.need(known.ports_open_to, f"the sources from which {system.id} allows {_all(system)}")
    outside = {each: names for each, names in nodes.items() if each.groups.isdisjoint(open_to)}
    if shut := {each: names for each, names in outside.items() if each.sure}:
        got = f"file system {system.id} does not allow {_all(system)} from {and_list(chain(*shut.values()))}"
        groups = and_list({name_of(group) for each in shut for group in each.groups})
        change = f"allow these ports from {groups}, or give the nodes a security group that {system.id} allows"
        yield rule.finding(system, "id", got=got, change=change)
    if unsure := [name for each, names in outside.items() if not each.sure for name in names]:
        raise NotKnown(f"the security groups of {and_list(unsure)}")


def lustre_efa_traffic_open(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.existing or not all_of(lambda: system.efa, lambda: bool(system.security_groups)):
        return
    own = system.security_groups
    answers = {"itself": if_known(lambda: _between(own, own, fleet))}
    for group in fleet.groups:
        answers[f"the EFA interfaces of {group.ref.name}"] = if_known(lambda: _to_nodes(own, group, fleet))
    if closed := [peer for peer, answer in answers.items() if answer is False]:
        got = f"EFA traffic is not allowed between security group {name_list(own)} and {and_list(closed)}"
        change = "give both groups rules for all protocols (-1), in and out, that name the other group"
        # Between its servers FSx refuses it; nodes fall back to TCP, which is slower.
        yield (rule if "itself" in closed else rule.advice).finding(system, "", got=got, change=change)
    if unclear := [peer for peer, answer in answers.items() if answer is None]:
        raise NotKnown(f"whether EFA traffic is allowed between {name_list(own)} and {and_list(unclear)}")


def _to_nodes(own: Collection[Reference], group: AnyGroup, fleet: Fleet) -> bool:
    """Whether it is allowed with the EFA interfaces of a group, if it has any."""
    nodes = carried_groups(group, fleet, efa=True)
    allowed = not nodes.groups or _between(own, nodes.groups, fleet)
    if allowed and not nodes.sure:
        raise NotKnown("which interface has the security group that allows it")
    return allowed


def _between(one: Collection[Reference], other: Collection[Reference], fleet: Fleet) -> bool:
    return all_of(
        *(
            partial(allows_traffic, groups, direction, None, peers, fleet)
            for groups, peers in ((one, other), (other, one))
            for direction in (INGRESS, EGRESS)
        )
    )
