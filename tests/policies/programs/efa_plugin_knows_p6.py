"""An EFA plugin that counts NVLink's devices, told to run on p6-b200 of HyperPod."""

from tests.policies.programs.kubernetes import HYPERPOD, releases

AT = {"aws-efa-k8s-device-plugin"}
ON_P6 = {
    "supportedInstanceLabels": {"values": ["ml.p6-b200.48xlarge"]},
    "tolerations": [{"key": "sagemaker.amazonaws.com/node-health-status", "operator": "Exists"}],
}
HYPERPODS = ("HyperPodHelmChart", "0.1.0", HYPERPOD)


def passing() -> None:
    releases(HYPERPODS, ("aws-efa-k8s-device-plugin", "v0.5.10", ON_P6))


def failing() -> None:
    releases(HYPERPODS, ("aws-efa-k8s-device-plugin", "v0.5.9", ON_P6))
