"""`aws.ec2.SecurityGroup` with its rules, in all three forms a program can write them, as a judged thing."""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import Place, Reference, SecurityGroup
from muster.fleet.resources.place import SECURITY_GROUP
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.views.references import GROUPS, References, blocks, known, texts

_ALL_PROTOCOLS = ("-1", -1, "all")
_DIRECTIONS = {
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": "ingress",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": "egress",
}
_CLASSIC_RULE = "aws:ec2/securityGroupRule:SecurityGroupRule"
RULES = frozenset({*_DIRECTIONS, _CLASSIC_RULE})


def security_group(resource: Registration, references: References, rules: Iterable[Registration]) -> SecurityGroup:
    """Reads a security group and the rule resources of the program that are about it."""
    listed = list(rules)
    return SecurityGroup(
        ref=references.ref(resource),
        self_ingress=_allows(resource, "ingress", references, listed),
        self_egress=_allows(resource, "egress", references, listed),
        place=Place(resource.urn),
        peers=_peers(resource, references, listed),
    )


def _peers(group: Registration, references: References, rules: list[Registration]) -> frozenset[Reference]:
    """The other groups, a cluster's own included, that rules name together with this one."""
    own = references.ref(group)
    inline = [entry for name in ("ingress", "egress") for entry in known(blocks(group.inputs.get(name)))]
    named: set[Reference | UnknownType | None] = {
        references.of(value) for entry in inline for value in known(texts(entry.get("securityGroups")))
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
    if entry.get("self") is True:
        return True
    listed = texts(entry.get("securityGroups"))
    if listed is UNKNOWN:
        return UNKNOWN
    return references.ref(group) in [references.of(value) for value in listed]


def _separate(rule: Registration, direction: str, group: Registration, references: References) -> bool | UnknownType:
    inputs: Mapping[str, Any] = rule.inputs
    if _DIRECTIONS.get(rule.type, inputs.get("type")) != direction:
        return False
    owner = references.one(inputs.get("securityGroupId"), rule, "securityGroupId", (SECURITY_GROUP,))
    own = references.ref(group)
    if owner is not UNKNOWN and owner != own:
        return False
    protocol = inputs.get("ipProtocol", inputs.get("protocol"))
    if protocol is not UNKNOWN and protocol not in _ALL_PROTOCOLS:
        return False
    source = _source(rule)
    other = own if inputs.get("self") is True else references.one(inputs.get(source), rule, source, (SECURITY_GROUP,))
    if other is not UNKNOWN and other != own:
        return False
    return UNKNOWN if UNKNOWN in (owner, protocol, other) else True
