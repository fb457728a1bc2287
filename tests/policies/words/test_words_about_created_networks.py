"""The words of the rules about networks that Muster makes: what was found, what to do about this very thing."""

from tests.policies.words.said import all_said

WORDS = [
    (
        "created_networks.a_zone_of_another_region_to_make_subnets_in",
        "zone-in-region",
        "us-east-1a is not a zone of us-west-2",
        "write a zone of us-west-2, or set aws:region: us-east-1",
    ),
    (
        "created_networks.a_group_in_a_zone_without_subnets_yet",
        "group-has-subnet",
        (
            "the network lists no subnet of the group's kind in us-west-2c (subnets there are in us-west-2a "
            "and us-west-2b)"
        ),
        "add us-west-2c to network.create.zones, or name another zone",
    ),
    (
        "created_networks.a_reservation_in_a_zone_without_subnets_yet",
        "group-has-subnet",
        (
            "the network lists no subnet of the group's kind in us-west-2c (subnets there are in us-west-2a "
            "and us-west-2b)"
        ),
        ("add us-west-2c to network.create.zones, or name another zone (capacity.reservation.zone says this one)"),
    ),
    (
        "created_networks.one_zone_to_make_subnets_in",
        "control-plane-two-zones",
        "the control plane has 1 subnet, in us-west-2a only",
        "add a zone other than us-west-2a",
    ),
    (
        "created_networks.more_nodes_than_a_small_network_holds",
        "subnet-holds-nodes",
        ("its 4 nodes with the control plane take 206 addresses of private-us-west-2a at first; 123 are free there"),
        "write a wider network.create.cidr, as in /21, or start with 2 nodes at most",
    ),
    (
        "created_networks.more_nodes_later_than_a_small_network_holds",
        "subnet-holds-all-nodes",
        "its 4 nodes with the control plane take 206 addresses of private-us-west-2a at most; 123 are free there",
        "write a wider network.create.cidr, as in /21, or let it grow to 2 nodes at most",
    ),
    (
        "created_networks.more_nodes_than_any_network_holds",
        "subnet-holds-nodes",
        (
            "its 400 nodes with the control plane take 20006 addresses of private-us-west-2a at first; 8187 "
            "are free there"
        ),
        "name a network that exists, with larger subnets, or start with 163 nodes at most",
    ),
    (
        "created_networks.more_nodes_than_a_public_subnet_holds",
        "subnet-holds-nodes",
        "its 20 nodes take 2000 addresses of public-us-west-2a at first; 11 are free there",
        "name a network that exists, with larger subnets",
    ),
    (
        "created_networks.a_network_where_docker_is",
        "vpc-outside-docker-range",
        "subnets inside 172.17.0.0/16: 172.17.0.0/21, 172.17.56.0/24, 172.17.57.0/24 and 172.17.8.0/21",
        "take another range, as in 10.0.0.0/16",
    ),
    (
        "created_networks.a_foreign_subnet_where_docker_is",
        "vpc-outside-docker-range",
        "subnets inside 172.17.0.0/16: 172.17.16.0/20",
        "take another range, as in 10.0.0.0/16",
    ),
]
"""(case, rule, what was found, what to do)."""


test_words = all_said(WORDS)
