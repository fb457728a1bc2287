"""Public repositories: their files at the tag or commit that they were read at, and their issues.

A file of no tag is one of which no version was noted: its address is the main branch's.
"""

from policies.sources.document import Document, repository

REPOSITORIES = (
    repository(
        "aws/sagemaker-hyperpod-cli",
        "hyperpod-cli",
        "HyperPod chart's",
        "HyperPodHelmChart",
        at="011ca927123e",
        pages={
            "HyperPodHelmChart": "helm_chart/HyperPodHelmChart/Chart.yaml",
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
            "site/content/en/docs/tasks/run/trainjobs.md at v0.19.2": "site/content/en/docs/tasks/run/trainjobs.md",
        },
    ),
    repository("NVIDIA/aicr"),
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
)
"""What is read or reported in public repositories."""
