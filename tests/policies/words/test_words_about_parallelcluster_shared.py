"""The words of rules that EKS has, too, about clusters on ParallelCluster."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "parallelcluster_shared.on_a_reservation_of_another_type",
        "reservation-instance-type-matches",
        "reservation cr-0123456789abcdef0 holds p4d.24xlarge, the group is of p5.48xlarge",
        "make p4d.24xlarge the group's only type, or name a reservation of what it has",
    ),
    (
        "parallelcluster_shared.on_a_reservation_in_another_zone",
        "reservation-zone-matches-subnet",
        "reservation cr-0123456789abcdef0 is in us-west-2b (AWS says so), the group's subnets are in us-west-2a",
        (
            "put its queue into us-west-2b only (zones: [us-west-2b], with a subnet there), or name a "
            "reservation in us-west-2a"
        ),
    ),
    (
        "parallelcluster_shared.red_hat_on_a_reservation_for_linux",
        "reservation-usable",
        "reservation cr-0123456789abcdef0 is for Linux/UNIX",
        "name a reservation that is active, for Red Hat Enterprise Linux and of default tenancy",
    ),
    (
        "parallelcluster_shared.red_hat_on_a_block_for_linux",
        "reservation-usable",
        "Capacity Block cr-0123456789abcdef0 is for Linux/UNIX",
        "name a Capacity Block that is for Red Hat Enterprise Linux, is paid and has not ended",
    ),
    (
        "parallelcluster_shared.a_block_named_as_a_reservation",
        "reservation-usable",
        "reservation cr-0123456789abcdef0 is a Capacity Block",
        "say capacity-block instead of reservation, or name a reservation",
    ),
    (
        "parallelcluster_shared.a_reservation_named_as_a_block",
        "reservation-usable",
        "Capacity Block cr-0123456789abcdef0 is an On-Demand Capacity Reservation",
        "say reservation instead of capacity-block, or name a block",
    ),
    (
        "parallelcluster_shared.on_a_reservation_and_a_group",
        "reservation-target-single",
        "a reservation's id and a reservation group's ARN as targets",
        "remove CapacityReservationId or CapacityReservationResourceGroupArn",
    ),
    (
        "parallelcluster_shared.outside_the_reservations_placement_group",
        "placement-group-by-provenance",
        (
            "reservation cr-0123456789abcdef0 was made in placement group theirs; the group launches in one that "
            "ParallelCluster makes"
        ),
        "name it: placement-group: theirs",
    ),
    (
        "parallelcluster_shared.a_reservation_in_a_spread_group",
        "placement-group-holds-reservations",
        "nodes on a reservation in placement group spread, whose strategy is spread",
        "make the strategy of spread cluster, or leave the placement group out",
    ),
    (
        "parallelcluster_shared.a_placement_group_in_two_zones",
        "placement-group-one-zone",
        "cluster placement group and subnets in us-west-2a and us-west-2b",
        "give it one zone (zones: [us-west-2a]), or take the placement group out",
    ),
    (
        "parallelcluster_shared.a_block_in_a_placement_group",
        "capacity-block-no-placement-group",
        "a placement group around a Capacity Block",
        "write PlacementGroup: {Enabled: false}",
    ),
    (
        "parallelcluster_shared.efa_on_m5",
        "efa-fits-instance",
        "EFA on m5.8xlarge, which has none",
        "turn it off (efa: false), or take a type with EFA",
    ),
    (
        "parallelcluster_shared.efa_in_two_zones",
        "efa-single-zone",
        "a group with EFA has subnets in us-west-2a and us-west-2b",
        "give it one zone (zones: [us-west-2a]), or a queue for each",
    ),
    (
        "parallelcluster_shared.training_without_efa",
        "efa-used-fully",
        "0 of the 1 EFA interfaces of g5.12xlarge",
        "leave efa out, or write efa: true",
    ),
    (
        "parallelcluster_shared.groups_in_place_of_parallelclusters_that_do_not_allow_themselves",
        "efa-security-groups-allow-themselves",
        (
            "own in place of ParallelCluster's own security group: no group on EFA interfaces allows all "
            "protocols from and to itself"
        ),
        (
            "give one of them rules for all protocols (-1), in and out, that name itself, or say "
            "AdditionalSecurityGroups instead of SecurityGroups"
        ),
    ),
    (
        "parallelcluster_shared.a_public_ip_beside_efa",
        "several-interfaces-no-public-ip",
        "AssignPublicIp, and 33 interfaces on p5.48xlarge",
        "set AssignPublicIp to false, and reach the nodes through NAT",
    ),
    (
        "parallelcluster_shared.several_cards_in_a_public_subnet",
        "several-interfaces-private-subnets",
        "its nodes can have no public IP address, and subnet-0aaaaaaaaaaaaaaaa is a public subnet",
        "use private subnets (subnets: private)",
    ),
    (
        "parallelcluster_shared.more_nodes_than_addresses",
        "subnet-holds-nodes",
        "its 4 nodes take 4 addresses of subnet-0aaaaaaaaaaaaaaaa at first; 3 are free there",
        "give the group a larger subnet, or start with 3 nodes at most",
    ),
    (
        "parallelcluster_shared.a_queue_without_subnets",
        "group-has-subnet",
        "the network lists no subnet of the group's kind",
        "list such subnets in the network, or take the others (subnets: private)",
    ),
    (
        "parallelcluster_shared.a_queue_in_a_zone_without_subnets",
        "group-has-subnet",
        "the network lists no private subnet in us-west-2c (subnets there are in us-west-2a and us-west-2b)",
        "list one there in the network, or name another zone",
    ),
    (
        "parallelcluster_shared.a_queue_in_another_zone_than_its_reservation",
        "group-has-subnet",
        "the queue is in us-west-2c, and the reservation of workers in us-west-2a",
        "write zones: [us-west-2a], or leave zones out",
    ),
    (
        "parallelcluster_shared.a_head_node_without_a_subnet",
        "group-has-subnet",
        (
            "the network lists no subnet for the head node where it is to be (subnets there are in us-west-2a and "
            "us-west-2b)"
        ),
        "name a zone that has one (zone), or the other kind (subnets)",
    ),
    (
        "parallelcluster_shared.a_queue_with_a_subnet_in_one_of_its_zones",
        "group-has-subnet",
        "the network lists no private subnet in us-west-2c",
        "list one there in the network, or take the zone out",
    ),
    (
        "parallelcluster_shared.more_nodes_at_least_than_at_most",
        "nodes-in-order",
        "min 5, max 4",
        "make min at most max",
    ),
    (
        "parallelcluster_shared.efa_on_spot",
        "spot-not-for-training",
        "a compute resource with EFA on spot instances",
        "take on-demand or reserved capacity, or give it no EFA",
    ),
    (
        "parallelcluster_shared.lustre_that_lets_no_node_in",
        "lustre-ports-open",
        (
            "security group fsx does not let pass TCP 988 and 1018 to 1023 in from and out to the head node and "
            "TCP 988 and 1018 to 1023 in from and out to the nodes of workers"
        ),
        "give fsx rules for them that name the other group",
    ),
    (
        "parallelcluster_shared.a_template_that_is_none",
        "parallelcluster-template-readable",
        "no template",
        "write one",
    ),
]


test_what_is_said = all_said(WORDS)


MISSED = [
    (
        "parallelcluster_shared.an_operating_system_not_yet_known_on_a_reservation",
        "reservation-usable",
        "the cluster's operating system, which reservation cr-0123456789abcdef0 must be for",
    ),
    (
        "parallelcluster_shared.a_block_perhaps_in_a_placement_group",
        "capacity-block-no-placement-group",
        "whether it is in a placement group, not known before creation",
    ),
    (
        "parallelcluster_shared.groups_of_others_in_place_of_parallelclusters",
        "efa-security-groups-allow-themselves",
        "the rules of security group sg-0123456789abcdef0 (`muster schema facts` shows the form)",
    ),
    (
        "parallelcluster_shared.one_of_two_subnets_of_which_one_is_public",
        "several-interfaces-private-subnets",
        "the subnets, not known before creation",
    ),
    (
        "parallelcluster_shared.a_template_not_yet_known",
        "parallelcluster-template-readable",
        "its template, not known before creation",
    ),
]


test_what_is_missing = all_missed(MISSED)
