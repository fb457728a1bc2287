"""Programs about add-ons."""

from datetime import date

import pulumi_aws as aws

from tests.policies.programs.kubernetes import HYPERPOD, a_release, gpu_workers, releases
from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import a_template, a_world, plain_template, workers


# 1.32 was in standard support.
@keeps("dra-driver-supported", as_of=date(2026, 1, 1))
def keeps_dra_driver_supported() -> None:
    a_world(version="1.34")
    releases(("aws-dranet", "1.0.0"))


@breaks(
    "dra-driver-supported",
    "A DRA driver on a version of Kubernetes that does not serve its API.",
    at={"aws-dranet"},
    as_of=date(2026, 1, 1),
)
def breaks_dra_driver_supported() -> None:
    a_world(version="1.32")
    releases(("aws-dranet", "1.0.0"))


ON_P6 = {
    "supportedInstanceLabels": {"values": ["ml.p6-b200.48xlarge"]},
    "tolerations": [{"key": "sagemaker.amazonaws.com/node-health-status", "operator": "Exists"}],
}
HYPERPODS = ("HyperPodHelmChart", "0.1.0", HYPERPOD)

keeps("efa-plugin-knows-p6")(lambda: releases(HYPERPODS, ("aws-efa-k8s-device-plugin", "v0.5.10", ON_P6)))
breaks(
    "efa-plugin-knows-p6",
    "An EFA plugin that counts NVLink's devices, on p6-b200 nodes of HyperPod.",
    at={"aws-efa-k8s-device-plugin"},
)(lambda: releases(HYPERPODS, ("aws-efa-k8s-device-plugin", "v0.5.9", ON_P6)))

CONFIGURED = {"config": {"map": {"default": "version: v1", "sliced": "version: v1"}}}

keeps("device-plugin-configuration-valid")(lambda: releases(("nvidia-device-plugin", "0.20.0", CONFIGURED)))
breaks(
    "device-plugin-configuration-valid",
    "NVIDIA's plugin with a default configuration that does not exist.",
    at={"nvidia-device-plugin"},
)(
    lambda: releases(
        ("nvidia-device-plugin", "0.20.0", {"config": {**CONFIGURED["config"], "default": "shared"}}),
    )
)

ETCD = "oci://registry-1.docker.io/bitnamicharts/etcd"
V2 = {"extraEnvVars": [{"name": "ETCD_ENABLE_V2", "value": "true"}]}

keeps("etcd-speaks-v2")(lambda: releases((ETCD, "12.0.20", {**V2, "image": {"tag": "3.5.20"}})))
breaks("etcd-speaks-v2", "An etcd for TorchX that does not serve the v2 API.", at={"etcd"})(
    lambda: releases((ETCD, "12.0.20", V2))
)


@keeps("gpu-operator-leaves-the-image")
def keeps_gpu_operator_leaves_the_image() -> None:
    gpu_workers(a_world())
    releases(("gpu-operator", "v26.7.0", {"driver": {"enabled": False}, "toolkit": {"enabled": False}}))


@breaks(
    "gpu-operator-leaves-the-image",
    "The GPU operator with its default values, on EKS's GPU image.",
    at={"gpu-operator"},
)
def breaks_gpu_operator_leaves_the_image() -> None:
    gpu_workers(a_world())
    releases(("gpu-operator", "v26.7.0"))


keeps("kueue-knows-trainer")(lambda: releases(("kueue", "0.19.2"), ("kubeflow-trainer", "2.0.1")))
breaks("kueue-knows-trainer", "A Trainer older than Kueue's TrainJobs.", at={"kubeflow-trainer"})(
    lambda: releases(("kueue", "0.19.2"), ("kubeflow-trainer", "2.0.0-rc.0"))
)

MANAGED = "integrations:\n  frameworks:\n  - batch/job\n  - kubeflow.org/mpijob\n  - kubeflow.org/pytorchjob\n"

keeps("kueue-manages-training-jobs")(
    lambda: releases(HYPERPODS, ("kueue", "0.19.2", {"managerConfig": {"controllerManagerConfigYaml": MANAGED}}))
)
breaks(
    "kueue-manages-training-jobs", "Kueue with its default values, beside HyperPod's training operator.", at={"kueue"}
)(lambda: releases(HYPERPODS, ("kueue", "0.19.2")))


