"""Trainer with its JobSet, beside JobSet."""

from tests.policies.programs.kubernetes import releases

AT = {"kubeflow-trainer"}
JOBSET = ("oci://registry.k8s.io/jobset/charts/jobset", "0.12.0")
TRAINER = "oci://ghcr.io/kubeflow/charts/kubeflow-trainer"


def passing() -> None:
    releases(JOBSET, (TRAINER, "2.3.0", {"jobset": {"install": False}}))


def failing() -> None:
    releases(JOBSET, (TRAINER, "2.3.0"))
