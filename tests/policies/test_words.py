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
        "reservation_groups.efa_on_reservations_in_both_zones",
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
    (
        "capacity.a_reservation_of_nothing",
        "reservation-created-legal",
        "a reservation of 0 instances",
        "reserve 1 to 1000, in several reservations where it is more",
    ),
    (
        "capacity.p5_reserved_for_later",
        "reservation-created-legal",
        "a future-dated reservation of p5.48xlarge",
        "buy a Capacity Block of it, or reserve without startDate",
    ),
    (
        "capacity.reserved_four_days_ahead",
        "reservation-created-legal",
        "a reservation that starts on 2026-11-25T23:00:00Z",
        "have it start from 2026-11-26 to 2027-03-21",
    ),
    (
        "capacity.reserved_for_later_in_a_placement_group",
        "reservation-created-legal",
        "a future-dated reservation in a placement group",
        "leave placementGroupArn out, or startDate",
    ),
    (
        "capacity.too_little_reserved_for_later",
        "reservation-created-legal",
        "a future-dated reservation of 24 vCPUs",
        "reserve 4 or more of c5.2xlarge",
    ),
    (
        "capacity.a_reservation_of_its_own_in_a_spread_group",
        "placement-group-holds-reservations",
        "nodes on a reservation in placement group workers, whose strategy is spread",
        "make the strategy of workers cluster, or leave the placement group out",
    ),
    (
        "capacity.a_reservation_of_its_own_in_a_spread_group",
        "placement-group-holds-reservations",
        "a reservation in placement group workers, whose strategy is spread",
        "make the strategy of workers cluster, or leave the placement group out",
    ),
    (
        "capacity.a_cluster_group_in_two_zones",
        "placement-group-one-zone",
        "cluster placement group workers and subnets in us-west-2a and us-west-2b",
        "give it one zone (zone: us-west-2a), or take the placement group out of its template",
    ),
    (
        "capacity.training_on_spot",
        "spot-not-for-training",
        "a training group on spot instances",
        (
            "write capacity: {spot: {interruptions-accepted: true}} if its jobs restart by themselves, or take other "
            "capacity"
        ),
    ),
    (
        "capacity.a_foreign_group_with_efa_on_spot",
        "spot-not-for-training",
        "a group with EFA interfaces on spot instances",
        "take on-demand or reserved capacity, or give it no EFA interfaces",
    ),
    (
        "capacity.one_node_beyond_the_quota",
        "quota-covers-vcpus",
        "workers may grow to 384 vCPUs; quota L-417A185B allows 383",
        "have L-417A185B raised to 384 (aws service-quotas request-service-quota-increase), or lower max",
    ),
    (
        "capacity.two_groups_of_one_family_beyond_the_quota",
        "quota-covers-vcpus",
        "others and workers may grow to 288 vCPUs; quota L-417A185B allows 200",
        "have L-417A185B raised to 288 (aws service-quotas request-service-quota-increase), or lower max",
    ),
    (
        "capacity.two_zones_and_a_reservation_nobody_knows",
        "reservation-zone-matches-subnet",
        "reservation cr-0123456789abcdef0 is in one zone, the group's subnets are in us-west-2a and us-west-2b",
        "keep the subnet in the zone of reservation cr-0123456789abcdef0",
    ),
    (
        "capacity_blocks.a_reservation_under_the_wrong_key",
        "reservation-usable",
        "Capacity Block cr-0123456789abcdef0 is an On-Demand Capacity Reservation",
        "say reservation instead of capacity-block, or name a block",
    ),
    (
        "capacity.a_capacity_block_under_the_wrong_key",
        "reservation-usable",
        "reservation cr-0123456789abcdef0 is a Capacity Block",
        "say capacity-block instead of reservation, or name a reservation",
    ),
    (
        "capacity.an_expired_reservation",
        "reservation-usable",
        "reservation cr-0123456789abcdef0 is expired",
        "name a reservation that is active, for Linux/UNIX and of default tenancy",
    ),
    (
        "capacity_blocks.a_block_whose_payment_failed",
        "reservation-usable",
        "Capacity Block cr-0123456789abcdef0 is payment-failed",
        "name a Capacity Block that is paid and has not ended",
    ),
    (
        "capacity_blocks.a_foreign_group_on_a_block_that_ends_today",
        "reservation-usable",
        "Capacity Block cr-0123456789abcdef0 ends on 2026-11-21",
        "name a Capacity Block that is paid and has not ended",
    ),
    (
        "capacity_blocks.a_foreign_group_on_a_block_that_has_ended",
        "reservation-usable",
        "Capacity Block cr-0123456789abcdef0 ended on 2026-11-28",
        "name a Capacity Block that is paid and has not ended",
    ),
    (
        "capacity_blocks.a_template_without_market_type",
        "capacity-block-template",
        (
            "the template's group is of capacityType CAPACITY_BLOCK, and has no instanceMarketOptions: {marketType: "
            "capacity-block}"
        ),
        "write instanceMarketOptions: {marketType: capacity-block} into it",
    ),
    (
        "capacity_blocks.a_block_targeted_like_a_reservation",
        "capacity-block-template",
        "the template targets a Capacity Block, and has no instanceMarketOptions: {marketType: capacity-block}",
        "write instanceMarketOptions: {marketType: capacity-block} into it",
    ),
    (
        "capacity_blocks.a_template_without_target",
        "capacity-block-template",
        "the template is for a Capacity Block, and has no capacityReservationTarget: {capacityReservationId: cr-...}",
        "write capacityReservationTarget: {capacityReservationId: cr-...} into it",
    ),
    (
        "capacity_blocks.a_template_without_instance_type",
        "capacity-block-template",
        "the template is for a Capacity Block, and has no instanceType",
        "write instanceType into it",
    ),
    (
        "capacity_blocks.a_spot_market_on_a_block",
        "capacity-block-template",
        (
            "the template's group is of capacityType CAPACITY_BLOCK, and has no instanceMarketOptions: {marketType: "
            "capacity-block}, but marketType spot"
        ),
        "write instanceMarketOptions: {marketType: capacity-block} into it",
    ),
    (
        "capacity_blocks.spot_beside_a_blocks_template",
        "capacity-block-managed-group",
        "capacityType SPOT beside a template for a Capacity Block",
        "say capacityType CAPACITY_BLOCK, or remove the market type from the template",
    ),
    (
        "capacity_blocks.on_demand_beside_a_blocks_template",
        "capacity-block-managed-group",
        "capacityType ON_DEMAND (which is what EKS takes where nothing is said) beside a template for a Capacity Block",
        "say capacityType CAPACITY_BLOCK, or remove the market type from the template",
    ),
    (
        "capacity_blocks.two_types_on_a_block",
        "capacity-block-managed-group",
        "instanceTypes p5.48xlarge and p5e.48xlarge on a Capacity Block, which holds one type",
        "remove instanceTypes, and say the block's type as the template's instanceType",
    ),
    (
        "capacity_blocks.a_block_without_template",
        "capacity-block-managed-group",
        "capacityType CAPACITY_BLOCK without a launch template",
        "give it a template that names the block",
    ),
    (
        "capacity_blocks.a_block_without_template",
        "capacity-block-managed-group",
        "instanceTypes p5.48xlarge on a Capacity Block, which holds one type",
        "remove instanceTypes, and say the block's type as the template's instanceType",
    ),
    (
        "capacity_blocks.a_block_of_single_gb200",
        "capacity-block-instance-type",
        "a Capacity Block of single p6e-gb200.36xlarge: AWS sells them as UltraServers only",
        "target the UltraServer block's resource group by its ARN",
    ),
    (
        "capacity_blocks.a_block_that_nobody_knows_in_two_zones",
        "reservation-zone-matches-subnet",
        "Capacity Block cr-0123456789abcdef0 is in one zone, the group's subnets are in us-west-2a and us-west-2b",
        "keep the subnet in the zone of Capacity Block cr-0123456789abcdef0",
    ),
    (
        "capacity_blocks.a_block_in_another_zone",
        "reservation-zone-matches-subnet",
        "Capacity Block cr-0123456789abcdef0 is in us-west-2b (AWS says so), the group's subnets are in us-west-2a",
        "put the group into us-west-2b only (zone: us-west-2b, with a subnet there), or name a block in us-west-2a",
    ),
    (
        "capacity_blocks.more_nodes_than_the_block_holds",
        "reservation-covers-nodes",
        "Capacity Block cr-0123456789abcdef0 holds 1 (AWS says so); the group may grow to 2",
        "let the group grow to 1 node at most, or name a larger block",
    ),
    (
        "capacity_blocks.a_block_of_65",
        "capacity-block-size",
        "a Capacity Block of 65 instances; AWS sells 64 at most",
        "split it into 2 groups, each on a block of its own",
    ),
    (
        "capacity_blocks.a_foreign_group_larger_than_any_block",
        "capacity-block-size",
        "a maximum of 65 nodes on a Capacity Block; AWS sells blocks of 64 at most",
        "split it into 2 groups, each on a block of its own",
    ),
    (
        "capacity_blocks.a_block_of_15_days",
        "capacity-block-length",
        "from 2026-12-01 to 2026-12-16: 15 days",
        "check both dates: AWS sells 1 to 14 days, then 7 more at a time, up to 182",
    ),
    (
        "capacity_blocks.a_block_that_ends_before_it_starts",
        "capacity-block-length",
        "ends on 2026-12-01, and starts on 2026-12-15",
        "check both dates: AWS sells 1 to 14 days, then 7 more at a time, up to 182",
    ),
    (
        "capacity_blocks.active_before_it_starts",
        "capacity-block-dates",
        "active: true on 2026-11-21; the block starts on 2026-11-22",
        "write active: false until 2026-11-22",
    ),
    (
        "capacity_blocks.active_on_the_day_it_ends",
        "capacity-block-dates",
        "active: true on 2026-11-21; the block ends on 2026-11-21",
        "write active: false, name the next block, or remove the group",
    ),
    (
        "capacity_blocks.not_active_though_it_runs",
        "capacity-block-begun",
        "active: false, and the block has run since 2026-11-21: it has no nodes",
        "set active: true and deploy; it ends on 2026-11-28",
    ),
    (
        "capacity_blocks.over_and_not_active",
        "capacity-block-begun",
        "the block ended on 2026-11-21",
        "name the next block, or remove the group",
    ),
    (
        "capacity_blocks.aws_has_other_dates",
        "reservation-as-declared",
        "ends 2026-11-29; AWS says that cr-0123456789abcdef0 ends on 2026-11-28",
        'write ends: "2026-11-28"',
    ),
    (
        "capacity_blocks.aws_has_other_dates",
        "reservation-as-declared",
        "starts 2026-11-15; AWS says that cr-0123456789abcdef0 starts on 2026-11-14",
        'write starts: "2026-11-14"',
    ),
    (
        "capacity_blocks.aws_says_that_it_has_not_begun",
        "capacity-block-waits",
        "Capacity Block cr-0123456789abcdef0 is scheduled (AWS says so), and the group starts with 1 node",
        "write active: false until it has begun",
    ),
    (
        "capacity_blocks.a_foreign_group_with_nodes_before_its_block_begins",
        "capacity-block-waits",
        "Capacity Block cr-0123456789abcdef0 starts on 2026-12-01 (AWS says so), and the group starts with 1 node",
        "start with 0 nodes, and scale up when it has begun",
    ),
    (
        "capacity_blocks.drained_after_the_end_that_aws_knows",
        "capacity-block-drained",
        "scaled to 0 nodes at 2026-11-28T10:30:00Z; its Capacity Block ends at 2026-11-27T11:30:00Z",
        'write ends: "2026-11-27"',
    ),
    (
        "capacity_blocks.never_drained",
        "capacity-block-drained",
        "no schedule scales the group to 0 nodes before its Capacity Block ends",
        (
            "add an aws.autoscaling.Schedule with desiredCapacity 0, minSize 0 and maxSize -1, at "
            "2026-11-28T11:00:00Z at the latest"
        ),
    ),
    (
        "capacity_blocks.a_foreign_group_that_is_never_drained",
        "capacity-block-drained",
        "no schedule scales the group to 0 nodes before its Capacity Block ends",
        (
            "add an aws.autoscaling.Schedule with desiredCapacity 0, minSize 0 and maxSize -1, half an hour before "
            "the end at the latest"
        ),
    ),
    (
        "capacity_blocks.a_foreign_group_drained_too_late",
        "capacity-block-drained",
        "scaled to 0 nodes at 2026-11-28T11:15:00Z; its Capacity Block ends at 2026-11-28T11:30:00Z",
        "schedule it to 0 at 2026-11-28T11:00:00Z at the latest",
    ),
    (
        "capacity_blocks.a_block_in_a_placement_group",
        "capacity-block-no-placement-group",
        "placement group workers around a Capacity Block",
        "remove placement from the template",
    ),
    (
        "capacity_blocks.a_block_in_a_placement_group_not_yet_known",
        "capacity-block-no-placement-group",
        "a placement group around a Capacity Block",
        "remove placement from the template",
    ),
    (
        "capacity_blocks.a_block_that_nobody_approves",
        "capacity-block-purchase-approved",
        "buys cb-0123456789abcdef0, and nobody is named who approves it",
        "write approved-by: NAME (in a program of your own the tag muster:approved-by), or buy nothing",
    ),
    (
        "capacity_blocks.a_block_that_spaces_approve",
        "capacity-block-purchase-approved",
        "buys an offering, and nobody is named who approves it",
        "write approved-by: NAME (in a program of your own the tag muster:approved-by), or buy nothing",
    ),
    (
        "capacity_blocks.a_block_bought_nine_weeks_ahead",
        "capacity-block-length",
        "a Capacity Block to buy that starts on 2027-01-17, more than 8 weeks from 2026-11-21",
        "buy one that starts on 2027-01-16 at the latest, or buy this one later",
    ),
    (
        "reservation_groups.more_nodes_than_both_hold",
        "reservation-covers-nodes",
        "reservation group p5 holds 2 (AWS says so); the group may grow to 3",
        "let the group grow to 2 nodes at most, or add reservations to the group",
    ),
    (
        "reservation_groups.one_of_two_is_of_another_type",
        "reservation-covers-nodes",
        "reservation group p5 holds 1 that its instances match (AWS says so); the group may grow to 2",
        "let the group grow to 1 node at most, or add reservations to the group",
    ),
    (
        "reservation_groups.both_are_over",
        "reservation-usable",
        (
            "nothing in reservation group p5 can be launched into: cr-00000000000000001 is expired and "
            "cr-00000000000000002 is for Windows"
        ),
        "name a reservation that is active, for Linux/UNIX and of default tenancy",
    ),
    (
        "reservation_groups.both_are_in_another_zone",
        "reservation-zone-matches-subnet",
        "reservation group p5 is in us-west-2b (AWS says so), the group's subnets are in us-west-2a",
        (
            "put the group into us-west-2b only (zone: us-west-2b, with a subnet there), or name a reservation in "
            "us-west-2a"
        ),
    ),
    (
        "reservation_groups.a_described_group_that_holds_more",
        "reservation-as-declared",
        "count 2; AWS says that p5 holds 6",
        "write count: 6",
    ),
    (
        "reservation_groups.a_block_in_a_group",
        "capacity-block-by-id",
        "cr-00000000000000001 and cr-00000000000000002 targeted through reservation group p5",
        (
            "target cr-00000000000000001 and cr-00000000000000002 by id (capacity-block: {id: ...}), with a node "
            "group for each block"
        ),
    ),
    (
        "reservation_groups.a_market_for_blocks_and_a_group",
        "capacity-block-by-id",
        "a Capacity Block targeted through reservation group p5",
        "target a Capacity Block by id (capacity-block: {id: ...}), with a node group for each block",
    ),
    (
        "reservation_groups.a_group_without_preference",
        "reservation-group-preference",
        "a reservation group as target without a preference: when it is full, nodes launch on demand",
        "add capacityReservationPreference: capacity-reservations-only beside the target",
    ),
    (
        "reservation_groups.an_empty_group",
        "reservation-group-has-members",
        "reservation group p5 is empty (AWS says so)",
        "put reservations into it, or name another",
    ),
    (
        "reservation_groups.a_group_with_the_pool_entry_only",
        "reservation-group-configured",
        "reservation group p5 has no entry AWS::ResourceGroups::Generic (AWS says so)",
        "have its owner add AWS::ResourceGroups::Generic, or name another group",
    ),
    (
        "reservation_groups.a_group_of_another_region",
        "reservation-group-one-region",
        "p5 is in us-east-1, the stack in us-west-2",
        "name one in us-west-2 instead of p5",
    ),
    (
        "reservation_groups.a_group_of_its_own_with_nothing_in_it",
        "reservation-group-has-members",
        "no reservation is put into the group",
        "list the reservations' ARNs (in a program of your own an aws.resourcegroups.Resource for each)",
    ),
    (
        "reservation_groups.a_group_of_its_own_with_the_pool_entry_only",
        "reservation-group-configured",
        "the group has no entry AWS::ResourceGroups::Generic",
        "add AWS::ResourceGroups::Generic to it",
    ),
    (
        "reservation_groups.a_group_of_its_own_for_other_types",
        "reservation-group-configured",
        "allowed-resource-types of AWS::ResourceGroups::Generic: AWS::EC2::Host",
        "add AWS::EC2::CapacityReservation to its values",
    ),
    (
        "reservation_groups.a_group_of_its_own_of_reservations_of_two_regions",
        "reservation-group-one-region",
        "cr-00000000000000002 is in us-east-1, the stack in us-west-2",
        "name one in us-west-2 instead of cr-00000000000000002",
    ),
    (
        "storage.one_in_another_zone_than_declared",
        "lustre-as-declared",
        "fs-0123456789abcdef0 is said to have zone us-west-2a; AWS says us-west-2b",
        "write zone: us-west-2b, or name another file system",
    ),
    (
        "storage.a_link_inside_another",
        "lustre-association-paths-apart",
        "/data/new in /data",
        "link directories that are beside each other",
    ),
    (
        "storage.one_place_linked_twice",
        "lustre-association-paths-apart",
        "s3://data/x is linked twice",
        "keep one of its links",
    ),
    (
        "storage.the_root_beside_another",
        "lustre-association-paths-apart",
        "/data in /",
        "link directories that are beside each other",
    ),
    (
        "storage.a_link_beside_an_import_path",
        "lustre-associations-allowed",
        "associations beside an import path",
        "make an association of the import path too",
    ),
    (
        "storage.a_link_on_intelligent_tiering",
        "lustre-associations-allowed",
        "associations on INTELLIGENT_TIERING",
        "remove them, or take another type",
    ),
    (
        "storage.a_link_on_scratch_1",
        "lustre-associations-allowed",
        "associations on SCRATCH_1",
        "remove them, or take another type",
    ),
    (
        "storage.nine_links",
        "lustre-associations-allowed",
        "9 associations",
        "keep 8, or link a place further up",
    ),
    (
        "storage.backups_and_a_link_to_s3",
        "lustre-backups-without-s3",
        "backups are kept 1 day, and it is linked to S3",
        "set them to 0 days and export to S3, or remove the link",
    ),
    (
        "storage.backups_and_an_import_path",
        "lustre-backups-without-s3",
        "backups are kept 7 days, and it is linked to S3",
        "set them to 0 days and export to S3, or remove the link",
    ),
    (
        "storage.a_cache_before_ssd",
        "lustre-disk-fits-type",
        "a drive cache (READ) before SSD",
        "remove it: only hard disks have one",
    ),
    (
        "storage.a_type_nobody_knows",
        "lustre-disk-fits-type",
        "'PERSISTENT_3' is no deployment type",
        "take SCRATCH_1, SCRATCH_2, PERSISTENT_1 or PERSISTENT_2",
    ),
    (
        "storage.hard_disks_and_nothing_about_a_cache",
        "lustre-disk-fits-type",
        "hard disks, and no drive cache",
        "say NONE or READ",
    ),
    (
        "storage.hard_disks_on_persistent_2",
        "lustre-disk-fits-type",
        "PERSISTENT_2 on HDD",
        "take SSD, or PERSISTENT_1 for HDD",
    ),
    (
        "storage.efa_on_scratch",
        "lustre-efa-allowed",
        "EFA on SCRATCH_2",
        "take PERSISTENT_2, or do without EFA",
    ),
    (
        "storage.efa_without_metadata",
        "lustre-efa-allowed",
        "EFA without a metadata configuration",
        "add one (mode AUTOMATIC), or do without EFA",
    ),
    (
        "storage.a_file_system_with_efa_open_to_the_whole_world_only",
        "lustre-efa-traffic-open",
        "EFA traffic does not pass between security group fsx and itself and the EFA interfaces of workers",
        "give both groups rules for all protocols (-1) that name the other",
    ),
    (
        "storage.a_file_system_with_efa_that_nodes_do_not_let_in",
        "lustre-efa-traffic-open",
        "EFA traffic does not pass between security group fsx and the EFA interfaces of workers",
        "give both groups rules for all protocols (-1) that name the other",
    ),
    (
        "storage.a_file_system_with_efa_whose_group_is_closed",
        "lustre-efa-traffic-open",
        "EFA traffic does not pass between security group fsx and itself and the EFA interfaces of workers",
        "give both groups rules for all protocols (-1) that name the other",
    ),
    (
        "storage.an_export_path_alone",
        "lustre-import-path-complete",
        "exportPath without an importPath",
        "name the importPath, or remove exportPath",
    ),
    (
        "storage.an_import_path_on_persistent_2",
        "lustre-import-path-complete",
        "importPath on PERSISTENT_2",
        "make a data repository association of it",
    ),
    (
        "storage.one_for_a_vpc_that_is_made_new",
        "lustre-in-cluster-vpc",
        "fs-0123456789abcdef0 exists, and the cluster's VPC is made new",
        "make the file system here too, or use its VPC (network: existing)",
    ),
    (
        "storage.one_in_another_vpc",
        "lustre-in-cluster-vpc",
        "fs-0123456789abcdef0 is in vpc-0fffffffffffffff0, the cluster in vpc-0123456789abcdef0",
        "name a file system in vpc-0123456789abcdef0, or put the cluster there",
    ),
    (
        "storage.fsx_in_another_zone",
        "lustre-in-training-zone",
        "FSx in another zone: the file system is in us-west-2b, the nodes that train are in us-west-2a",
        "put it into us-west-2a (zone: us-west-2a)",
    ),
    (
        "storage.fsx_in_another_zone_than_the_group_that_trains",
        "lustre-in-training-zone",
        "FSx in another zone: the file system is in us-west-2b, the nodes that train are in us-west-2a",
        "put it into us-west-2a (zone: us-west-2a)",
    ),
    (
        "storage.one_in_another_zone",
        "lustre-in-training-zone",
        "FSx in another zone: the file system is in us-west-2b, the nodes that train are in us-west-2a",
        "use one in us-west-2a, or put a training group into us-west-2b",
    ),
    (
        "storage.one_in_another_zone_than_declared",
        "lustre-in-training-zone",
        "FSx in another zone: the file system is in us-west-2b, the nodes that train are in us-west-2a",
        "use one in us-west-2a, or put a training group into us-west-2b",
    ),
    (
        "storage.a_key_not_yet_known_on_scratch",
        "lustre-key-and-backups-persistent",
        "a KMS key on SCRATCH_2",
        "remove the key, or take a persistent type",
    ),
    (
        "storage.metadata_automatic_and_a_number",
        "lustre-metadata-fits-type",
        "3000 metadata IOPS beside AUTOMATIC",
        "remove one of the two",
    ),
    (
        "storage.metadata_automatic_on_intelligent_tiering",
        "lustre-metadata-fits-type",
        "AUTOMATIC metadata on INTELLIGENT_TIERING",
        "state 6000 or 12000",
    ),
    (
        "storage.metadata_in_a_mode_nobody_knows",
        "lustre-metadata-fits-type",
        "metadata mode 'MANUAL'",
        "take AUTOMATIC or USER_PROVISIONED",
    ),
    (
        "storage.metadata_of_an_odd_number",
        "lustre-metadata-fits-type",
        "9000 metadata IOPS",
        "take 1500, 3000, 6000 or a multiple of 12000 up to 192000, or let it grow by itself (6000 at 4800GiB)",
    ),
    (
        "storage.metadata_on_an_older_lustre",
        "lustre-metadata-fits-type",
        "a metadata configuration on Lustre 2.12",
        "take version 2.15",
    ),
    (
        "storage.metadata_on_scratch",
        "lustre-metadata-fits-type",
        "a metadata configuration on SCRATCH_2",
        "remove it, or take PERSISTENT_2",
    ),
    (
        "storage.metadata_without_a_number",
        "lustre-metadata-fits-type",
        "no metadata IOPS",
        "take 1500, 3000, 6000 or a multiple of 12000 up to 192000, or let it grow by itself (6000 at 4800GiB)",
    ),
    (
        "storage.one_with_its_id_for_a_mount_name",
        "lustre-mount-name-short",
        "'fs-0123456789abcdef0' has 20 characters",
        "copy LustreConfiguration.MountName of fs-0123456789abcdef0, 8 characters at most",
    ),
    (
        "storage.a_file_system_without_a_group",
        "lustre-ports-open",
        "no security group: AWS attaches the VPC's default one, which lets no node in",
        "attach a group with rules for TCP 988 and 1018 to 1023",
    ),
    (
        "storage.a_foreign_file_system_closed_to_the_nodes",
        "lustre-ports-open",
        "security group fsx does not let pass TCP 988 and 1018 to 1023 in from and out to the nodes of workers",
        "give fsx rules for them that name the other group",
    ),
    (
        "storage.one_that_lets_nobody_in",
        "lustre-ports-open",
        "fs-0123456789abcdef0 does not let the nodes of workers in on TCP 988 and 1018 to 1023",
        "let cluster-eksCluster (EKS's own) and efa in there, or give the nodes a group that is",
    ),
    (
        "storage.port_988_alone",
        "lustre-ports-open",
        (
            "security group fsx does not let pass TCP 1018 to 1023 in from and out to itself and TCP 1018 to "
            "1023 in from and out to the nodes of workers"
        ),
        "give fsx rules for them that name the other group",
    ),
    (
        "storage.ports_closed_between_file_servers",
        "lustre-ports-open",
        "security group fsx does not let pass TCP 988 and 1018 to 1023 in from and out to itself",
        "give fsx rules for them that name the other group",
    ),
    (
        "storage.ports_closed_to_the_nodes",
        "lustre-ports-open",
        "security group fsx does not let pass TCP 988 and 1018 to 1023 in from and out to the nodes of workers",
        "give fsx rules for them that name the other group",
    ),
    (
        "storage.a_zone_without_a_subnet",
        "lustre-single-subnet",
        "the network has no private subnet in us-west-2d",
        "name a zone that has one, or add one there",
    ),
    (
        "storage.two_subnets",
        "lustre-single-subnet",
        "2 subnets: subnet-0aaaaaaaaaaaaaaaa and subnet-0eeeeeeeeeeeeeeee",
        "name the one in the nodes' zone",
    ),
    (
        "storage.a_size_of_3000",
        "lustre-size-valid",
        "3000GiB on PERSISTENT_2 (SSD)",
        "take 2400GiB or 4800GiB (1200GiB or a multiple of 2400GiB)",
    ),
    (
        "storage.a_size_of_nothing",
        "lustre-size-valid",
        "0GiB on PERSISTENT_2 (SSD)",
        "take 1200GiB (1200GiB or a multiple of 2400GiB)",
    ),
    (
        "storage.a_size_of_scratch_1_on_scratch_2",
        "lustre-size-valid",
        "3600GiB on SCRATCH_2",
        "take 2400GiB or 4800GiB (1200GiB or a multiple of 2400GiB)",
    ),
    (
        "storage.a_size_of_ssd_on_hard_disks",
        "lustre-size-valid",
        "2400GiB on PERSISTENT_1 (HDD)",
        "take 6000GiB (a multiple of 6000GiB)",
    ),
    (
        "storage.a_size_too_small_for_efa",
        "lustre-size-valid",
        "4800GiB on PERSISTENT_2 (SSD) with EFA at 250 MB/s per TiB",
        "take 19200GiB (a multiple of 19200GiB)",
    ),
    (
        "storage.no_size",
        "lustre-size-valid",
        "no size",
        "state one: 1200GiB or a multiple of 2400GiB on PERSISTENT_2 (SSD)",
    ),
    (
        "storage.a_throughput_of_persistent_1_on_persistent_2",
        "lustre-throughput-fits-type",
        "a throughput of 200 on PERSISTENT_2 (SSD)",
        "take 125, 250, 500 or 1000 (MB/s per TiB)",
    ),
    (
        "storage.a_throughput_of_ssd_on_hard_disks",
        "lustre-throughput-fits-type",
        "a throughput of 50 on PERSISTENT_1 (HDD)",
        "take 12 or 40 (MB/s per TiB)",
    ),
    (
        "storage.a_throughput_on_scratch",
        "lustre-throughput-fits-type",
        "a throughput of 250 on SCRATCH_2",
        "remove it: this type takes none",
    ),
    (
        "storage.no_throughput_on_persistent",
        "lustre-throughput-fits-type",
        "no throughput on PERSISTENT_2 (SSD)",
        "take 125, 250, 500 or 1000 (MB/s per TiB)",
    ),
    (
        "storage.a_version_that_nobody_mounts",
        "lustre-version-for-clients",
        "Lustre 2.10",
        "state 2.15",
    ),
    (
        "storage.no_version_on_scratch",
        "lustre-version-for-clients",
        "no version, which makes it 2.10 on SCRATCH_2",
        "state 2.15",
    ),
    (
        "storage.one_of_a_version_that_nobody_mounts",
        "lustre-version-for-clients",
        "Lustre 2.10",
        "update it to 2.15 while nobody has it mounted",
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
        "reservation_groups.a_group_nobody_knows",
        "reservation-covers-nodes",
        (
            "the reservations of arn:aws:resource-groups:us-west-2:000000000000:group/p5 (`muster schema facts` "
            "shows the form)"
        ),
    ),
    (
        "capacity_blocks.a_block_to_buy",
        "reservation-instance-type-matches",
        (
            "the instance type of Capacity Block p5, which only its offering tells: aws ec2 "
            "describe-capacity-block-offerings"
        ),
    ),
    (
        "reservation_groups.nobody_says_whether_they_are_active",
        "reservation-usable",
        "the state of reservation group p5: cr-00000000000000001 (`muster schema facts` shows the form)",
    ),
    (
        "capacity.a_quota_of_another_family",
        "quota-covers-vcpus",
        "quota L-DB2E81BA: 192 vCPUs or more (`muster schema facts` shows the form)",
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
    ("storage.a_size_not_yet_known", "lustre-size-valid", "the size, and what kind of file system it is for"),
    (
        "storage.a_throughput_not_yet_known",
        "lustre-throughput-fits-type",
        "the throughput, and what kind of file system it is for",
    ),
    ("storage.a_type_not_yet_known", "lustre-disk-fits-type", "the deployment type and the disks"),
    (
        "storage.a_type_not_yet_known",
        "lustre-metadata-fits-type",
        "the metadata configuration, and what kind of file system it is for",
    ),
    ("storage.backups_not_yet_known_on_scratch", "lustre-key-and-backups-persistent", "whether there are backups"),
    ("storage.a_key_on_a_type_not_yet_known", "lustre-key-and-backups-persistent", "the deployment type"),
    (
        "storage.backups_and_perhaps_a_link_to_s3",
        "lustre-associations-allowed",
        "which associations are this file system's",
    ),
    (
        "storage.backups_and_perhaps_a_link_to_s3",
        "lustre-backups-without-s3",
        "whether it has backups, and links to S3",
    ),
    ("storage.a_link_on_a_type_not_yet_known", "lustre-associations-allowed", "the deployment type and the disks"),
    (
        "storage.places_not_yet_known",
        "lustre-association-paths-apart",
        "the paths of every association, and its places in S3",
    ),
    ("storage.an_import_path_on_a_type_not_yet_known", "lustre-import-path-complete", "the deployment type"),
    ("storage.efa_not_yet_known", "lustre-efa-allowed", "whether it has EFA, and its deployment type"),
    (
        "storage.a_file_system_with_efa_and_groups_not_yet_known",
        "lustre-efa-traffic-open",
        "the security groups, not known before creation",
    ),
    (
        "storage.a_file_system_with_efa_and_groups_not_yet_known",
        "lustre-ports-open",
        "the security groups, not known before creation",
    ),
    (
        "storage.fsx_in_a_subnet_nobody_knows",
        "lustre-in-training-zone",
        "the zone of subnet subnet-0eeeeeeeeeeeeeeee (`muster schema facts` shows the form)",
    ),
    ("storage.fsx_in_a_subnet_not_yet_known", "lustre-in-training-zone", "the subnet, not known before creation"),
    ("storage.fsx_in_a_subnet_not_yet_known", "lustre-single-subnet", "the subnet, not known before creation"),
    (
        "storage.fsx_beside_nodes_nobody_knows",
        "lustre-in-training-zone",
        "the zones of workers (`muster schema facts` shows the form)",
    ),
    ("storage.a_version_not_yet_known", "lustre-version-for-clients", "Lustre's version"),
    (
        "storage.ports_open_to_a_network_that_may_hold_the_nodes",
        "lustre-ports-open",
        (
            "whether security group fsx lets pass TCP 988 and 1018 to 1023 in from and out to itself and TCP 988 "
            "and 1018 to 1023 in from and out to the nodes of workers"
        ),
    ),
    (
        "storage.ports_open_to_somebody_not_yet_known",
        "lustre-ports-open",
        (
            "whether security group fsx lets pass TCP 988 and 1018 to 1023 in from itself and TCP 988 and 1018 "
            "to 1023 in from the nodes of workers"
        ),
    ),
    (
        "storage.a_file_system_in_a_group_of_another_program",
        "lustre-ports-open",
        (
            "whether security group sg-0123456789abcdef0 lets pass TCP 988 and 1018 to 1023 in from and out to "
            "itself and TCP 988 and 1018 to 1023 in from and out to the nodes of workers"
        ),
    ),
    (
        "storage.one_of_which_nothing_is_known",
        "lustre-in-cluster-vpc",
        "the VPC of file system fs-0123456789abcdef0 (`muster schema facts` shows the form)",
    ),
    (
        "storage.one_of_which_nothing_is_known",
        "lustre-ports-open",
        "whom fs-0123456789abcdef0 lets in on TCP 988 and 1018 to 1023 (`muster schema facts` shows the form)",
    ),
    (
        "storage.one_of_which_nothing_is_known",
        "lustre-version-for-clients",
        "the version of file system fs-0123456789abcdef0 (`muster schema facts` shows the form)",
    ),
    (
        "storage.one_of_which_not_even_the_zone_is_known",
        "lustre-in-training-zone",
        "the zone of file system fs-0123456789abcdef0 (`muster schema facts` shows the form)",
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
