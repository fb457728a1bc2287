"""The versions that Muster pins, except those of add-ons, which their sheets have. Nothing else in the tree names one;
tests re-derive the rest.

The `renovate:` lines tell a version bot where a pin's releases are.
"""

from datetime import date
from typing import NamedTuple


class Support(NamedTuple):
    """When EKS ends a Kubernetes version's support."""

    standard_ends: date
    extended_ends: date


EKS_CALENDAR = {
    "1.37": Support(date(2027, 12, 3), date(2028, 12, 3)),
    "1.36": Support(date(2027, 8, 2), date(2028, 8, 2)),
    "1.35": Support(date(2027, 3, 27), date(2028, 3, 27)),
    "1.34": Support(date(2026, 12, 2), date(2027, 12, 2)),
    "1.33": Support(date(2026, 7, 29), date(2027, 7, 29)),
    "1.32": Support(date(2026, 3, 23), date(2027, 3, 23)),
    "1.31": Support(date(2025, 11, 26), date(2026, 11, 26)),
    "1.30": Support(date(2025, 7, 23), date(2026, 7, 23)),
    "1.29": Support(date(2025, 3, 23), date(2026, 3, 23)),
}
"""EKS user guide, "Kubernetes release calendar", read 2026-11-21. 1.37, which EKS offers since 2026-10-03, is newer
than that copy: its dates follow from the guide's 14 and 12 months."""

_VPC_CNI = "v1.23.2-eksbuild.1"
_POD_IDENTITY_AGENT = "v1.4.0-eksbuild.3"

EKS_ADDONS: dict[str, dict[str, str]] = {
    "1.36": {
        "vpc-cni": _VPC_CNI,
        "kube-proxy": "v1.36.0-eksbuild.45",
        "coredns": "v1.14.7-eksbuild.11",
        "eks-pod-identity-agent": _POD_IDENTITY_AGENT,
    },
    "1.35": {
        "vpc-cni": _VPC_CNI,
        "kube-proxy": "v1.35.3-eksbuild.29",
        "coredns": "v1.14.6-eksbuild.4",
        "eks-pod-identity-agent": _POD_IDENTITY_AGENT,
    },
    "1.34": {
        "vpc-cni": "v1.23.1-eksbuild.1",
        "kube-proxy": "v1.34.6-eksbuild.25",
        "coredns": "v1.13.2-eksbuild.24",
        "eks-pod-identity-agent": "v1.3.10-eksbuild.3",
    },
}
"""Kubernetes version -> EKS add-on -> version.

As public repositories print EKS's answers: for 1.35 of 2026-10-02, for 1.36 those that several clusters have since, for
1.34 of 2026-09-26. EKS retires old builds, so the newest confirmed one is taken. No public source prints the builds of
1.37 yet. Check with `aws eks describe-addon-versions --kubernetes-version V`.
"""

OLDEST_ADDONS: dict[str, dict[str, str]] = {
    "vpc-cni": {"1.30": "1.16.0", "1.32": "1.17.1", "1.34": "1.18.0", "1.35": "1.19.0"},
    "coredns": {"1.30": "1.10.1", "1.32": "1.11.1", "1.35": "1.12.1", "1.36": "1.13.1"},
    "eks-pod-identity-agent": {"1.30": "1.0.0", "1.35": "1.3.7", "1.36": "1.3.9"},
    "aws-ebs-csi-driver": {"1.30": "1.26.1", "1.31": "1.29.1", "1.35": "1.38.1", "1.36": "1.42.0"},
    "amazon-cloudwatch-observability": {
        "1.30": "1.7.0",
        "1.31": "2.0.0",
        "1.32": "3.0.0",
        "1.33": "3.7.0",
        "1.34": "4.3.1",
        "1.35": "4.8.0",
    },
    "karpenter": {
        "1.30": "0.37",
        "1.31": "1.0.5",
        "1.32": "1.2",
        "1.33": "1.5",
        "1.34": "1.6",
        "1.35": "1.9",
        "1.36": "1.13",
    },
}
"""EKS add-on, or chart -> the first Kubernetes version of each step -> the oldest version for it. A newer Kubernetes
has at least the last step's.

EKS's add-ons: its answers to DescribeAddonVersions that floci-io/floci keeps
(`src/main/resources/eks/addon-versions.json`, 3a120ed9, of 2026). EKS retires builds and adds none that are older, and
refuses what it does not list ("InvalidParameterException: Addon version specified is not supported"). Karpenter: its
documentation, "Compatibility", at v1.14.1."""

