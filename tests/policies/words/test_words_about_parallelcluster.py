"""The words of the rules that only ParallelCluster has, of the cluster and its head node."""

from tests.policies.words.said import each_of, missed, said

WORDS = [
    (
        "parallelcluster.a_cluster_named_with_an_underscore",
        "parallelcluster-name-legal",
        "'ml_cluster' is no name for a cluster of ParallelCluster",
        "begin with a letter, and take letters, digits and dashes; without `name` a cluster has its stack's",
    ),
    (
        "parallelcluster.a_cluster_named_in_61_letters",
        "parallelcluster-name-legal",
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' has 61 letters; ParallelCluster takes 60",
        "take a name of 60 letters at most",
    ),
    (
        "parallelcluster.a_cluster_named_in_41_letters_with_accounting",
        "parallelcluster-name-legal",
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' has 41 letters; ParallelCluster takes 40 beside accounting",
        "take a name of 40 letters at most",
    ),
    (
        "parallelcluster.a_cluster_named_like_its_stack",
        "parallelcluster-name-legal",
        "the cluster and the CloudFormation stack that makes it are both called 'ml'",
        "call one of them otherwise",
    ),
    (
        "parallelcluster.a_cluster_without_a_name",
        "parallelcluster-name-legal",
        "the cluster of slurm has no name",
        "give it one, as in training",
    ),
    (
        "parallelcluster.amazon_linux_2",
        "parallelcluster-os-supported",
        "'alinux2' is an operating system that ParallelCluster 3.16 no longer has",
        "write alinux2023, which replaces it",
    ),
    (
        "parallelcluster.an_os_of_a_typing_error",
        "parallelcluster-os-supported",
        "'ubuntu2240' is no operating system of ParallelCluster's; did you mean 'ubuntu2404'?",
        "write alinux2023, ubuntu2204, ubuntu2404, rhel8, rhel9, rocky8 or rocky9",
    ),
    (
        "parallelcluster.no_os",
        "parallelcluster-os-supported",
        "no operating system is named",
        "write alinux2023, ubuntu2204, ubuntu2404, rhel8, rhel9, rocky8 or rocky9",
    ),
    (
        "parallelcluster.rocky_linux_without_an_image",
        "parallelcluster-image-made-for-os",
        "ParallelCluster publishes no image of rocky9, and no other is named",
        "name the one that `pcluster build-image` made for you, or take another operating system",
    ),
    (
        "parallelcluster.an_image_of_another_version",
        "parallelcluster-image-of-version",
        "ami-0123456789abcdef0 was built by ParallelCluster 3.15.0, the cluster is of 3.16.1",
        "build it anew with 3.16.1 (`muster pcluster image` prints what to build)",
    ),
    (
        "parallelcluster.an_image_of_another_os",
        "parallelcluster-image-of-version",
        "ami-0123456789abcdef0 has ubuntu2204, the cluster alinux2023",
        "write ubuntu2204, or take an image of alinux2023",
    ),
    (
        "parallelcluster.an_image_of_the_head_node_alone",
        "parallelcluster-image-of-version",
        "ami-0123456789abcdef0 was built by ParallelCluster 3.14.2, the cluster is of 3.16.1",
        "build it anew with 3.16.1 (`muster pcluster image` prints what to build)",
    ),
    (
        "parallelcluster.an_image_larger_than_root_volumes",
        "parallelcluster-root-volume-holds-image",
        "the head node has a root volume of 200 GiB, and ami-0123456789abcdef0 one of 201",
        "make it 201GiB or more",
    ),
    (
        "parallelcluster.an_image_larger_than_root_volumes",
        "parallelcluster-root-volume-holds-image",
        "train has a root volume of 200 GiB, and ami-0123456789abcdef0 one of 201",
        "make it 201GiB or more",
    ),
    (
        "parallelcluster.another_version",
        "parallelcluster-version-known",
        "a cluster of ParallelCluster 3.15.0",
        "take the provider of 3.16.1, and images built by it",
    ),
    (
        "parallelcluster.a_cluster_that_answers_imdsv1",
        "parallelcluster-imds-v2",
        "nodes answer IMDSv1 (ImdsSupport: v1.0)",
        "write ImdsSupport: v2.0",
    ),
    (
        "parallelcluster.a_head_node_whose_role_all_use",
        "parallelcluster-imds-v2",
        "every user of the head node may use its role (Imds.Secured: false)",
        "leave Imds.Secured out",
    ),
    (
        "parallelcluster.developers_settings",
        "parallelcluster-dev-settings-absent",
        "DevSettings has Cookbook",
        "leave Cookbook out; an image or scripts of your own do as much",
    ),
    (
        "parallelcluster.too_many_tags",
        "parallelcluster-tags-legal",
        "40 tags; ParallelCluster takes 39, Muster's own among them, and its provider adds one",
        "leave 1 out",
    ),
    (
        "parallelcluster.parallelclusters_own_tags",
        "parallelcluster-tags-legal",
        "tags that are not yours to set: parallelcluster:version",
        "take keys without that prefix",
    ),
    (
        "parallelcluster.a_tag_of_129_characters",
        "parallelcluster-tags-legal",
        "1 key of tags with more than 128 characters",
        "take keys of 128 characters at most",
    ),
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
    (
        "parallelcluster.a_database_with_a_scheme",
        "parallelcluster-accounting-legal",
        "'mysql://slurm.example.com' is no address of a database server",
        "write HOST or HOST:PORT alone",
    ),
    (
        "parallelcluster.a_database_at_a_path",
        "parallelcluster-accounting-legal",
        "'/slurm.example.com' is no address of a database server",
        "write HOST or HOST:PORT alone",
    ),
    (
        "parallelcluster.a_password_in_a_parameter",
        "parallelcluster-accounting-legal",
        "'arn:aws:ssm:us-west-2:111122223333:parameter/slurm' is no secret of Secrets Manager",
        "write its ARN, arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME",
    ),
    (
        "parallelcluster.a_password_in_another_region",
        "parallelcluster-accounting-legal",
        "the password's secret is in us-east-1, and the cluster in us-west-2",
        "replicate the secret to us-west-2, and write that ARN",
    ),
    (
        "parallelcluster.two_ways_of_accounting",
        "parallelcluster-accounting-legal",
        "both a database and a slurmdbd from elsewhere (ExternalSlurmdbd) are named for accounting",
        "leave Database or ExternalSlurmdbd out",
    ),
    (
        "parallelcluster.a_slurmdbd_from_elsewhere_without_its_key",
        "parallelcluster-accounting-legal",
        "a slurmdbd from elsewhere (ExternalSlurmdbd) without the munge key that it shares with the cluster",
        "write MungeKeySecretArn",
    ),
    (
        "parallelcluster.a_setting_that_is_parallelclusters",
        "parallelcluster-slurm-settings-allowed",
        "the Slurm setting SuspendTime is ParallelCluster's own",
        "leave SuspendTime out",
    ),
    (
        "parallelcluster.accounting_by_settings_beside_a_database",
        "parallelcluster-slurm-settings-allowed",
        "the Slurm setting JobAcctGatherType is ParallelCluster's own",
        "leave JobAcctGatherType out",
    ),
    (
        "parallelcluster.nodes_called_like_parallelclusters",
        "parallelcluster-slurm-settings-allowed",
        "nodes of your own are called train-st-own-[1-4]",
        "call them without -st- and -dy-",
    ),
    (
        "parallelcluster.settings_and_a_file_of_them",
        "parallelcluster-slurm-settings-allowed",
        "both CustomSlurmSettings and CustomSlurmSettingsIncludeFile are given",
        "put all settings in one of them",
    ),
    (
        "parallelcluster.ssh_from_everywhere",
        "parallelcluster-ssh-not-open-to-all",
        "port 22 of the head node is open to every address",
        "name the network you come from (ssh-from; AllowedIps to ParallelCluster), as in 203.0.113.0/24",
    ),
    (
        "parallelcluster.an_rsa_key_on_ubuntu",
        "parallelcluster-key-fits-os",
        "an RSA key (key pair ml-admins), and ubuntu2204 takes none",
        "make one with `ssh-keygen -t ed25519`, or log in by SSM",
    ),
    (
        "parallelcluster.an_rsa_key_of_the_program_on_ubuntu",
        "parallelcluster-key-fits-os",
        "an RSA key (key pair ours), and ubuntu2404 takes none",
        "make one with `ssh-keygen -t ed25519`, or log in by SSM",
    ),
    (
        "parallelcluster.a_head_node_with_efa",
        "parallelcluster-gdr-beside-efa",
        "the head node asks for EFA, which it cannot have",
        "leave it out, and turn EFA on in compute resources",
    ),
    (
        "parallelcluster.a_graviton_head_node",
        "parallelcluster-one-architecture",
        "workers has p5.48xlarge (x86_64), and the head node c7g.4xlarge (arm64)",
        "take a head node with x86_64, or compute nodes with arm64",
    ),
    (
        "parallelcluster.a_head_node_that_takes_an_hour",
        "parallelcluster-head-ready-in-time",
        "the head node may take 60 minutes, and CloudFormation waits 60 for the whole cluster",
        "allow 50 minutes or less, and put what takes longer into an image of your own",
    ),
    (
        "parallelcluster.a_head_node_that_takes_51_minutes",
        "parallelcluster-head-ready-in-time",
        "the head node may take 51 minutes, and CloudFormation waits 60 for the whole cluster",
        "allow 50 minutes or less, and put what takes longer into an image of your own",
    ),
    (
        "parallelcluster.a_setting_refused_with_and_without_accounting",
        "parallelcluster-slurm-settings-allowed",
        "the Slurm setting SuspendTime is ParallelCluster's own",
        "leave SuspendTime out",
    ),
    (
        "parallelcluster.scripts_that_nobody_may_read",
        "parallelcluster-scripts-readable",
        "the head node runs scripts in bucket scripts, which it may not read",
        "name the bucket in Iam.S3Access",
    ),
    (
        "parallelcluster.scripts_beside_sessions",
        "parallelcluster-scripts-readable",
        "train runs scripts in bucket scripts, which it may not read",
        "name the bucket in Iam.S3Access",
    ),
    (
        "parallelcluster.a_script_on_the_disk",
        "parallelcluster-scripts-readable",
        "the head node runs '/home/set-up.sh', which is no address of S3 or HTTPS",
        "write s3://BUCKET/KEY or https://HOST/PATH",
    ),
    (
        "parallelcluster.security_groups_in_place_of_parallelclusters",
        "parallelcluster-security-groups-alike",
        "train has security groups instead of ParallelCluster's, the head node has ParallelCluster's",
        "write AdditionalSecurityGroups, which are attached beside its own",
    ),
]

