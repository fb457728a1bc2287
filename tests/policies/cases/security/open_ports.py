"""Ports that are open to all."""

from muster.fleet.resources import AddedRule, Fleet, Place, Ref, SecurityGroupRule
from muster.fleet.resources.ec2 import EGRESS, EVERY_PROTOCOL, INGRESS, all_traffic, tcp
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_fleet
from tests.policies.case import case
from tests.policies.security import EFA, OFFICE, WORLD, WORLD_6, group

# security-group-not-open-to-all

OPEN = "security-group-not-open-to-all"


@case(f"{OPEN} @ {EFA}")
def ssh_open_to_the_world() -> Fleet:
    return group(tcp(INGRESS, 22, 22, WORLD))


@case(f"{OPEN} @ {EFA}")
def ssh_open_to_the_world_by_ip_v6() -> Fleet:
    return group(tcp(INGRESS, 20, 25, WORLD_6))


@case(f"{OPEN} @ {EFA}")
def everything_open_to_the_world() -> Fleet:
    return group(all_traffic(INGRESS, WORLD))


@case(f"{OPEN} @ {EFA}")
def every_port_open_to_half_the_world() -> Fleet:
    return group(tcp(INGRESS, 0, 65535, "128.0.0.0/1"))


@case()
def ssh_open_to_an_office_and_everything_to_a_group() -> Fleet:
    return group(tcp(INGRESS, 22, 22, OFFICE), all_traffic(INGRESS, "sg-0fedcba9876543210"), all_traffic(EGRESS, WORLD))


@case()
def https_and_udp_open_to_the_world() -> Fleet:
    return group(tcp(INGRESS, 443, 443, WORLD), SecurityGroupRule(INGRESS, "udp", 22, 22, WORLD))


@case(unjudged=(f"{OPEN} @ {EFA}",))
def ssh_open_to_a_prefix_list() -> Fleet:
    return group(tcp(INGRESS, 22, 22, "pl-0123456789abcdef0"))


@case(unjudged=(f"{OPEN} @ {EFA}",))
def ports_not_yet_known_open_to_the_world() -> Fleet:
    return group(SecurityGroupRule(INGRESS, "tcp", UNKNOWN, UNKNOWN, WORLD))


@case(unjudged=(f"{OPEN} @ {EFA}",))
def a_first_port_not_yet_known_open_to_the_world() -> Fleet:
    return group(SecurityGroupRule(INGRESS, "tcp", UNKNOWN, 22, WORLD))


@case(unjudged=(f"{OPEN} @ {EFA}",))
def a_last_port_not_yet_known_open_to_the_world() -> Fleet:
    return group(SecurityGroupRule(INGRESS, "tcp", 22, UNKNOWN, WORLD))


@case(unjudged=(f"{OPEN} @ {EFA}",))
def a_protocol_not_yet_known_open_to_the_world() -> Fleet:
    return group(SecurityGroupRule(INGRESS, UNKNOWN, 22, 22, WORLD))


@case(f"{OPEN} @ {EFA}")
def everything_from_the_world_beside_a_network_that_is_none() -> Fleet:
    return group(SecurityGroupRule(INGRESS, EVERY_PROTOCOL, None, None, WORLD), tcp(INGRESS, 22, 22, "10.0.0.0/99"))


RULE_AT = "urn:pulumi:dev::theirs::aws:ec2/securityGroupRule:SecurityGroupRule::ssh"


def added(*rules: SecurityGroupRule) -> Fleet:
    ref = Ref("aws:ec2/securityGroupRule:SecurityGroupRule", "ssh")
    return a_fleet(AddedRule(ref, Place(RULE_AT), frozenset(rules)))


@case(f"{OPEN} @ {RULE_AT}")
def ssh_opened_to_the_world_in_a_group_that_exists() -> Fleet:
    return added(tcp(INGRESS, 22, 22, WORLD))


@case()
def ssh_opened_to_an_office_in_a_group_that_exists() -> Fleet:
    return added(tcp(INGRESS, 22, 22, OFFICE), all_traffic(EGRESS, WORLD))


@case(unjudged=(f"{OPEN} @ {RULE_AT}",))
def ssh_opened_to_nobody_knows_whom_in_a_group_that_exists() -> Fleet:
    return added(tcp(INGRESS, 22, 22, UNKNOWN))