KUBE_PROXY_SKEW = 3
"""Minor versions that kube-proxy may be older than the control plane; it may not be newer
(https://kubernetes.io/releases/version-skew-policy/#kube-proxy). The same answers of EKS list exactly these."""

_AL2023, _BOTTLEROCKET = "v20260903", "1.63.0"

IMAGE_RELEASES: dict[str, dict[str, str]] = {
    version: {"al2023": _AL2023, "bottlerocket": _BOTTLEROCKET} for version in EKS_ADDONS
}
"""Kubernetes version -> operating system -> release of EKS's images, for self-managed groups.

Names as public repositories print them for 1.35 (AL2023 standard and nvidia; Bottlerocket nvidia). That the other
versions and the Neuron image had releases of the same name is inferred: EKS builds all of them together.
Check with `aws ssm get-parameters-by-path --path /aws/service/eks/optimized-ami/V/amazon-linux-2023 --recursive`.
"""

LUSTRE = "2.15"
"""Of file systems that Muster makes; clients of EKS's AL2023 images are 2.15 (FSx Lustre guide, client matrix). FSx's
own default is 2.10, which they do not mount."""

MINIMUM_VPC_CNI_FOR_EFA_ONLY = (1, 18, 5)
"""EKS user guide, "node-efa". terraform-aws-eks has 1.18.4, HyperPod 1.18.3: the highest is followed."""

MINIMUM_VPC_CNI_FOR_HYPERPOD = (1, 18, 3)
"""SageMaker guide, "sagemaker-hyperpod-eks-prerequisites": the VPC CNI, and no other."""

HYPERPOD_KUBERNETES = ("1.30", "1.35")
"""The first and the last version that HyperPod supports (the same page, read 2026-11-21; older copies say 1.28 to
1.34)."""

MINIMUM_VPC_CNI_FOR_SEVERAL_CARDS = (1, 7, 10)
"""EKS user guide, "node-efa"."""


TRAINING_OPERATOR_IMAGES = {
    "v1.9.4": "ghcr.io/kubeflow/training-v1/training-operator:v1-93c5489",
    "v1.8.1": "docker.io/kubeflow/training-operator:v1-04f9f13",
    "v1.8.0": "docker.io/kubeflow/training-operator:v1-9e52eb7",
    "v1.7.0": "docker.io/kubeflow/training-operator:v1-855e096",
}
"""The training operator's version -> its image, as `manifests/overlays/standalone` of kubeflow/trainer has it at that
tag: of the pinned one, and of those for which HyperPod's auto-resume is stated."""

HYPERPOD_AGENT = "hyperpod-health-monitoring-agent:1.0.1892.0_1.0.424.0"
"""The monitoring agent of HyperPod's chart at the pinned commit, without its registry: SageMaker has one in each
Region, in a separate account (`charts/health-monitoring-agent/templates`)."""

# renovate: datasource=docker depName=public.ecr.aws/hpc-cloud/nccl-tests
NCCL_TESTS_IMAGE = "public.ecr.aws/hpc-cloud/nccl-tests:cuda13.0.2-efa1.48.0-ofiv1.19.0-ncclv2.30.4-1-testsv2.18.3"
"""The base image of the FSDP example at `FSDP_SOURCE`. AWS measured these versions on 8 and 32 p6-b300 nodes
(https://github.com/awslabs/awsome-distributed-ai/pull/1077). aws-ofi-nccl tunes P6-B300 from 1.18 on
(https://github.com/aws/aws-ofi-nccl/releases/tag/v1.18.0).

A newer tag is published: CUDA 13.1.2, EFA 1.50.0, aws-ofi-nccl 1.21.1, NCCL 2.31.2
(https://github.com/awslabs/awsome-distributed-ai/pull/1255). It is not followed yet: its change was built on a machine
without GPUs and without EFA, and EKS's images have driver 580, which is CUDA 13.0's own."""

CUDA = "13.0"
"""Of that image, and of the packages of `FSDP_PACKAGES`. CUDA 13 has no code for V100 and older GPUs
(https://docs.nvidia.com/cuda/archive/13.0.0/cuda-toolkit-release-notes/index.html)."""

# renovate: datasource=docker depName=ghcr.io/nvidia/k8s-samples
NVBANDWIDTH_IMAGE = "ghcr.io/nvidia/k8s-samples:nvbandwidth-v0.7-8d103163"
"""The image of NVIDIA's test of NVLink between nodes (GPU Operator, "Support for Multi-Node NVLink"), which AWS's
article on P6e-GB200 with EKS also runs."""

