"""The words of the rules that only ParallelCluster has, of queues and compute resources."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "parallelcluster_queues.a_queue_named_default",
        "parallelcluster-names-legal",
        "'default' is no name for a queue",
        "take another than default",
    ),
    (
        "parallelcluster_queues.a_queue_named_in_26_letters",
        "parallelcluster-names-legal",
        "'aaaaaaaaaaaaaaaaaaaaaaaaaa' (26 characters) is no name for a queue",
        "begin with a letter, take up to 25 lower-case letters, digits and dashes",
    ),
    (
        "parallelcluster_queues.a_resource_named_in_capitals",
        "parallelcluster-names-legal",
        "'Workers' is no name for a compute resource",
        "begin with a letter, take up to 25 lower-case letters, digits and dashes",
    ),
    (
        "parallelcluster_queues.a_queue_without_a_name",
        "parallelcluster-names-legal",
        "the queue train has no name",
        "give the queue one, as in training",
    ),
    (
        "parallelcluster_queues.two_queues_of_one_name",
        "parallelcluster-names-distinct",
        "two queues are called train",
        "leave one of them out, or rename it",
    ),
    (
        "parallelcluster_queues.two_resources_of_one_name",
        "parallelcluster-names-distinct",
        "two compute resources of train are called workers",
        "leave one of them out, or rename it",
    ),
    (
        "parallelcluster_queues.too_many_queues",
        "parallelcluster-counts-within-limits",
        "51 queues; ParallelCluster takes 50",
        "leave 1 out, or make a second cluster",
    ),
    (
        "parallelcluster_queues.too_many_resources",
        "parallelcluster-counts-within-limits",
        "51 compute resources; ParallelCluster takes 50",
        "leave 1 out, or make a second cluster",
    ),
    (
        "parallelcluster_queues.too_many_resources",
        "parallelcluster-shared-volume-serves-fleet",
        "apps is exported by the head node to 204 nodes",
        "keep programs there, and data and checkpoints on FSx for Lustre",
    ),
    (
        "parallelcluster_queues.a_queue_in_two_subnets",
        "parallelcluster-queue-one-subnet",
        "train is in subnet-0aaaaaaaaaaaaaaaa and subnet-0bbbbbbbbbbbbbbbb, and workers can be in one only",
        "name one zone, or make a queue of its own for each zone",
    ),
    (
        "parallelcluster_queues.a_queue_in_one_subnet_twice",
        "parallelcluster-queue-subnets-apart",
        "train names subnet-0aaaaaaaaaaaaaaaa twice",
        "name it once",
    ),
    (
        "parallelcluster_queues.a_queue_in_two_subnets_of_a_zone",
        "parallelcluster-queue-subnets-apart",
        "train has several subnets in us-west-2a",
        "leave one of them there",
    ),
    (
        "parallelcluster_queues.a_block_of_fewer_at_least",
        "parallelcluster-block-fixed",
        "workers is on a Capacity Block with 2 nodes at least and 4 at most",
        "write nodes: 4, which keeps as many",
    ),
    (
        "parallelcluster_queues.a_block_of_none",
        "parallelcluster-block-fixed",
        "workers is on a Capacity Block with 0 nodes at least and 4 at most",
        "write nodes: 4, which keeps as many",
    ),
    (
        "parallelcluster_queues.a_block_without_its_id",
        "parallelcluster-block-fixed",
        "workers is on a Capacity Block without its reservation's id",
        "name the block by its id, as in cr-0123456789abcdef0",
    ),
    (
        "parallelcluster_queues.a_capacity_type_of_another_service",
        "parallelcluster-capacity-type-known",
        "train has capacity type 'ON_DEMAND'",
        "write ONDEMAND, SPOT or CAPACITY_BLOCK",
    ),
    (
        "parallelcluster_queues.spot_on_a_reservation",
        "parallelcluster-spot-without-reservation",
        "workers asks for spot instances and names a reservation",
        "write CapacityType: ONDEMAND, or leave the reservation out",
    ),
    (
        "parallelcluster_queues.a_list_on_a_reservation",
        "parallelcluster-reservation-single-type",
        "workers has a list of instance types and a reservation by its id",
        "write InstanceType, or name a resource group of reservations",
    ),
    (
        "parallelcluster_queues.a_list_of_types_that_differ",
        "parallelcluster-types-alike",
        "workers lists types with different numbers of vCPUs: p4d.24xlarge 96 and p5.48xlarge 192",
        "list types with as many, or one alone",
    ),
    (
        "parallelcluster_queues.a_list_of_types_that_differ_with_one_thread_on_each_core",
        "parallelcluster-types-alike",
        "workers lists types with different numbers of vCPUs: p4d.24xlarge 48 and p5.48xlarge 96",
        "list types with as many, or one alone",
    ),
    (
        "parallelcluster_queues.a_strategy_of_spot",
        "parallelcluster-allocation-strategy-fits",
        "train has capacity type ONDEMAND and allocation strategy 'capacity-optimized'",
        "write lowest-price or prioritized",
    ),
    (
        "parallelcluster_queues.a_strategy_of_a_block",
        "parallelcluster-allocation-strategy-fits",
        "train has capacity type CAPACITY_BLOCK and allocation strategy 'lowest-price'",
        "leave the strategy out",
    ),
    (
        "parallelcluster_queues.efa_without_a_word_of_placement",
        "parallelcluster-efa-placement-stated",
        "workers has EFA and says nothing of a placement group",
        "write PlacementGroup.Enabled: true, or false where the reservation has a placement of its own",
    ),
    (
        "parallelcluster_queues.placement_by_name_and_id",
        "parallelcluster-placement-named-once",
        "workers gives a placement group's name and its id",
        "leave PlacementGroup.Id out",
    ),
    (
        "parallelcluster_queues.placement_that_is_named_and_off",
        "parallelcluster-placement-named-once",
        "workers names a placement group and turns it off",
        "leave its name out, or write Enabled: true",
    ),
    (
        "parallelcluster_queues.gpudirect_without_efa",
        "parallelcluster-gdr-beside-efa",
        "workers asks for GPUDirect without EFA",
        "turn EFA on, or leave GdrSupport out",
    ),
    (
        "parallelcluster_queues.more_memory_than_there_is",
        "parallelcluster-memory-within-instance",
        "workers promises 4194304 MiB, p5.48xlarge has 2097152",
        "write 1992294MiB or less, or leave it out",
    ),
    (
        "parallelcluster_queues.more_memory_than_the_least_of_two_types",
        "parallelcluster-memory-within-instance",
        "workers promises 1179649 MiB, p4d.24xlarge has 1179648",
        "write 1120665MiB or less, or leave it out",
    ),
    (
        "parallelcluster_queues.no_memory_at_all",
        "parallelcluster-memory-within-instance",
        "workers promises 0 MiB, p5.48xlarge has 2097152",
        "write 1992294MiB or less, or leave it out",
    ),
    (
        "parallelcluster_queues.arm_beside_x86",
        "parallelcluster-one-architecture",
        "workers has p6e-gb200.36xlarge (arm64), and the head node m5.8xlarge (x86_64)",
        "take a head node with arm64, or compute nodes with x86_64",
    ),
    (
        "parallelcluster_queues.arm_on_red_hat",
        "parallelcluster-os-runs-type",
        "workers has p6e-gb200.36xlarge, which does not run rhel9",
        "take os: alinux2023, ubuntu2204, ubuntu2404 or rocky9",
    ),
    (
        "parallelcluster_queues.a_v100_on_parallelclusters_image",
        "parallelcluster-image-drives-type",
        "workers has p3dn.24xlarge, whose GPUs the driver in ParallelCluster's own images does not know",
        "give an image of your own with NVIDIA's closed driver (image: ami-...), or take a newer type",
    ),
    (
        "parallelcluster_queues.trainium_without_a_driver",
        "parallelcluster-neuron-software",
        "workers has trn1.32xlarge, and nothing brings the Neuron driver",
        "name an image that has the Neuron SDK, or install it by a script (post-install)",
    ),
    (
        "parallelcluster_queues.more_than_a_hundred_nodes",
        "parallelcluster-shared-volume-serves-fleet",
        "apps is exported by the head node to 101 nodes",
        "keep programs there, and data and checkpoints on FSx for Lustre",
    ),
    (
        "parallelcluster_queues.too_many_tags_together",
        "parallelcluster-tags-legal",
        "nodes of workers have 41 tags together with their queue's and the cluster's",
        "leave 1 out",
    ),
    (
        "parallelcluster_queues.a_setting_that_is_a_queues",
        "parallelcluster-slurm-settings-allowed",
        "the Slurm setting State is ParallelCluster's own",
        "leave State out",
    ),
    (
        "parallelcluster_queues.a_setting_that_is_a_nodes",
        "parallelcluster-slurm-settings-allowed",
        "the Slurm setting Gres is ParallelCluster's own",
        "leave Gres out",
    ),
]

MISSING = [
    (
        "parallelcluster_queues.a_resource_of_a_name_not_yet_known",
        "parallelcluster-names-legal",
        "the name of the compute resource workers, not known before creation",
    ),
    (
        "parallelcluster_queues.a_queue_in_subnets_not_yet_known",
        "parallelcluster-queue-one-subnet",
        "the subnets of train, not known before creation",
    ),
    (
        "parallelcluster_queues.a_queue_in_a_subnet_of_which_nothing_is_known",
        "parallelcluster-queue-subnets-apart",
        "the zone of subnet-nobody-knows (`muster schema facts` shows the form)",
    ),
    (
        "parallelcluster_queues.a_block_of_an_id_not_yet_known",
        "reservation-covers-nodes",
        "the reservation's id, not known before creation",
    ),
    (
        "parallelcluster_queues.a_block_of_an_id_not_yet_known",
        "reservation-instance-type-matches",
        "the reservation's id, not known before creation",
    ),
    (
        "parallelcluster_queues.a_block_of_an_id_not_yet_known",
        "reservation-zone-matches-subnet",
        "the reservation's id, not known before creation",
    ),
    (
        "parallelcluster_queues.a_block_not_yet_known",
        "parallelcluster-block-fixed",
        "the numbers of nodes or the block of workers, not known yet",
    ),
    (
        "parallelcluster_queues.a_block_not_yet_known",
        "reservation-target-single",
        "CapacityReservationTarget, not known before creation",
    ),
    (
        "parallelcluster_queues.a_capacity_type_not_yet_known",
        "parallelcluster-block-fixed",
        "the capacity type of workers, not known before creation",
    ),
    (
        "parallelcluster_queues.a_capacity_type_not_yet_known",
        "parallelcluster-capacity-type-known",
        "the capacity type of train, not known before creation",
    ),
    (
        "parallelcluster_queues.a_capacity_type_not_yet_known",
        "spot-not-for-training",
        "whether it has EFA and is on spot instances, not known before creation",
    ),
    (
        "parallelcluster_queues.spot_on_a_group_not_yet_known",
        "parallelcluster-spot-without-reservation",
        "the reservation of workers, not known before creation",
    ),
    (
        "parallelcluster_queues.a_list_on_nobody_knows_what",
        "parallelcluster-reservation-single-type",
        "the reservation of workers, not known before creation",
    ),
    (
        "parallelcluster_queues.a_list_of_types_that_nobody_knows",
        "efa-fits-instance",
        "the hardware of x9.huge, which is not catalogued",
    ),
    (
        "parallelcluster_queues.a_list_of_types_that_nobody_knows",
        "parallelcluster-mount-dirs-apart",
        "the hardware of x9.huge, which is not catalogued",
    ),
    (
        "parallelcluster_queues.a_list_of_types_that_nobody_knows",
        "parallelcluster-one-architecture",
        "the hardware of x9.huge, which is not catalogued",
    ),
    (
        "parallelcluster_queues.a_list_of_types_that_nobody_knows",
        "parallelcluster-types-alike",
        "the hardware of x9.huge, which is not catalogued",
    ),
    (
        "parallelcluster_queues.a_list_of_types_that_nobody_knows",
        "subnet-holds-nodes",
        "the hardware of x9.huge, which is not catalogued",
    ),
    ("parallelcluster_queues.types_not_yet_known", "efa-fits-instance", "instanceTypes, not known before creation"),
    (
        "parallelcluster_queues.types_not_yet_known",
        "instance-offered-in-zone",
        "instanceTypes, not known before creation",
    ),
    (
        "parallelcluster_queues.types_not_yet_known",
        "parallelcluster-mount-dirs-apart",
        "the instance type of workers, not known before creation",
    ),
    (
        "parallelcluster_queues.types_not_yet_known",
        "parallelcluster-one-architecture",
        "the instance type of workers, not known before creation",
    ),
    (
        "parallelcluster_queues.types_not_yet_known",
        "several-interfaces-private-subnets",
        "instanceTypes, not known before creation",
    ),
    ("parallelcluster_queues.types_not_yet_known", "subnet-holds-nodes", "instanceTypes, not known before creation"),
    (
        "parallelcluster_queues.a_strategy_not_yet_known",
        "parallelcluster-allocation-strategy-fits",
        "the allocation strategy of train, not known before creation",
    ),
    (
        "parallelcluster_queues.placement_not_yet_known",
        "parallelcluster-efa-placement-stated",
        "the placement of workers, not known before creation",
    ),
    (
        "parallelcluster_queues.placement_not_yet_known",
        "parallelcluster-placement-named-once",
        "the placement of workers, not known before creation",
    ),
    (
        "parallelcluster_queues.placement_that_is_named_and_nobody_knows_whether_on",
        "parallelcluster-placement-named-once",
        "whether the placement group of workers is turned off, not known before creation",
    ),
    ("parallelcluster_queues.efa_not_yet_known", "efa-single-zone", "whether it has EFA, not known before creation"),
    ("parallelcluster_queues.efa_not_yet_known", "efa-used-fully", "whether it has EFA, not known before creation"),
    (
        "parallelcluster_queues.gpudirect_with_nobody_knows",
        "parallelcluster-gdr-beside-efa",
        "whether workers has EFA, not known before creation",
    ),
    (
        "parallelcluster_queues.memory_not_yet_known",
        "parallelcluster-memory-within-instance",
        "the memory that workers promises, not known before creation",
    ),
    (
        "parallelcluster_queues.arm_on_nobody_knows_what",
        "parallelcluster-os-runs-type",
        "the operating system for p6e-gb200.36xlarge, not known before creation",
    ),
    (
        "parallelcluster_queues.arm_on_nobody_knows_what",
        "parallelcluster-os-supported",
        "the operating system, not known before creation",
    ),
    (
        "parallelcluster_queues.tags_of_a_resource_not_yet_known",
        "parallelcluster-tags-legal",
        "the tags of workers, not known before creation",
    ),
]


test_words = all_said(WORDS)
test_what_was_missing = all_missed(MISSING)
