"""Public repositories, the ParallelCluster package and other projects' documents, at the versions from which the rules
were written."""

from muster.policies.sources.document import Document, repository

REPOSITORIES = (
    repository(
        "aws/sagemaker-hyperpod-cli",
        "hyperpod-cli",
        "HyperPod chart's",
        "HyperPodHelmChart",
        at="011ca927123e",
        pages={
            "HyperPodHelmChart": "helm_chart/HyperPodHelmChart/Chart.yaml",
            "00-setup.md": "examples/end_to_end_walkthrough/00-getting-started/00-setup.md",
            "charts/mpi-operator": "helm_chart/HyperPodHelmChart/charts/mpi-operator/values.yaml",
            "charts/training-operators": "helm_chart/HyperPodHelmChart/charts/training-operators/values.yaml",
            "helm_chart/HyperPodHelmChart": "helm_chart/HyperPodHelmChart/Chart.yaml",
            "helm_chart/readme.md": "helm_chart/readme.md",
            "inference-operator": "helm_chart/HyperPodHelmChart/charts/inference-operator/values.yaml",
            "quota_allocation_util.py": "src/sagemaker/hyperpod/training/quota_allocation_util.py",
            "readme": "helm_chart/readme.md",
            "training/constants.py": "src/sagemaker/hyperpod/training/constants.py",
        },
    ),
    repository(
        "aws/eks-charts",
        "aws-efa-k8s-device-plugin",
        at="v0.0.242",
        pages={
            "aws-efa-k8s-device-plugin": "stable/aws-efa-k8s-device-plugin/values.yaml",
            "stable/aws-efa-k8s-device-plugin": "stable/aws-efa-k8s-device-plugin/values.yaml",
            "templates/daemonset.yaml": "stable/aws-efa-k8s-device-plugin/templates/daemonset.yaml",
        },
    ),
    repository(
        "aws/eks-node-monitoring-agent",
        at="v1.6.7",
        pages={"v1.6.7 charts": "charts/eks-node-monitoring-agent/values.yaml"},
    ),
    repository(
        "aws/amazon-vpc-cni-k8s",
        "amazon-vpc-cni-k8s",
        at="v1.23.0",
        pages={"pkg/ipamd": "pkg/ipamd/ipamd.go"},
    ),
    repository(
        "aws/karpenter-provider-aws",
        "Karpenter",
        at="main",
        pages={
            "designs/capacity-block-support.md": "designs/capacity-block-support.md",
            "ec2nodeclass.go": "pkg/apis/v1/ec2nodeclass.go",
            "types.go": "pkg/providers/instancetype/types.go",
        },
    ),
    repository(
        "aws/aws-ofi-nccl",
        at="v1.21.1",
        pages={"RELEASENOTES.md": "RELEASENOTES.md"},
    ),
    repository("aws/containers-roadmap", "containers-roadmap"),
    repository("aws/aws-parallelcluster-cookbook", "aws-parallelcluster-cookbook"),
    repository("awslabs/agent-plugins"),
    repository("awslabs/ai-on-sagemaker-hyperpod"),
    repository(
        "awslabs/amazon-eks-ami",
        "amazon-eks-ami",
        at="v20260724",
        pages={
            "README": "README.md",
            "nodeadm": "nodeadm/internal/kubelet/config.go",
        },
    ),
    repository(
        "awslabs/awsome-distributed-ai",
        "awsome-distributed-ai",
        at="v2.0.0-pre-reorg",
        folder="1.architectures",
        pages={
            "7.sagemaker-hyperpod-eks terraform-modules, security_group": "7.sagemaker-hyperpod-eks/terraform-modules/"
            "hyperpod-eks-tf/modules/security_group/main.tf",
            "validate-config.py": "5.sagemaker-hyperpod/validate-config.py",
        },
    ),
    repository(
        "aws-samples/awsome-distributed-training",
        "awsome-distributed-training",
        at="7217859f67bc",
        folder="1.architectures",
        pages={
            "1.architectures/efa-cheatsheet.md": "efa-cheatsheet.md",
            "2.aws-parallelcluster": "2.aws-parallelcluster/README.md",
            "task-governance": "7.sagemaker-hyperpod-eks/task-governance/README.md",
        },
    ),
    repository("aws-samples/aws-do-eks"),
    repository("aws-neuron/aws-neuron-sdk"),
    repository(
        "aws-neuron/aws-neuron-parallelcluster-samples",
        "aws-neuron-parallelcluster-samples",
        at="54075e9f6fd4",
        pages={"trn1-16-nodes-pcluster.md": "examples/cluster-configs/trn1-16-nodes-pcluster.md"},
    ),
    repository("bottlerocket-os/bottlerocket", "bottlerocket"),
    repository(
        "eksctl-io/eksctl",
        "eksctl",
        at="v0.230.0",
        pages={
            "AmazonLinux2EOLVersion": "pkg/apis/eksctl.io/v1alpha5/types.go",
            "az.go": "pkg/az/az.go",
            "managed_nodegroup.go": "pkg/cfn/builder/managed_nodegroup.go",
            "validation.go": "pkg/apis/eksctl.io/v1alpha5/validation.go",
        },
    ),
    repository("gardener/gardener-extension-provider-aws", "gardener-extension-provider-aws"),
    repository(
        "hashicorp/terraform-provider-aws",
        "terraform-provider-aws",
        at="main",
        pages={
            "internal/service/sagemaker/mlflow_tracking_server.go": "internal/service/sagemaker/"
            "mlflow_tracking_server.go"
        },
    ),
    repository("jplana/python-etcd", "python-etcd 0.4.5"),
    repository(
        "kubeflow/trainer",
        at="v1.9.0",  # the training operator's last line; the trainer that follows it is another program
        pages={
            "manifests/overlays/standalone": "manifests/overlays/standalone/kustomization.yaml",
            "pkg/controller.v1/register_controller.go": "pkg/controller.v1/register_controller.go",
        },
    ),
    Document(
        ("kubeflow/trainer charts/kubeflow-trainer/values.yaml",),
        "https://github.com/kubeflow/trainer/blob/v2.2.0/charts/kubeflow-trainer/values.yaml",
    ),
    repository(
        "kubernetes-sigs/aws-fsx-csi-driver",
        "aws-fsx-csi-driver",
        at="helm-chart-aws-fsx-csi-driver-1.17.0",
        pages={"charts": "charts/aws-fsx-csi-driver/values.yaml"},
    ),
    repository("kubernetes-sigs/cluster-api-provider-aws", "cluster-api-provider-aws"),
    repository(
        "kubernetes-sigs/dra-driver-nvidia-gpu",
        "dra-driver-nvidia-gpu",
        at="3fe94879c9cf",
        pages={"templates/validation.yaml": "deployments/helm/dra-driver-nvidia-gpu/templates/validation.yaml"},
    ),
    repository(
        "kubernetes-sigs/kueue",
        at="v0.19.2",
        pages={
            "6cdcd3828d, charts/kueue/values.yaml at v0.19.2": "charts/kueue/values.yaml",
            "CHANGELOG/CHANGELOG-0.15.md": "CHANGELOG/CHANGELOG-0.15.md",
            "charts/kueue/templates/prometheus": "charts/kueue/templates/prometheus/monitor.yaml",
            "site/content/en/docs/tasks/run/trainjobs.md at v0.19.2": "site/content/en/docs/tasks/run/trainjobs.md",
        },
    ),
    Document(
        ("prometheus-operator",),
        "https://github.com/prometheus-operator/prometheus-operator/tree/main/example/prometheus-operator-crd",
    ),
    Document(("slurm.conf",), "https://slurm.schedmd.com/slurm.conf.html"),
    Document(("SchedMD/slurm",), "https://github.com/SchedMD/slurm/blob/slurm-25.11/src/common/read_config.c"),
    repository("NVIDIA/aicr"),
    Document(
        ("NVIDIA/dcgm-exporter",),
        "https://github.com/NVIDIA/dcgm-exporter/blob/4.5.3-4.8.2/deployment/templates/service-monitor.yaml",
    ),
    repository(
        "NVIDIA/gpu-operator",
        "gpu-operator",
        at="v26.7.0",
        folder="deployments/gpu-operator",
        pages={
            "deployments/gpu-operator/values.yaml": "values.yaml",
            "values.yaml at v26.7.0": "values.yaml",
        },
    ),
    repository("NVIDIA/k8s-device-plugin"),
    Document(("NVIDIA/nccl v2.25.1-1",), "https://github.com/NVIDIA/nccl/releases/tag/v2.25.1-1"),
    repository(
        "pulumi/pulumi-aws-native",
        "CloudFormation's resource schemas",
        at="43eed3b017fff3b41e0ceeae37ee943afce53275",
        folder="aws-cloudformation-schema",
    ),
    repository("pulumi/pulumi-eks", "pulumi-eks"),
    repository("pytorch/torchx", at="b72ba038140b", pages={"resources/etcd.yaml": "resources/etcd.yaml"}),
    repository("skypilot-org/skypilot"),
    repository("terraform-aws-modules/terraform-aws-eks", "terraform-aws-eks"),
)
"""Files and issues in public repositories."""


