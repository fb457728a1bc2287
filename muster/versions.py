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
    "1.36": Support(date(2027, 8, 2), date(2028, 8, 2)),
    "1.35": Support(date(2027, 3, 27), date(2028, 3, 27)),
    "1.34": Support(date(2026, 12, 2), date(2027, 12, 2)),
    "1.33": Support(date(2026, 7, 29), date(2027, 7, 29)),
    "1.32": Support(date(2026, 3, 23), date(2027, 3, 23)),
    "1.31": Support(date(2025, 11, 26), date(2026, 11, 26)),
    "1.30": Support(date(2025, 7, 23), date(2026, 7, 23)),
    "1.29": Support(date(2025, 3, 23), date(2026, 3, 23)),
}
"""EKS user guide, "Kubernetes release calendar", read 2026-11-21."""

EKS_ADDONS: dict[str, dict[str, str]] = {
    "1.35": {
        "vpc-cni": "v1.21.1-eksbuild.1",
        "kube-proxy": "v1.35.0-eksbuild.2",
        "coredns": "v1.13.1-eksbuild.1",
        "eks-pod-identity-agent": "v1.3.10-eksbuild.2",
    },
}
"""Kubernetes version -> EKS add-on -> version."""

MINIMUM_VPC_CNI_FOR_EFA_ONLY = (1, 18, 5)
"""EKS user guide, "node-efa". terraform-aws-eks says 1.18.4, HyperPod 1.18.3: the highest is followed."""

MINIMUM_VPC_CNI_FOR_SEVERAL_CARDS = (1, 7, 10)
"""EKS user guide, "node-efa"."""

# renovate: datasource=helm registryUrl=https://nvidia.github.io/k8s-device-plugin depName=nvidia-device-plugin
NVIDIA_DEVICE_PLUGIN = "0.20.0"

# renovate: datasource=helm registryUrl=https://aws.github.io/eks-charts depName=aws-efa-k8s-device-plugin
EFA_DEVICE_PLUGIN = "v0.5.30"

# renovate: datasource=github-releases depName=kubeflow/mpi-operator
MPI_OPERATOR = "v0.8.2"

# renovate: datasource=docker depName=public.ecr.aws/hpc-cloud/nccl-tests
NCCL_TESTS_IMAGE = "public.ecr.aws/hpc-cloud/nccl-tests:cuda12.8.1-efa1.42.0-ofiv1.16.0-ncclv2.27.5-1-testsv2.16.4"
