"""`aws.ec2.SecurityGroup` as a judged thing, with its rules in all three ways in which a program can write them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import Place, Reference, SecurityGroup, SecurityGroupRule
from muster.fleet.resources.ec2 import EGRESS, EVERY_PROTOCOL, INGRESS, TCP
from muster.policies.views.references import (
    GROUPS,
    OWN_GROUPS,
    References,
    blocks,
    boolean,
    first_set,
    integer,
    known_items,
    text_list,
    text_value,
)
from muster.unknown import UNKNOWN, UnknownType

_ALL_PROTOCOLS = ("-1", -1, "all")
_DIRECTIONS = {
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": "ingress",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": "egress",
}
_CLASSIC_RULE = "aws:ec2/securityGroupRule:SecurityGroupRule"
RULES = frozenset({*_DIRECTIONS, _CLASSIC_RULE})


def security_group(
    resource: Registration, references: References, rules: Iterable[Registration]
) -> SecurityGroup[UnknownType]:
    """Reads a security group and the rule resources of the program that are about it."""
    listed = list(rules)
    return SecurityGroup(
        ref=references.ref(resource),
        self_ingress=_allows(resource, "ingress", references, listed),
        self_egress=_allows(resource, "egress", references, listed),
        place=Place(resource.urn),
        peers=_peers(resource, references, listed),
        allows=frozenset(_allowances(resource, references, listed)),
    )


def _allowances(
    group: Registration, references: References, rules: list[Registration]
) -> Iterator[SecurityGroupRule[UnknownType]]:
    """The group's rules, inline and separate. A rule of an unknown group may be this group's; its peer is unknown."""
    own = references.ref(group)
    for direction in (INGRESS, EGRESS):
        entries = blocks(group.inputs.get(direction))
        if entries is UNKNOWN:
            yield SecurityGroupRule(direction, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
        for entry in known_items(entries):
            yield from _rule(direction, entry, _inline_peers(group, direction, entry, references))
    for rule in rules:
        owner = references.one(rule.inputs.get("securityGroupId"), rule, "securityGroupId", GROUPS)
        if owner in (own, UNKNOWN):
            directions = _directions(rule)
            sure = owner == own and len(directions) == 1
            for direction in directions:
                peers = _separate_peers(rule, references, own) if sure else {UNKNOWN}
                yield from _rule(direction, rule.inputs, peers)


def _directions(rule: Registration) -> tuple[str, ...]:
    """The directions in which a rule resource allows traffic; both, if that is not known yet."""
    values = _DIRECTIONS.get(rule.type, rule.inputs.get("type"))
    return (INGRESS, EGRESS) if values is UNKNOWN else (str(values),)


_Peers = Iterable[Reference | UnknownType]
_NETWORKS = ("cidrBlocks", "ipv6CidrBlocks", "prefixListIds")
_NETWORK = ("cidrIpv4", "cidrIpv6", "prefixListId")
_PROTOCOLS = {"all": EVERY_PROTOCOL, "6": TCP}


def _rule(direction: str, values: Mapping[str, Any], peers: _Peers) -> Iterator[SecurityGroupRule[UnknownType]]:
    given = first_set(values, "ipProtocol", "protocol")
    protocol = UNKNOWN if given is UNKNOWN else _PROTOCOLS.get(str(given).lower(), str(given).lower())
    # A rule for every protocol has no ports: some programs write 0, others nothing.
    start, end = (None if protocol == EVERY_PROTOCOL else integer(values.get(name)) for name in ("fromPort", "toPort"))
    yield from (SecurityGroupRule(direction, protocol, start, end, peer) for peer in peers)


def _inline_peers(group: Registration, direction: str, entry: Mapping[str, Any], references: References) -> _Peers:
    yield from _itself(entry, references.ref(group))
    groups = references.several(entry.get("securityGroups"), group, direction, GROUPS)
    yield from (UNKNOWN,) if groups is UNKNOWN else groups
    for name in _NETWORKS:
        listed = text_list(entry.get(name))
        yield from (UNKNOWN,) if listed is UNKNOWN else listed


def _itself(values: Mapping[str, Any], own: Reference | UnknownType) -> _Peers:
    """The group itself if a rule sets `self`; an unknown peer if `self` is unknown."""
    given = boolean(values.get("self"))
    return (UNKNOWN,) if given is UNKNOWN else (own,) if given else ()


def _separate_peers(rule: Registration, references: References, own: Reference | UnknownType) -> _Peers:
    yield from _itself(rule.inputs, own)
    source = _source(rule)
    group = references.one(rule.inputs.get(source), rule, source, GROUPS)
    if group is not None:
        yield group
    for name in _NETWORKS:
        listed = text_list(rule.inputs.get(name))
        yield from (UNKNOWN,) if listed is UNKNOWN else listed
    for name in _NETWORK:
        network = text_value(rule.inputs.get(name))
        if network is not None:
            yield network


def _peers(group: Registration, references: References, rules: list[Registration]) -> frozenset[Reference]:
    """The other groups, including a cluster's own, that rules name together with this one."""
    own = references.ref(group)
    inline = [entry for name in ("ingress", "egress") for entry in known_items(blocks(group.inputs.get(name)))]
    named: set[Reference | UnknownType | None] = {
        references.of(value, GROUPS)
        for entry in inline
        for value in known_items(text_list(entry.get("securityGroups")))
    }
    named |= references.behind(group, ("ingress", "egress"), GROUPS)
    for rule in rules:
        source = _source(rule)
        pair: set[Reference | UnknownType | None] = {
            references.one(rule.inputs.get("securityGroupId"), rule, "securityGroupId", GROUPS),
            references.one(rule.inputs.get(source), rule, source, GROUPS),
        }
        named |= pair if own in pair else set()
    return frozenset(each for each in named if each is not None and each is not UNKNOWN and each != own)


