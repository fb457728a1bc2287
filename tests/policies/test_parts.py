"""What each chart that is known by its name brings: all of its parts, and of each its version, how to be without it,
and where its values stand. The names and numbers are the charts' own (`policies/lookups/chart_contents.py` cites
them)."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from muster.fleet.resources import Addon, EksAddon, Place
from muster.fleet.resources.eks import AddonKind
from policies.engine.catalogue import rule_of
from policies.engine.judgement import judge
from policies.lookups.chart_contents import AddonPart, PartKind
from policies.lookups.installed_addons import ordered_addons, parts_of, source_kind
from tests.factories import a_fleet, an_eks_addon
from tests.policies.addons import HYPERPOD, LEAN, NVIDIA, OPERATOR, an_addon, by_manifest
from tests.policies.case import got_by


def _parts(addon: Addon) -> tuple[AddonPart, ...]:
    found, missing = parts_of(addon)
    assert missing == ""
    return found


def _said(addon: Addon) -> list[tuple[PartKind, str | None, str, str]]:
    return [(each.what, each.version, each.off, each.at) for each in _parts(addon)]


OPERATORS = [
    (PartKind.NVIDIA_PLUGIN, None, "devicePlugin.enabled: false", "values.devicePlugin"),
    (PartKind.GPU_DRIVER, None, "driver.enabled: false", "values.driver"),
    (PartKind.GPU_TOOLKIT, None, "toolkit.enabled: false", "values.toolkit"),
]
GPU_DRA = [(PartKind.NVIDIA_DRA, "1.0.0", "resources.gpus.enabled: false", "values.resources.gpus")]
HYPERPODS = [
    (
        PartKind.NVIDIA_PLUGIN,
        "0.16.1",
        "nvidia-device-plugin.devicePlugin.enabled: false",
        "values.nvidia-device-plugin",
    ),
    (
        PartKind.EFA_PLUGIN,
        "v0.5.20",
        "aws-efa-k8s-device-plugin.devicePlugin.enabled: false",
        "values.aws-efa-k8s-device-plugin",
    ),
    (
        PartKind.NEURON_PLUGIN,
        "2.19.16.0",
        "neuron-device-plugin.devicePlugin.enabled: false",
        "values.neuron-device-plugin",
    ),
    (PartKind.MPI_JOBS, None, "mpi-operator.enabled: false", "values.mpi-operator"),
    (PartKind.TRAINING_OPERATOR, "1.7.0", "trainingOperators.enabled: false", "values.training-operators"),
    (PartKind.AUTO_RESUME, None, "job-auto-restart.enabled: false", "values.job-auto-restart"),
]
OF_PATCH = "the patch that deletes mpijobs.kubeflow.org, and --enable-scheme for the others"


@pytest.mark.parametrize(
    ("chart", "parts"),
    [
        ("nvidia-device-plugin", [(PartKind.NVIDIA_PLUGIN, "1.0.0", "", "values")]),
        ("gpu-operator", OPERATORS),
        ("nvidia-dra-driver-gpu", GPU_DRA),
        ("dra-driver-nvidia-gpu", GPU_DRA),
        ("aws-efa-k8s-device-plugin", [(PartKind.EFA_PLUGIN, "1.0.0", "", "values")]),
        ("aws-dranet", [(PartKind.EFA_DRA, "1.0.0", "", "values")]),
        ("neuron-helm-chart", [(PartKind.NEURON_PLUGIN, "1.0.0", "", "values")]),
        ("kueue", [(PartKind.KUEUE, "1.0.0", "", "")]),
        ("amazon-sagemaker-hyperpod-taskgovernance", [(PartKind.KUEUE, "1.0.0", "", "")]),
        ("jobset", [(PartKind.JOBSET, "1.0.0", "", "")]),
        (
            "kubeflow-trainer",
            [
                (PartKind.TRAINER, "1.0.0", "", ""),
                (PartKind.JOBSET, None, "jobset.install: false", "values.jobset.install"),
            ],
        ),
        ("mpi-operator", [(PartKind.MPI_JOBS, "1.0.0", "", "")]),
        (
            "training-operator",
            [(PartKind.TRAINING_OPERATOR, "1.0.0", "", ""), (PartKind.MPI_JOBS, None, OF_PATCH, "")],
        ),
        ("aws-fsx-csi-driver", [(PartKind.FSX_CSI, None, "", "")]),
        ("etcd", [(PartKind.ETCD, None, "", "values.image.tag")]),
        ("hyperpod-helm-chart", HYPERPODS),
        ("HyperPodHelmChart", HYPERPODS),
        ("redis", []),
    ],
)
def test_a_chart_as_it_comes(chart: str, parts: list[tuple[PartKind, str | None, str, str]]) -> None:
    """Nothing else, and in that order."""
    assert _said(an_addon(chart, "1.0.0")) == parts


@pytest.mark.parametrize("name", ["nvidia-device-plugin", "aws-efa-k8s-device-plugin"])
def test_a_manifest_has_no_values(name: str) -> None:
    """There is nowhere to point at."""
    assert [each.at for each in _parts(by_manifest(name, "v1.0.0"))] == [""]


# NVIDIA/gpu-operator, deployments/gpu-operator/values.yaml at the tags
@pytest.mark.parametrize(
    ("operator", "plugin"),
    [
        *(("26.3.0", "0.19.0"), ("26.3.1", "0.19.0"), ("26.3.2", "0.19.2"), ("26.3.3", "0.19.3")),
        *(("26.7.0", "0.20.0"), ("v26.7.0", "0.20.0"), ("26.7.1", None)),
    ],
)
def test_the_plugin_in_a_gpu_operator(operator: str, plugin: str | None) -> None:
    """By the operator's release, with a v or without."""
    assert [each.version for each in _parts(an_addon(OPERATOR, operator)) if each.what is PartKind.NVIDIA_PLUGIN] == [
        plugin
    ]


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
    """HyperPod's chart names a commit; the release is what rules know."""
    addon = an_addon(HYPERPOD, "0.1.0", {"training-operators": {"image": {"tag": tag}}})
    assert [each.version for each in _parts(addon) if each.what is PartKind.TRAINING_OPERATOR] == [release]