@keeps("no-dra-driver-beside-plugin")
def keeps_no_dra_driver_beside_plugin() -> None:
    gpu_workers(a_world())
    releases(("aws-dranet", "1.0.0"))


@breaks("no-dra-driver-beside-plugin", "EFA interfaces from a device plugin and from DRA.", at={"aws-dranet"})
def breaks_no_dra_driver_beside_plugin() -> None:
    gpu_workers(a_world())
    releases(("aws-dranet", "1.0.0"), ("aws-efa-k8s-device-plugin", "v0.5.30"))


OVERRIDE = {"gpuResourcesEnabledOverride": True}

keeps("nvidia-dra-driver-has-override")(lambda: releases(("dra-driver-nvidia-gpu", "0.4.1", OVERRIDE)))
breaks(
    "nvidia-dra-driver-has-override",
    "A chart of NVIDIA's DRA driver that refuses to be installed.",
    at={"dra-driver-nvidia-gpu"},
)(lambda: releases(("dra-driver-nvidia-gpu", "0.4.1")))


@keeps("nvidia-plugin-spares-efa")
def keeps_nvidia_plugin_spares_efa() -> None:
    gpu_workers(a_world())
    releases(("nvidia-device-plugin", "0.19.2", {"mofedEnabled": False}))


@breaks(
    "nvidia-plugin-spares-efa", "A release of the NVIDIA plugin that mounts EFA's devices.", at={"nvidia-device-plugin"}
)
def breaks_nvidia_plugin_spares_efa() -> None:
    gpu_workers(a_world())
    releases(("nvidia-device-plugin", "0.19.2"))


@keeps("one-fsx-csi-driver")
def keeps_one_fsx_csi_driver() -> None:
    a_world()
    releases(("aws-fsx-csi-driver", "1.17.0"))


@breaks("one-fsx-csi-driver", "The FSx CSI driver, installed by EKS and by its chart.", at={"aws-fsx-csi-driver"})
def breaks_one_fsx_csi_driver() -> None:
    world = a_world()
    aws.eks.Addon("a-driver", cluster_name=world.cluster.name, addon_name="aws-fsx-csi-driver")
    releases(("aws-fsx-csi-driver", "1.17.0"))


JOBSET = ("oci://registry.k8s.io/jobset/charts/jobset", "0.12.0")
TRAINER = "oci://ghcr.io/kubeflow/charts/kubeflow-trainer"

keeps("one-jobset")(lambda: releases(JOBSET, (TRAINER, "2.3.0", {"jobset": {"install": False}})))
breaks("one-jobset", "Trainer with its JobSet, beside JobSet.", at={"kubeflow-trainer"})(
    lambda: releases(JOBSET, (TRAINER, "2.3.0"))
)


@keeps("one-kueue")
def keeps_one_kueue() -> None:
    a_world()
    releases(("oci://registry.k8s.io/kueue/charts/kueue", "0.19.2"))


@breaks("one-kueue", "Kueue beside HyperPod's task governance.", at={"kueue"})
def breaks_one_kueue() -> None:
    world = a_world()
    aws.eks.Addon("governance", cluster_name=world.cluster.name, addon_name="amazon-sagemaker-hyperpod-taskgovernance")
    releases(("oci://registry.k8s.io/kueue/charts/kueue", "0.19.2"))


MPI_OPERATOR = "oci://registry.example.com/charts/hyperpod-helm-chart"

keeps("one-owner-of-mpijobs")(lambda: releases((MPI_OPERATOR, "0.1.0")))


@breaks("one-owner-of-mpijobs", "HyperPod's chart with two operators that run MPIJobs.", at={"hyperpod-helm-chart"})
def breaks_one_owner_of_mpijobs() -> None:
    own = {"schemes": ["pytorchjob", "mpijob"]}
    releases((MPI_OPERATOR, "0.1.0", {**HYPERPOD, "training-operators": own}))


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


TRAINING_OPERATOR = "./helm_chart/HyperPodHelmChart"
LEFT_OUT = {**HYPERPOD, "mpi-operator": {"enabled": False}}

