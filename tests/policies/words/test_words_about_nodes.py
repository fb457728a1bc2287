"""The words of the rules about nodes, their pods, addresses, updates and repair: what was found, what to do."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "nodes.nobody_tells_the_kubelet_of_efa_only_on_card_0",
        "max-pods-within-addresses",
        (
            "user data says no number of pods, the kubelet takes 100; p5.48xlarge has addresses for 51 "
            "with these interfaces"
        ),
        "set maxPods to 51 in user data",
    ),
    (
        "nodes.one_pod_more_than_addresses",
        "max-pods-within-addresses",
        "user data says 52; p5.48xlarge has addresses for 51 with these interfaces",
        "set maxPods to 51 in user data",
    ),
    (
        "nodes.more_pods_than_eks_takes",
        "max-pods-within-addresses",
        "user data says 251; on p4d.24xlarge EKS takes 250 at most",
        "set maxPods to 250 in user data",
    ),
    (
        "nodes.nobody_tells_the_kubelet_of_nodes_without_eks_own_limit",
        "max-pods-within-addresses",
        (
            "user data says no number of pods, the kubelet takes 737; p4d.24xlarge has addresses for 688 "
            "with these interfaces"
        ),
        "set maxPods to 688 in user data",
    ),
    (
        "nodes.two_nodes_in_a_subnet_for_one",
        "subnet-holds-nodes",
        (
            "its 2 nodes with the control plane take 106 addresses of subnet-0aaaaaaaaaaaaaaaa at first; "
            "105 are free there"
        ),
        "give the group a larger subnet, or start with 1 node at most",
    ),
    (
        "nodes.a_subnet_for_no_node",
        "subnet-holds-nodes",
        "its 1 node with the control plane take 56 addresses of subnet-0aaaaaaaaaaaaaaaa at first; 20 are free there",
        "give the group a larger subnet",
    ),
    (
        "nodes.two_nodes_beside_a_control_plane_that_is_there_already",
        "subnet-holds-all-nodes",
        "its 2 nodes take 480 addresses of subnet-0aaaaaaaaaaaaaaaa at most; 120 are free there",
        "give the group a larger subnet",
    ),
    (
        "nodes.room_for_the_nodes_at_first_only",
        "subnet-holds-all-nodes",
        "its 3 nodes with the control plane take 156 addresses of subnet-0aaaaaaaaaaaaaaaa at most; 106 are free there",
        "give the group a larger subnet, or let it grow to 2 nodes at most",
    ),
    (
        "nodes.p4d_full_of_pods",
        "subnet-holds-all-nodes",
        "its 2 nodes with the control plane take 606 addresses of subnet-0aaaaaaaaaaaaaaaa at most; 500 are free there",
        "give the group a larger subnet, or let it grow to 1 node at most",
    ),
    (
        "nodes.two_groups_in_a_subnet_for_one",
        "subnet-holds-nodes",
        (
            "its 1 node with the control plane and those of workers take 106 addresses of "
            "subnet-0aaaaaaaaaaaaaaaa at first; 105 are free there"
        ),
        "give the group a larger subnet",
    ),
    (
        "nodes.two_groups_in_a_subnet_for_one",
        "subnet-holds-nodes",
        (
            "its 1 node with the control plane and those of others take 106 addresses of "
            "subnet-0aaaaaaaaaaaaaaaa at first; 105 are free there"
        ),
        "give the group a larger subnet",
    ),
    (
        "nodes.trn1_in_a_zone_where_nobody_saw_it",
        "instance-offered-in-zone",
        "trn1.32xlarge was seen only in usw2-az1 and usw2-az4, not in usw2-az2",
        (
            "take a zone of usw2-az1 and usw2-az4, or ask AWS: `aws ec2 describe-instance-type-offerings "
            "--location-type availability-zone-id --filters Name=instance-type,Values=trn1.32xlarge "
            "--region us-west-2`"
        ),
    ),
    (
        "nodes.hpc7a_where_nobody_saw_it_in_the_region",
        "instance-offered-in-zone",
        "hpc7a.96xlarge was seen nowhere in us-west-2",
        (
            "take another Region, or ask AWS: `aws ec2 describe-instance-type-offerings --location-type "
            "availability-zone-id --filters Name=instance-type,Values=hpc7a.96xlarge --region us-west-2`"
        ),
    ),
    (
        "nodes.a_number_and_a_percentage_of_an_update",
        "update-limits-single",
        "maxUnavailable and maxUnavailablePercentage together",
        "remove one of them",
    ),
    (
        "nodes.an_update_of_nothing",
        "update-limits-single",
        "maxUnavailable 0",
        "make maxUnavailable 1 at least and 100 at most",
    ),
    (
        "nodes.an_update_of_more_than_all",
        "update-limits-single",
        "maxUnavailablePercentage 101",
        "make maxUnavailablePercentage 1 at least and 100 at most",
    ),
    (
        "nodes.a_count_and_a_percentage_of_repairs",
        "node-repair-limits-single",
        "maxParallelNodesRepairedCount and maxParallelNodesRepairedPercentage together",
        "remove one of them",
    ),
    (
        "nodes.no_repair_at_a_time",
        "node-repair-limits-single",
        "maxParallelNodesRepairedCount 0",
        "make maxParallelNodesRepairedCount 1 at least",
    ),
    (
        "nodes.more_repairs_than_all_at_a_time",
        "node-repair-limits-single",
        "maxParallelNodesRepairedPercentage 101",
        "make maxParallelNodesRepairedPercentage 1 at least and 100 at most",
    ),
    (
        "nodes.a_range_that_nobody_moves_in",
        "scaling-range-without-autoscaler",
        "min 1 and max 2, and nothing is said to move between them",
        "say `nodes: 1`, or scaled-by: autoscaler (or you) beside min and max",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "nodes.user_data_not_yet_known",
        "max-pods-within-addresses",
        "what user data tells the kubelet, not known before creation",
    ),
    (
        "nodes.more_pods_with_a_cni_not_yet_known",
        "max-pods-within-addresses",
        "whether the VPC CNI gives interfaces prefixes (ENABLE_PREFIX_DELEGATION)",
    ),
    (
        "nodes.a_subnet_of_which_nobody_says_its_room",
        "subnet-holds-nodes",
        "the free addresses of subnet-0aaaaaaaaaaaaaaaa (`muster schema facts` shows the form)",
    ),
    (
        "nodes.trn1_in_a_zone_without_id",
        "instance-offered-in-zone",
        (
            "the zone ids of subnet-0aaaaaaaaaaaaaaaa (the network's zone-ids say them too) (`muster "
            "schema facts` shows the form)"
        ),
    ),
    (
        "nodes.trn1_in_subnets_not_yet_known",
        "instance-offered-in-zone",
        "the subnets, not known before creation",
    ),
    (
        "nodes.an_update_of_a_number_not_yet_known",
        "update-limits-single",
        "maxUnavailable, not known before creation",
    ),
    (
        "nodes.repairs_of_a_number_not_yet_known",
        "node-repair-limits-single",
        "maxParallelNodesRepairedCount, not known before creation",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