# the charts' values.yaml; aws/sagemaker-hyperpod-cli, helm_chart/HyperPodHelmChart/Chart.yaml
@pytest.mark.parametrize(
    ("chart", "switch", "part"),
    [
        (NVIDIA, ("devicePlugin", "enabled"), PartKind.NVIDIA_PLUGIN),
        ("neuron-helm-chart", ("devicePlugin", "enabled"), PartKind.NEURON_PLUGIN),
        (OPERATOR, ("devicePlugin", "enabled"), PartKind.NVIDIA_PLUGIN),
        (OPERATOR, ("driver", "enabled"), PartKind.GPU_DRIVER),
        (OPERATOR, ("toolkit", "enabled"), PartKind.GPU_TOOLKIT),
        ("nvidia-dra-driver-gpu", ("resources", "gpus", "enabled"), PartKind.NVIDIA_DRA),
        ("dra-driver-nvidia-gpu", ("resources", "gpus", "enabled"), PartKind.NVIDIA_DRA),
        ("kubeflow-trainer", ("jobset", "install"), PartKind.JOBSET),
        (HYPERPOD, ("nvidia-device-plugin", "devicePlugin", "enabled"), PartKind.NVIDIA_PLUGIN),
        (HYPERPOD, ("aws-efa-k8s-device-plugin", "devicePlugin", "enabled"), PartKind.EFA_PLUGIN),
        (HYPERPOD, ("neuron-device-plugin", "devicePlugin", "enabled"), PartKind.NEURON_PLUGIN),
        (HYPERPOD, ("mpi-operator", "enabled"), PartKind.MPI_JOBS),
        (HYPERPOD, ("trainingOperators", "enabled"), PartKind.TRAINING_OPERATOR),
        (HYPERPOD, ("job-auto-restart", "enabled"), PartKind.AUTO_RESUME),
    ],
)
def test_a_switch(chart: str, switch: tuple[str, ...], part: PartKind) -> None:
    """Off, or null, it takes its own part out, and no other; on it changes nothing."""
    all_parts = [each.what for each in _parts(an_addon(chart))]
    left = [each for each in all_parts if each is not part]
    assert len(left) == len(all_parts) - 1
    for said, parts in ((False, left), (None, left), (True, all_parts)):
        values: Any = said
        for key in reversed(switch):
            values = {key: values}
        assert [each.what for each in _parts(an_addon(chart, values=values))] == parts