MINIMUM_NVIDIA_DRIVER = 580
"""The oldest driver that runs programs of CUDA 13.x
(https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html). On an older one they need the
package cuda-compat-13-0 (the same, "Forward Compatibility"), and `NCCL_TESTS_IMAGE` removes it: CUDA then answers that
the driver version is insufficient.

EKS's Amazon Linux 2023 images have 580 (https://docs.aws.amazon.com/eks/latest/userguide/ml-eks-optimized-ami.html),
so has Bottlerocket 1.54 to 1.68 (https://bottlerocket.dev/en/os/1.65.x/version-information/gpu-drivers/1.65.0/).
ParallelCluster 3.16 has 595 (https://github.com/aws/aws-parallelcluster/releases/tag/v3.16.1). No public source prints
the driver of HyperPod's newest image for EKS."""

# renovate: datasource=docker depName=public.ecr.aws/neuron/pytorch-training-neuronx
NEURON_TRAINING_IMAGE = "public.ecr.aws/neuron/pytorch-training-neuronx:2.6.0-neuronx-py310-sdk2.23.0-ubuntu22.04"
"""PyTorch 2.6 and Neuron 2.23 (aws-neuron/deep-learning-containers, README): of the release with which the BERT script
below was last changed. The last release for Trainium1 is 2.31 (Neuron documentation, "Update a manual PyTorch
installation"); later ones train on Trainium2 and 3 only."""

BERT_SOURCE = "dd0e71f0041f9eb4a5fd3e070df5638d48a67285"
"""Commit of aws-neuron/aws-neuron-samples with the tutorial's script, `torch-neuronx/training/dp_bert_hf_pretrain`."""

FSDP_SOURCE = "1bcaa19bffb0b28fa0ecaf24ce27c347cfc8d700"
"""Commit of awslabs/awsome-distributed-ai (until 2026 awsome-distributed-training) with the FSDP example,
`3.test_cases/pytorch/FSDP/src`."""

FSDP_INDEX = "https://download.pytorch.org/whl/cu130"
FSDP_PACKAGES = "torch==2.9.1 torchvision==0.24.1 torchaudio==2.9.1 transformers==4.57.6 datasets==3.6.0"
"""The packages of the FSDP example at that commit (`src/requirements.txt`, which names no version of datasets)."""

# renovate: datasource=pypi depName=hyperpod-elastic-agent
HYPERPOD_ELASTIC_AGENT = "1.1.3"
"""Starts the processes of a job of HyperPod's training operator (`hyperpodrun`)."""

# renovate: datasource=docker depName=public.ecr.aws/aws-cli/aws-cli
AWS_CLI_IMAGE = "public.ecr.aws/aws-cli/aws-cli:2.36.15"

# renovate: datasource=docker depName=docker.io/tensorflow/tensorflow
TENSORBOARD_IMAGE = "docker.io/tensorflow/tensorflow:2.19.0"
"""TensorFlow's own image, which holds TensorBoard."""

MLFLOW_CLIENTS: dict[str, str] = {"3.0": "3.0.0", "2.16": "2.16.2", "2.13": "2.13.2"}
"""MLflow of SageMaker's tracking servers, the newest first -> the client that goes with it (SageMaker guide, "Integrate
MLflow with your environment"). A server is named by two numbers: the provider cuts AWS's value to those
(terraform-provider-aws, `sagemaker/mlflow_tracking_server.go`, normalizeMlflowVersion), and would else replace the
server at every `up`."""

PARALLELCLUSTER = "3.16.1"
"""AWS ParallelCluster, the newest on PyPI on 2026-11-22. One of another version is another cluster: a cluster is
updated by the version that made it."""

PARALLELCLUSTER_SLURM = "25.11"
"""Slurm of that version (its release notes: "Upgrade Slurm to version 25.11.8")."""

POST_INSTALL_COMMIT = "66337fc41a05facf3d7bb732c80b4366c56b83c5"
"""aws-samples/aws-parallelcluster-post-install-scripts, `main` of 2025-04-16."""

PCS_SLURM = ("24.11", "25.05", "25.11", "26.05")
"""Versions of Slurm for new clusters on AWS PCS, ascending (PCS API, SchedulerRequest, version). The API also lists
23.11 and 24.05 for clusters that exist (Scheduler, version). PCS suspends clusters whose version has ended (API
reference, Cluster, status)."""
