"""The words of the rules about ParallelCluster's names, images and settings."""

from tests.policies.words.said import all_missed, all_said

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
        "parallelcluster.an_image_whose_os_nobody_says",
        "parallelcluster-image-of-version",
        "the operating system of ami-0123456789abcdef0 (`muster schema facts` shows the form)",
    ),
]


test_words = all_said(WORDS)
test_what_was_missing = all_missed(MISSING)
