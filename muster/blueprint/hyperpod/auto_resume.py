"""HyperPod's job auto-resume, for the jobs that AWS documents. Pure.

Its annotations, namespaces and restart policy: SageMaker AI guide, "Running jobs using kubectl" and "Running jobs using
the SageMaker HyperPod CLI". The training operator's releases: aws/sagemaker-hyperpod-cli 011ca92,
`helm_chart/readme.md`, Notes.
"""

ENABLED = "sagemaker.amazonaws.com/enable-job-auto-resume"
"""The annotation of a job that HyperPod should resume: ``"true"``."""

RETRIES = "sagemaker.amazonaws.com/job-max-retry-count"
"""The annotation with the maximum number of restarts."""

API_VERSION, KIND = "kubeflow.org/v1", "PyTorchJob"
"""The kind of jobs that auto-resume supports, of the Kubeflow training operator."""

RESTART_POLICY = "OnFailure"
"""The restart policy that every replica must have; also the operator's default."""

NAMESPACE = "kubeflow"
"""A namespace whose jobs auto-resume supports."""

NAMESPACE_PREFIX = "hyperpod"
"""The prefix of other namespaces whose jobs auto-resume supports."""

SUPPORTED_RELEASES = ("v1.7.0", "v1.8.0", "v1.8.1")
"""The releases of the training operator for which AWS documents auto-resume, the newest last; no source
names others."""

NEWEST = SUPPORTED_RELEASES[-1]
"""The default release, unless something requires an older one."""


def resumes_in(namespace: str) -> bool:
    """Whether auto-resume supports jobs in a namespace."""
    return namespace == NAMESPACE or namespace.startswith(NAMESPACE_PREFIX)


def is_supported(version: str) -> bool:
    """Whether AWS documents auto-resume for a release of the training operator, with or without its ``v``."""
    return f"v{version.removeprefix('v')}" in SUPPORTED_RELEASES
