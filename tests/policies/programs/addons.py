"""Programs about add-ons."""

from tests.policies.programs.kubernetes import gpu_workers, releases
from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import a_template, a_world, workers

ON_EKS = {"driver": {"enabled": False}, "toolkit": {"enabled": False}}


@keeps("one-plugin-per-device")
def keeps_one_plugin_per_device() -> None:
    gpu_workers(a_world())
    releases(
        ("nvidia-device-plugin", "0.20.0"), ("gpu-operator", "v26.7.0", {**ON_EKS, "devicePlugin": {"enabled": False}})
    )


@breaks(
    "one-plugin-per-device",
    "The GPU operator with its own device plugin, beside the plugin's chart.",
    at={"nvidia-device-plugin"},
)
def breaks_one_plugin_per_device() -> None:
    gpu_workers(a_world())
    releases(("nvidia-device-plugin", "0.20.0"), ("gpu-operator", "v26.7.0", ON_EKS))


TAINT = {"key": "nvidia.com/gpu", "value": "true", "effect": "NO_SCHEDULE"}


@keeps("plugin-reaches-its-nodes")
def keeps_plugin_reaches_its_nodes() -> None:
    world = a_world()
    workers(world, a_template(world), ami_type="AL2023_x86_64_NVIDIA", taints=[TAINT])
    toleration = {"key": "nvidia.com/gpu", "operator": "Exists"}
    releases(("aws-efa-k8s-device-plugin", "v0.5.30", {"tolerations": [toleration]}))


@breaks(
    "plugin-reaches-its-nodes",
    "The EFA plugin with its default values, on nodes with the usual taint of GPUs.",
    at={"aws-efa-k8s-device-plugin"},
)
def breaks_plugin_reaches_its_nodes() -> None:
    world = a_world()
    workers(world, a_template(world), ami_type="AL2023_x86_64_NVIDIA", taints=[TAINT])
    releases(("aws-efa-k8s-device-plugin", "v0.5.30"))


GPU = {"key": "nvidia.com/gpu", "operator": "Exists"}


MONITORED = ("kuberay-operator", "1.7.0", {"metrics": {"serviceMonitor": {"enabled": True}}})
