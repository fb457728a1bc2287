"""The words in which AWS's own package is quoted."""

from tests.policies.words.said import all_missed, all_said

PRINTED = "comes of it (`muster pcluster config` prints that)"
OF_NODES = (
    "change queues.train.groups.workers.nodes: Scheduling.SlurmQueues[0].ComputeResources[0].MinCount of its "
    f"configuration {PRINTED}"
)

WORDS = [
    (
        "parallelcluster_authority.the_schema_refuses",
        "parallelcluster-schema",
        "ParallelCluster's schema says: Not a valid integer",
        OF_NODES,
    ),
    (
        "parallelcluster_authority.a_validator_refuses",
        "parallelcluster-validator",
        "ParallelCluster's ComputeResourceSizeValidator says: Min count must be lower",
        OF_NODES,
    ),
    (
        "parallelcluster_authority.a_validator_refuses_the_whole",
        "parallelcluster-validator",
        "ParallelCluster's RegionValidator says: Region 'x' is not yet officially supported",
        f"change what it is about: its configuration {PRINTED}",
    ),
    (
        "parallelcluster_authority.a_validator_warns",
        "parallelcluster-warning",
        "ParallelCluster's ComputeResourceSizeValidator says: Few nodes",
        OF_NODES,
    ),
    (
        "parallelcluster_authority.volta_on_parallelclusters_own_image",
        "parallelcluster-image-drives-type",
        "workers has p3dn.24xlarge, whose GPUs the driver in ParallelCluster's own images does not know",
        "give an image of your own with NVIDIA's closed driver (image: ami-...), or take a newer type",
    ),
]

MISSING = [
    (
        "parallelcluster_authority.volta_on_nobody_knows_what",
        "parallelcluster-image-drives-type",
        "whether workers has an image of its own",
    ),
    (
        "parallelcluster_authority.a_validator_fails",
        "parallelcluster-validator",
        "an answer that EfaValidator could work with: KeyError: 'x'",
    ),
    (
        "parallelcluster_authority.aws_cannot_be_asked",
        "parallelcluster-schema",
        "AWS's own package, aws-parallelcluster 3.16.1, is not installed; run `make setup`",
    ),
]


test_words = all_said(WORDS)
test_what_was_missing = all_missed(MISSING)
