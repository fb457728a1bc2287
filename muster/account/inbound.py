"""Whom security groups let in on some TCP ports, by their rules as EC2 lists them. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, collapse_addresses
from typing import Any

_EVERY_PROTOCOL = "-1"
_TCP = frozenset({"tcp", "6"})

SecurityGroupRule = Mapping[str, Any]
"""`SecurityGroupRule`, of `DescribeSecurityGroupRules`."""


@dataclass(frozen=True, slots=True)
class Inbound:
    """Who gets in on all of the ports."""

    groups: frozenset[str]
    """Security groups, by id."""
    networks: tuple[IPv4Network, ...]
    """Joined: two halves are a whole."""
    some_more: tuple[str, ...]
    """Prefix lists that may get in on some: what is in them nobody was asked."""

    def has(self, network: IPv4Network) -> bool:
        """Whether all of a network gets in."""
        return any(network.subnet_of(each) for each in self.networks)

    def touches(self, networks: Iterable[IPv4Network]) -> bool:
        """Whether some addresses of networks get in."""
        return any(each.overlaps(one) for each in self.networks for one in networks)


def inbound(rules: Sequence[SecurityGroupRule], ports: Collection[int]) -> Inbound:
    """Who gets in on every one of some TCP ports, by the rules of all groups of an interface."""
    coming = [each for each in rules if each.get("IsEgress") is False]
    of_port = [[each for each in coming if _covers(each, port)] for port in ports]
    groups = [{_group(each) for each in some if _group(each)} for some in of_port]
    networks = [[IPv4Network(each["CidrIpv4"]) for each in some if each.get("CidrIpv4")] for some in of_port]
    return Inbound(
        frozenset.intersection(*map(frozenset, groups)) if groups else frozenset(),
        _in_all(networks),
        tuple(sorted({each["PrefixListId"] for some in of_port for each in some if each.get("PrefixListId")})),
    )


def _covers(rule: SecurityGroupRule, port: int) -> bool:
    protocol = str(rule.get("IpProtocol", ""))
    if protocol == _EVERY_PROTOCOL:
        return True
    return protocol in _TCP and int(rule.get("FromPort", -1)) <= port <= int(rule.get("ToPort", -1))


def _group(rule: SecurityGroupRule) -> str:
    return str(rule.get("ReferencedGroupInfo", {}).get("GroupId", ""))


def _in_all(of_each: Sequence[Sequence[IPv4Network]]) -> tuple[IPv4Network, ...]:
    """What of IPv4 is in every one of some lists of networks."""
    if not of_each:
        return ()
    common, *others = [list(collapse_addresses(each)) for each in of_each]
    for other in others:
        # Of two networks that overlap one is within the other.
        common = [
            ours if ours.subnet_of(theirs) else theirs for ours in common for theirs in other if ours.overlaps(theirs)
        ]
    return tuple(collapse_addresses(common))
