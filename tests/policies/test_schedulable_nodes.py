"""On which nodes pods may be, by each label that somebody is known to set."""

import pytest

from muster.addons.sheet import chart_instance_types
from muster.fleet.resources import Taint
from muster.hardware.catalogue import Accelerator, hardware
from muster.hardware.hyperpod_types import ML
from muster.policies.lookups.chart_contents import PartKind
from muster.policies.lookups.installed_addons import parts_of
from muster.policies.lookups.pod_placement import hyperpod_node_kind, node_kinds, schedulable
from muster.scheduling.fit import Schedulable
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, a_group, a_template
from tests.hardware_types import CLUSTER_TYPES
from tests.policies.addons import EFA, HYPERPOD, NVIDIA, OPERATOR, an_addon


def _asking(instance: str, label: str, value: str) -> Schedulable:
    """Whether a pod that selects a label may be on nodes of a type."""
    (spot,) = node_kinds(a_fleet(a_template(instance=instance, interfaces=()), a_group()))
    return schedulable({"nodeSelector": {label: value}}, spot)


# Kubernetes, Well-Known Labels
@pytest.mark.parametrize(
    ("instance", "label", "value"),
    [
        ("p5.48xlarge", "node.kubernetes.io/instance-type", "p5.48xlarge"),
        ("p5.48xlarge", "beta.kubernetes.io/instance-type", "p5.48xlarge"),
        ("p5.48xlarge", "kubernetes.io/os", "linux"),
        ("p5.48xlarge", "kubernetes.io/arch", "amd64"),
        ("p6e-gb200.36xlarge", "kubernetes.io/arch", "arm64"),
        ("p5.48xlarge", "topology.kubernetes.io/zone", "us-west-2a"),
    ],
)
def test_labels_that_every_node_has(instance: str, label: str, value: str) -> None:
    """A pod that asks for another value is on no such node."""
    assert [_asking(instance, label, each) for each in (value, f"no-{value}")] == [Schedulable.YES, Schedulable.NO]


# Node Feature Discovery; amazon-eks-ami, nodeadm; NVIDIA/gpu-operator, state_manager.go
@pytest.mark.parametrize(
    "label",
    [
        "feature.node.kubernetes.io/pci-10de.present",
        "feature.node.kubernetes.io/pci-0302_10de.present",
        "nvidia.com/gpu.present",
        "nvidia.com/gpu.deploy.device-plugin",
    ],
)
def test_labels_of_nodes_with_gpus(label: str) -> None:
    """Nodes with NVIDIA GPUs have it; of others nobody knows who looks at their hardware."""
    assert [_asking("p5.48xlarge", label, value) for value in ("true", "false")] == [Schedulable.YES, Schedulable.NO]
    assert [_asking(other, label, "true") for other in ("trn1.32xlarge", "c5.2xlarge")] == [Schedulable.MAYBE] * 2
    for instance, answers in (
        ("p5.48xlarge", [Schedulable.YES, Schedulable.NO]),
        ("trn1.32xlarge", [Schedulable.MAYBE] * 2),
        ("c5.2xlarge", [Schedulable.MAYBE] * 2),
    ):
        spot = hyperpod_node_kind(hardware(instance))
        assert [schedulable({"nodeSelector": {label: value}}, spot) for value in ("true", "false")] == answers


@pytest.mark.parametrize(
    ("label", "answer"),
    [
        ("team", Schedulable.NO),
        ("eks.amazonaws.com/compute-type", Schedulable.NO),
        ("eks.amazonaws.com/nodegroup", Schedulable.MAYBE),
        ("failure-domain.beta.kubernetes.io/region", Schedulable.MAYBE),
        ("k8s.amazonaws.com/accelerator", Schedulable.MAYBE),
        ("kubernetes.io/hostname", Schedulable.MAYBE),
        ("node.kubernetes.io/lifecycle", Schedulable.MAYBE),
        ("sagemaker.amazonaws.com/instance-group-name", Schedulable.MAYBE),
        ("topology.k8s.aws/network-node-layer-1", Schedulable.MAYBE),
        ("feature.node.kubernetes.io/cpu-model.vendor_id", Schedulable.MAYBE),
        ("nvidia.com/gpu.product", Schedulable.MAYBE),
    ],
)
def test_labels_that_others_set(label: str, answer: Schedulable) -> None:
    """Whether a node has one is known only once it is there; one of nobody's is not there."""
    assert _asking("p5.48xlarge", label, "x") is answer
    (spot,) = node_kinds(a_fleet(a_group(labels=UNKNOWN)))
    assert schedulable({"nodeSelector": {label: "x"}}, spot) is Schedulable.MAYBE


def test_a_label_that_the_pod_asks_for_and_nobody_knows() -> None:
    """A value that creation tells leaves it open, but for a node that another label rules out."""
    (spot,) = node_kinds(a_fleet(a_template(), a_group()))
    asked = [{}, {"kubernetes.io/os": "linux"}, {"kubernetes.io/os": "windows"}]
    assert [schedulable({"nodeSelector": each}, spot) for each in asked] == [
        Schedulable.YES,
        Schedulable.YES,
        Schedulable.NO,
    ]
    asked = [{**each, "team": UNKNOWN} for each in asked]
    assert [schedulable({"nodeSelector": each}, spot) for each in asked] == [
        Schedulable.MAYBE,
        Schedulable.MAYBE,
        Schedulable.NO,
    ]


MACHINES = [hardware(each) for each in CLUSTER_TYPES]


GPUS = frozenset(each.instance for each in MACHINES if each.accelerator is Accelerator.GPU)
NEURON = frozenset(each.instance for each in MACHINES if each.accelerator is Accelerator.NEURON)
WITH_EFA = frozenset(each.instance for each in MACHINES if each.max_efa)
NONE = frozenset[str]()