MISSING = [
    (
        "parallelcluster.a_cluster_of_nobody_knows_what_accounting",
        "parallelcluster-name-legal",
        "the name, or whether the cluster has accounting, not known before creation",
    ),
    (
        "parallelcluster.an_os_not_yet_known",
        "parallelcluster-os-supported",
        "the operating system, not known before creation",
    ),
    (
        "parallelcluster.an_image_of_which_nothing_is_known",
        "parallelcluster-image-of-version",
        "the version of ParallelCluster that built ami-0123456789abcdef0 (`muster schema facts` shows the form)",
    ),
    (
        "parallelcluster.an_image_of_which_nothing_is_known",
        "parallelcluster-root-volume-holds-image",
        "the size of ami-0123456789abcdef0 (`muster schema facts` shows the form)",
    ),
    (
        "parallelcluster.an_image_not_yet_known",
        "parallelcluster-image-of-version",
        "the image, the version or the operating system, not known before creation",
    ),
    (
        "parallelcluster.an_image_not_yet_known",
        "parallelcluster-root-volume-holds-image",
        "the image or the root volume of the head node, not known before creation",
    ),
    (
        "parallelcluster.an_image_not_yet_known",
        "parallelcluster-root-volume-holds-image",
        "the image or the root volume of train, not known before creation",
    ),
    (
        "parallelcluster.a_version_not_yet_known",
        "parallelcluster-version-known",
        "the version of ParallelCluster, which its provider's template says",
    ),
    (
        "parallelcluster.imds_not_yet_known",
        "parallelcluster-imds-v2",
        "the version of the metadata service, not known before creation",
    ),
    (
        "parallelcluster.a_head_node_of_which_nobody_knows_that",
        "parallelcluster-imds-v2",
        "whether the head node's metadata is secured, not known before creation",
    ),
    (
        "parallelcluster.developers_settings_not_yet_known",
        "parallelcluster-dev-settings-absent",
        "DevSettings, not known before creation",
    ),
    ("parallelcluster.tags_not_yet_known", "parallelcluster-tags-legal", "the tags of ml, not known before creation"),
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
        "parallelcluster.a_database_not_yet_known",
        "parallelcluster-accounting-legal",
        "the database or the secret of accounting, not known before creation",
    ),
    (
        "parallelcluster.a_setting_of_accounting_that_there_may_be",
        "parallelcluster-slurm-settings-allowed",
        "whether there is accounting, not known before creation: with it JobAcctGatherType is ParallelCluster's own",
    ),
    (
        "parallelcluster.two_storages_of_nobody_knows_what",
        "parallelcluster-storage-within-limits",
        "what kind 2 shared storages are of, not known before creation",
    ),
    (
        "parallelcluster.an_image_whose_os_nobody_says",
        "parallelcluster-image-of-version",
        "the operating system of ami-0123456789abcdef0 (`muster schema facts` shows the form)",
    ),
    (
        "parallelcluster.settings_not_yet_known",
        "parallelcluster-slurm-settings-allowed",
        "the Slurm settings of ml, not known before creation",
    ),
    (
        "parallelcluster.ssh_from_nobody_knows_where",
        "parallelcluster-ssh-not-open-to-all",
        "the networks that reach the head node, not known before creation",
    ),
    (
        "parallelcluster.a_key_on_ubuntu_of_which_nothing_is_known",
        "parallelcluster-key-fits-os",
        "whether key pair ml-admins is RSA or ED25519 (`muster schema facts` shows the form)",
    ),
    (
        "parallelcluster.a_key_not_yet_known",
        "parallelcluster-key-fits-os",
        "the key pair or the operating system, not known before creation",
    ),
    (
        "parallelcluster.a_head_node_of_a_type_not_yet_known",
        "parallelcluster-mount-dirs-apart",
        "the instance type, not known before creation",
    ),
    (
        "parallelcluster.a_head_node_of_a_type_not_yet_known",
        "parallelcluster-one-architecture",
        "the instance type, not known before creation",
    ),
    (
        "parallelcluster.a_head_node_for_nobody_knows_how_many",
        "nodes-in-order",
        "the numbers of nodes, not known before creation",
    ),
    (
        "parallelcluster.a_head_node_for_nobody_knows_how_many",
        "parallelcluster-shared-volume-serves-fleet",
        "the most nodes of every compute resource, not known before creation",
    ),
    (
        "parallelcluster.a_head_node_for_nobody_knows_how_many",
        "subnet-holds-all-nodes",
        "the numbers of nodes, not known before creation",
    ),
    (
        "parallelcluster.a_head_node_that_takes_nobody_knows_how_long",
        "parallelcluster-head-ready-in-time",
        "how long the head node may take, not known before creation",
    ),
    (
        "parallelcluster.scripts_beside_a_policy_of_ours",
        "parallelcluster-scripts-readable",
        "whether the role of train may read bucket scripts",
    ),
    (
        "parallelcluster.scripts_of_a_role_of_ones_own",
        "parallelcluster-scripts-readable",
        "whether the role of the head node may read bucket scripts",
    ),
    (
        "parallelcluster.scripts_not_yet_known",
        "parallelcluster-scripts-readable",
        "the scripts of the head node, not known before creation",
    ),
    (
        "parallelcluster.a_script_at_an_address_not_yet_known",
        "parallelcluster-scripts-readable",
        "the scripts of train, not known before creation",
    ),
    (
        "parallelcluster.rights_not_yet_known",
        "parallelcluster-scripts-readable",
        "what the head node may read, not known before creation",
    ),
]


@each_of("case, rule, got, remedy", WORDS)
def test_words(case: str, rule: str, got: str, remedy: str) -> None:
    """What was found, and what to do about this very thing."""
    assert (got, remedy) in said(case, rule)


@each_of("case, rule, missing", MISSING)
def test_what_was_missing(case: str, rule: str, missing: str) -> None:
    """What a rule lacked."""
    assert missing in missed(case, rule)
