"""HyperPod's chart twice, each with its training operator."""

from tests.policies.programs.kubernetes import HYPERPOD, a_release

AT = {"second"}
CHART = "./helm_chart/HyperPodHelmChart"
LEFT_OUT = {**HYPERPOD, "mpi-operator": {"enabled": False}}


def passing() -> None:
    a_release("first", CHART, "0.1.0", LEFT_OUT)


def failing() -> None:
    a_release("first", CHART, "0.1.0", LEFT_OUT)
    a_release("second", CHART, "0.1.0", LEFT_OUT)
