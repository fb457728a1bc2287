"""Every version Muster pins, in one place. Nothing else in the tree names one; tests re-derive the rest.

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


class Image(NamedTuple):
    """A container image, as its project names it."""

    reference: str
    """With its tag."""
    digest: str | None = None
    """``sha256:...`` where the project publishes it; None: not published, and a tag can move."""


class Pin(NamedTuple):
    """A pinned add-on."""

    version: str
    """Of its chart, manifest or EKS add-on."""
    kubernetes: tuple[str, str | None]
    """The first and the last minor version that its project names; None where it names no last one."""
    images: tuple[Image, ...] = ()
    """All that it runs; of an EKS add-on none: EKS takes them from its own registries in the Region."""
    digest: str | None = None
    """The chart's, where the project publishes it."""


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

_JOBSET_IMAGE = Image("registry.k8s.io/jobset/jobset:v0.12.0")

ADDONS: dict[str, Pin] = {
    # renovate: datasource=helm registryUrl=https://nvidia.github.io/k8s-device-plugin depName=nvidia-device-plugin
    "nvidia-device-plugin": Pin("0.20.0", ("1.10", None), (Image("nvcr.io/nvidia/k8s-device-plugin:v0.20.0"),)),
    # renovate: datasource=docker depName=public.ecr.aws/neuron/neuron-helm-chart
    "neuron-device-plugin": Pin(
        "1.9.0",
        ("1.30", None),
        (Image("public.ecr.aws/neuron/neuron-device-plugin:2.31.0.0"),),
    ),
    # renovate: datasource=helm registryUrl=https://aws.github.io/eks-charts depName=aws-efa-k8s-device-plugin
    "efa-device-plugin": Pin(
        "v0.5.30",
        ("1.30", None),
        (Image("602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/aws-efa-k8s-device-plugin:v0.5.20"),),
    ),
    # renovate: datasource=docker depName=registry.k8s.io/dra-driver-nvidia/charts/dra-driver-nvidia-gpu
    "nvidia-dra-driver": Pin(
        "0.4.1", ("1.33", None), (Image("registry.k8s.io/dra-driver-nvidia/dra-driver-nvidia-gpu:v0.4.1"),)
    ),
    # renovate: datasource=helm registryUrl=https://aws.github.io/eks-charts depName=aws-dranet
    "efa-dra-driver": Pin(
        "1.0.0", ("1.34", None), (Image("602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/dranet:v1.2.0-eksbuild.2"),)
    ),
    # renovate: datasource=github-releases depName=kubeflow/mpi-operator
    "mpi-operator": Pin("v0.8.2", ("1.30", None), (Image("docker.io/mpioperator/mpi-operator:0.8.2"),)),
    # renovate: datasource=github-releases depName=kubeflow/trainer allowedVersions=<2
    "training-operator": Pin(
        "v1.9.4",
        ("1.28", None),
        (Image(TRAINING_OPERATOR_IMAGES["v1.9.4"]), Image("docker.io/library/alpine:3.10")),
    ),
    # renovate: datasource=docker depName=registry.k8s.io/jobset/charts/jobset
    "jobset": Pin("0.12.0", ("1.27", None), (_JOBSET_IMAGE,)),
    # renovate: datasource=docker depName=ghcr.io/kubeflow/charts/kubeflow-trainer
    "trainer": Pin(
        "2.3.0",
        ("1.31", None),
        (
            Image("ghcr.io/kubeflow/trainer/trainer-controller-manager:v2.3.0"),
            _JOBSET_IMAGE,
            Image("docker.io/alpine:3.21"),
        ),
    ),
    # renovate: datasource=helm registryUrl=https://volcano-sh.github.io/helm-charts depName=volcano
    "volcano": Pin(
        "1.15.0",
        ("1.23", "1.35"),
        tuple(
            Image(f"docker.io/volcanosh/{name}:v1.15.0")
            for name in ("vc-controller-manager", "vc-scheduler", "vc-webhook-manager")
        ),
    ),
    # renovate: datasource=helm registryUrl=https://ray-project.github.io/kuberay-helm depName=kuberay-operator
    "kuberay-operator": Pin("1.7.0", ("1.30", None), (Image("quay.io/kuberay/operator:v1.7.0"),)),
    # renovate: datasource=docker depName=quay.io/coreos/etcd allowedVersions=/^v3\.5\./
    "etcd": Pin("v3.5.33", ("1.30", None), (Image("quay.io/coreos/etcd:v3.5.33"),)),
    # renovate: datasource=docker depName=public.ecr.aws/karpenter/karpenter
    "karpenter": Pin(
        "1.14.1",
        ("1.30", "1.36"),
        (
            Image(
                "public.ecr.aws/karpenter/controller:1.14.1",
                "sha256:723130949e4cab989461ff07d1be4cd781d63515432494641b33c235f300ae23",
            ),
        ),
    ),
    # renovate: datasource=docker depName=registry.k8s.io/kueue/charts/kueue
    "kueue": Pin("0.19.2", ("1.29", None), (Image("registry.k8s.io/kueue/kueue:v0.19.2"),)),
    "fsx-csi-driver": Pin("v1.9.0-eksbuild.1", ("1.20", None)),
    # No public source prints its versions by version of Kubernetes: the description sets one.
    "s3-csi-driver": Pin("", ("1.25", None)),
    # Its own version is 0.1.0 and never changes: whoever packages it adds the commit (sagemaker-hyperpod-cli).
    "hyperpod": Pin("0.1.0+011ca927123e", ("1.30", "1.35")),
    "hyperpod-task-governance": Pin("v1.6.0-eksbuild.1", ("1.30", "1.35")),
    "hyperpod-training-operator": Pin("v1.2.1-eksbuild.1", ("1.28", "1.35")),
    # No public source prints a version of it: the description sets one.
    "hyperpod-observability": Pin("", ("1.30", "1.35")),
    "hyperpod-inference": Pin("v1.5.0-eksbuild.1", ("1.30", "1.35")),
    # renovate: datasource=helm registryUrl=https://nvidia.github.io/dcgm-exporter/helm-charts depName=dcgm-exporter
    "dcgm-exporter": Pin("4.8.2", ("1.19", None), (Image("nvcr.io/nvidia/k8s/dcgm-exporter:4.5.3-4.8.2-distroless"),)),
    "cloudwatch-observability": Pin("v6.6.0-eksbuild.1", ("1.30", None)),
    "eks-node-monitoring-agent": Pin("v1.6.7-eksbuild.1", ("1.30", None)),
    "metrics-server": Pin("v0.9.0-eksbuild.7", ("1.30", None)),
    "cert-manager": Pin("v1.21.0-eksbuild.2", ("1.33", "1.36")),
}
"""Kubernetes add-on -> what is installed of it. Where a project names no first Kubernetes version (Neuron, EFA, MPI
operator, KubeRay, etcd), the oldest that EKS still runs is used.

DRA drivers: from the EKS user guide (device-management), 1.34 for devices, and 1.33, the first with the API, for the
ComputeDomains of NVIDIA's driver. The readme of aws-dranet states 1.35, and the chart of NVIDIA's driver 1.32.

EKS add-ons, as public sources print them (EKS itself answers `aws eks describe-addon-versions --addon-name NAME
--kubernetes-version V`); what EKS publishes for a version is for the Kubernetes versions of that version:

- aws-fsx-csi-driver v1.9.0-eksbuild.1, amazon-cloudwatch-observability v6.6.0-eksbuild.1 and metrics-server
  v0.9.0-eksbuild.7: awslabs/global-capacity-orchestrator-on-aws, `gco/stacks/constants.py` (a 1.36 cluster). It also
  has v1.10.0-eksbuild.1 of the FSx driver; 1.9.0 is what the chart has, and several clusters of 1.35.
- eks-node-monitoring-agent v1.6.7-eksbuild.1: the image tag in its own chart (aws/eks-node-monitoring-agent v1.6.7),
  and a 1.36 cluster. v1.7.0 is out; no public source has it as an add-on.
- cert-manager v1.21.0-eksbuild.2: us-east-1 and eu-west-1 had it, ap-northeast-2 eksbuild.3; another Region may want
  `version`. Kubernetes by cert-manager's own table for 1.21.
- amazon-sagemaker-hyperpod-taskgovernance v1.6.0-eksbuild.1: SageMaker guide, "Upgrade the task governance add-on".
- amazon-sagemaker-hyperpod-training-operator v1.2.1-eksbuild.1: EKS's default for 1.28 to 1.35
  (awslabs/awsome-distributed-ai#1076).
- amazon-sagemaker-hyperpod-inference v1.5.0-eksbuild.1: SageMaker guide, "HyperPod Inference release notes: v3.4".
- HyperPod runs 1.30 to 1.35 today.
"""

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