def _source(rule: Registration) -> str:
    """The property of a rule resource that names the other group."""
    return "referencedSecurityGroupId" if rule.type in _DIRECTIONS else "sourceSecurityGroupId"


def _allows(
    group: Registration, direction: str, references: References, rules: list[Registration]
) -> bool | UnknownType:
    """Whether any rule allows everything to or from the group itself; unknown when only an unknown one might."""
    inline = blocks(group.inputs.get(direction))
    answers = [UNKNOWN] if inline is UNKNOWN else [_inline(entry, references, group) for entry in inline]
    answers += [_separate(rule, direction, group, references) for rule in rules]
    if any(answer is True for answer in answers):
        return True
    return UNKNOWN if any(answer is UNKNOWN for answer in answers) else False


def _inline(entry: Mapping[str, Any], references: References, group: Registration) -> bool | UnknownType:
    protocol: object = entry.get("protocol")
    if protocol not in _ALL_PROTOCOLS:
        return UNKNOWN if protocol is UNKNOWN else False
    itself, listed = boolean(entry.get("self")), text_list(entry.get("securityGroups"))
    if itself is True:
        return True
    if itself is UNKNOWN or listed is UNKNOWN:
        return UNKNOWN
    return references.ref(group) in [references.of(value, OWN_GROUPS) for value in listed]


def _separate(rule: Registration, direction: str, group: Registration, references: References) -> bool | UnknownType:
    inputs: Mapping[str, Any] = rule.inputs
    if direction not in (directions := _directions(rule)):
        return False
    owner = references.one(inputs.get("securityGroupId"), rule, "securityGroupId", OWN_GROUPS)
    own = references.ref(group)
    if owner is not UNKNOWN and owner != own:
        return False
    protocol = inputs.get("ipProtocol", inputs.get("protocol"))
    if protocol is not UNKNOWN and protocol not in _ALL_PROTOCOLS:
        return False
    source, itself = _source(rule), boolean(inputs.get("self"))
    named = references.one(inputs.get(source), rule, source, OWN_GROUPS)
    other = own if itself is True else UNKNOWN if itself is UNKNOWN else named
    if other is not UNKNOWN and other != own:
        return False
    return UNKNOWN if len(directions) > 1 or UNKNOWN in (owner, protocol, other) else True
