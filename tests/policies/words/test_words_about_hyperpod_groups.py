"""The words of the rules about HyperPod's instance groups: what was found, what to do about this very thing."""

from tests.policies.words.said import each_of, missed, said

WORDS = [
    (
        "hyperpod_groups.marks_below_prefixes_of_kubernetes",
        "hyperpod-labels-not-reserved",
        "workers sets the label node-role.kubernetes.io/ml; its prefix belongs to Kubernetes",
        "leave it to Kubernetes, or take a prefix of your own, as in example.com/ml",
    ),
    (
        "hyperpod_groups.marks_below_prefixes_of_kubernetes",
        "hyperpod-labels-not-reserved",
        "workers sets the taint node.kubernetes.io/not-ready; its prefix belongs to Kubernetes",
        "leave it to Kubernetes, or take a prefix of your own, as in example.com/not-ready",
    ),
    (
        "hyperpod_groups.a_root_volumes_key_where_groups_come_whole",
        "hyperpod-key-usable",
        "the root volume of workers has a KMS key of its own, and the cluster is not provisioned continuously",
        "set provisioning: continuous (nodeProvisioningMode), or leave the key out",
    ),
    (
        "hyperpod_groups.a_volumes_key_where_groups_come_whole",
        "hyperpod-key-usable",
        "a volume of workers has a KMS key of its own, and the cluster is not provisioned continuously",
        "set provisioning: continuous (nodeProvisioningMode), or leave the key out",
    ),
    (
        "hyperpod_groups.a_key_of_another_region",
        "hyperpod-key-usable",
        "a volume of workers has a KMS key of us-east-1; its instances are in us-west-2",
        "name a key of us-west-2",
    ),
    (
        "hyperpod_groups.efa_only_without_efa",
        "hyperpod-interface-fits",
        "workers asks for efa-only interfaces on ml.m5.2xlarge, which has no EFA",
        "leave the kind of interface out of this group",
    ),
    (
        "hyperpod_groups.interfaces_of_no_kind",
        "hyperpod-interface-fits",
        "workers asks for interfaces of the kind 'ena'",
        "write efa or efa-only, or leave it out",
    ),
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
            "have 'ml.g5.48xlarge for cluster spot usage' raised to 5 (aws service-quotas "
            "request-service-quota-increase --service-code sagemaker), or ask for fewer"
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
            "have 'ml.p5.48xlarge for cluster usage' raised to 7000 (aws service-quotas "
            "request-service-quota-increase --service-code sagemaker), or ask for fewer"
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
        "hyperpod_groups.a_volume_larger_than_there_are",
        "hyperpod-volumes-legal",
        "a volume of workers has a size of 20000 GB; the API takes 1 to 16384 GB",
        "write 1 to 16384",
    ),
    (
        "hyperpod_groups.a_volume_without_a_size",
        "hyperpod-volumes-legal",
        "a volume of workers has no size; the API takes 1 to 16384 GB",
        "write 1 to 16384",
    ),
    (
        "hyperpod_groups.a_root_volume_with_a_size",
        "hyperpod-volumes-legal",
        "workers says a size of its root volume (100 GB); HyperPod decides that",
        "leave the size out, and say it of another volume",
    ),
    (
        "hyperpod_groups.a_root_volume_without_a_key",
        "hyperpod-volumes-legal",
        "workers has a configuration of its root volume without a KMS key",
        "name the key, or leave the configuration out",
    ),
    (
        "hyperpod_groups.five_storage_configurations",
        "hyperpod-volumes-legal",
        "workers has 5 storage configurations; the API takes 4",
        "keep 4 at most",
    ),
    (
        "hyperpod_groups.fifty_one_labels",
        "hyperpod-labels-legal",
        "workers has 51 labels; the API takes 50",
        "keep 50 at most",
    ),
    (
        "hyperpod_groups.a_label_without_a_value",
        "hyperpod-labels-legal",
        "the label 'team' of workers has no value",
        "write letters, digits, dashes, dots and underscores, a letter or digit at either end",
    ),
    (
        "hyperpod_groups.a_label_with_a_long_value",
        "hyperpod-labels-legal",
        (
            "the label 'team' of workers has a value "
            "('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') that Kubernetes does not "
            "take"
        ),
        "write letters, digits, dashes, dots and underscores, a letter or digit at either end",
    ),
    (
        "hyperpod_groups.a_taint_with_a_bad_key",
        "hyperpod-labels-legal",
        "the taint 'Bad Key' of workers has a key that Kubernetes does not take",
        "write letters, digits, dashes, dots and underscores, a letter or digit at either end",
    ),
    (
        "hyperpod_groups.a_taint_with_a_bad_effect",
        "hyperpod-labels-legal",
        "the taint 'dedicated' of workers has the effect 'NO_SCHEDULE'",
        "write NoSchedule, PreferNoSchedule or NoExecute",
    ),
    (
        "hyperpod_groups.hyperpods_own_label",
        "hyperpod-labels-not-reserved",
        "workers sets the label sagemaker.amazonaws.com/node-health-status; its prefix belongs to HyperPod",
        "leave it to HyperPod, or take a prefix of your own, as in example.com/node-health-status",
    ),
    (
        "hyperpod_groups.a_label_of_kubernetes_and_a_taint_of_eks",
        "hyperpod-labels-not-reserved",
        "workers sets the label kubernetes.io/role; its prefix belongs to Kubernetes",
        "leave it to Kubernetes, or take a prefix of your own, as in example.com/role",
    ),
    (
        "hyperpod_groups.a_label_of_kubernetes_and_a_taint_of_eks",
        "hyperpod-labels-not-reserved",
        "workers sets the taint eks.amazonaws.com/ml; its prefix belongs to EKS",
        "leave it to EKS, or take a prefix of your own, as in example.com/ml",
    ),
    (
        "hyperpod_groups.a_quota_that_is_too_small",
        "hyperpod-quota-covers-nodes",
        "more and workers ask for 5 instances; quota 'ml.p5.48xlarge for cluster usage' allows 4",
        (
            "have 'ml.p5.48xlarge for cluster usage' raised to 5 (aws service-quotas "
            "request-service-quota-increase --service-code sagemaker), or ask for fewer"
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
            "have 'ml.p4d.24xlarge for cluster usage' raised to 9 (aws service-quotas "
            "request-service-quota-increase --service-code sagemaker), or ask for fewer"
        ),
    ),
    (
        "hyperpod_groups.huge_pages_that_no_script_sets_aside",
        "hyperpod-huge-pages-set-aside",
        "workers has lifecycle: none, so nothing sets its 10256MiB of huge pages aside",
        "write lifecycle: default, or leave huge-pages out",
    ),
    (
        "hyperpod_groups.huge_pages_that_their_script_may_set_aside",
        "hyperpod-huge-pages-set-aside",
        "no script of Muster's sets the 10256MiB of huge pages of workers aside: it runs your own",
        "have them set vm.nr_hugepages to 5128, or leave huge-pages out",
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
        "hyperpod_groups.volumes_not_yet_known",
        "hyperpod-volumes-legal",
        "the volumes of workers, not known before creation",
    ),
    (
        "hyperpod_groups.a_volumes_size_not_yet_known",
        "hyperpod-volumes-legal",
        "a volume of workers, not known before creation",
    ),
    (
        "hyperpod_groups.labels_not_yet_known",
        "hyperpod-labels-legal",
        "the labels and taints of workers, not known before creation",
    ),
    (
        "hyperpod_groups.labels_not_yet_known",
        "hyperpod-labels-not-reserved",
        "the labels and taints of workers, not known before creation",
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
        "hyperpod_groups.a_key_under_provisioning_not_yet_known",
        "hyperpod-key-usable",
        "the provisioning mode of ml-cluster, not known before creation",
    ),
    (
        "hyperpod_groups.volumes_not_yet_known",
        "hyperpod-key-usable",
        "the volumes of workers, not known before creation",
    ),
    (
        "hyperpod_groups.interfaces_not_yet_known",
        "hyperpod-interface-fits",
        "the interfaces of workers, not known before creation",
    ),
    (
        "hyperpod_groups.efa_only_of_a_type_nobody_catalogued",
        "hyperpod-interface-fits",
        "the hardware of ml.p5.4xlarge, which is not catalogued",
    ),
    (
        "hyperpod_groups.deep_checks_beside_taints_not_yet_known",
        "hyperpod-taints-beside-deep-checks",
        "the taints of workers, not known before creation",
    ),
]
"""(case, rule, what was missing)."""


@each_of("case, rule, got, remedy", WORDS)
def test_words(case: str, rule: str, got: str, remedy: str) -> None:
    """Each finding names what was found in the thing's own words, and an action about it."""
    assert (got, remedy) in said(case, rule)


@each_of("case, rule, missing", MISSING)
def test_words_for_what_is_missing(case: str, rule: str, missing: str) -> None:
    """What could not be judged is said by what was missing."""
    assert missed(case, rule) == {missing}
