"""The words of the rules about HyperPod: what was found, what to do about this very thing."""

from tests.policies.words.said import each_of, missed, said

WORDS = [
    (
        "hyperpod.cilium_in_place_of_the_vpc_cni",
        "hyperpod-one-cni",
        "cilium brings a CNI of its own",
        "remove it, or say cni.chainingMode: aws-cni in its values",
    ),
    (
        "hyperpod.flannel",
        "hyperpod-one-cni",
        "flannel brings a CNI of its own",
        "remove it",
    ),
    (
        "hyperpod.efas_dra_driver_on_nodes_of_karpenter",
        "dra-driver-supported",
        "the EFA DRA driver (aws-dranet) on nodes that Karpenter makes, where EKS does not support it",
        "remove aws-dranet and take the device plugin, or turn autoscaling off",
    ),
    (
        "hyperpod.manual_recovery",
        "hyperpod-node-recovery-known",
        "ml-cluster asks for node recovery 'Manual'",
        "write Automatic, which reboots or replaces instances that fail",
    ),
    (
        "hyperpod.eks_and_slurm",
        "hyperpod-orchestrator-single",
        "ml-cluster names both an EKS cluster and Slurm as its orchestrator",
        "leave out orchestrator.slurm or orchestrator.eks",
    ),
    (
        "hyperpod.neither_eks_nor_slurm",
        "hyperpod-orchestrator-single",
        "ml-cluster has an orchestrator that is neither EKS nor Slurm",
        "give orchestrator.eks the ARN of the EKS cluster",
    ),
    (
        "hyperpod.provisioning_all_at_once",
        "hyperpod-provisioning-known",
        "ml-cluster asks for node provisioning mode 'AllAtOnce'",
        "write Continuous, or leave it out",
    ),
    (
        "hyperpod.karpenter_alone",
        "hyperpod-autoscaling-complete",
        (
            "ml-cluster scales by Karpenter without a cluster role, node-recovery: automatic and "
            "provisioning: continuous"
        ),
        "add a cluster role, node-recovery: automatic and provisioning: continuous, or leave it out",
    ),
    (
        "hyperpod.an_eks_cluster_of_config_maps",
        "hyperpod-authentication-mode",
        "ml has authentication mode CONFIG_MAP; ml-cluster cannot let its nodes in",
        "set accessConfig.authenticationMode to API",
    ),
    (
        "hyperpod.an_eks_cluster_of_whose_mode_nobody_speaks",
        "hyperpod-authentication-mode",
        ("cluster-eksCluster has no authentication mode, which is CONFIG_MAP; ml-cluster cannot let its nodes in"),
        "set accessConfig.authenticationMode to API",
    ),
    (
        "hyperpod.kubernetes_1_29",
        "hyperpod-security-groups-allow-themselves",
        (
            "security group cluster-eksCluster (EKS's own) is on HyperPod's EFA interfaces and does not "
            "allow all protocols to itself"
        ),
        "take Kubernetes 1.33 or newer, where EKS gives its group that rule",
    ),
    (
        "hyperpod.kubernetes_1_29",
        "hyperpod-kubernetes-version",
        "HyperPod supports Kubernetes 1.30 to 1.35, and the EKS cluster has 1.29",
        "upgrade it to 1.35, one minor version at a time",
    ),
    (
        "hyperpod.kubernetes_1_30",
        "kubernetes-version-supported",
        "extended support of Kubernetes 1.30 ended on 2026-07-23",
        "take a version in standard support (1.34 and 1.35), one minor version at a time on a live cluster",
    ),
    (
        "hyperpod.kubernetes_1_31",
        "eks-addons-pinned",
        "no EKS add-ons are pinned for Kubernetes 1.31",
        "take one of 1.34 and 1.35, or add the add-ons of 1.31 to muster/versions.py",
    ),
    (
        "hyperpod.kubernetes_1_36",
        "hyperpod-kubernetes-version",
        "HyperPod supports Kubernetes 1.30 to 1.35, and the EKS cluster has 1.36",
        "take 1.35",
    ),
    (
        "hyperpod.a_second_hyperpod_cluster",
        "hyperpod-alone-on-eks",
        "ml has ml-cluster beside second: one EKS cluster takes one HyperPod cluster",
        "add the instance groups to the one there is, or let it have an EKS cluster of its own",
    ),
    (
        "hyperpod.a_second_hyperpod_cluster",
        "hyperpod-alone-on-eks",
        "ml has second beside ml-cluster: one EKS cluster takes one HyperPod cluster",
        "add the instance groups to the one there is, or let it have an EKS cluster of its own",
    ),
    (
        "hyperpod.on_one_that_has_a_hyperpod_cluster",
        "hyperpod-alone-on-eks",
        "platform has theirs beside ml-cluster: one EKS cluster takes one HyperPod cluster",
        (
            "add the instance groups to the one there is, or let it have an EKS cluster of its own; if theirs is "
            "this one's former name, suppress this rule for the rename"
        ),
    ),
    (
        "hyperpod.on_one_with_an_old_cni",
        "hyperpod-vpc-cni",
        "platform's VPC CNI is v1.18.0-eksbuild.1; workers needs 1.18.3 or newer for HyperPod",
        "update vpc-cni first, to 1.18.3 or newer for HyperPod",
    ),
    (
        "hyperpod.on_one_without_the_chart",
        "hyperpod-chart-before-cluster",
        "HyperPod's chart is not among what is installed before ml-cluster",
        "add the chart: `hyperpod: {repository: ...}` below addons",
    ),
    (
        "hyperpod.on_one_of_config_maps",
        "hyperpod-authentication-mode",
        "platform has authentication mode CONFIG_MAP; ml-cluster cannot let its nodes in",
        (
            "run `aws eks update-cluster-config --name platform --access-config "
            "authenticationMode=API_AND_CONFIG_MAP`, then say authentication: api-and-config-map"
        ),
    ),
    (
        "hyperpod.a_cni_from_before_hyperpod",
        "hyperpod-vpc-cni",
        "the VPC CNI is v1.18.2-eksbuild.1; workers needs 1.18.3 or newer for HyperPod",
        "update vpc-cni first, to 1.18.3 or newer for HyperPod",
    ),
    (
        "hyperpod.a_cni_too_old_for_efa_only",
        "hyperpod-vpc-cni",
        "the VPC CNI is v1.18.3-eksbuild.1; workers needs 1.18.5 or newer for efa-only interfaces",
        "update vpc-cni first, to 1.18.5 or newer for efa-only interfaces",
    ),
    (
        "hyperpod.a_chart_that_the_cluster_does_not_wait_for",
        "hyperpod-chart-before-cluster",
        "nothing has ml-cluster wait for HyperPod's chart (hyperpod-chart)",
        "give it dependsOn: hyperpod-chart",
    ),
    (
        "hyperpod.a_chart_of_a_stack_that_comes_later",
        "hyperpod-chart-before-cluster",
        "HyperPod's chart comes with stack organization/addons/one, after ml-cluster",
        "move `hyperpod: {repository: ...}` from that stack's addons to those of this one",
    ),
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
        "hyperpod_network.seventeen_subnets",
        "hyperpod-network-limits",
        "workers has 17 subnets; HyperPod takes 16",
        "name 16 at most",
    ),
    (
        "hyperpod_network.six_security_groups",
        "hyperpod-network-limits",
        "workers has 6 security groups; HyperPod takes 5",
        "name 5 at most",
    ),
    (
        "hyperpod_network.no_network",
        "hyperpod-network-limits",
        "ml-cluster has no security group",
        "name a security group in network",
    ),
    (
        "hyperpod_network.no_network",
        "hyperpod-network-limits",
        "ml-cluster has no subnet",
        "name a subnet in network",
    ),
    (
        "hyperpod_network.no_network_in_a_program",
        "hyperpod-network-limits",
        "ml-cluster has no security group",
        "name a security group in vpcConfig",
    ),
    (
        "hyperpod_network.no_network_in_a_program",
        "hyperpod-network-limits",
        "ml-cluster has no subnet",
        "name a subnet in vpcConfig",
    ),
    (
        "hyperpod_network.a_group_without_subnets",
        "group-has-subnet",
        "the network lists no subnet of the group's kind",
        "list such subnets in the network, or take the others (subnets: private)",
    ),
    (
        "hyperpod_network.a_public_subnet",
        "hyperpod-private-subnets",
        "workers is in subnet-0aaaaaaaaaaaaaaaa, which gives public IP addresses to what launches there",
        "name private subnets",
    ),
    (
        "hyperpod_network.no_rules_for_itself",
        "hyperpod-security-groups-allow-themselves",
        ("security group efa is on HyperPod's EFA interfaces and does not allow all protocols from or to itself"),
        "give efa a rule for all protocols (-1) from and to itself",
    ),
    (
        "hyperpod_network.everything_out_to_the_world",
        "hyperpod-security-groups-allow-themselves",
        (
            "security group efa is on HyperPod's EFA interfaces and does not allow all protocols to itself: "
            "it lets everything out to 0.0.0.0/0, which does not cover EFA"
        ),
        "give efa a rule for all protocols (-1) to itself",
    ),
    (
        "hyperpod_network.a_group_from_elsewhere_without_the_rules",
        "hyperpod-security-groups-allow-themselves",
        (
            "security group sg-0123456789abcdef0 is on HyperPod's EFA interfaces and does not allow all "
            "protocols to itself"
        ),
        "give sg-0123456789abcdef0 a rule for all protocols (-1) to itself",
    ),
    (
        "lifecycles.both_scripts",
        "lifecycle-entry-single",
        "workers names both an onCreate and an onInitComplete script",
        "leave out onCreate to have HyperPod's own set-up first",
    ),
    (
        "lifecycles.no_script",
        "lifecycle-entry-single",
        "workers has a lifecycle with no script",
        "name onCreate or onInitComplete, and sourceS3Uri, or leave lifeCycleConfig out",
    ),
    (
        "lifecycles.a_script_of_nowhere",
        "lifecycle-entry-single",
        "workers has a lifecycle with a script and not where it is",
        "name onCreate or onInitComplete, and sourceS3Uri, or leave lifeCycleConfig out",
    ),
    (
        "lifecycles.a_script_with_a_long_name",
        "lifecycle-entry-single",
        "the onCreate script of workers has a name of 129 characters; the API takes 128",
        "rename it, to 128 characters at most",
    ),
    (
        "lifecycles.a_script_that_nobody_uploads",
        "lifecycle-script-in-bundle",
        "workers runs start.sh, which is not in lifecycle: the bucket holds workers/on_create.sh",
        "upload start.sh there before the cluster is made, or name a script that is there",
    ),
    (
        "lifecycles.a_script_in_the_folder_of_another_group",
        "lifecycle-script-in-bundle",
        "workers runs on_create.sh, which is not in lifecycle/others: the bucket holds workers/on_create.sh",
        "upload on_create.sh there before the cluster is made, or name a script that is there",
    ),
    (
        "lifecycles.scripts_that_are_elsewhere_in_the_bucket",
        "lifecycle-script-in-bundle",
        "workers runs on_create.sh, which is not in sagemaker-ml-scripts/p5: the bucket holds on_create.sh",
        "upload on_create.sh there before the cluster is made, or name a script that is there",
    ),
    (
        "lifecycles.scripts_in_an_empty_bucket",
        "lifecycle-script-in-bundle",
        "workers runs on_create.sh, which is not in sagemaker-ml-scripts: no file is there",
        "upload on_create.sh there before the cluster is made, or name a script that is there",
    ),
    (
        "lifecycles.scripts_that_instances_may_not_read",
        "lifecycle-source-prefix",
        "the scripts of workers are in s3://ml-scripts/p5; its instances may read s3://sagemaker-... only",
        ("put them into a bucket whose name begins with sagemaker-, at an address that begins with s3://sagemaker-"),
    ),
    (
        "lifecycles.scripts_by_an_address_of_the_web",
        "lifecycle-source-prefix",
        (
            "the scripts of workers are in https://sagemaker-ml-scripts.s3.amazonaws.com/p5; its instances "
            "may read s3://sagemaker-... only"
        ),
        ("put them into a bucket whose name begins with sagemaker-, at an address that begins with s3://sagemaker-"),
    ),
    (
        "lifecycles.a_bucket_of_another_name",
        "lifecycle-source-prefix",
        "the scripts of workers are in the bucket ml-scripts; its instances may read s3://sagemaker-... only",
        ("put them into a bucket whose name begins with sagemaker-, at an address that begins with s3://sagemaker-"),
    ),
    (
        "lifecycles.a_bucket_that_is_not_private",
        "lifecycle-bundle-private",
        "the bucket lifecycle does not block all public access, and its scripts run as root",
        "set blockPublicAcls, blockPublicPolicy, ignorePublicAcls and restrictPublicBuckets to true",
    ),
    (
        "lifecycles.a_bucket_without_versions",
        "lifecycle-bundle-versioned",
        "the bucket lifecycle keeps no versions of its scripts",
        "set versioningConfiguration.status to Enabled",
    ),
    (
        "training_plans.a_plan_of_another_type",
        "training-plan-type",
        "workers asks for ml.p5.48xlarge, and its training plan holds ml.p5e.48xlarge",
        "take ml.p5e.48xlarge, or another plan",
    ),
    (
        "training_plans.a_type_that_no_plan_holds",
        "training-plan-type",
        "workers asks for ml.g5.48xlarge on a training plan, and no plan holds that",
        "take ml.p5.48xlarge, or no plan",
    ),
    (
        "training_plans.a_plan_whose_instances_others_have",
        "training-plan-covers-nodes",
        (
            "workers asks for 1 instance, and of training plan spring 0 are free (SageMaker says so; what this stack's "
            "cluster has of it counts as free)"
        ),
        "ask for 0 until others leave it, or put others into a group without the plan",
    ),
    (
        "training_plans.a_plan_that_begins_later",
        "training-plan-usable",
        ("training plan spring has not begun (Scheduled; it begins on 2026-12-01), and workers asks for instances now"),
        "ask for 0 instances (nodes: 0) until it is Active",
    ),
    (
        "training_plans.a_plan_in_another_zone_than_declared",
        "training-plan-zone",
        "training plan spring is declared in us-west-2a; SageMaker says us-west-2b",
        "write zone: us-west-2b",
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
    (
        "hyperpod.the_monitoring_agent_of_eks",
        "addon-has-a-use",
        (
            "eks-node-monitoring-agent has nothing to do: it keeps off nodes that HyperPod runs, whose own agent "
            "(`hyperpod`) watches them"
        ),
        "remove eks-node-monitoring-agent",
    ),
    (
        "addons.hyperpods_chart_without_its_nodes",
        "addon-has-a-use",
        "hyperpod has nothing to do: what it brings is for nodes that HyperPod runs, and the cluster has none",
        "remove hyperpod",
    ),
    (
        "training_plans.a_plan_of_another_region",
        "training-plan-zone",
        "training plan spring is in us-east-1, the stack in us-west-2",
        "name a plan in us-west-2, or set aws:region: us-east-1",
    ),
    (
        "training_plans.a_plan_in_another_zone_than_declared_where_there_is_no_subnet",
        "training-plan-zone",
        "training plan spring is declared in us-west-2c; SageMaker says us-west-2a",
        "write zone: us-west-2a",
    ),
    (
        "training_plans.a_plan_in_another_zone_than_declared_and_than_the_group",
        "training-plan-zone",
        "training plan spring is declared in us-west-2a; SageMaker says us-west-2c",
        "write zone: us-west-2c",
    ),
    (
        "training_plans.a_plan_in_another_zone_than_declared_and_than_the_group",
        "training-plan-zone",
        "workers is in us-west-2b, and its training plan in us-west-2c",
        "give it only a subnet of us-west-2c",
    ),
    (
        "training_plans.a_plan_where_there_is_no_subnet",
        "group-has-subnet",
        (
            "the network lists no subnet of the group's kind in us-west-2c (subnets there are in us-west-2a and "
            "us-west-2b)"
        ),
        (
            "list its subnet in us-west-2c in the network, or name another zone "
            "(capacity.training-plan.zone says this one)"
        ),
    ),
    (
        "training_plans.a_plan_in_another_zone_than_the_group",
        "training-plan-zone",
        "workers is in us-west-2b, and its training plan in us-west-2a",
        "give it only a subnet of us-west-2a",
    ),
    (
        "training_plans.a_plan_and_a_group_in_two_zones",
        "training-plan-zone",
        "workers is in us-west-2a and us-west-2b, and its training plan in us-west-2a",
        "give it only a subnet of us-west-2a",
    ),
    (
        "training_plans.a_plan_of_another_count_than_declared",
        "training-plan-covers-nodes",
        "training plan spring is declared with 1 instance; SageMaker says 2",
        "write count: 2",
    ),
    (
        "training_plans.more_than_the_plan_holds",
        "training-plan-covers-nodes",
        "workers asks for 2 instances, and training plan spring holds 1",
        "ask for 1, or put others into a group without the plan",
    ),
    (
        "training_plans.two_groups_on_a_plan_of_one",
        "training-plan-covers-nodes",
        "more and workers ask for 2 instances, and training plan spring holds 1",
        "ask for 1, or put others into a group without the plan",
    ),
    (
        "training_plans.a_plan_for_training_jobs",
        "training-plan-usable",
        "training plan spring is for training-job",
        "take a plan whose target is hyperpod-cluster",
    ),
    (
        "training_plans.a_plan_that_ended",
        "training-plan-usable",
        "training plan spring ended on 2026-11-20",
        "take a plan that runs, or another kind of capacity",
    ),
    (
        "training_plans.a_plan_that_failed",
        "training-plan-usable",
        "training plan spring is Failed",
        "take a plan that runs, or another kind of capacity",
    ),
    (
        "training_plans.a_plan_that_has_not_begun",
        "training-plan-usable",
        "training plan spring has not begun (Scheduled), and workers asks for instances now",
        "ask for 0 instances (nodes: 0) until it is Active",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "hyperpod.recovery_not_yet_known",
        "hyperpod-node-recovery-known",
        "the node recovery of ml-cluster, not known before creation",
    ),
    (
        "hyperpod.provisioning_not_yet_known",
        "hyperpod-provisioning-known",
        "how the instances of ml-cluster come, not known before creation",
    ),
    (
        "hyperpod.autoscaling_not_yet_known",
        "hyperpod-autoscaling-complete",
        "what the autoscaling of ml-cluster has, not known before creation",
    ),
    (
        "hyperpod.an_eks_cluster_whose_mode_is_not_yet_known",
        "hyperpod-authentication-mode",
        "the authentication mode of cluster-eksCluster, not known before creation",
    ),
    (
        "hyperpod.an_eks_cluster_that_is_not_of_the_program",
        "hyperpod-alone-on-eks",
        (
            "the HyperPod clusters on EKS cluster arn:aws:eks:us-west-2:111122223333:cluster/platform, which "
            "is not of this program"
        ),
    ),
    (
        "hyperpod.an_eks_cluster_that_is_not_of_the_program",
        "hyperpod-authentication-mode",
        (
            "the authentication mode of EKS cluster arn:aws:eks:us-west-2:111122223333:cluster/platform, "
            "which is not of this program"
        ),
    ),
    (
        "hyperpod.an_eks_cluster_that_is_not_of_the_program",
        "hyperpod-kubernetes-version",
        (
            "the Kubernetes version of EKS cluster arn:aws:eks:us-west-2:111122223333:cluster/platform, "
            "which is not of this program"
        ),
    ),
    (
        "hyperpod.an_eks_cluster_that_nobody_registered",
        "hyperpod-kubernetes-version",
        "the Kubernetes version of the EKS cluster cluster-eksCluster",
    ),
    (
        "hyperpod.an_eks_cluster_not_yet_known",
        "hyperpod-alone-on-eks",
        "the HyperPod clusters on the EKS cluster, not known before creation",
    ),
    (
        "hyperpod.an_eks_cluster_not_yet_known",
        "hyperpod-authentication-mode",
        "the authentication mode of the EKS cluster, not known before creation",
    ),
    (
        "hyperpod.an_eks_cluster_not_yet_known",
        "hyperpod-kubernetes-version",
        "the Kubernetes version of the EKS cluster, not known before creation",
    ),
    (
        "hyperpod.kubernetes_that_eks_chooses",
        "hyperpod-kubernetes-version",
        "the Kubernetes version under HyperPod: EKS chooses one",
    ),
    (
        "hyperpod.on_one_of_which_nobody_said_so",
        "hyperpod-alone-on-eks",
        "the HyperPod clusters on platform (`muster schema facts` shows the form)",
    ),
    (
        "hyperpod.on_one_of_which_nobody_said_so",
        "hyperpod-chart-before-cluster",
        "whether HyperPod's chart is on the EKS cluster (`muster schema facts` shows the form)",
    ),
    (
        "hyperpod.on_one_of_which_nobody_said_so",
        "hyperpod-vpc-cni",
        ("the version of platform's VPC CNI, 1.18.3 or newer for HyperPod (`muster schema facts` shows the form)"),
    ),
    (
        "hyperpod.a_cni_too_old_for_interfaces_not_yet_known",
        "hyperpod-vpc-cni",
        "the interfaces of workers, not known before creation",
    ),
    (
        "hyperpod.a_cni_of_which_nobody_says_the_version",
        "hyperpod-vpc-cni",
        "the version of the VPC CNI, 1.18.3 or newer for HyperPod",
    ),
    (
        "hyperpod.no_cni_add_on",
        "hyperpod-vpc-cni",
        "the version of the VPC CNI (no add-on 'vpc-cni'), 1.18.3 or newer for HyperPod",
    ),
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
    (
        "hyperpod.alone_on_an_eks_cluster_of_another_program",
        "node-template-reaches-control-plane",
        (
            "the security groups of EKS cluster arn:aws:eks:us-west-2:111122223333:cluster/platform, which is not of "
            "this program"
        ),
    ),
    (
        "hyperpod_network.subnets_not_yet_known",
        "hyperpod-network-limits",
        "the subnets of workers, not known before creation",
    ),
    (
        "hyperpod_network.subnets_not_yet_known",
        "hyperpod-private-subnets",
        "the subnets of workers, not known before creation",
    ),
    (
        "hyperpod_network.security_groups_not_yet_known",
        "hyperpod-network-limits",
        "the security groups of workers, not known before creation",
    ),
    (
        "hyperpod_network.security_groups_not_yet_known",
        "hyperpod-security-groups-allow-themselves",
        "the security groups of workers, not known before creation",
    ),
    (
        "hyperpod_network.a_subnet_that_may_give_public_addresses",
        "hyperpod-private-subnets",
        "whether subnet-0aaaaaaaaaaaaaaaa gives public IP addresses (`muster schema facts` shows the form)",
    ),
    (
        "hyperpod_network.a_group_from_elsewhere",
        "hyperpod-security-groups-allow-themselves",
        "the rules of security group sg-0123456789abcdef0 (`muster schema facts` shows the form)",
    ),
    (
        "hyperpod_network.rules_not_yet_known",
        "hyperpod-security-groups-allow-themselves",
        "the rules of security group efa, not known before creation",
    ),
    (
        "lifecycles.a_lifecycle_not_yet_known",
        "lifecycle-entry-single",
        "the lifecycle of workers, not known before creation",
    ),
    (
        "lifecycles.a_lifecycle_not_yet_known",
        "lifecycle-script-in-bundle",
        "the lifecycle of workers, not known before creation",
    ),
    (
        "lifecycles.a_lifecycle_not_yet_known",
        "lifecycle-source-prefix",
        "the bucket of workers's lifecycle, not known before creation",
    ),
    (
        "lifecycles.a_script_with_a_long_name",
        "lifecycle-script-in-bundle",
        "the files of the bucket sagemaker-ml-scripts (`muster schema facts` shows the form)",
    ),
    (
        "lifecycles.a_script_not_yet_known",
        "lifecycle-script-in-bundle",
        "the lifecycle script of workers, not known before creation",
    ),
    (
        "lifecycles.a_bucket_that_the_program_leaves_empty",
        "lifecycle-script-in-bundle",
        "whether on_create.sh is put into the bucket lifecycle",
    ),
    (
        "lifecycles.a_bucket_of_the_program_that_is_not_read",
        "lifecycle-source-prefix",
        "the name of the bucket lifecycle",
    ),
    (
        "lifecycles.a_bucket_that_may_be_public",
        "lifecycle-bundle-private",
        "the public access block of lifecycle, not known before creation",
    ),
    (
        "lifecycles.a_bucket_that_may_have_versions",
        "lifecycle-bundle-versioned",
        "the versioning of lifecycle, not known before creation",
    ),
    (
        "training_plans.a_plan_of_which_nobody_was_asked",
        "training-plan-covers-nodes",
        "the instances of training plan spring (`muster schema facts` shows the form)",
    ),
    (
        "training_plans.a_plan_of_which_nobody_was_asked",
        "training-plan-zone",
        "the zone of training plan spring (`muster schema facts` shows the form)",
    ),
    (
        "training_plans.a_plan_not_yet_known",
        "training-plan-covers-nodes",
        "the training plan of workers, not known before creation",
    ),
    (
        "training_plans.a_plan_not_yet_known",
        "training-plan-usable",
        "the training plan of workers, not known before creation",
    ),
    (
        "training_plans.a_plan_not_yet_known",
        "training-plan-zone",
        "the training plan, not known before creation",
    ),
    (
        "training_plans.a_type_on_a_plan_not_yet_known",
        "training-plan-type",
        "the instance type of workers, not known before creation",
    ),
    (
        "training_plans.a_plan_and_subnets_not_yet_known",
        "training-plan-zone",
        "the subnets of workers, not known before creation",
    ),
    (
        "training_plans.a_plan_and_subnets_nobody_knows",
        "hyperpod-private-subnets",
        "whether subnet-0eeeeeeeeeeeeeeee gives public IP addresses (`muster schema facts` shows the form)",
    ),
    (
        "training_plans.a_plan_and_subnets_nobody_knows",
        "training-plan-zone",
        "the zones of subnets subnet-0eeeeeeeeeeeeeeee (`muster schema facts` shows the form)",
    ),
    (
        "training_plans.a_count_on_a_plan_not_yet_known",
        "training-plan-covers-nodes",
        "the numbers of instances of workers, not known before creation",
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