def test_what_hyperpods_chart_leaves_out_unless_told() -> None:
    """The FSx driver comes with its inference operator, and NVIDIA's operator without a driver of its own."""
    values = {**LEAN, "job-auto-restart": {"enabled": False}}
    assert _said(an_addon(HYPERPOD, values={**values, "inferenceOperators": {"enabled": True}})) == [
        (
            PartKind.FSX_CSI,
            None,
            "hyperpod-inference-operator.fsx.enabled: false",
            "values.hyperpod-inference-operator.fsx",
        )
    ]
    within = "gpu-operator.gpu-operator"
    assert _said(an_addon(HYPERPOD, values={**values, "gpu-operator": {"enabled": True}})) == [
        (PartKind.NVIDIA_PLUGIN, "v0.19.0", f"{within}.devicePlugin.enabled: false", f"values.{within}.devicePlugin"),
        (PartKind.GPU_TOOLKIT, None, f"{within}.toolkit.enabled: false", f"values.{within}.toolkit"),
    ]


HEALTH = {
    "key": "sagemaker.amazonaws.com/node-health-status",
    "operator": "Equal",
    "value": "Unschedulable",
    "effect": "NoSchedule",
}


# helm_chart/HyperPodHelmChart/values.yaml
@pytest.mark.parametrize(
    ("part", "key", "more"),
    [
        (PartKind.NVIDIA_PLUGIN, "nvidia.com/gpu", []),
        (PartKind.EFA_PLUGIN, "aws.amazon.com/efa", [{"key": "CriticalAddonsOnly", "operator": "Exists"}]),
        (PartKind.NEURON_PLUGIN, "aws.amazon.com/neuron", []),
    ],
)
def test_what_a_plugin_of_hyperpods_chart_tolerates(part: PartKind, key: str, more: list[Any]) -> None:
    """The taint of its device, that of nodes that HyperPod looks at, and what the plugin's own chart says."""
    (pods,) = [each.pods for each in _parts(an_addon(HYPERPOD)) if each.what is part]
    device = {"key": key, "operator": "Exists", "effect": "NoSchedule"}
    assert [each["tolerations"] for each in pods] == [[*more, device, HEALTH]]


@pytest.mark.parametrize("plugin", [{}, {"enabled": False}, {"tolerations": []}])
def test_the_neuron_dra_driver_is_placed_by_its_own_values(plugin: dict[str, Any]) -> None:
    """Whatever the plugin's are beside it, and whether or not there is one."""
    own = [{"key": "ours", "operator": "Exists"}]
    values = {"draDriver": {"enabled": True, "tolerations": own}, "devicePlugin": plugin}
    for given in (values, {"draDriver": values["draDriver"]}):
        (driver,) = [
            each for each in _parts(an_addon("neuron-helm-chart", values=given)) if each.what is PartKind.NEURON_DRA
        ]
        assert (driver.off, driver.at) == ("draDriver.enabled: false", "values.draDriver")
        assert [each["tolerations"] for each in driver.pods] == [own]


