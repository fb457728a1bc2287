"""A Trainer older than Kueue's TrainJobs."""

from tests.policies.programs.kubernetes import releases

AT = {"kubeflow-trainer"}


def passing() -> None:
    releases(("kueue", "0.19.2"), ("kubeflow-trainer", "2.0.1"))


def failing() -> None:
    releases(("kueue", "0.19.2"), ("kubeflow-trainer", "2.0.0-rc.0"))
