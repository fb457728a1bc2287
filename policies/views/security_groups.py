"""`aws.ec2.SecurityGroup` as a judged thing, with its rules in all three ways in which a program can write them."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from muster.fleet.resources import Ref, Reference, SecurityGroup, SecurityGroupRule
from muster.fleet.resources.ec2 import EGRESS, EVERY_PROTOCOL, INGRESS, TCP
from muster.policies.views.references import GROUPS, OWN_GROUPS
from muster.policies.views.view import Properties, Reader, View
from muster.unknown import UNKNOWN, NotKnown, UnknownType, if_known

_DIRECTIONS = {
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": "ingress",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": "egress",
}
_CLASSIC_RULE = "aws:ec2/securityGroupRule:SecurityGroupRule"
RULES = frozenset({*_DIRECTIONS, _CLASSIC_RULE})

_Rule = SecurityGroupRule[UnknownType]
_Peers = Iterable[Reference | UnknownType]
_NETWORKS = ("cidrBlocks", "ipv6CidrBlocks", "prefixListIds", "cidrIpv4", "cidrIpv6", "prefixListId")
_PROTOCOLS = {"all": EVERY_PROTOCOL, "6": TCP}


def _protocol(of: Properties) -> str:
    given = str(of.get("ipProtocol|protocol")).lower()
    return _PROTOCOLS.get(given, given)


def _port(path: str) -> Reader:
    """A rule for every protocol has no ports: some programs write 0, others nothing."""
    return lambda of: None if if_known(lambda: _protocol(of)) == EVERY_PROTOCOL else of.integer(path)


_rule = View(SecurityGroupRule, protocol=_protocol, first=_port("fromPort"), last=_port("toPort"))


def _allowances(group: Properties) -> Iterator[_Rule]:
    """The group's rules, inline and separate. A rule of an unknown group may be this group's; its peer is unknown."""
    for way in (INGRESS, EGRESS):
        try:
            for entry in group.blocks(way):
                yield from _rules(entry, way, _named_by(entry, group.ref))
        except NotKnown:
            yield SecurityGroupRule(way, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
    for rule in group.others():
        owner, direction = rule.named("securityGroupId", *GROUPS), if_known(partial(_direction, rule))
        if owner in (group.ref, UNKNOWN):
            peers = _named_by(rule, group.ref) if owner == group.ref and direction else (UNKNOWN,)
            for each in (direction,) if direction else (INGRESS, EGRESS):
                yield from _rules(rule, each, peers)


def _rules(of: Properties, direction: str, peers: _Peers) -> Iterator[_Rule]:
    return (_rule(of, direction=direction, peer=each) for each in {*peers})


def _direction(rule: Properties) -> str:
    """The direction in which a rule resource allows traffic."""
    return _DIRECTIONS.get(rule.resource.type) or str(rule.get("type"))


def _source(rule: Properties) -> str:
    """The property of a rule resource that names the other group."""
    return "referencedSecurityGroupId" if rule.resource.type in _DIRECTIONS else "sourceSecurityGroupId"


def _named_by(rule: Properties, own: Ref) -> _Peers:
    """The peers of a rule, inline or separate. An unknown one is one of them."""
    itself = if_known(lambda: rule.boolean("self"), UNKNOWN)
    if itself is UNKNOWN or itself:
        yield UNKNOWN if itself is UNKNOWN else own
    group = rule.named(_source(rule), *GROUPS)
    if group is not None:
        yield group
    yield from if_known(lambda: rule.several("securityGroups", *GROUPS), (UNKNOWN,))
    for name in _NETWORKS:
        yield from if_known(partial(rule.texts, name), (UNKNOWN,))


def _peers(of: Properties) -> frozenset[Reference]:
    """The other groups, including a cluster's own, that rules name together with this one."""
    inline = (entry.raw("securityGroups") for name in (INGRESS, EGRESS) for entry in of.known_blocks(name))
    named = {
        *of.behind((INGRESS, EGRESS), *GROUPS),
        *(each for ids in inline for each in of.references.named(ids, GROUPS)),
    }
    for rule in of.others():
        pair = {rule.named("securityGroupId", *GROUPS), rule.named(_source(rule), *GROUPS)}
        named |= {each for each in pair if each is not None and each is not UNKNOWN} if of.ref in pair else set()
    return frozenset(named - {of.ref})


security_group = View(SecurityGroup, peers=_peers, allows=lambda of: frozenset(_allowances(of)))

VIEWS: Mapping[str, Reader] = dict.fromkeys(OWN_GROUPS, security_group)
_NAMING = "securityGroupId|referencedSecurityGroupId|sourceSecurityGroupId"
BESIDE = dict.fromkeys(OWN_GROUPS, dict.fromkeys(RULES, _NAMING))