keeps("one-training-operator")(lambda: a_release("first", TRAINING_OPERATOR, "0.1.0", LEFT_OUT))


@breaks("one-training-operator", "HyperPod's chart twice, each with its training operator.", at={"second"})
def breaks_one_training_operator() -> None:
    a_release("first", TRAINING_OPERATOR, "0.1.0", LEFT_OUT)
    a_release("second", TRAINING_OPERATOR, "0.1.0", LEFT_OUT)


keeps("operator-installed-once")(lambda: a_release("batch", "volcano", "1.15.0"))


@breaks("operator-installed-once", "Volcano twice.", at={"other"})
def breaks_operator_installed_once() -> None:
    a_release("batch", "volcano", "1.15.0")
    a_release("other", "volcano", "1.15.0")


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


@keeps("plugin-stays-with-its-devices")
def keeps_plugin_stays_with_its_devices() -> None:
    world = a_world()
    workers(world, plain_template(world, instance_type="m5.8xlarge"))
    releases(("aws-efa-k8s-device-plugin", "v0.5.30"))


@breaks(
    "plugin-stays-with-its-devices",
    "The EFA plugin with its default values, on nodes that support EFA but have no EFA interfaces.",
    at={"aws-efa-k8s-device-plugin"},
)
def breaks_plugin_stays_with_its_devices() -> None:
    world = a_world()
    workers(world, plain_template(world, instance_type="g4dn.8xlarge"))
    releases(("aws-efa-k8s-device-plugin", "v0.5.30"))


GPU = {"key": "nvidia.com/gpu", "operator": "Exists"}
HEALTH = {"key": "sagemaker.amazonaws.com/node-health-status", "operator": "Exists"}

keeps("plugin-tolerates-health-taint")(
    lambda: releases(HYPERPODS, ("nvidia-device-plugin", "0.20.0", {"tolerations": [GPU, HEALTH]}))
)
breaks("plugin-tolerates-health-taint", "The NVIDIA plugin's chart on HyperPod's nodes.", at={"nvidia-device-plugin"})(
    lambda: releases(HYPERPODS, ("nvidia-device-plugin", "0.20.0"))
)


def with_schemes_of_old(tag: str) -> dict[str, object]:
    own = {"image": {"tag": tag}}
    return {**HYPERPOD, "training-operators": own, "job-auto-restart": {"enabled": False}}


keeps("training-operator-knows-schemes")(
    lambda: releases(("HyperPodHelmChart", "0.1.0", with_schemes_of_old("v1-04f9f13")))
)
breaks(
    "training-operator-knows-schemes",
    "HyperPod's training operator with a newer image and old schemes.",
    at={"HyperPodHelmChart"},
)(lambda: releases(("HyperPodHelmChart", "0.1.0", with_schemes_of_old("v1-5170a36"))))


def with_one_scheme(tag: str) -> dict[str, object]:
    own = {"image": {"tag": tag}, "schemes": ["pytorchjob"]}
    return {**HYPERPOD, "training-operators": own}


keeps("training-operator-resumes-jobs")(lambda: releases(("HyperPodHelmChart", "0.1.0", with_one_scheme("v1-04f9f13"))))
breaks(
    "training-operator-resumes-jobs",
    "HyperPod's training operator, in a release that AWS does not document.",
    at={"HyperPodHelmChart"},
)(lambda: releases(("HyperPodHelmChart", "0.1.0", with_one_scheme("v1-93c5489"))))


keeps("addon-values-known-nearby")(lambda: releases(("kuberay-operator", "1.7.0", {"replicas": 2})))
breaks("addon-values-known-nearby", "A misspelt value, which Helm ignores.", at={"kuberay-operator"})(
    lambda: releases(("kuberay-operator", "1.7.0", {"replica": 2}))
)

MONITORED = ("kuberay-operator", "1.7.0", {"metrics": {"serviceMonitor": {"enabled": True}}})

keeps("monitor-kinds-likely")(lambda: releases(("kube-prometheus-stack", "75.0.0"), MONITORED))
breaks("monitor-kinds-likely", "A service monitor in a program that installs no kind for it.", at={"kuberay-operator"})(
    lambda: releases(MONITORED)
)