# AWS ParallelCluster's package, at the version from which the rules were written: files, and lines where a name begins.
#
# A test compares the lines with the package.

_REPOSITORY = "https://github.com/aws/aws-parallelcluster"
PACKAGE = "cli/src/pcluster"
_AT = "v3.16.1"

PAGES = {
    "BaseQueueSchema": "schemas/cluster_schema.py#L1650",
    "CapacityReservationValidator": "validators/ec2_validators.py#L339",
    "cluster_schema.py": "schemas/cluster_schema.py",
    "cluster_validators.py": "validators/cluster_validators.py",
    "ClusterDevSettingsSchema": "schemas/cluster_schema.py#L1142",
    "ClusterNameValidator": "validators/cluster_validators.py#L86",
    "ComputeResourceSizeValidator": "validators/cluster_validators.py#L182",
    "ComputeResourceTagsValidator": "validators/tags_validators.py#L15",
    "config/common.py: CapacityType": "config/common.py#L32",
    "constants.py": "constants.py",
    "constants.py: MAX_NEW_STORAGE_COUNT": "constants.py#L155",
    "constants.py: MAX_NUMBER_OF_QUEUES": "constants.py#L143",
    "constants.py: PRIVATE_OSES": "constants.py#L90",
    "constants.py: SUPPORTED_OSES": "constants.py#L27",
    "CustomAmiTagValidator": "validators/cluster_validators.py#L140",
    "DatabaseUriValidator": "validators/database_validators.py#L17",
    "DeletionPolicyValidator": "validators/cluster_validators.py#L983",
    "DuplicateMountDirValidator": "validators/cluster_validators.py#L734",
    "DuplicateNameValidator": "validators/cluster_validators.py#L1075",
    "ebs_validators.py": "validators/ebs_validators.py",
    "ec2_validators.py": "validators/ec2_validators.py",
    "EfaMultiAzValidator": "validators/cluster_validators.py#L416",
    "EfaPlacementGroupValidator": "validators/cluster_validators.py#L340",
    "EfaValidator": "validators/cluster_validators.py#L321",
    "fsx_validators.py": "validators/fsx_validators.py",
    "HeadNodeSchema": "schemas/cluster_schema.py#L1366",
    "HeadNodeSsh": "config/cluster_config.py#L818",
    "InstanceArchitectureCompatibilityValidator": "validators/cluster_validators.py#L259",
    "InstancesAllocationStrategyValidator": "validators/instances_validators.py#L255",
    "InstancesCPUValidator": "validators/instances_validators.py#L47",
    "HeadNodeMemorySizeValidator": "validators/cluster_validators.py#L1278",
    "InstanceTypeBaseAMICompatibleValidator": "validators/ec2_validators.py#L147",
    "InstanceTypeOSCompatibleValidator": "validators/ec2_validators.py#L197",
    "KeyPairValidator": "validators/ec2_validators.py#L225",
    "MaxCountValidator": "validators/cluster_validators.py#L304",
    "MixedSecurityGroupOverwriteValidator": "validators/cluster_validators.py#L1103",
    "NameValidator": "validators/cluster_validators.py#L281",
    "OsCustomAmiValidator": "validators/cluster_validators.py#L124",
    "PlacementGroupNamingValidator": "validators/ec2_validators.py#L251",
    "queues_stack.py": "templates/queues_stack.py",
    "QueueSubnetsValidator": "validators/networking_validators.py#L67",
    "RootVolumeSizeValidator": "validators/cluster_validators.py#L1419",
    "SchedulableMemoryValidator": "validators/cluster_validators.py#L214",
    "SharedEbsPerformanceBottleNeckValidator": "validators/cluster_validators.py#L1318",
    "SharedStorageMountDirValidator": "validators/cluster_validators.py#L920",
    "SharedStorageNameValidator": "validators/cluster_validators.py#L891",
    "SingleInstanceTypeSubnetValidator": "validators/networking_validators.py#L126",
    "slurm_settings_validator.py: SLURM_SETTINGS_DENY_LIST": "validators/slurm_settings_validator.py#L19",
    "SlurmQueueNetworkingSchema": "schemas/cluster_schema.py#L738",
    "UltraserverCapacityBlockSizeValidator": "validators/ec2_validators.py#L814",
}
"""Name in a source -> the file of the package that has it, and the line at which it begins."""

