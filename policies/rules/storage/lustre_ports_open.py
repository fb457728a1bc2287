"""Lustre's ports between a file system and the nodes."""

from collections.abc import Iterable, Iterator

from muster.fleet.resources import Fleet, HeadNode, LustreFileSystem, Reference
from muster.fleet.resources.ec2 import EGRESS, INGRESS
from muster.fleet.resources.fleet import AnyGroup
from muster.hardware.lustre import PORTS
from muster.unknown import UNKNOWN, UnknownType
from policies.engine.finding_text import and_list, name_list, name_of, singular_or_plural
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.account_facts import is_no_lustre
from policies.lookups.security_groups import CarriedGroups, allows_traffic, carried_groups

_ALL = "TCP 988 and 1018 to 1023"
_WAYS = ((INGRESS, "in from"), (EGRESS, "out to"))


@rule(
    "lustre-ports-open",
    title="A file system's security groups let TCP 988 and 1018 to 1023 pass, with itself and with the nodes",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Without them between its servers FSx refuses to make the file system; without them to the nodes every mount "
    "hangs. 1018 to 1023 are what most templates forget.",
    source="FSx Lustre guide, File system access control with Amazon VPC; aws-fsx-csi-driver#32",
    remedy="Give the file system's group rules for TCP 988 and 1018 to 1023, in and out, for itself and the nodes' "
    "groups.",
    facts=("rules.md#55", "pains.md#14"),
)
def lustre_ports_open(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    every: list[AnyGroup | HeadNode] = [*fleet.groups, *fleet.of(HeadNode)]
    nodes = {_HEAD if isinstance(each, HeadNode) else each.ref.name: carried_groups(each, fleet) for each in every}
    for name, each in nodes.items():
        if each.missing:
            yield rule.unjudged(system.place, f"the security groups of {name}: {each.missing}")
    known = {name: each for name, each in nodes.items() if each.groups}
    if system.existing:
        yield from _of_existing(system, known, fleet, rule)
        return
    if system.security_groups is UNKNOWN:
        yield rule.unjudged(system.place, "the security groups, not known before creation")
        return
    own = system.security_groups
    if not own:
        got = "no security group: AWS attaches the VPC's default one, which lets no node in"
        yield rule.finding(system.place, got, f"attach a group with rules for {_ALL}")
        return
    peers = {"itself": CarriedGroups(frozenset(own)), **{_nodes([name]): each for name, each in known.items()}}
    closed, unclear = [], []
    for word, each in peers.items():
        ways = {way: _answers(own, direction, each, fleet) for direction, way in _WAYS}
        closed += _ways_of(ways, word, answer=False)
        unclear += _ways_of(ways, word, answer=UNKNOWN)
    if closed:
        who = f"{singular_or_plural(own, 'security group', 'security groups')} {name_list(own)}"
        got = f"{who} {singular_or_plural(own, 'does', 'do')} not let pass {and_list(closed)}"
        yield rule.finding(system.place, got, f"give {name_list(own)} rules for them that name the other group")
    if unclear:
        who = f"{singular_or_plural(own, 'security group', 'security groups')} {name_list(own)}"
        yield rule.unjudged(
            system.place, f"whether {who} {singular_or_plural(own, 'lets', 'let')} pass {and_list(unclear)}"
        )


_HEAD = "the head node"


def _nodes(holders: Iterable[str]) -> str:
    """``the nodes of workers and the head node``: that is a node itself."""
    listed = list(holders)
    groups = [each for each in listed if each != _HEAD]
    return and_list([f"the nodes of {and_list(groups)}"] * bool(groups) + [each for each in listed if each == _HEAD])


def _answers(
    own: Iterable[Reference], direction: str, other: CarriedGroups, fleet: Fleet
) -> dict[str, bool | UnknownType]:
    """``988`` and ``1018 to 1023`` -> whether they are open."""
    groups = tuple(own)
    return {
        str(first) if first == last else f"{first} to {last}": _passes(groups, direction, (first, last), other, fleet)
        for first, last in PORTS
    }


def _ways_of(ways: dict[str, dict[str, bool | UnknownType]], word: str, *, answer: bool | UnknownType) -> list[str]:
    """``TCP 988 in from itself``: the ports of which that is the answer; both ways at once where they are alike."""
    ports = {
        way: " and ".join(each for each, given in by_port.items() if given is answer) for way, by_port in ways.items()
    }
    if len(set(ports.values())) == 1:
        ports = {" and ".join(ports): next(iter(ports.values()))}
    return [f"TCP {listed} {way} {word}" for way, listed in ports.items() if listed]


def _passes(
    groups: tuple[Reference, ...], direction: str, ports: tuple[int, int], other: CarriedGroups, fleet: Fleet
) -> bool | UnknownType:
    """Whether all of the ports are open. Where it is open which groups nodes carry: for each, or for none of them."""
    peers = [frozenset({each}) for each in other.groups] if not other.sure else [other.groups]
    answers = {
        allows_traffic(groups, direction, port, peer, fleet) for peer in peers for port in range(ports[0], ports[1] + 1)
    }
    return answers.pop() if len(answers) == 1 else False if other.sure and False in answers else UNKNOWN


def _of_existing(
    system: LustreFileSystem, nodes: dict[str, CarriedGroups], fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    """What its groups let in only AWS knows."""
    known = fleet.file_system_facts(system.id)
    if known.ports_open_to_vpc or is_no_lustre(system, fleet):
        return
    if known.ports_open_to is None:
        yield rule.unjudged(system.place, fleet.missing(f"whom {system.id} lets in on {_ALL}"))
        return
    shut = {name: each.groups for name, each in nodes.items() if not each.groups & set(known.ports_open_to)}
    if shut:
        got = f"{system.id} does not let {_nodes(shut)} in on {_ALL}"
        groups = and_list({name_of(group) for each in shut.values() for group in each})
        yield rule.finding(system.place, got, f"let {groups} in there, or give the nodes a group that is", at="id")