# Go's strconv.ParseBool, by which etcd reads its flags; YAML's own
@pytest.mark.parametrize(
    ("said", "on"),
    [
        *((each, True) for each in ("1", "t", "T", "true", "TRUE", "True", True, 1)),
        *((each, False) for each in ("0", "f", "F", "false", "FALSE", "False", False, 0, "tr", "")),
    ],
)
def test_an_etcd_that_is_asked_for_v2(said: object, on: bool) -> None:
    """In every word that means yes, wherever it is said."""
    ways: list[dict[str, Any]] = [
        {"enable-v2": said},
        {"ETCD_ENABLE_V2": said},
        {"extraEnvVars": [{"name": "ETCD_ENABLE_V2", "value": said}]},
    ]
    if said != "":  # a bare flag means yes
        ways += [{"extraArgs": [f"--enable-v2={said}"]}, {"configuration": f"enable-v2: {said}\n"}]
    fleets = [a_fleet(an_addon("etcd", "12.0.20", each)) for each in ways]
    assert [len(judge(each, rules=[rule_of("etcd-speaks-v2")]).findings) for each in fleets] == [int(on)] * len(ways)


def test_the_order_of_add_ons() -> None:
    """Muster's own before other charts, and both by name, however they were read."""

    def at(place: str, name: str) -> Addon:
        return replace(an_addon("kueue", name=name), place=Place(place))

    others, own = at("addons.charts.a", "a"), at("addons.kueue", "kueue")
    later, of_eks = at("addons.charts.b", "b"), an_eks_addon("vpc-cni")
    for read in permutations((others, own, later, of_eks)):
        assert ordered_addons(a_fleet(*read, without=[EksAddon])) == (own, of_eks, others, later)


@pytest.mark.parametrize(
    ("addon", "words"),
    [
        (an_addon("kueue", name="ours"), "chart kueue"),
        (by_manifest("kueue", "v0.1.0"), "manifest"),
        (an_addon("kueue", kind=AddonKind.EKS_ADDON), "EKS add-on"),
        (an_eks_addon("kueue"), "EKS add-on"),
    ],
)
def test_how_an_add_on_comes_in_words(addon: Any, words: str) -> None:
    """Only a chart has a name that is not the add-on's."""
    assert source_kind(addon) == words


FSX = "aws-fsx-csi-driver"
WITHOUT = "hyperpod-inference-operator.fsx.enabled: false"


def _of_hyperpod(name: str) -> Addon:
    return an_addon(HYPERPOD, values={**LEAN, "inferenceOperators": {"enabled": True}}, name=name)


@pytest.mark.parametrize(
    ("first", "second", "remedy"),
    [
        (an_addon(FSX, name="a"), an_addon(FSX, name="b"), f"remove b, the chart {FSX}, or a, the chart {FSX}"),
        (
            by_manifest(FSX, "v1", "a"),
            an_addon(FSX, name="b", kind=AddonKind.EKS_ADDON),
            "remove b, the EKS add-on, or a, the manifest",
        ),
        (an_addon(FSX, name="a"), _of_hyperpod("b"), f"set {WITHOUT} among the values of b, or remove a"),
        (_of_hyperpod("a"), an_addon(FSX, name="b"), f"remove b, or set {WITHOUT} among the values of a"),
        (
            _of_hyperpod("a"),
            _of_hyperpod("b"),
            f"set {WITHOUT} among the values of b, or set {WITHOUT} among the values of a",
        ),
    ],
)
def test_which_of_two_fsx_drivers_to_leave_out(first: Addon, second: Addon, remedy: str) -> None:
    """One that another chart brings along is switched off there; that chart stays."""
    found = judge(a_fleet(first, second), rules=[rule_of("one-fsx-csi-driver")]).findings
    assert [each.remedy for each in found] == [remedy]


# Go's flag package: a boolean flag without a word is on
@pytest.mark.parametrize(
    "values",
    [
        {"extraArgs": ["--enable-v2"]},
        {"extraArgs": ["--enable-v2", "--debug"]},
        {"command": "etcd --enable-v2 --name one"},
        {"command": ["etcd", "--name=one", "-enable-v2"]},
    ],
)
def test_a_bare_flag_asks_an_etcd_for_v2(values: dict[str, Any]) -> None:
    """Wherever it stands."""
    assert len(got_by("etcd-speaks-v2", a_fleet(an_addon("etcd", "12.0.20", values)))) == 1
