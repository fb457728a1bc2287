"""The words of the rules about HyperPod's instance groups: their types, numbers, checks and quotas."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "hyperpod_groups.deep_checks_beside_a_taint",
        "hyperpod-taints-beside-deep-checks",
        "workers has deep health checks, whose pods may not tolerate team",
        "see with one node that the checks end, or leave team out while they run",
    ),
    (
        "hyperpod_groups.spot_instances_beyond_their_quota",
        "hyperpod-quota-covers-nodes",
        "workers asks for 5 instances; quota 'ml.g5.48xlarge for cluster spot usage' allows 4",
        (
            "have it raised: aws service-quotas request-service-quota-increase --service-code sagemaker "
            "--quota-code $(aws service-quotas list-aws-default-service-quotas --service-code sagemaker "
            "--query \"Quotas[?QuotaName=='ml.g5.48xlarge for cluster spot usage'].QuotaCode\" --output "
            "text) --desired-value 5; or ask for fewer"
        ),
    ),
    (
        "hyperpod_groups.spot_instances_where_groups_come_whole",
        "hyperpod-spot-needs-continuous",
        "workers is on spot, and ml-cluster is not provisioned continuously",
        "set provisioning: continuous (nodeProvisioningMode), or take on-demand",
    ),
    (
        "hyperpod_groups.a_type_that_only_ec2_has",
        "hyperpod-instance-type-taken",
        "HyperPod has no ml.p3dn.24xlarge, which workers asks for",
        "take ml.p4d.24xlarge, the nearest it has",
    ),
    (
        "hyperpod_groups.a_trn1_without_efa",
        "hyperpod-instance-type-taken",
        "HyperPod has no ml.trn1.2xlarge, which workers asks for",
        "take ml.trn1.32xlarge, the nearest it has",
    ),
    (
        "hyperpod_groups.bare_metal",
        "hyperpod-instance-type-taken",
        "HyperPod has no ml.g4dn.metal, which workers asks for",
        "take ml.g4dn.12xlarge, the nearest it has",
    ),
    (
        "hyperpod_groups.a_type_that_nobody_has",
        "hyperpod-instance-type-taken",
        "HyperPod has no ml.x9.huge, which workers asks for",
        "take a type of SageMaker's list (`aws sagemaker create-cluster help`, ClusterInstanceType)",
    ),
    (
        "hyperpod_groups.ec2s_name_of_a_type",
        "hyperpod-instance-type-taken",
        "HyperPod has no p5.48xlarge, which workers asks for",
        "take ml.p5.48xlarge, the nearest it has",
    ),
    (
        "hyperpod_groups.a_list_of_21_types",
        "hyperpod-instance-type-stated-once",
        "workers lists 21 instance types; the API takes 1 to 20",
        "list 1 to 20 of them",
    ),
    (
        "hyperpod_groups.a_type_and_a_list_of_types",
        "hyperpod-instance-type-stated-once",
        "workers has both an instanceType and instanceRequirements",
        "leave out one of the two",
    ),
    (
        "hyperpod_groups.no_type_at_all",
        "hyperpod-instance-type-stated-once",
        "workers has neither an instanceType nor instanceRequirements",
        "say its instanceType, as in ml.p5.48xlarge",
    ),
    (
        "hyperpod_groups.an_empty_list_of_types",
        "hyperpod-instance-type-stated-once",
        "workers lists 0 instance types; the API takes 1 to 20",
        "list 1 to 20 of them",
    ),
    (
        "hyperpod_groups.a_name_with_an_underscore",
        "hyperpod-names-legal",
        "'gpu_workers' is no name for a HyperPod instance group",
        "take up to 63 letters, digits and dashes, a letter or digit at either end",
    ),
    (
        "hyperpod_groups.a_name_of_64_letters",
        "hyperpod-names-legal",
        (
            "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' (64 characters) is no name "
            "for a HyperPod instance group"
        ),
        "take up to 63 letters, digits and dashes, a letter or digit at either end",
    ),
    (
        "hyperpod_groups.a_group_without_a_name",
        "hyperpod-names-legal",
        "workers has no name",
        "give the instance group one, as in workers",
    ),
    (
        "hyperpod_groups.a_clusters_name_that_ends_with_a_dash",
        "hyperpod-names-legal",
        "'ml-' is no name for a HyperPod cluster",
        "take up to 63 letters, digits and dashes, a letter or digit at either end",
    ),
    (
        "hyperpod_groups.two_groups_of_one_name",
        "hyperpod-groups-distinct",
        "ml-cluster has more than one instance group called workers",
        "give each group a name of its own",
    ),
    (
        "hyperpod_groups.a_hundred_and_one_groups",
        "hyperpod-groups-distinct",
        "ml-cluster has 101 instance groups; the API takes 100",
        "merge groups of one type, or make a second cluster",
    ),
    (
        "hyperpod_groups.a_minimum_above_the_count",
        "hyperpod-counts-in-order",
        "workers asks for 2 instances and needs 3 at least",
        "ask for 3 instances, or lower the minimum to 2",
    ),
    (
        "hyperpod_groups.more_instances_than_a_group_has",
        "hyperpod-counts-in-order",
        "workers has a count of 7000; the API takes 0 to 6758",
        "write 0 to 6758, or spread the instances over several groups",
    ),
    (
        "hyperpod_groups.more_instances_than_a_group_has",
        "hyperpod-counts-in-order",
        "workers has a minimum of 7000; the API takes 0 to 6758",
        "write 0 to 6758, or spread the instances over several groups",
    ),
    (
        "hyperpod_groups.more_instances_than_a_group_has",
        "hyperpod-quota-covers-nodes",
        "workers asks for 7000 instances; quota 'ml.p5.48xlarge for cluster usage' allows 4",
        (
            "have it raised: aws service-quotas request-service-quota-increase --service-code sagemaker "
            "--quota-code L-8762A75F --desired-value 7000; or ask for fewer"
        ),
    ),
    (
        "hyperpod_groups.fewer_than_none",
        "hyperpod-counts-in-order",
        "workers has a count of -1; the API takes 0 to 6758",
        "write 0 to 6758, or spread the instances over several groups",
    ),
    (
        "hyperpod_groups.a_minimum_where_groups_come_whole",
        "hyperpod-minimum-needs-continuous",
        "workers would do with 2 of 4 instances, and comes whole or not at all",
        "set provisioning: continuous (nodeProvisioningMode), or leave the minimum out",
    ),
    (
        "hyperpod_groups.three_threads_per_core",
        "hyperpod-threads-per-core",
        "workers asks for 3 threads per core; the API takes 1 and 2",
        "write 1 or 2",
    ),
    (
        "hyperpod_groups.two_threads_on_a_type_with_one",
        "hyperpod-threads-per-core",
        "workers asks for 2 threads per core; ml.p6e-gb200.36xlarge has 1",
        "write 1",
    ),
    (
        "hyperpod_groups.two_threads_on_graviton",
        "hyperpod-threads-per-core",
        "workers asks for 2 threads per core; ml.c6g.large has 1",
        "write 1",
    ),
    (
        "hyperpod_groups.a_deep_check_that_cloudformation_lacks",
        "hyperpod-deep-checks-known",
        ("workers asks for MultiNodeTrainingValidation, which no cluster made by CloudFormation's schema can have"),
        "take InstanceStress or InstanceConnectivity, or both",
    ),
    (
        "hyperpod_groups.deep_checks_of_processors",
        "hyperpod-deep-checks-known",
        "workers asks for deep health checks of accelerators on ml.m5.2xlarge, which has none",
        "take them out of this group",
    ),
    (
        "hyperpod_groups.a_quota_that_is_too_small",
        "hyperpod-quota-covers-nodes",
        "more and workers ask for 5 instances; quota 'ml.p5.48xlarge for cluster usage' allows 4",
        (
            "have it raised: aws service-quotas request-service-quota-increase --service-code sagemaker "
            "--quota-code L-8762A75F --desired-value 5; or ask for fewer"
        ),
    ),
    (
        "hyperpod_groups.quotas_of_two_types_that_are_too_small_together",
        "hyperpod-quota-covers-nodes",
        (
            "workers asks for 9 instances; quotas 'ml.p4d.24xlarge for cluster usage' and 'ml.p5.48xlarge "
            "for cluster usage' allow together 8"
        ),
        (
            "have it raised: aws service-quotas request-service-quota-increase --service-code sagemaker "
            "--quota-code L-47E0BC8F --desired-value 5; or ask for fewer"
        ),
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "hyperpod_groups.a_type_that_nobody_has",
        "hyperpod-security-groups-allow-themselves",
        "the hardware of ml.x9.huge, which is not catalogued",
    ),
    (
        "hyperpod_groups.a_type_not_yet_known",
        "hyperpod-instance-type-taken",
        "the instance type of workers, not known before creation",
    ),
    (
        "hyperpod_groups.a_type_not_yet_known",
        "hyperpod-quota-covers-nodes",
        "which quota counts workers, not known before creation",
    ),
    (
        "hyperpod_groups.a_type_not_yet_known",
        "hyperpod-security-groups-allow-themselves",
        "the instance type, not known before creation",
    ),
    (
        "hyperpod_groups.a_list_of_types_not_yet_known",
        "hyperpod-instance-type-stated-once",
        "the instance types of workers, not known before creation",
    ),
    (
        "hyperpod_groups.a_groups_name_not_yet_known",
        "hyperpod-names-legal",
        "the name of the instance group workers, not known before creation",
    ),
    (
        "hyperpod_groups.a_clusters_name_not_yet_known",
        "hyperpod-names-legal",
        "the name of the cluster hyperpod, not known before creation",
    ),
    (
        "hyperpod_groups.groups_not_yet_known",
        "hyperpod-groups-distinct",
        "the instance groups of ml-cluster, not known before creation",
    ),
    (
        "hyperpod_groups.a_count_not_yet_known",
        "hyperpod-counts-in-order",
        "the numbers of instances of workers, not known before creation",
    ),
    (
        "hyperpod_groups.a_count_not_yet_known",
        "hyperpod-quota-covers-nodes",
        "the numbers of instances of workers, not known before creation",
    ),
    (
        "hyperpod_groups.two_threads_on_graviton",
        "hyperpod-security-groups-allow-themselves",
        "the hardware of ml.c6g.large, which is not catalogued",
    ),
    (
        "hyperpod_groups.two_threads_on_a_type_nobody_catalogued",
        "hyperpod-security-groups-allow-themselves",
        "the hardware of ml.c5.large, which is not catalogued",
    ),
    (
        "hyperpod_groups.two_threads_on_a_type_nobody_catalogued",
        "hyperpod-threads-per-core",
        "the hardware of ml.c5.large, which is not catalogued",
    ),
    (
        "hyperpod_groups.threads_not_yet_known",
        "hyperpod-threads-per-core",
        "the threads per core of workers, not known before creation",
    ),
    (
        "hyperpod_groups.deep_checks_of_a_type_nobody_catalogued",
        "hyperpod-deep-checks-known",
        "the hardware of ml.p5.4xlarge, which is not catalogued",
    ),
    (
        "hyperpod_groups.deep_checks_of_a_type_nobody_catalogued",
        "hyperpod-security-groups-allow-themselves",
        "the hardware of ml.p5.4xlarge, which is not catalogued",
    ),
    (
        "hyperpod_groups.deep_checks_not_yet_known",
        "hyperpod-deep-checks-known",
        "the deep health checks of workers, not known before creation",
    ),
    (
        "hyperpod_groups.a_quota_that_nobody_gave",
        "hyperpod-quota-covers-nodes",
        "quota ml.p5.48xlarge for cluster usage: 1 or more (`muster schema facts` shows the form)",
    ),
    (
        "hyperpod_groups.spot_instances",
        "hyperpod-quota-covers-nodes",
        ("quota ml.g5.48xlarge for cluster spot instance usage: 1 or more (`muster schema facts` shows the form)"),
    ),
    (
        "hyperpod_groups.spot_instances_under_provisioning_not_yet_known",
        "hyperpod-spot-needs-continuous",
        "the provisioning mode of ml-cluster, not known before creation",
    ),
    (
        "hyperpod_groups.deep_checks_beside_taints_not_yet_known",
        "hyperpod-taints-beside-deep-checks",
        "the taints of workers, not known before creation",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
