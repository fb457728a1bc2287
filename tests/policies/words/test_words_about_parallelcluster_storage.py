"""The words of the rules about ParallelCluster's shared storage."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "parallelcluster.a_storage_named_default",
        "parallelcluster-storage-names-legal",
        "'default' is no name for a shared storage",
        "take up to 30 letters, digits and dashes, and another word than default",
    ),
    (
        "parallelcluster.a_storage_named_in_31_letters",
        "parallelcluster-storage-names-legal",
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' (31 characters) is no name for a shared storage",
        "take up to 30 letters, digits and dashes, and another word than default",
    ),
    (
        "parallelcluster.a_storage_without_a_name",
        "parallelcluster-storage-names-legal",
        "'' is no name for a shared storage",
        "take up to 30 letters, digits and dashes, and another word than default",
    ),
    (
        "parallelcluster.two_storages_of_one_name",
        "parallelcluster-names-distinct",
        "two shared storages are called fsx",
        "leave one of them out, or rename it",
    ),
    (
        "parallelcluster.one_file_system_twice",
        "parallelcluster-names-distinct",
        "two shared storages are the one fs-0123456789abcdef0",
        "leave one of them out, or rename it",
    ),
    (
        "parallelcluster.a_storage_at_opt",
        "parallelcluster-mount-dir-usable",
        "data is to be mounted at '/opt', where it cannot be",
        "mount it at a directory of its own, as in /fsx; a description mounts storage at its name",
    ),
    (
        "parallelcluster.a_storage_at_tmp_without_a_slash",
        "parallelcluster-mount-dir-usable",
        "data is to be mounted at 'tmp', where it cannot be",
        "mount it at a directory of its own, as in /fsx; a description mounts storage at its name",
    ),
    (
        "parallelcluster.a_storage_at_a_hidden_directory",
        "parallelcluster-mount-dir-usable",
        "data is to be mounted at '/.data', where it cannot be",
        "mount it at a directory of its own, as in /fsx; a description mounts storage at its name",
    ),
    (
        "parallelcluster.two_storages_at_one_directory",
        "parallelcluster-mount-dirs-apart",
        "fsx is mounted at /fsx, and data at /fsx",
        "mount one of them elsewhere",
    ),
    (
        "parallelcluster.a_storage_in_another",
        "parallelcluster-mount-dirs-apart",
        "fsx is mounted at /fsx, and data at /fsx/data",
        "mount one of them elsewhere",
    ),
    (
        "parallelcluster.a_storage_over_the_nvme_disks",
        "parallelcluster-mount-dirs-apart",
        "data is mounted at /local_scratch, and the NVMe disks of train at /local_scratch",
        "mount the storage elsewhere; a description mounts it at its name",
    ),
    (
        "parallelcluster.a_storage_in_the_nvme_disks",
        "parallelcluster-mount-dirs-apart",
        "data is mounted at /local_scratch/data, and the NVMe disks of train at /local_scratch",
        "mount the storage elsewhere; a description mounts it at its name",
    ),
    (
        "parallelcluster.a_storage_where_the_head_nodes_disks_are",
        "parallelcluster-mount-dirs-apart",
        "scratch is mounted at /scratch, and the NVMe disks of the head node at /scratch",
        "mount the storage elsewhere; a description mounts it at its name",
    ),
    (
        "parallelcluster.two_file_systems_that_parallelcluster_makes",
        "parallelcluster-storage-within-limits",
        "2 new FSx file systems; ParallelCluster takes 1",
        "make the others beside the cluster, and mount them by their id",
    ),
    (
        "parallelcluster.six_volumes",
        "parallelcluster-storage-within-limits",
        "6 EBS volumes; ParallelCluster takes 5",
        "mount what is on them from one file system",
    ),
    (
        "parallelcluster.two_raids",
        "parallelcluster-storage-within-limits",
        "2 RAID volumes; ParallelCluster takes 1",
        "mount what is on them from one file system",
    ),
    (
        "parallelcluster.two_elastic_file_systems",
        "parallelcluster-storage-within-limits",
        "2 new EFS file systems; ParallelCluster takes 1",
        "make the others beside the cluster, and mount them by their id",
    ),
    (
        "parallelcluster.a_file_system_that_goes_with_the_cluster",
        "parallelcluster-data-kept",
        "fsx is deleted with the cluster",
        "write DeletionPolicy: Retain, or make it beside the cluster and name its FileSystemId",
    ),
    (
        "parallelcluster.a_volume_of_no_type",
        "parallelcluster-volumes-legal",
        "apps: there are no volumes of type 'gp9'",
        "write gp3",
    ),
    (
        "parallelcluster.a_small_cold_volume",
        "parallelcluster-volumes-legal",
        "apps: sc1 volumes have no 200 GiB",
        "take 500 to 16384 GiB",
    ),
    (
        "parallelcluster.a_large_old_volume",
        "parallelcluster-volumes-legal",
        "apps: standard volumes have no 2000 GiB",
        "take 1 to 1024 GiB",
    ),
    (
        "parallelcluster.iops_on_gp2",
        "parallelcluster-volumes-legal",
        "apps: gp2 volumes take no IOPS",
        "leave IOPS out",
    ),
    (
        "parallelcluster.too_many_iops_for_the_size",
        "parallelcluster-volumes-legal",
        "apps: a volume of type gp3 with 6000 IOPS",
        "take 3000 to 5000 for its size",
    ),
    (
        "parallelcluster.a_gp3_volume_of_5_gib",
        "parallelcluster-volumes-legal",
        "apps: a volume of type gp3 of 5 GiB",
        "take 6 GiB or more, for its IOPS",
    ),
    (
        "parallelcluster.too_few_iops",
        "parallelcluster-volumes-legal",
        "apps: a volume of type gp3 with 100 IOPS",
        "take 3000 to 16000 for its size",
    ),
    (
        "parallelcluster.too_much_throughput_for_the_iops",
        "parallelcluster-volumes-legal",
        "apps: a volume of type gp3 with 1000 MB/s",
        "take 125 to 750 for its IOPS",
    ),
    (
        "parallelcluster.little_throughput",
        "parallelcluster-volumes-legal",
        "apps: a volume of type gp3 with 100 MB/s",
        "take 125 to 750 for its IOPS",
    ),
    (
        "parallelcluster.a_large_root_volume",
        "parallelcluster-volumes-legal",
        "the head node: gp3 volumes have no 20000 GiB",
        "take 1 to 16384 GiB",
    ),
    (
        "parallelcluster.a_queues_root_volume",
        "parallelcluster-volumes-legal",
        "train: a volume of type io1 with 9000 IOPS",
        "take 100 to 5000 for its size",
    ),
]


MISSING = [
    (
        "parallelcluster.a_storage_of_a_name_not_yet_known",
        "parallelcluster-storage-names-legal",
        "the name of a shared storage, not known before creation",
    ),
    (
        "parallelcluster.storage_not_yet_known",
        "parallelcluster-storage-names-legal",
        "the shared storage, not known before creation",
    ),
    (
        "parallelcluster.a_storage_at_a_directory_not_yet_known",
        "parallelcluster-mount-dir-usable",
        "where data is mounted, not known before creation",
    ),
    (
        "parallelcluster.disks_mounted_nobody_knows_where",
        "parallelcluster-mount-dirs-apart",
        "where the disks of train are mounted, not known yet",
    ),
    (
        "parallelcluster.disks_of_a_type_that_nobody_knows",
        "parallelcluster-mount-dirs-apart",
        "the hardware of x9.huge, which is not catalogued",
    ),
    (
        "parallelcluster.disks_of_a_type_that_nobody_knows",
        "parallelcluster-one-architecture",
        "the hardware of x9.huge, which is not catalogued",
    ),
    (
        "parallelcluster.a_file_system_that_nobody_knows_what_becomes_of",
        "parallelcluster-data-kept",
        "the deletion policy of fsx, not known before creation",
    ),
    (
        "parallelcluster.a_volume_not_yet_known",
        "parallelcluster-volumes-legal",
        "the volume of apps, not known before creation",
    ),
    (
        "parallelcluster.two_storages_of_nobody_knows_what",
        "parallelcluster-storage-within-limits",
        "what kind 2 shared storages are of, not known before creation",
    ),
]


test_words = all_said(WORDS)
test_what_was_missing = all_missed(MISSING)
