"""Ports that are open to all."""

from muster.fleet.resources import AddedRule, Fleet, Place, Ref, SecurityGroupRule
from muster.fleet.resources.ec2 import EGRESS, EVERY_PROTOCOL, INGRESS, all_traffic, tcp
from muster.unknown import UNKNOWN
from tests.factories import a_fleet
from tests.policies.case import case, cases
from tests.policies.security import OFFICE, WORLD, WORLD_6, group

# security-group-not-open-to-all


@case
def ssh_open_to_the_world() -> Fleet:
    return group(tcp(INGRESS, 22, 22, WORLD))


cases(
    ssh_open_to_the_world_by_ip_v6=lambda: group(tcp(INGRESS, 20, 25, WORLD_6)),
)


@case
def everything_open_to_the_world() -> Fleet:
    return group(all_traffic(INGRESS, WORLD))


cases(
    every_port_open_to_half_the_world=lambda: group(tcp(INGRESS, 0, 65535, "128.0.0.0/1")),
    ssh_open_to_an_office_and_everything_to_a_group=lambda: group(
        tcp(INGRESS, 22, 22, OFFICE), all_traffic(INGRESS, "sg-0fedcba9876543210"), all_traffic(EGRESS, WORLD)
    ),
    https_and_udp_open_to_the_world=lambda: group(
        tcp(INGRESS, 443, 443, WORLD), SecurityGroupRule(INGRESS, "udp", 22, 22, WORLD)
    ),
    ssh_open_to_a_prefix_list=lambda: group(tcp(INGRESS, 22, 22, "pl-0123456789abcdef0")),
    ports_not_yet_known_open_to_the_world=lambda: group(SecurityGroupRule(INGRESS, "tcp", UNKNOWN, UNKNOWN, WORLD)),
    a_first_port_not_yet_known_open_to_the_world=lambda: group(SecurityGroupRule(INGRESS, "tcp", UNKNOWN, 22, WORLD)),
    a_last_port_not_yet_known_open_to_the_world=lambda: group(SecurityGroupRule(INGRESS, "tcp", 22, UNKNOWN, WORLD)),
    a_protocol_not_yet_known_open_to_the_world=lambda: group(SecurityGroupRule(INGRESS, UNKNOWN, 22, 22, WORLD)),
    everything_from_the_world_beside_a_network_that_is_none=lambda: group(
        SecurityGroupRule(INGRESS, EVERY_PROTOCOL, None, None, WORLD), tcp(INGRESS, 22, 22, "10.0.0.0/99")
    ),
)


RULE_AT = "urn:pulumi:dev::theirs::aws:ec2/securityGroupRule:SecurityGroupRule::ssh"


def added(*rules: SecurityGroupRule) -> Fleet:
    ref = Ref("aws:ec2/securityGroupRule:SecurityGroupRule", "ssh")
    return a_fleet(AddedRule(ref, Place(RULE_AT), frozenset(rules)))


cases(
    ssh_opened_to_the_world_in_a_group_that_exists=lambda: added(tcp(INGRESS, 22, 22, WORLD)),
    ssh_opened_to_an_office_in_a_group_that_exists=lambda: added(
        tcp(INGRESS, 22, 22, OFFICE), all_traffic(EGRESS, WORLD)
    ),
    ssh_opened_to_nobody_knows_whom_in_a_group_that_exists=lambda: added(tcp(INGRESS, 22, 22, UNKNOWN)),
)
