"""HyperPod's job auto-resume, for the jobs that AWS documents. Pure.

Its annotations, namespaces and restart policy: SageMaker AI guide, "Running jobs using kubectl" and "Running jobs using
the SageMaker HyperPod CLI". The training operator's releases: aws/sagemaker-hyperpod-cli 011ca92,
`helm_chart/readme.md`, Notes.
"""

ENABLED = "sagemaker.amazonaws.com/enable-job-auto-resume"
"""The annotation of a job that HyperPod is to resume: ``"true"``."""

RETRIES = "sagemaker.amazonaws.com/job-max-retry-count"
"""Likewise: how often at most."""

API_VERSION, KIND = "kubeflow.org/v1", "PyTorchJob"
"""The jobs that it takes, of the Kubeflow training operator."""

RESTART_POLICY = "OnFailure"
"""Of every replica; also the operator's default."""

NAMESPACE = "kubeflow"
"""It takes jobs of this namespace."""

NAMESPACE_PREFIX = "hyperpod"
"""And of those that begin so."""

SUPPORTED_RELEASES = ("v1.7.0", "v1.8.0", "v1.8.1")
"""The releases of the training operator that AWS states it for, the newest last; no source has others."""

NEWEST = SUPPORTED_RELEASES[-1]
"""The default, unless something requires an older one."""


def resumes_in(namespace: str) -> bool:
    """Whether it takes jobs of a namespace."""
    return namespace == NAMESPACE or namespace.startswith(NAMESPACE_PREFIX)


def is_supported(version: str) -> bool:
    """Whether AWS states it for a release of the training operator, with or without its ``v``."""
    return f"v{version.removeprefix('v')}" in SUPPORTED_RELEASES
