"""The words of the rules about HyperPod's clusters: what was found, what to do about this very thing."""

from tests.policies.words.said import all_missed, all_said

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
        "the EFA DRA driver (aws-dranet) on nodes that Karpenter makes, where AWS does not document it",
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
        "hyperpod.alone_on_an_eks_cluster_of_another_program",
        "node-template-reaches-control-plane",
        (
            "the security groups of EKS cluster arn:aws:eks:us-west-2:111122223333:cluster/platform, which is not of "
            "this program"
        ),
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
