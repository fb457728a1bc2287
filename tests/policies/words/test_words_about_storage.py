"""The words of the rules about file systems: what was found, what to do about this very thing."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
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
        "storage.one_that_is_being_made",
        "lustre-usable",
        "fs-0123456789abcdef0 is CREATING",
        "wait until it is AVAILABLE",
    ),
    (
        "storage.one_that_is_misconfigured",
        "lustre-usable",
        "fs-0123456789abcdef0 is MISCONFIGURED",
        "have its owner mend it, as its FailureDetails say, or use another",
    ),
    (
        "storage.one_that_failed",
        "lustre-usable",
        "fs-0123456789abcdef0 is FAILED",
        "name one that is AVAILABLE",
    ),
    (
        "storage.one_that_is_no_lustre",
        "lustre-usable",
        "fs-0123456789abcdef0 is a file system of type ONTAP",
        "name one of type LUSTRE",
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
"""(case, rule, what was found, what to do)."""

MISSING = [
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


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