def _listed(chart: str, name: str, prefix: str = "") -> frozenset[str]:
    return frozenset(
        each.removeprefix(ML) for each in chart_instance_types(chart, name) if each.startswith(ML) == bool(prefix)
    )


OF_HYPERPOD = {
    name: _listed(HYPERPOD, name, ML)
    for name in ("nvidia-device-plugin", "aws-efa-k8s-device-plugin", "neuron-device-plugin")
}


def _lands_on(chart: str, part: PartKind) -> tuple[set[str], set[str]]:
    """The types of EKS's nodes, and of HyperPod's, on which a part surely is."""
    (one,) = [each for each in parts_of(an_addon(chart)) if each.what is part]
    (pod,) = one.pods
    of_eks = {
        machine.instance
        for machine in MACHINES
        for spot in node_kinds(a_fleet(a_template(instance=machine.instance, interfaces=()), a_group()))
        if schedulable(pod, spot) is Schedulable.YES
    }
    sagemakers = [each for each in MACHINES if each.hyperpod]
    return of_eks, {
        each.instance for each in sagemakers if schedulable(pod, hyperpod_node_kind(each)) is Schedulable.YES
    }


# the charts' templates and values; aws/sagemaker-hyperpod-cli, helm_chart/HyperPodHelmChart/values.yaml
@pytest.mark.parametrize(
    ("chart", "part", "of_eks", "of_hyperpod"),
    [
        (NVIDIA, PartKind.NVIDIA_PLUGIN, GPUS, GPUS),
        (OPERATOR, PartKind.NVIDIA_PLUGIN, GPUS, GPUS),
        (OPERATOR, PartKind.GPU_DRIVER, GPUS, GPUS),
        (OPERATOR, PartKind.GPU_TOOLKIT, GPUS, GPUS),
        ("nvidia-dra-driver-gpu", PartKind.NVIDIA_DRA, GPUS, GPUS),
        ("dra-driver-nvidia-gpu", PartKind.NVIDIA_DRA, GPUS, GPUS),
        (EFA, PartKind.EFA_PLUGIN, _listed(EFA, EFA), NONE),
        ("aws-dranet", PartKind.EFA_DRA, _listed("aws-dranet", "aws-dranet"), NONE),
        ("neuron-helm-chart", PartKind.NEURON_PLUGIN, NEURON, _listed("neuron-helm-chart", "neuron-device-plugin", ML)),
        (HYPERPOD, PartKind.NVIDIA_PLUGIN, NONE, OF_HYPERPOD["nvidia-device-plugin"]),
        (HYPERPOD, PartKind.EFA_PLUGIN, NONE, OF_HYPERPOD["aws-efa-k8s-device-plugin"]),
        (
            HYPERPOD,
            PartKind.NEURON_PLUGIN,
            _listed(HYPERPOD, "neuron-device-plugin"),
            OF_HYPERPOD["neuron-device-plugin"],
        ),
    ],
)
def test_a_part_is_on_the_nodes_that_have_its_devices(
    chart: str, part: PartKind, of_eks: frozenset[str], of_hyperpod: frozenset[str]
) -> None:
    """And surely on no others: HyperPod's chart, and those that list EC2's types alone, serve one kind of nodes."""
    of_eks &= {each.instance for each in MACHINES}
    assert _lands_on(chart, part) == (of_eks, of_hyperpod & {each.instance for each in MACHINES if each.hyperpod})


OF_NVIDIA = (
    (NVIDIA, PartKind.NVIDIA_PLUGIN),
    ("nvidia-dra-driver-gpu", PartKind.NVIDIA_DRA),
    ("dra-driver-nvidia-gpu", PartKind.NVIDIA_DRA),
)


# NVIDIA/k8s-device-plugin and k8s-dra-driver-gpu, the charts' values.yaml
@pytest.mark.parametrize(("chart", "part"), OF_NVIDIA)
@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("feature.node.kubernetes.io/pci-10de.present", "true"),
        ("feature.node.kubernetes.io/cpu-model.vendor_id", "NVIDIA"),
        ("nvidia.com/gpu.present", "true"),
    ],
)
def test_any_label_of_a_gpu_is_enough(chart: str, part: PartKind, label: str, value: str) -> None:
    """Whoever sets it."""
    (pod,) = next(each.pods for each in parts_of(an_addon(chart)) if each.what is part)
    for said, answer in ((value, Schedulable.YES), (f"no-{value}", Schedulable.MAYBE)):
        (spot,) = node_kinds(a_fleet(), of_gpus={label: said})
        assert schedulable(pod, spot) is answer


@pytest.mark.parametrize(
    ("chart", "part"),
    [*OF_NVIDIA, *((OPERATOR, each) for each in (PartKind.NVIDIA_PLUGIN, PartKind.GPU_DRIVER, PartKind.GPU_TOOLKIT))],
)
@pytest.mark.parametrize(
    ("taint", "answer"),
    [
        (Taint("nvidia.com/gpu", "true", "NoSchedule"), Schedulable.YES),
        (Taint("nvidia.com/gpu", "true", "NoExecute"), Schedulable.NO),
        (Taint("ours", "true", "NoSchedule"), Schedulable.NO),
    ],
)
def test_nvidias_parts_tolerate_the_taint_of_gpus(
    chart: str, part: PartKind, taint: Taint, answer: Schedulable
) -> None:
    """With the effect that its charts name, and no other taint."""
    (pod,) = next(each.pods for each in parts_of(an_addon(chart)) if each.what is part)
    (spot,) = node_kinds(a_fleet(a_group(taints=frozenset({taint}))))
    assert schedulable(pod, spot) is answer
