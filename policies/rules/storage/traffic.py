"""Traffic between a file system and the nodes."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain

from muster.edits import set_to
from muster.fleet.resources import Fleet, HeadNode, LoginPool, LustreFileSystem, Ref, Reference, SecurityGroup
from muster.fleet.resources.ec2 import EGRESS, INGRESS
from muster.fleet.resources.fleet import AnyGroup
from muster.fleet.resources.ref import DEFAULT_GROUP
from muster.hardware.lustre import PORTS
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, name_list, name_of, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import is_no_lustre
from muster.policies.lookups.security_groups import CarriedGroups, allows_traffic, carried_groups
from muster.unknown import NotKnown, all_of, if_known

_ALL = "TCP 988 and 1018 to 1023"
_WAYS = ((INGRESS, "from"), (EGRESS, "to"))


def lustre_ports_open(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nodes = _nodes_of(fleet)
    known = {each: names for each, names in nodes.items() if each and each.groups}
    yield from (_of_existing if system.existing else _of_new)(system, known, fleet, rule)
    if None in nodes:
        raise NotKnown(f"the security groups of {_nodes(nodes[None])}")


def _of_new(
    system: LustreFileSystem, nodes: Mapping[CarriedGroups, list[str]], fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    own = system.security_groups or tuple(
        each.ref for each in fleet.of(SecurityGroup) if each.ref.type == DEFAULT_GROUP
    )
    if not own:
        yield from _of_default_group(system, nodes, rule)
        return
    peers = {"itself": CarriedGroups(frozenset(own)), **{_nodes(names): each for each, names in nodes.items()}}
    closed, unclear = [], []
    for word, each in peers.items():
        ways = {way: _answers(own, direction, each, fleet) for direction, way in _WAYS}
        closed += _ways_of(ways, word, answer=False)
        unclear += _ways_of(ways, word, answer=None)
    if closed:
        who = f"{singular_or_plural(own, 'security group', 'security groups')} {name_list(own)}"
        got = f"{who} {singular_or_plural(own, 'does', 'do')} not allow {and_list(closed)}"
        change = f"give {name_list(own)} rules for these ports, in and out, that name the group of the other side"
        yield rule.finding(system, "", got=got, change=change)
    if unclear:
        who = f"{singular_or_plural(own, 'security group', 'security groups')} {name_list(own)}"
        raise NotKnown(f"whether {who} {singular_or_plural(own, 'allows', 'allow')} {and_list(unclear)}")


def _of_default_group(
    system: LustreFileSystem, nodes: Mapping[CarriedGroups, list[str]], rule: Rule
) -> Iterator[Verdict]:
    """Judges a file system without groups: AWS attaches the VPC's default group, which allows its own members. Only a
    group that the program creates is surely another one."""
    outside = [
        name
        for each, names in nodes.items()
        for name in names
        if each.sure and all(isinstance(group, Ref) and group.type != DEFAULT_GROUP for group in each.groups)
    ]
    if outside:
        got = "the file system has no security group, so AWS attaches the VPC's default group, which allows only its "
        got += f"own members, but {_nodes(outside)} are not in it"
        change = set_to(words=f"a security group with rules for {_ALL}")
        yield rule.finding(system, "securityGroupIds", got=got, change=change)
    elif nodes:
        raise NotKnown(f"whether {_nodes(chain(*nodes.values()))} are in the VPC's default security group")


@cached_by_identity(4)
def _nodes_of(fleet: Fleet) -> Mapping[CarriedGroups | None, list[str]]:
    """The nodes that have the same security groups; None: those whose groups are not known. A rule for each file
    system reads them."""
    every: list[AnyGroup | HeadNode | LoginPool] = [*fleet.groups, *fleet.of(HeadNode), *fleet.of(LoginPool)]
    found: dict[CarriedGroups | None, list[str]] = {}
    for each in every:
        found.setdefault(if_known(partial(carried_groups, each, fleet)), []).append(_name(each))
    return found


_HEAD = "the head node"


def _name(node: AnyGroup | HeadNode | LoginPool) -> str:
    if isinstance(node, HeadNode):
        return _HEAD
    return f"login node pool {node.ref.name}" if isinstance(node, LoginPool) else node.ref.name


def _nodes(holders: Iterable[str]) -> str:
    """``the nodes of workers and the head node``: the head node is a node itself."""
    listed = list(holders)
    groups = [each for each in listed if each != _HEAD]
    return and_list([f"the nodes of {and_list(groups)}"] * bool(groups) + [each for each in listed if each == _HEAD])


def _answers(own: tuple[Reference, ...], direction: str, other: CarriedGroups, fleet: Fleet) -> dict[str, bool | None]:
    """``988`` and ``1018 to 1023`` -> whether they are open; None where it is not known."""
    return {
        str(first) if first == last else f"{first} to {last}": if_known(
            partial(_passes, own, direction, range(first, last + 1), other, fleet)
        )
        for first, last in PORTS
    }


def _ways_of(ways: dict[str, dict[str, bool | None]], word: str, *, answer: bool | None) -> list[str]:
    """``TCP 988 from itself``: the ports with that answer; both directions at once if they have the same ports."""
    ports = {
        way: " and ".join(each for each, given in by_port.items() if given is answer) for way, by_port in ways.items()
    }
    if len(set(ports.values())) == 1:
        ports = {" and ".join(ports): next(iter(ports.values()))}
    return [f"TCP {listed} {way} {word}" for way, listed in ports.items() if listed]


def _passes(groups: tuple[Reference, ...], direction: str, ports: range, other: CarriedGroups, fleet: Fleet) -> bool:
    """Whether all of the ports are open. If it is not known which group a node has: for each group, or for none."""
    peers = [other.groups] if other.sure else [frozenset({each}) for each in other.groups]
    answers = [partial(allows_traffic, groups, direction, port, peer, fleet) for peer in peers for port in ports]
    if not other.sure and len({answer() for answer in answers}) > 1:
        raise NotKnown("which security group a node has")
    return all_of(*answers)


def _of_existing(
    system: LustreFileSystem, nodes: Mapping[CarriedGroups, list[str]], fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    """Judges an existing file system: only AWS knows what its groups allow."""
    known = fleet.file_system_facts(system.id)
    if known.ports_open_to_vpc or is_no_lustre(system, fleet):
        return
    open_to = fleet.need(known.ports_open_to, f"the sources from which {system.id} allows {_ALL}")
    outside = {each: names for each, names in nodes.items() if each.groups.isdisjoint(open_to)}
    shut = {each.groups: names for each, names in outside.items() if each.sure}
    if shut:
        got = f"file system {system.id} does not allow {_ALL} from {_nodes(chain(*shut.values()))}"
        groups = and_list({name_of(group) for each in shut for group in each})
        change = f"allow these ports from {groups}, or give the nodes a security group that {system.id} allows"
        yield rule.finding(system, "id", got=got, change=change)
    unsure = [name for each, names in outside.items() if not each.sure for name in names]
    if unsure:
        raise NotKnown(f"the security groups of {_nodes(unsure)}")


def lustre_efa_traffic_open(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.existing or not all_of(lambda: system.efa, lambda: bool(system.security_groups)):
        return
    own = system.security_groups
    answers = {"itself": if_known(lambda: _between(own, own, fleet))}
    for group in fleet.groups:
        answers[f"the EFA interfaces of {group.ref.name}"] = if_known(lambda: _to_nodes(own, group, fleet))
    closed = [peer for peer, answer in answers.items() if answer is False]
    unclear = [peer for peer, answer in answers.items() if answer is None]
    if closed:
        got = f"EFA traffic is not allowed between security group {name_list(own)} and {and_list(closed)}"
        change = "give both groups rules for all protocols (-1), in and out, that name the other group"
        # Between its servers FSx refuses it; nodes fall back to TCP, which is slower.
        leveled = rule if "itself" in closed else rule.advice
        yield leveled.finding(system, "", got=got, change=change)
    if unclear:
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
