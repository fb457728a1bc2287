"""HyperPod's chart with two that run MPIJobs."""

from tests.policies.programs.kubernetes import HYPERPOD, releases

AT = {"hyperpod-helm-chart"}
CHART = "oci://registry.example.com/charts/hyperpod-helm-chart"


def passing() -> None:
    releases((CHART, "0.1.0"))


def failing() -> None:
    own = {"schemes": ["pytorchjob", "mpijob"]}
    releases((CHART, "0.1.0", {**HYPERPOD, "training-operators": own}))