PARALLELCLUSTER = (
    Document(
        ("aws-parallelcluster 3.16.1", "ParallelCluster"),
        f"{_REPOSITORY}/tree/{_AT}/{PACKAGE}/validators",
        f"{_REPOSITORY}/blob/{_AT}/{PACKAGE}/{{}}",
        PAGES,
    ),
    repository(
        "aws/aws-parallelcluster",
        "aws-parallelcluster",
        at=_AT,
        pages={
            "cloudformation/custom_resource/cluster.yaml": "cloudformation/custom_resource/cluster.yaml",
            "pcluster/schemas/cluster_schema.py": f"{PACKAGE}/schemas/cluster_schema.py",
            "pcluster/validators": f"{PACKAGE}/validators/cluster_validators.py",
        },
    ),
    Document(("aws-parallelcluster releases",), f"{_REPOSITORY}/releases"),
)
"""The package's documents."""


_KUBERNETES = "https://kubernetes.io/docs"

OTHERS = (
    Document(
        ("Kubernetes API",),
        f"{_KUBERNETES}/reference/kubernetes-api/",
        f"{_KUBERNETES}/reference/kubernetes-api/workload-resources/pod-v1/#{{}}",
        {"NodeSelectorRequirement": "NodeSelectorRequirement", "PodSpec": "PodSpec"},
    ),
    Document(
        ("Kubernetes",),
        f"{_KUBERNETES}/home/",
        f"{_KUBERNETES}/{{}}/",
        {
            "Assigning Pods to Nodes": "concepts/scheduling-eviction/assign-pod-node",
            "Manage HugePages": "tasks/manage-hugepages/scheduling-hugepages",
            "Well-Known Labels": "reference/labels-annotations-taints",
        },
    ),
    Document(
        ("Kubernetes, Version Skew Policy",),
        "https://github.com/kubernetes/website/blob/release-1.35/content/en/releases/version-skew-policy.md",
    ),
    Document(
        ("Kubernetes pkg/apis/core/validation",),
        "https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/apis/core/validation/validation.go",
    ),
    Document(("kubelet --node-labels",), f"{_KUBERNETES}/reference/command-line-tools-reference/kubelet/"),
    Document(("Karpenter NodeClass docs",), "https://karpenter.sh/docs/concepts/nodeclasses/"),
    Document(("Karpenter, Disruption",), "https://karpenter.sh/docs/concepts/disruption/"),
    Document(("Karpenter, Utilizing ODCRs and Capacity Blocks",), "https://karpenter.sh/docs/tasks/odcrs/"),
    Document(("Helm guide, values files",), "https://helm.sh/docs/chart_template_guide/values_files/"),
    Document(("Helm, ownership of resources",), "https://helm.sh/docs/helm/helm_install/"),
    Document(
        ("Pulumi Registry, aws.ec2.CapacityBlockReservation",),
        "https://www.pulumi.com/registry/packages/aws/api-docs/ec2/capacityblockreservation/",
    ),
    Document(
        ("Pulumi Registry, aws.eks.NodeGroup",),
        "https://www.pulumi.com/registry/packages/aws/api-docs/eks/nodegroup/",
    ),
    Document(
        ("botocore sagemaker 2017-07-24",),
        "https://github.com/boto/botocore/tree/1.44.5/botocore/data/sagemaker/2017-07-24",
    ),
    Document(("cert-manager, Supported Releases",), "https://cert-manager.io/docs/releases/"),
    Document(
        ("NVIDIA, Blackwell Compatibility Guide",),
        "https://docs.nvidia.com/cuda/archive/13.0.0/blackwell-compatibility-guide/index.html",
    ),
    Document(("etcd upgrade guide 3.6",), "https://etcd.io/docs/v3.6/upgrades/upgrade_3_6/"),
)
"""The documents that other projects publish."""

OWN = (
    "addons/",
    "charts and manifests of the operators",
    "muster/versions.py",
    "quota codes as in public repositories",
    "the catalogue's capacity_block column",
    "the charts' templates",
)
"""The beginnings of sources that are Muster's tables, or many places: words without an address. A rule with such a
source also has another one."""
