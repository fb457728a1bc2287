"""The words of every rule, in each of their forms: what was found, and what to do about this very thing."""

import pytest

from muster.versions import EKS_ADDONS
from policies.words import cards, number, some
from tests.policies.case import cases, judged

WORDS = [
    (
        "control_plane.one_subnet",
        "control-plane-two-zones",
        "the control plane has 1 subnet, in us-west-2a only",
        "add a subnet of a zone other than us-west-2a",
    ),
    (
        "control_plane.one_subnet_nobody_knows",
        "control-plane-two-zones",
        "the control plane has 1 subnet",
        "add a subnet of a second zone",
    ),
    (
        "control_plane.two_subnets_of_one_zone",
        "control-plane-two-zones",
        "the control plane has 2 subnets, in us-west-2a only",
        "add a subnet of a zone other than us-west-2a",
    ),
    (
        "control_plane.a_refused_zone",
        "control-plane-zone-accepted",
        "subnet-0bbbbbbbbbbbbbbbb is in use1-az3, where EKS takes no control plane",
        "name a subnet of another zone for the control plane instead of subnet-0bbbbbbbbbbbbbbbb",
    ),
    (
        "node_groups.an_image_beside_ami_type_and_versions",
        "custom-image-alone",
        (
            "amiType AL2023_x86_64_NVIDIA, releaseVersion and version beside image ami-0123456789abcdef0 in the "
            "launch template"
        ),
        "remove amiType AL2023_x86_64_NVIDIA, releaseVersion and version, or imageId from the template",
    ),
    (
        "node_groups.an_image_not_yet_known_beside_a_version",
        "custom-image-alone",
        "version beside an image of its own in the launch template",
        "remove version, or imageId from the template",
    ),
    (
        "node_groups.custom_without_an_image",
        "custom-image-alone",
        "amiType CUSTOM, and no image in the launch template",
        "name the image in the template (imageId), or the amiType it should have",
    ),
    (
        "node_groups.a_disk_size_beside_a_template",
        "disk-and-access-in-template",
        "diskSize beside a launch template",
        "remove diskSize and use the template's blockDeviceMappings",
    ),
    (
        "node_groups.remote_access_beside_a_template_not_yet_known",
        "disk-and-access-in-template",
        "remoteAccess beside a launch template",
        "remove remoteAccess and use the template's keyName and security groups",
    ),
    (
        "interfaces.efa_on_a_type_without",
        "efa-fits-instance",
        "EFA sits on card 0; trn1.2xlarge has no EFA",
        "use plain interfaces, or a type with EFA",
    ),
    (
        "interfaces.efa_on_the_first_card_of_p6_b300",
        "efa-fits-instance",
        "EFA sits on card 0; p6-b300.48xlarge takes EFA on cards 1 to 16",
        "move it off card 0",
    ),
    (
        "interfaces.more_efa_than_fit_on_cards_not_yet_known",
        "efa-fits-instance",
        "2 EFA interfaces; g5.8xlarge takes 1",
        "keep 1 of them",
    ),
    (
        "interfaces.an_address_on_an_efa_only_interface",
        "efa-only-without-address",
        "the efa-only interface at card 0 / device 1 asks for IP addresses",
        "remove the addresses and prefixes at card 0 / device 1, or make the type 'efa'",
    ),
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
        "capacity.subnets_in_the_reservations_zone_and_another",
        "efa-single-zone",
        "a group with EFA has subnets in us-west-2a and us-west-2b",
        "give it one zone (zone: us-west-2a), or a group for each",
    ),
    (
        "interfaces.a_training_group_without_efa",
        "efa-used-fully",
        "0 of the 32 EFA interfaces of p5.48xlarge",
        "leave `interfaces` out, or say aws or classic",
    ),
    (
        "interfaces.four_of_32_efa",
        "efa-used-fully",
        "4 of the 32 EFA interfaces of p5.48xlarge",
        "add the others, one on each EFA-capable card",
    ),
    (
        "capacity.a_reservation_in_a_zone_without_subnet",
        "group-has-subnet",
        (
            "the network lists no subnet of the group's kind in us-west-2c (subnets there are in us-west-2a and "
            "us-west-2b)"
        ),
        "list its subnet in us-west-2c in the network, or name another zone",
    ),
    (
        "capacity.no_subnet_of_that_kind",
        "group-has-subnet",
        "the network lists no subnet of the group's kind",
        "list such subnets in the network, or take the others (subnets: private)",
    ),
    (
        "node_groups.no_instance_type_anywhere",
        "instance-type-stated",
        "neither the group nor its launch template says an instance type",
        "say it in the launch template; EKS would take t3.medium",
    ),
    (
        "node_groups.the_instance_type_in_both_places",
        "instance-type-stated-once",
        "instanceTypes p5.48xlarge beside p5.48xlarge in the template",
        "remove instanceTypes from the group, or instanceType from the template",
    ),
    ("node_groups.twenty_one_instance_types", "instance-types-at-most-twenty", "21 instance types", "remove 1 of them"),
    (
        "interfaces.a_card_beyond_the_last",
        "interface-card-exists",
        "interfaces sit on card 4; p4d.24xlarge has 4 network cards",
        "use cards below 4, or another instance type",
    ),
    (
        "interfaces.device_2_on_card_1",
        "interface-device-index",
        "an interface is at card 1 / device 2",
        "give each of them device index 0 or 1 on its card",
    ),
    (
        "interfaces.efa_and_plain_in_the_same_slot",
        "interface-slot-used-once",
        "2 interfaces are at card 2 / device 1",
        "keep one at card 2 / device 1 and give the others the next free device index",
    ),
    (
        "interfaces.a_misspelt_type",
        "interface-type-known",
        "the interface type at card 1 / device 0 is 'efaonly'; did you mean 'efa-only'?",
        "write one of interface, efa and efa-only there",
    ),
    (
        "interfaces.three_interfaces_on_card_0_of_p5",
        "interfaces-per-card",
        "card 0 carries 3 interfaces; on p5.48xlarge it takes 2",
        "take 1 off card 0",
    ),
    (
        "control_plane.a_foreign_cluster_in_extended_support",
        "kubernetes-standard-support",
        "standard support of Kubernetes 1.33 ended on 2026-07-29",
        "upgrade: the control plane costs six times as much until 2027-07-29, when EKS upgrades it by itself",
    ),
    (
        "node_groups.a_spot_market",
        "managed-template-settings",
        "sets instanceMarketOptions.marketType spot",
        "remove instanceMarketOptions.marketType spot from it: say capacityType SPOT in the group",
    ),
    (
        "node_groups.everything_that_a_managed_groups_template_leaves_out",
        "managed-template-settings",
        "sets hibernationOptions",
        "remove hibernationOptions from it: EKS nodes do not hibernate",
    ),
    (
        "node_groups.everything_that_a_managed_groups_template_leaves_out",
        "managed-template-settings",
        "sets iamInstanceProfile",
        "remove iamInstanceProfile from it: name the role in the group's nodeRoleArn",
    ),
    (
        "node_groups.everything_that_a_managed_groups_template_leaves_out",
        "managed-template-settings",
        "sets instanceInitiatedShutdownBehavior",
        "remove instanceInitiatedShutdownBehavior from it: the Auto Scaling group terminates its nodes",
    ),
    (
        "node_groups.everything_that_a_managed_groups_template_leaves_out",
        "managed-template-settings",
        "sets instanceMarketOptions.spotOptions",
        "remove instanceMarketOptions.spotOptions from it: say capacityType SPOT in the group",
    ),
    (
        "node_groups.everything_that_a_managed_groups_template_leaves_out",
        "managed-template-settings",
        "sets networkInterfaces.subnetId",
        "remove networkInterfaces.subnetId from it: name the subnets in the group's subnetIds",
    ),
    (
        "node_groups.a_group_of_its_own_at_the_top",
        "node-template-reaches-control-plane",
        "the security groups of the template (own) are not the cluster's and do not reach it",
        "add the cluster's security group (vpcConfig.clusterSecurityGroupId) to those of the template",
    ),
    (
        "node_groups.no_group_on_the_primary_interface_and_some_on_others",
        "node-template-reaches-control-plane",
        "the security groups at card 0 / device 0 (none) are not the cluster's and do not reach it",
        "add the cluster's security group (vpcConfig.clusterSecurityGroupId) to those at card 0 / device 0",
    ),
    (
        "node_groups.only_the_efa_group_on_the_primary_interface",
        "node-template-reaches-control-plane",
        "the security groups at card 0 / device 0 (efa) are not the cluster's and do not reach it",
        "add the cluster's security group (vpcConfig.clusterSecurityGroupId) to those at card 0 / device 0",
    ),
    ("node_groups.a_maximum_of_zero", "nodes-in-order", "min 0, start 0, max 0", "make max at least 1"),
    ("node_groups.a_minimum_above_the_maximum", "nodes-in-order", "min 3, start 2, max 1", "make min at most max"),
    ("node_groups.a_start_above_the_maximum", "nodes-in-order", "min 1, start 2, max 1", "make start 1"),
    (
        "node_groups.a_start_below_the_minimum",
        "nodes-in-order",
        "min 2, start 1, max 3",
        "make start at least 2 and at most 3",
    ),
    (
        "interfaces.two_efa_on_a_card",
        "one-efa-per-card",
        "network card 2 carries 2 EFA interfaces",
        "keep one on card 2 and give the others cards of their own",
    ),
    (
        "capacity.a_foreign_group_in_none",
        "placement-group-by-provenance",
        "reservation cr-0123456789abcdef0 was made in placement group pg-theirs; the group launches in none",
        "name it: placement-group: pg-theirs",
    ),
    (
        "capacity.a_placement_group_named_for_a_reservation_of_aws",
        "placement-group-by-provenance",
        "placement group pg-theirs on a reservation that AWS provided",
        "remove placement-group, or say provided-by: you",
    ),
    (
        "capacity.launched_in_a_new_one",
        "placement-group-by-provenance",
        (
            "reservation cr-0123456789abcdef0 was made in placement group pg-theirs; the group launches in a new "
            "one (workers)"
        ),
        "name it: placement-group: pg-theirs",
    ),
    (
        "capacity.launched_in_another",
        "placement-group-by-provenance",
        ("reservation cr-0123456789abcdef0 was made in placement group pg-theirs; the group launches in pg-other"),
        "name it: placement-group: pg-theirs",
    ),
    (
        "interfaces.an_efa_only_primary",
        "primary-interface-not-efa-only",
        "card 0 / device 0 is efa-only",
        "make it 'interface' and put the efa-only interface at card 0 / device 1, or make it 'efa'",
    ),
    (
        "interfaces.no_primary",
        "primary-interface-present",
        (
            "no interface is at card 0 / device 0 (the first are at card 0 / device 1, card 1 / device 0 and card "
            "2 / device 0)"
        ),
        "add one of type 'interface' at card 0 / device 0",
    ),
    (
        "capacity.more_nodes_than_declared_and_no_more_than_observed",
        "reservation-as-declared",
        "count 1; AWS says that cr-0123456789abcdef0 holds 2",
        "write count: 2",
    ),
    (
        "capacity.the_declared_zone_is_wrong_and_the_group_is_right",
        "reservation-as-declared",
        "zone us-west-2b; AWS says that cr-0123456789abcdef0 is in us-west-2a",
        "write zone: us-west-2a",
    ),
    (
        "capacity.more_nodes_than_declared",
        "reservation-covers-nodes",
        "reservation cr-0123456789abcdef0 holds 1; the group may grow to 2",
        "let the group grow to 1 node at most, or name a larger reservation",
    ),
    (
        "capacity.more_nodes_than_observed",
        "reservation-covers-nodes",
        "reservation cr-0123456789abcdef0 holds 1 (AWS says so); the group may grow to 2",
        "let the group grow to 1 node at most, or name a larger reservation",
    ),
    (
        "capacity.two_groups_share_too_small_a_reservation",
        "reservation-covers-nodes",
        "reservation cr-0123456789abcdef0 holds 1 (AWS says so); others and workers together may grow to 2",
        "let others and workers together grow to 1 node at most, or name a larger reservation",
    ),
    (
        "capacity.a_reservation_of_another_type",
        "reservation-instance-type-matches",
        "reservation cr-0123456789abcdef0 holds p5e.48xlarge, the group is of p5.48xlarge",
        "make p5e.48xlarge the group's only type, or name a reservation of what it has",
    ),
    (
        "capacity.a_reservation_of_one_of_two_types",
        "reservation-instance-type-matches",
        "reservation cr-0123456789abcdef0 holds p5.48xlarge, the group is of p5.48xlarge and p5e.48xlarge",
        "make p5.48xlarge the group's only type, or name a reservation of what it has",
    ),
    (
        "capacity.open_beside_a_target",
        "reservation-preference-beside-target",
        "the reservation preference 'open' beside a target",
        "remove capacityReservationPreference, or make it capacity-reservations-only",
    ),
    (
        "capacity.a_preference_of_another_word",
        "reservation-preference-known",
        "the reservation preference 'capacity-reservation-only'; did you mean 'capacity-reservations-only'?",
        "write one of open, none and capacity-reservations-only, or leave capacityReservationPreference out",
    ),
    (
        "capacity.an_empty_block",
        "reservation-target-given",
        "capacityReservationSpecification names neither a target nor a preference",
        "write capacityReservationTarget: {capacityReservationId: cr-...}, or remove the block",
    ),
    (
        "capacity.two_targets",
        "reservation-target-single",
        "a reservation's id and a reservation group's ARN as targets",
        "remove capacityReservationId or capacityReservationResourceGroupArn",
    ),
    (
        "capacity.subnets_in_the_reservations_zone_and_another",
        "reservation-zone-matches-subnet",
        (
            "reservation cr-0123456789abcdef0 is in us-west-2a (AWS says so), the group's subnets are in "
            "us-west-2a and us-west-2b"
        ),
        "put the group into us-west-2a only (zone: us-west-2a, with a subnet there)",
    ),
    (
        "capacity.the_declared_zone_is_another",
        "reservation-zone-matches-subnet",
        "reservation cr-0123456789abcdef0 is in us-west-2b, the group's subnets are in us-west-2a",
        (
            "put the group into us-west-2b only (zone: us-west-2b, with a subnet there), or name a reservation in "
            "us-west-2a"
        ),
    ),
    (
        "capacity.the_observed_zone_is_another",
        "reservation-zone-matches-subnet",
        ("reservation cr-0123456789abcdef0 is in us-west-2b (AWS says so), the group's subnets are in us-west-2a"),
        (
            "put the group into us-west-2b only (zone: us-west-2b, with a subnet there), or name a reservation in "
            "us-west-2a"
        ),
    ),
    (
        "interfaces.security_groups_in_both_places",
        "security-groups-on-interfaces",
        "security groups at the template's top (efa) beside 33 interfaces",
        "move them to each interface's securityGroups and drop vpcSecurityGroupIds",
    ),
    (
        "interfaces.security_groups_in_both_places_not_yet_known",
        "security-groups-on-interfaces",
        "security groups at the template's top (not yet known) beside 33 interfaces",
        "move them to each interface's securityGroups and drop vpcSecurityGroupIds",
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
"""(case, rule, what was found, what to do). The sentences that list versions are below."""


def said(case: str, rule: str) -> set[tuple[str, str]]:
    """What a rule says in a case."""
    (one,) = [each for each in cases() if each.name == case]
    return {(each.got, each.remedy) for each in judged(one).findings if each.rule == rule}


@pytest.mark.parametrize(("case", "rule", "got", "remedy"), WORDS, ids=[f"{each[1]}-{each[0]}" for each in WORDS])
def test_words(case: str, rule: str, got: str, remedy: str) -> None:
    assert (got, remedy) in said(case, rule)


def test_words_about_versions() -> None:
    pinned = some(EKS_ADDONS)
    assert said("control_plane.a_version_in_extended_support_without_pinned_add_ons", "eks-addons-pinned") == {
        (
            "no EKS add-ons are pinned for Kubernetes 1.33",
            f"take one of {pinned}, or add the add-ons of 1.33 to muster/versions.py",
        )
    }
    assert said("control_plane.a_version_past_all_support", "kubernetes-version-supported") == {
        (
            "extended support of Kubernetes 1.29 ended on 2026-03-23",
            "take a version in standard support (1.34, 1.35 and 1.36), one minor version at a time on a live cluster",
        )
    }
    assert said("control_plane.a_version_that_does_not_exist", "kubernetes-version-supported") == {
        ("Kubernetes 1.99 is not in EKS's calendar", "take a version in standard support (1.34, 1.35 and 1.36)")
    }
    ((_, remedy),) = said("control_plane.the_day_after_all_support", "kubernetes-version-supported")
    assert remedy.startswith("take a version in standard support (newer than any that Muster knows)")


MISSING = [
    (
        "capacity.a_reservation_not_yet_known",
        "reservation-covers-nodes",
        "the reservation's id, not known before creation",
    ),
    (
        "capacity.a_reservation_group",
        "reservation-covers-nodes",
        "the reservations of arn:aws:resource-groups:us-west-2:000000000000:group/p5",
    ),
    (
        "capacity.a_foreign_group_on_a_reservation_nobody_knows",
        "reservation-zone-matches-subnet",
        "the zone of reservation cr-0123456789abcdef0 (`muster schema facts` shows the form)",
    ),
    (
        "interfaces.an_instance_type_that_is_not_catalogued",
        "efa-fits-instance",
        "the hardware of p9.48xlarge, which is not catalogued",
    ),
    ("interfaces.interfaces_not_yet_known", "one-efa-per-card", "the network interfaces, not known before creation"),
    ("interfaces.an_interface_type_not_yet_known", "interface-type-known", "the type of every network interface"),
    (
        "node_groups.a_template_from_elsewhere",
        "efa-single-zone",
        "launch template lt-0123456789abcdef0, which is not of this program",
    ),
    ("node_groups.a_template_not_yet_known", "efa-single-zone", "the launch template, not known before creation"),
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


@pytest.mark.parametrize(("case", "rule", "missing"), MISSING, ids=[f"{each[1]}-{each[0]}" for each in MISSING])
def test_words_for_what_is_missing(case: str, rule: str, missing: str) -> None:
    (one,) = [each for each in cases() if each.name == case]
    assert {each.missing for each in judged(one).not_evaluated if each.rule == rule} == {missing}


@pytest.mark.parametrize(
    ("things", "text"),
    [([], "none"), (["b"], "b"), (["b", "a"], "a and b"), ("cab", "a, b and c"), ([2, 1], "1 and 2")],
)
def test_some(things: list[object], text: str) -> None:
    assert some(things) == text


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([0], "card 0"),
        ([1, 0], "cards 0 to 1"),
        ([4, 0], "cards 0 and 4"),
        ([*range(8), 9], "cards 0 to 7 and 9"),
        ([3, 3], "card 3"),
    ],
)
def test_cards(numbers: list[int], text: str) -> None:
    assert cards(numbers) == text


def test_number() -> None:
    assert [number(0, "node"), number(1, "node"), number(2, "node")] == ["0 nodes", "1 node", "2 nodes"]
    assert number(2, "entry", "entries") == "2 entries"
