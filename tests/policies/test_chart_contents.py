"""What charts install: the parts of each known chart, their releases and switches, as the charts' makers list them."""

from typing import Any

import pytest

from muster.fleet.resources import Addon
from muster.policies.lookups.chart_contents import PartKind
from muster.policies.lookups.installed_addons import parts_of
from tests.factories import a_fleet
from tests.policies.addons import HYPERPOD, LEAN, NVIDIA, OPERATOR, an_addon
from tests.policies.findings import got_by


def _kinds(addon: Addon) -> list[PartKind]:
    return [each.what for each in parts_of(addon)]


def _release(addon: Addon, kind: PartKind) -> list[str | None]:
    return [each.version for each in parts_of(addon) if each.what is kind]


def test_the_parts_of_hyperpods_chart_that_are_off_without_values() -> None:
    """The FSx driver comes with its inference operator, and NVIDIA's operator without a driver."""
    values = {**LEAN, "job-auto-restart": {"enabled": False}}
    assert _kinds(an_addon(HYPERPOD, values=values)) == []
    assert _kinds(an_addon(HYPERPOD, values={**values, "inferenceOperators": {"enabled": True}})) == [PartKind.FSX_CSI]
    operator = an_addon(HYPERPOD, values={**values, "gpu-operator": {"enabled": True}})
    assert _kinds(operator) == [PartKind.NVIDIA_PLUGIN, PartKind.GPU_TOOLKIT]


# the charts' values.yaml; aws/sagemaker-hyperpod-cli, helm_chart/HyperPodHelmChart/Chart.yaml
@pytest.mark.parametrize(
    ("chart", "switch", "part"),
    [
        (NVIDIA, "devicePlugin.enabled", PartKind.NVIDIA_PLUGIN),
        ("neuron-helm-chart", "devicePlugin.enabled", PartKind.NEURON_PLUGIN),
        (OPERATOR, "devicePlugin.enabled", PartKind.NVIDIA_PLUGIN),
        (OPERATOR, "driver.enabled", PartKind.GPU_DRIVER),
        (OPERATOR, "toolkit.enabled", PartKind.GPU_TOOLKIT),
        ("nvidia-dra-driver-gpu", "resources.gpus.enabled", PartKind.NVIDIA_DRA),
        ("dra-driver-nvidia-gpu", "resources.gpus.enabled", PartKind.NVIDIA_DRA),
        ("kubeflow-trainer", "jobset.install", PartKind.JOBSET),
        (HYPERPOD, "nvidia-device-plugin.devicePlugin.enabled", PartKind.NVIDIA_PLUGIN),
        (HYPERPOD, "aws-efa-k8s-device-plugin.devicePlugin.enabled", PartKind.EFA_PLUGIN),
        (HYPERPOD, "neuron-device-plugin.devicePlugin.enabled", PartKind.NEURON_PLUGIN),
        (HYPERPOD, "mpi-operator.enabled", PartKind.MPI_JOBS),
        (HYPERPOD, "trainingOperators.enabled", PartKind.TRAINING_OPERATOR),
        (HYPERPOD, "job-auto-restart.enabled", PartKind.AUTO_RESUME),
    ],
)
def test_a_switch(chart: str, switch: str, part: PartKind) -> None:
    """False or null, it takes out its part and no other; true changes nothing."""
    every = _kinds(an_addon(chart))
    rest = [each for each in every if each is not part]
    assert len(rest) == len(every) - 1
    for value, kinds in ((False, rest), (None, rest), (True, every)):
        values: Any = value
        for key in reversed(switch.split(".")):
            values = {key: values}
        assert _kinds(an_addon(chart, values=values)) == kinds


# NVIDIA/gpu-operator, deployments/gpu-operator/values.yaml at the tags
@pytest.mark.parametrize(
    ("operator", "plugin"),
    [
        *(("26.3.0", "0.19.0"), ("26.3.1", "0.19.0"), ("26.3.2", "0.19.2"), ("26.3.3", "0.19.3")),
        *(("26.7.0", "0.20.0"), ("v26.7.0", "0.20.0"), ("26.7.1", None)),
    ],
)
def test_the_plugin_of_a_gpu_operator(operator: str, plugin: str | None) -> None:
    assert _release(an_addon(OPERATOR, operator), PartKind.NVIDIA_PLUGIN) == [plugin]


# kubeflow/trainer, manifests/overlays/standalone at the tags
@pytest.mark.parametrize(
    ("tag", "release"),
    [
        *(("v1-855e096", "1.7.0"), ("v1-9e52eb7", "1.8.0"), ("v1-04f9f13", "1.8.1"), ("v1-5170a36", "1.9.0")),
        *(("v1-5c0e763", "1.9.1"), ("v1-3f15cb8", "1.9.2"), ("v1-d6eb98e", "1.9.3"), ("v1-93c5489", "1.9.4")),
        ("v1-0000000", None),
    ],
)
def test_the_training_operator_of_an_image(tag: str, release: str | None) -> None:
    """HyperPod's chart names a commit."""
    addon = an_addon(HYPERPOD, values={"training-operators": {"image": {"tag": tag}}})
    assert _release(addon, PartKind.TRAINING_OPERATOR) == [release]


# Go's strconv.ParseBool and flag package, by which etcd reads its flags; YAML's booleans
@pytest.mark.parametrize(
    ("values", "is_on"),
    [
        *(({"enable-v2": each}, True) for each in ("1", "T", "TRUE", True, 1)),
        *(({"enable-v2": each}, False) for each in ("0", "f", "False", False, 0, "tr", "")),
        ({"ETCD_ENABLE_V2": "t"}, True),
        ({"extraEnvVars": [{"name": "ETCD_ENABLE_V2", "value": "true"}]}, True),
        ({"extraEnvVars": [{"name": "ETCD_ENABLE_V2", "value": "false"}]}, False),
        ({"extraArgs": ["--enable-v2=true"]}, True),
        ({"extraArgs": ["--enable-v2=F"]}, False),
        ({"configuration": "enable-v2: true\n"}, True),
        # a flag without value is on
        ({"extraArgs": ["--enable-v2", "--debug"]}, True),
        ({"command": "etcd --enable-v2 --name one"}, True),
        ({"command": ["etcd", "--name=one", "-enable-v2"]}, True),
    ],
)
def test_a_switch_for_etcds_v2(values: dict[str, Any], *, is_on: bool) -> None:
    assert len(got_by("etcd-speaks-v2", a_fleet(an_addon("etcd", "12.0.20", values)))) == is_on
