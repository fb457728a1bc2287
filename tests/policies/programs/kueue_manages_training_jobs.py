"""Kueue as it comes, beside HyperPod's training operator."""

from tests.policies.programs.kubernetes import HYPERPOD, releases

AT = {"kueue"}
HYPERPODS = ("HyperPodHelmChart", "0.1.0", HYPERPOD)
MANAGED = "integrations:\n  frameworks:\n  - batch/job\n  - kubeflow.org/pytorchjob\n"


def passing() -> None:
    releases(HYPERPODS, ("kueue", "0.19.2", {"managerConfig": {"controllerManagerConfigYaml": MANAGED}}))


def failing() -> None:
    releases(HYPERPODS, ("kueue", "0.19.2"))
