"""The words of the rules about networks and security groups: what was found, what to do about this very thing."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "network.an_efa_interface_without_groups_beside_one_with",
        "efa-security-groups-allow-themselves",
        (
            "no security group at card 0 / device 1: EC2 attaches the VPC's default one, which allows nothing out "
            "to itself"
        ),
        "attach a group that allows itself in and out at card 0 / device 1",
    ),
    (
        "network.no_rules_at_all",
        "efa-security-groups-allow-themselves",
        "security group efa is on EFA interfaces and does not allow all protocols from or to itself",
        "give efa a rule for all protocols (-1) from and to itself: 0.0.0.0/0 does not cover EFA",
    ),
    (
        "network.no_way_out_to_itself",
        "efa-security-groups-allow-themselves",
        "security group efa is on EFA interfaces and does not allow all protocols to itself",
        "give efa a rule for all protocols (-1) to itself: 0.0.0.0/0 does not cover EFA",
    ),
    (
        "network.the_clusters_group_alone_before_it_had_that_rule",
        "efa-security-groups-allow-themselves",
        (
            "security group cluster-eksCluster (EKS's own) is on EFA interfaces and does not allow all protocols "
            "to itself"
        ),
        "attach a group beside it that allows itself in and out",
    ),
    (
        "network.a_public_address_on_one_of_33",
        "several-interfaces-no-public-ip",
        "33 interfaces, and card 0 / device 0 asks for a public IP address",
        "set associatePublicIpAddress to false at card 0 / device 0",
    ),
    (
        "network.several_interfaces_in_a_public_subnet",
        "several-interfaces-private-subnets",
        "its nodes can have no public IP address, and subnet-0aaaaaaaaaaaaaaaa is a public subnet",
        "use private subnets (subnets: private), or interfaces: plain where EFA is not needed",
    ),
    (
        "network.several_interfaces_in_two_public_subnets",
        "several-interfaces-private-subnets",
        (
            "its nodes can have no public IP address, and subnet-0aaaaaaaaaaaaaaaa and subnet-0eeeeeeeeeeeeeeee are "
            "public subnets"
        ),
        "use private subnets (subnets: private), or interfaces: plain where EFA is not needed",
    ),
    (
        "network.public_addresses_on_two_of_33",
        "several-interfaces-no-public-ip",
        "33 interfaces, and card 0 / device 0 and card 0 / device 1 ask for a public IP address",
        "set associatePublicIpAddress to false at card 0 / device 0 and card 0 / device 1",
    ),
    (
        "network.a_subnet_listed_under_another_zone",
        "subnet-zone-as-declared",
        "subnet-0aaaaaaaaaaaaaaaa is listed under us-west-2a; AWS says it is in us-west-2b",
        "list it under us-west-2b, or name a subnet of us-west-2a here",
    ),
    (
        "network.a_cni_too_old_for_efa_only",
        "vpc-cni-supports-efa",
        "vpc-cni v1.18.4-eksbuild.1; efa-only interfaces need 1.18.5",
        "pin vpc-cni at 1.18.5 or newer",
    ),
    (
        "network.a_cni_too_old_for_two_cards",
        "vpc-cni-supports-efa",
        "vpc-cni 1.7.9; EFA interfaces on several cards need 1.7.10",
        "pin vpc-cni at 1.7.10 or newer",
    ),
    (
        "network.a_zone_of_another_region",
        "zone-in-region",
        "us-east-1a is not a zone of us-west-2",
        "name the zone of us-west-2 that subnet-0eeeeeeeeeeeeeeee is in, or set aws:region: us-east-1",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "network.several_interfaces_in_two_subnets_that_may_give_public_addresses",
        "several-interfaces-private-subnets",
        (
            "whether subnet-0aaaaaaaaaaaaaaaa and subnet-0eeeeeeeeeeeeeeee give public IP addresses "
            "(`muster schema facts` shows the form)"
        ),
    ),
    (
        "network.no_cni_add_on",
        "vpc-cni-supports-efa",
        "the VPC CNI's version, 1.18.5 or newer for efa-only interfaces: no add-on 'vpc-cni'",
    ),
    (
        "network.ids_not_yet_known_of_groups_one_of_which_lacks_the_rules",
        "efa-security-groups-allow-themselves",
        "which of bare, cluster-eksCluster (EKS's own) and efa are the security groups of the EFA interfaces",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
