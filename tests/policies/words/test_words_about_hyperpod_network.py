"""The words of the rules about HyperPod's network: what was found, what to do about this very thing."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "hyperpod_network.seventeen_subnets",
        "hyperpod-network-limits",
        "workers has 17 subnets; HyperPod takes 16",
        "name 16 at most",
    ),
    (
        "hyperpod_network.six_security_groups",
        "hyperpod-network-limits",
        "workers has 6 security groups; HyperPod takes 5",
        "name 5 at most",
    ),
    (
        "hyperpod_network.no_network",
        "hyperpod-network-limits",
        "ml-cluster has no security group",
        "name a security group in network",
    ),
    (
        "hyperpod_network.no_network",
        "hyperpod-network-limits",
        "ml-cluster has no subnet",
        "name a subnet in network",
    ),
    (
        "hyperpod_network.no_network_in_a_program",
        "hyperpod-network-limits",
        "ml-cluster has no security group",
        "name a security group in vpcConfig",
    ),
    (
        "hyperpod_network.no_network_in_a_program",
        "hyperpod-network-limits",
        "ml-cluster has no subnet",
        "name a subnet in vpcConfig",
    ),
    (
        "hyperpod_network.a_group_without_subnets",
        "group-has-subnet",
        "the network lists no subnet of the group's kind",
        "list such subnets in the network, or take the others (subnets: private)",
    ),
    (
        "hyperpod_network.a_public_subnet",
        "hyperpod-private-subnets",
        "workers is in subnet-0aaaaaaaaaaaaaaaa, which gives public IP addresses to what launches there",
        "name private subnets",
    ),
    (
        "hyperpod_network.no_rules_for_itself",
        "hyperpod-security-groups-allow-themselves",
        ("security group efa is on HyperPod's EFA interfaces and does not allow all protocols from or to itself"),
        "give efa a rule for all protocols (-1) from and to itself",
    ),
    (
        "hyperpod_network.everything_out_to_the_world",
        "hyperpod-security-groups-allow-themselves",
        (
            "security group efa is on HyperPod's EFA interfaces and does not allow all protocols to itself: "
            "it lets everything out to 0.0.0.0/0, which does not cover EFA"
        ),
        "give efa a rule for all protocols (-1) to itself",
    ),
    (
        "hyperpod_network.everything_in_from_the_world",
        "hyperpod-security-groups-allow-themselves",
        "security group efa is on HyperPod's EFA interfaces and does not allow all protocols to itself",
        "give efa a rule for all protocols (-1) to itself",
    ),
    (
        "hyperpod_network.everything_out_to_an_office",
        "hyperpod-security-groups-allow-themselves",
        "security group efa is on HyperPod's EFA interfaces and does not allow all protocols to itself",
        "give efa a rule for all protocols (-1) to itself",
    ),
    (
        "hyperpod_network.one_port_out_to_the_world",
        "hyperpod-security-groups-allow-themselves",
        "security group efa is on HyperPod's EFA interfaces and does not allow all protocols to itself",
        "give efa a rule for all protocols (-1) to itself",
    ),
    (
        "hyperpod_network.a_group_from_elsewhere_without_the_rules",
        "hyperpod-security-groups-allow-themselves",
        (
            "security group sg-0123456789abcdef0 is on HyperPod's EFA interfaces and does not allow all "
            "protocols to itself"
        ),
        "give sg-0123456789abcdef0 a rule for all protocols (-1) to itself",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "hyperpod_network.subnets_not_yet_known",
        "hyperpod-network-limits",
        "the subnets of workers, not known before creation",
    ),
    (
        "hyperpod_network.subnets_not_yet_known",
        "hyperpod-private-subnets",
        "the subnets of workers, not known before creation",
    ),
    (
        "hyperpod_network.security_groups_not_yet_known",
        "hyperpod-network-limits",
        "the security groups of workers, not known before creation",
    ),
    (
        "hyperpod_network.security_groups_not_yet_known",
        "hyperpod-security-groups-allow-themselves",
        "the security groups of workers, not known before creation",
    ),
    (
        "hyperpod_network.a_subnet_that_may_give_public_addresses",
        "hyperpod-private-subnets",
        "whether subnet-0aaaaaaaaaaaaaaaa gives public IP addresses (`muster schema facts` shows the form)",
    ),
    (
        "hyperpod_network.a_group_from_elsewhere",
        "hyperpod-security-groups-allow-themselves",
        "the rules of security group sg-0123456789abcdef0 (`muster schema facts` shows the form)",
    ),
    (
        "hyperpod_network.rules_not_yet_known",
        "hyperpod-security-groups-allow-themselves",
        "the rules of security group efa, not known before creation",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
