"""Add-ons that do not go together, or not with their nodes: descriptions with one thing wrong each."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from muster.fleet.description.group_core import Purpose
from muster.fleet.description.nodes import Scaler
from muster.fleet.resources import Addon, ControlPlane, EksAddon, Fleet, NodeGroup, Place, Ref, Taint
from muster.fleet.resources.addon import Kind
from muster.fleet.resources.place import ADDON, KUBERNETES_ADDON
from muster.fleet.unknown import UNKNOWN
from tests.factories import DROP, a_control_plane, a_fleet, a_group, a_template, described, elsewhere, facts
from tests.policies.case import case

PLUGINS: Mapping[str, Any] = {"nvidia-device-plugin": {}, "efa-device-plugin": {}}
NOBODY_SAYS = (
    "quota-covers-vcpus @ groups.workers",
    "reservation-instance-type-matches @ groups.workers",
    "reservation-usable @ groups.workers",
    "several-interfaces-private-subnets @ groups.workers",
)
"""What the default description leaves open: nobody asked AWS."""

ON_DEMAND: Mapping[str, Any] = {"groups.workers.capacity": DROP}
OF_ON_DEMAND = (
    "instance-offered-in-zone @ groups.workers",
    "quota-covers-vcpus @ groups.workers",
    "several-interfaces-private-subnets @ groups.workers",
)
"""Of on-demand trn1 and p6."""


def conflict(
    *finds: str, unjudged: tuple[str, ...] = NOBODY_SAYS
) -> Callable[[Callable[[], Fleet]], Callable[[], Fleet]]:
    """A case of a description."""
    return case(*finds, unjudged=unjudged)


def with_addons(addons: Mapping[str, Any], **edits: Any) -> Fleet:
    """The default description with other add-ons."""
    return described({"addons": dict(addons), **edits})


def a_chart(name: str, version: str, **values: Any) -> dict[str, Any]:
    """An entry of `addons.charts`."""
    return {
        "repository": "oci://registry.example.com/charts",
        "chart": name,
        "version": version,
        "namespace": "others",
        "values": values,
    }


def beside_plugins(*charts: dict[str, Any], **edits: Any) -> Fleet:
    """The default description with other charts, each a release of its own."""
    return with_addons({**PLUGINS, "charts": {f"our-{each['chart']}": each for each in charts}}, **edits)


def an_addon(
    chart: Any, version: Any = "1.0.0", values: Any = None, *, name: str = "", kind: Kind = Kind.CHART
) -> Addon:
    """An add-on by itself, as another program's."""
    release = name or str(chart)
    place = Place(f"urn:pulumi:dev::theirs::kubernetes:helm.sh/v3:Release::{release}")
    return Addon(Ref("kubernetes:helm.sh/v3:Release", release), version, place, kind, chart, values or {})


def urn(release: str) -> str:
    return f"urn:pulumi:dev::theirs::kubernetes:helm.sh/v3:Release::{release}"


NVIDIA, EFA, OPERATOR = "nvidia-device-plugin", "aws-efa-k8s-device-plugin", "gpu-operator"
ALONE = {"driver": {"enabled": False}, "toolkit": {"enabled": False}}
"""Values of the GPU operator for EKS's images."""
NO_NFD = {"nfd": {"enabled": False}}
HYPERPOD = "hyperpod-helm-chart"
LEAN: Mapping[str, Any] = {
    "nvidia-device-plugin": {"devicePlugin": {"enabled": False}},
    "aws-efa-k8s-device-plugin": {"devicePlugin": {"enabled": False}},
    "neuron-device-plugin": {"devicePlugin": {"enabled": False}},
    "mpi-operator": {"enabled": False},
    "trainingOperators": {"enabled": False},
}
"""Values of HyperPod's chart that leave to others what others install."""


def lean(**more: Any) -> dict[str, Any]:
    return a_chart(HYPERPOD, "0.1.0", **{**LEAN, **more})


def where(label: str, *values: str) -> dict[str, Any]:
    """An affinity to nodes by one label."""
    expression = {"key": label, "operator": "In", "values": list(values)}
    required = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}


BY_LABEL: Mapping[str, Any] = {"affinity": where("nvidia.com/gpu.present", "true")}
"""Values of the NVIDIA plugin: by the label that its chart asks for without a word."""

# one-plugin-per-device

ONE_PLUGIN = "one-plugin-per-device"


@conflict()
def the_gpu_operator_without_its_plugin() -> Fleet:
    return beside_plugins(a_chart(OPERATOR, "v26.7.0", **ALONE, devicePlugin={"enabled": False}))


@conflict(f"{ONE_PLUGIN} @ addons.charts.our-gpu-operator.values.devicePlugin")
def the_gpu_operator_with_its_plugin() -> Fleet:
    return beside_plugins(a_chart(OPERATOR, "v26.7.0", **ALONE))


@conflict()
def the_gpu_operator_alone() -> Fleet:
    operator = a_chart(OPERATOR, "v26.7.0", **ALONE)
    return with_addons({"efa-device-plugin": {}, "charts": {"gpu": operator}})


@conflict(f"{ONE_PLUGIN} @ addons.charts.our-nvidia-device-plugin.values")
def a_second_nvidia_plugin() -> Fleet:
    return beside_plugins(a_chart(NVIDIA, "0.20.0"))


@conflict(f"{ONE_PLUGIN} @ addons.charts.our-aws-efa-k8s-device-plugin.values")
def a_second_efa_plugin() -> Fleet:
    toleration = {"key": "nvidia.com/gpu", "operator": "Exists"}
    return beside_plugins(a_chart(EFA, "v0.5.30", tolerations=[toleration]))


@conflict()
def a_second_efa_plugin_that_is_kept_off() -> Fleet:
    return beside_plugins(a_chart(EFA, "v0.5.30"))


@conflict()
def plugins_of_hyperpod_for_its_own_nodes() -> Fleet:
    return beside_plugins(
        lean(**{each: {"devicePlugin": {"enabled": True}} for each in ("nvidia-device-plugin", EFA)}),
    )


@conflict(f"{ONE_PLUGIN} @ addons.charts.our-hyperpod-helm-chart.values.nvidia-device-plugin")
def the_nvidia_plugin_of_hyperpod_on_these_nodes() -> Fleet:
    own = {"devicePlugin": {"enabled": True}, "affinity": where("node.kubernetes.io/instance-type", "p5.48xlarge")}
    return beside_plugins(lean(**{"nvidia-device-plugin": own}))


@conflict(f"{ONE_PLUGIN} @ addons.charts.our-hyperpod-helm-chart.values.aws-efa-k8s-device-plugin")
def the_efa_plugin_of_hyperpod_on_these_nodes() -> Fleet:
    toleration = {"key": "nvidia.com/gpu", "operator": "Exists"}
    own = {
        "devicePlugin": {"enabled": True},
        "supportedInstanceLabels": {"values": ["ml.p5.48xlarge", "p5.48xlarge"]},
        "tolerations": [toleration, {"key": "sagemaker.amazonaws.com/node-health-status", "operator": "Exists"}],
    }
    return beside_plugins(lean(**{EFA: own}))


ON_TRN1: Mapping[str, Any] = {**ON_DEMAND, "groups.workers.instance": "trn1.32xlarge"}
FOR_TRN1: Mapping[str, Any] = {"neuron-device-plugin": {}, "efa-device-plugin": {}}


@conflict(f"{ONE_PLUGIN} @ addons.charts.our-hyperpod-helm-chart.values.neuron-device-plugin", unjudged=OF_ON_DEMAND)
def the_neuron_plugin_of_hyperpod() -> Fleet:
    chart = lean(**{"neuron-device-plugin": {"devicePlugin": {"enabled": True}}})
    return with_addons({**FOR_TRN1, "charts": {f"our-{HYPERPOD}": chart}}, **ON_TRN1)


@conflict(unjudged=OF_ON_DEMAND)
def hyperpod_without_its_neuron_plugin() -> Fleet:
    return with_addons({**FOR_TRN1, "charts": {HYPERPOD: lean()}}, **ON_TRN1)


BOTTLEROCKET: Mapping[str, Any] = {
    "for": "training",
    "instance": "p5.48xlarge",
    "nodes": 1,
    "zone": "us-west-2a",
    "image": "bottlerocket",
}
OF_BOTTLEROCKET = (
    *NOBODY_SAYS,
    "quota-covers-vcpus @ groups.rockets",
    "several-interfaces-private-subnets @ groups.rockets",
)


@conflict(unjudged=OF_BOTTLEROCKET)
def the_nvidia_plugin_beside_bottlerocket() -> Fleet:
    return described({"groups.rockets": BOTTLEROCKET})


@conflict(f"{ONE_PLUGIN} @ addons.nvidia-device-plugin.values", unjudged=OF_BOTTLEROCKET)
def the_nvidia_plugin_on_bottlerocket() -> Fleet:
    return described({"groups.rockets": BOTTLEROCKET, "addons.nvidia-device-plugin": {"values": BY_LABEL}})


def loose(*addons: Any, **more: Any) -> Fleet:
    """Add-ons of another program beside its nodes: p5.48xlarge, tainted or not."""
    taints = more.pop("taints", frozenset())
    return a_fleet(a_group(taints=taints), *addons, **more)


@case(f"{ONE_PLUGIN} @ {urn('z-operator')}")
def two_plugins_of_another_program() -> Fleet:
    return loose(an_addon(NVIDIA, "0.20.0"), an_addon(OPERATOR, "v26.7.0", ALONE, name="z-operator"))


@case(unjudged=tuple(f"{each} @ {urn(NVIDIA)}" for each in (ONE_PLUGIN, "plugin-reaches-its-nodes")))
def two_plugins_for_nodes_that_are_not_here() -> Fleet:
    operator = an_addon(OPERATOR, "v26.7.0", ALONE)
    return a_fleet(an_addon(NVIDIA, "0.20.0"), operator, without=[NodeGroup])


def by_manifest(name: str, version: str, release: str = "") -> Addon:
    """An add-on of another program by its project's manifest."""
    return an_addon(name, version, kind=Kind.MANIFEST, name=release)


@case(f"{ONE_PLUGIN} @ {urn('z-static')}")
def the_nvidia_plugin_by_its_manifest_beside_its_chart() -> Fleet:
    chart = an_addon(NVIDIA, "0.20.0", {"affinity": None})
    return loose(chart, by_manifest(NVIDIA, "v0.17.1", "z-static"))


@case(f"{ONE_PLUGIN} @ {urn('z-static')}")
def the_efa_plugin_by_its_manifest_beside_its_chart() -> Fleet:
    return loose(an_addon(EFA, "v0.5.30"), by_manifest(EFA, "v0.5.30", "z-static"))


@case()
def the_nvidia_plugin_by_its_manifest_alone() -> Fleet:
    return loose(by_manifest(NVIDIA, "v0.17.1"))


OF_UNKNOWN_CHARTS = (
    "dra-driver-supported",
    "efa-plugin-knows-p6",
    "etcd-speaks-v2",
    "gpu-operator-leaves-the-image",
    "kueue-knows-trainer",
    "kueue-manages-training-jobs",
    "no-dra-driver-beside-plugin",
    "nvidia-plugin-spares-efa",
    "one-fsx-csi-driver",
    "one-jobset",
    "one-kueue",
    "one-owner-of-mpijobs",
    ONE_PLUGIN,
    "one-training-operator",
    "plugin-reaches-its-nodes",
    "plugin-stays-with-its-devices",
    "plugin-tolerates-health-taint",
    "training-operator-knows-schemes",
    "training-operator-resumes-jobs",
)
"""Rules about what a chart brings."""


@case(unjudged=tuple(f"{each} @ {urn('theirs')}" for each in OF_UNKNOWN_CHARTS))
def a_chart_not_yet_known() -> Fleet:
    return a_fleet(an_addon(UNKNOWN, UNKNOWN, name="theirs"))


@case(unjudged=tuple(f"{each} @ {urn('theirs')}" for each in OF_UNKNOWN_CHARTS))
def a_manifest_not_yet_known() -> Fleet:
    return a_fleet(an_addon(UNKNOWN, UNKNOWN, name="theirs", kind=Kind.MANIFEST))


@case(unjudged=tuple(f"{each} @ {urn(OPERATOR)}" for each in OF_UNKNOWN_CHARTS))
def values_not_yet_known() -> Fleet:
    return a_fleet(an_addon(OPERATOR, "v26.7.0", {"driver": {"enabled": UNKNOWN}}))


@case()
def a_chart_that_no_rule_knows() -> Fleet:
    return a_fleet(an_addon("redis", "19.0.0", {"replica": {"count": UNKNOWN}}))


# no-dra-driver-beside-plugin

NO_DRA = "no-dra-driver-beside-plugin"
ON_ALL = {"kubeletPlugin": {"affinity": None}, "gpuResourcesEnabledOverride": True}


@conflict(f"{NO_DRA} @ addons.charts.our-nvidia-dra-driver-gpu.values.resources.gpus")
def nvidias_dra_driver_beside_the_plugin() -> Fleet:
    return beside_plugins(a_chart("nvidia-dra-driver-gpu", "25.12.0", gpuResourcesEnabledOverride=True))


@conflict()
def nvidias_dra_driver_for_compute_domains_alone() -> Fleet:
    return beside_plugins(a_chart("nvidia-dra-driver-gpu", "25.12.0", resources={"gpus": {"enabled": False}}))


@conflict()
def nvidias_dra_driver_alone() -> Fleet:
    driver = a_chart("dra-driver-nvidia-gpu", "0.5.0", **ON_ALL)
    return with_addons({"efa-device-plugin": {}, "charts": {"dra": driver}})


@conflict(f"{NO_DRA} @ addons.charts.our-aws-dranet.values")
def the_efa_dra_driver_beside_the_plugin() -> Fleet:
    toleration = {"key": "nvidia.com/gpu", "operator": "Exists"}
    return beside_plugins(a_chart("aws-dranet", "1.0.0", tolerations=[toleration]))


@conflict(f"{NO_DRA} @ addons.charts.our-neuron-helm-chart.values.draDriver", unjudged=OF_ON_DEMAND)
def the_neuron_dra_driver_beside_the_plugin() -> Fleet:
    chart = a_chart("neuron-helm-chart", "1.9.0", draDriver={"enabled": True}, devicePlugin={"enabled": False})
    return with_addons({**FOR_TRN1, "charts": {"our-neuron-helm-chart": chart}}, **ON_TRN1)


SUPPORTED = "dra-driver-supported"


OF_UNKNOWN_VERSIONS = ("kubernetes-version-supported @ urn:pulumi:dev::theirs::aws:eks/cluster:Cluster::training",)


OF_UNKNOWN_VERSIONS = ("kubernetes-version-supported @ urn:pulumi:dev::theirs::aws:eks/cluster:Cluster::training",)


def on_version(kubernetes: Any, *addons: Any, **more: Any) -> Fleet:
    """Add-ons of a cluster that another program made, of some version."""
    return a_fleet(elsewhere(a_control_plane(kubernetes), "training"), *addons, **more)


@case(f"{SUPPORTED} @ {urn('aws-dranet')}")
def a_dra_driver_before_its_time() -> Fleet:
    return on_version("1.33", an_addon("aws-dranet"), as_of=date(2026, 1, 1))


@case()
def a_dra_driver_from_its_first_version_on() -> Fleet:
    return on_version("1.34", an_addon("aws-dranet"))


@case(unjudged=(f"{SUPPORTED} @ {urn('aws-dranet')}", *OF_UNKNOWN_VERSIONS))
def a_dra_driver_on_a_version_not_yet_known() -> Fleet:
    return on_version(UNKNOWN, an_addon("aws-dranet"))


@case(f"{NO_DRA} @ {urn(OPERATOR)}")
def the_operators_dra_driver_beside_the_plugin() -> Fleet:
    values = {**ALONE, "gpuCluster": {"deployCR": True}}
    return loose(an_addon(NVIDIA, "0.20.0"), an_addon(OPERATOR, "v26.7.0", values))


@case(
    unjudged=(
        f"{NO_DRA} @ {urn('nvidia-dra-driver-gpu')}",
        f"plugin-reaches-its-nodes @ {urn(NVIDIA)}",
    )
)
def a_dra_driver_for_nodes_that_are_not_here() -> Fleet:
    return a_fleet(an_addon(NVIDIA, "0.20.0"), an_addon("nvidia-dra-driver-gpu", "25.12.0"), without=[NodeGroup])


# nvidia-plugin-spares-efa

SPARES = "nvidia-plugin-spares-efa"


@conflict(f"{SPARES} @ addons.nvidia-device-plugin.values")
def an_nvidia_plugin_that_takes_efas_devices() -> Fleet:
    options = {"version": "0.19.1", "values": {"mofedEnabled": None}}
    return with_addons({**PLUGINS, "nvidia-device-plugin": options})


@conflict()
def an_nvidia_plugin_that_is_told_not_to() -> Fleet:
    return with_addons({**PLUGINS, "nvidia-device-plugin": {"version": "0.19.1"}})


@conflict()
def an_nvidia_plugin_of_a_mended_image() -> Fleet:
    values = {"mofedEnabled": None, "image": {"tag": "v0.19.3"}}
    return with_addons({**PLUGINS, "nvidia-device-plugin": {"version": "0.19.1", "values": values}})


@conflict()
def an_nvidia_plugin_before_the_change() -> Fleet:
    options = {"version": "0.18.2", "values": {"mofedEnabled": None}}
    return with_addons({**PLUGINS, "nvidia-device-plugin": options})


@conflict(f"{SPARES} @ addons.charts.our-gpu-operator.values.devicePlugin")
def an_operator_whose_plugin_takes_efas_devices() -> Fleet:
    operator = a_chart(OPERATOR, "v26.3.2", **ALONE)
    return with_addons({"efa-device-plugin": {}, "charts": {f"our-{OPERATOR}": operator}})


@conflict()
def an_operator_whose_plugin_is_told_not_to() -> Fleet:
    env = [{"name": "MOFED_ENABLED", "value": "false"}]
    operator = a_chart(OPERATOR, "v26.3.2", **ALONE, devicePlugin={"env": env})
    return with_addons({"efa-device-plugin": {}, "charts": {f"our-{OPERATOR}": operator}})


@conflict()
def an_operator_whose_plugin_is_mended() -> Fleet:
    operator = a_chart(OPERATOR, "v26.3.3", **ALONE)
    return with_addons({"efa-device-plugin": {}, "charts": {f"our-{OPERATOR}": operator}})


@conflict(unjudged=(*NOBODY_SAYS, f"{SPARES} @ addons.charts.our-gpu-operator"))
def an_operator_whose_plugin_nobody_knows() -> Fleet:
    operator = a_chart(OPERATOR, "v27.1.0", **ALONE)
    return with_addons({"efa-device-plugin": {}, "charts": {f"our-{OPERATOR}": operator}})


@conflict(unjudged=(*NOBODY_SAYS, f"{SPARES} @ addons.nvidia-device-plugin"))
def an_nvidia_plugin_with_a_configuration_of_its_own() -> Fleet:
    values = {"mofedEnabled": None, "config": {"map": {"default": "version: v1"}}}
    return with_addons({**PLUGINS, "nvidia-device-plugin": {"version": "0.19.1", "values": values}})


LEAVES = "gpu-operator-leaves-the-image"


@conflict(
    f"{SPARES} @ addons.charts.our-hyperpod-helm-chart.values.gpu-operator.gpu-operator.devicePlugin",
    f"{LEAVES} @ addons.charts.our-hyperpod-helm-chart.values",
)
def hyperpods_operator_whose_plugin_takes_efas_devices() -> Fleet:
    chart = lean(**{"gpu-operator": {"enabled": True}})
    return with_addons({"efa-device-plugin": {}, "charts": {f"our-{HYPERPOD}": chart}})


@case(f"{SPARES} @ {urn(NVIDIA)}", unjudged=tuple(f"plugin-reaches-its-nodes @ {urn(each)}" for each in (NVIDIA, EFA)))
def two_plugins_that_collide_wherever_they_are() -> Fleet:
    return a_fleet(an_addon(NVIDIA, "0.19.0"), an_addon(EFA, "v0.5.30"), without=[NodeGroup])


# one-owner-of-mpijobs, one-training-operator, training-operator-...

MPI, TRAINING = "one-owner-of-mpijobs", "one-training-operator"
RESUMES, SCHEMES = "training-operator-resumes-jobs", "training-operator-knows-schemes"


@conflict(f"{MPI} @ addons.charts.our-hyperpod-helm-chart.values.mpi-operator")
def the_mpi_operator_and_hyperpods() -> Fleet:
    bundled = lean(**{"mpi-operator": {"enabled": True}})
    return a_second(bundled, {"mpi-operator": {}})


def a_second(chart: dict[str, Any], addons: Mapping[str, Any]) -> Fleet:
    """A chart beside an add-on that it brings along itself; an entry of `charts` stands behind all others."""
    return with_addons({**PLUGINS, **addons, "charts": {f"our-{chart['chart']}": chart}})


@conflict()
def the_mpi_operator_and_the_rest_of_hyperpods() -> Fleet:
    return a_second(lean(), {"mpi-operator": {}})


@conflict(f"{MPI} @ addons.charts.our-hyperpod-helm-chart.values.training-operators.schemes")
def hyperpods_training_operator_with_mpijobs() -> Fleet:
    own = {"trainingOperators": {"enabled": True}, "training-operators": {"schemes": ["pytorchjob", "mpijob"]}}
    return a_second(lean(**own), {"mpi-operator": {}})


@conflict(f"{MPI} @ addons.charts.our-hyperpod-helm-chart.values.training-operators.schemes")
def both_operators_of_hyperpod_with_mpijobs() -> Fleet:
    own = {
        "trainingOperators": {"enabled": True},
        "training-operators": {"schemes": ["pytorchjob", "mpijob"]},
        "mpi-operator": {"enabled": True},
    }
    return beside_plugins(lean(**own))


def a_manifest(name: str, version: str) -> Addon:
    """An add-on of the catalogue that is a manifest."""
    return Addon(Ref(KUBERNETES_ADDON, name), version, Place(f"addons.{name}"), Kind.MANIFEST, name)


def of_hyperpod(**more: Any) -> Addon:
    return an_addon(HYPERPOD, "0.1.0", {**LEAN, **more})


@case(f"{TRAINING} @ {urn(HYPERPOD)}", f"{RESUMES} @ addons.training-operator.version")
def two_training_operators() -> Fleet:
    return a_fleet(a_manifest("training-operator", "v1.9.4"), of_hyperpod(trainingOperators={"enabled": True}))


@conflict(f"{TRAINING} @ addons.charts.our-hyperpod-helm-chart.values.training-operators")
def our_training_operator_and_hyperpods() -> Fleet:
    own = {"trainingOperators": {"enabled": True}, "job-auto-restart": {"enabled": False}}
    return a_second(lean(**own), {"training-operator": {}})


@conflict(f"{RESUMES} @ addons.training-operator.version")
def our_training_operator_beside_auto_resume() -> Fleet:
    return a_second(lean(), {"training-operator": {}})


@conflict()
def our_training_operator_of_a_stated_version_beside_auto_resume() -> Fleet:
    return a_second(lean(), {"training-operator": {"version": "v1.8.1"}})


@case()
def a_training_operator_that_is_stated() -> Fleet:
    return a_fleet(a_manifest("training-operator", "v1.8.1"), of_hyperpod())


@case(f"{RESUMES} @ addons.training-operator.version")
def a_training_operator_that_is_not_stated() -> Fleet:
    return a_fleet(a_manifest("training-operator", "v1.9.4"), of_hyperpod())


@case()
def a_training_operator_where_nothing_resumes() -> Fleet:
    hyperpod = of_hyperpod(**{"job-auto-restart": {"enabled": False}})
    return a_fleet(a_manifest("training-operator", "v1.9.4"), hyperpod)


def operating(**own: Any) -> dict[str, Any]:
    """HyperPod's chart with its training operator, which resumes nothing."""
    values = {"trainingOperators": {"enabled": True}, "job-auto-restart": {"enabled": False}}
    return lean(**values, **{"training-operators": own})


@conflict(f"{SCHEMES} @ addons.charts.our-hyperpod-helm-chart.values.training-operators")
def a_newer_image_with_the_schemes_of_old() -> Fleet:
    return beside_plugins(operating(image={"tag": "v1-5170a36"}))


@conflict()
def an_image_of_the_schemes_time() -> Fleet:
    return beside_plugins(operating(image={"tag": "v1-04f9f13"}))


@conflict()
def a_newer_image_with_schemes_of_its_own() -> Fleet:
    return beside_plugins(operating(image={"tag": "v1-93c5489"}, schemes=["pytorchjob"]))


@conflict(unjudged=(*NOBODY_SAYS, f"{SCHEMES} @ addons.charts.our-hyperpod-helm-chart"))
def an_image_of_ones_own_with_the_schemes_of_old() -> Fleet:
    return beside_plugins(operating(image={"tag": "ours"}))


@case(unjudged=(f"{RESUMES} @ {urn(HYPERPOD)}",))
def an_image_of_ones_own_that_should_resume() -> Fleet:
    own = {"image": {"tag": "ours"}, "schemes": ["pytorchjob"]}
    return a_fleet(of_hyperpod(trainingOperators={"enabled": True}, **{"training-operators": own}))


# one-kueue, kueue-..., one-jobset, operator-installed-once

KUEUE, MANAGES, KNOWS = "one-kueue", "kueue-manages-training-jobs", "kueue-knows-trainer"
JOBSET, ONCE = "one-jobset", "operator-installed-once"
TASK_GOVERNANCE = "amazon-sagemaker-hyperpod-taskgovernance"


def an_eks(name: str, release: str = "") -> EksAddon:
    ref = Ref(ADDON, release or name)
    return EksAddon(ref, name, "v1.0.0-eksbuild.1", Place(f"urn:pulumi:dev::theirs::{ADDON}::{name}"))


@case(f"{KUEUE} @ urn:pulumi:dev::theirs::kubernetes:helm.sh/v3:Release::kueue")
def kueue_beside_task_governance() -> Fleet:
    return a_fleet(an_eks(TASK_GOVERNANCE), an_addon("kueue", "0.19.2"))


@case(f"{KUEUE} @ {urn('z-kueue')}")
def kueue_by_its_manifest_beside_its_chart() -> Fleet:
    return a_fleet(an_addon("kueue", "0.19.2"), by_manifest("kueue", "v0.19.2", "z-kueue"))


@case()
def task_governance_on_two_clusters() -> Fleet:
    return a_fleet(an_eks(TASK_GOVERNANCE), an_eks(TASK_GOVERNANCE, "second"))


@case(f"{JOBSET} @ {urn('z-jobset')}")
def jobset_by_its_manifest_beside_its_chart() -> Fleet:
    return a_fleet(an_addon("jobset", "0.12.0"), by_manifest("jobset", "v0.12.0", "z-jobset"))


@case(f"{JOBSET} @ {urn('kubeflow-trainer')}")
def jobset_by_its_manifest_beside_trainers() -> Fleet:
    return a_fleet(an_addon("kubeflow-trainer", "2.3.0"), by_manifest("jobset", "v0.12.0", "z-jobset"))


@conflict(f"{ONCE} @ addons.charts.our-cert-manager")
def a_chart_of_cert_manager_beside_ours() -> Fleet:
    charts = {"our-cert-manager": a_chart("cert-manager", "v1.19.0")}
    return with_addons({**PLUGINS, "cert-manager": {}, "charts": charts})


@case(f"{ONCE} @ {urn('metrics-server')}")
def a_chart_of_metrics_server_beside_eks() -> Fleet:
    return a_fleet(an_eks("metrics-server"), an_addon("metrics-server", "3.13.0"))


@case()
def metrics_server_by_eks_on_two_clusters() -> Fleet:
    return a_fleet(an_eks("metrics-server"), an_eks("metrics-server", "second"))


@case(f"{KUEUE} @ addons.kueue")
def our_kueue_beside_our_task_governance() -> Fleet:
    governance = Addon(
        Ref(KUBERNETES_ADDON, "hyperpod-task-governance"),
        "v1.6.0-eksbuild.1",
        Place("addons.hyperpod-task-governance"),
        Kind.EKS_ADDON,
        TASK_GOVERNANCE,
    )
    kueue = Addon(Ref(KUBERNETES_ADDON, "kueue"), "0.19.2", Place("addons.kueue"), Kind.CHART, "kueue")
    return a_fleet(governance, kueue)


@case()
def task_governance_alone() -> Fleet:
    return a_fleet(an_eks(TASK_GOVERNANCE))


@conflict(f"{ONCE} @ addons.charts.our-volcano")
def volcano_twice() -> Fleet:
    volcano = a_chart("volcano", "1.15.0")
    return with_addons({**PLUGINS, "charts": {"our-batch": volcano, "our-volcano": volcano}})


@conflict(f"{KUEUE} @ addons.charts.our-queues")
def kueue_twice() -> Fleet:
    kueue = a_chart("kueue", "0.19.2")
    return with_addons({**PLUGINS, "charts": {"our-kueue": kueue, "our-queues": kueue}})


@conflict()
def two_releases_of_an_ordinary_chart() -> Fleet:
    redis = a_chart("redis", "19.0.0")
    return with_addons({**PLUGINS, "charts": {"cache": redis, "state": redis}})


@conflict(f"{KUEUE} @ addons.charts.our-kueue")
def a_chart_of_kueue_beside_ours() -> Fleet:
    return with_addons({**PLUGINS, "kueue": {}, "charts": {"our-kueue": a_chart("kueue", "0.19.2")}})


FRAMEWORKS = """
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
integrations:
  frameworks:
  - "batch/job"
  {pytorchjob}
"""


def kueue_beside_training(version: str, pytorchjob: str | None = None) -> Fleet:
    text = FRAMEWORKS.format(pytorchjob=pytorchjob) if pytorchjob is not None else None
    values = {"managerConfig": {"controllerManagerConfigYaml": text}} if text else {}
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", version, values))


@case(f"{MANAGES} @ {urn('kueue')}")
def kueue_that_leaves_pytorchjobs_alone() -> Fleet:
    return kueue_beside_training("0.19.2")


@case()
def kueue_that_manages_pytorchjobs_by_itself() -> Fleet:
    return kueue_beside_training("0.18.6")


@case()
def kueue_that_is_told_to_manage_pytorchjobs() -> Fleet:
    return kueue_beside_training("0.19.2", '- "kubeflow.org/pytorchjob"')


@case(f"{MANAGES} @ {urn('kueue')}")
def kueue_that_is_told_in_a_comment() -> Fleet:
    return kueue_beside_training("0.19.2", '#  - "kubeflow.org/pytorchjob"')


@case(f"{MANAGES} @ {urn('kueue')}")
def kueue_of_old_that_is_told_not_to() -> Fleet:
    return kueue_beside_training("0.18.6", '- "pod"')


@case(unjudged=(f"{MANAGES} @ {urn('kueue')}",))
def kueue_of_a_version_not_yet_known() -> Fleet:
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", UNKNOWN))


@case()
def kueue_that_is_told_in_one_line() -> Fleet:
    text = 'integrations: {frameworks: ["batch/job", "kubeflow.org/pytorchjob"]}'
    values = {"managerConfig": {"controllerManagerConfigYaml": text}}
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", "0.19.2", values))


@case(f"{MANAGES} @ {urn('kueue')}")
def kueue_that_is_told_elsewhere() -> Fleet:
    text = "integrations:\n  frameworks: [batch/job]\n  externalFrameworks: [kubeflow.org/pytorchjob]\n"
    values = {"managerConfig": {"controllerManagerConfigYaml": text}}
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", "0.19.2", values))


@case(unjudged=(f"{MANAGES} @ {urn('kueue')}",))
def kueue_that_is_told_in_no_yaml() -> Fleet:
    values = {"managerConfig": {"controllerManagerConfigYaml": "integrations: [frameworks"}}
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", "0.19.2", values))


@case(unjudged=(f"{MANAGES} @ {urn('kueue')}",))
def kueue_that_is_told_one_framework_and_no_list() -> Fleet:
    values = {"managerConfig": {"controllerManagerConfigYaml": "integrations: {frameworks: kubeflow.org/pytorchjob}"}}
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", "0.19.2", values))


@case(unjudged=(f"{MANAGES} @ {urn('kueue')}",))
def kueue_by_its_manifest() -> Fleet:
    """Its configuration is a ConfigMap in there, and no value."""
    kueue = an_addon("kueue", "v0.19.2", kind=Kind.MANIFEST)
    return a_fleet(a_manifest("training-operator", "v1.9.4"), kueue)


@case()
def kueue_by_its_manifest_of_old() -> Fleet:
    kueue = an_addon("kueue", "v0.18.6", kind=Kind.MANIFEST)
    return a_fleet(a_manifest("training-operator", "v1.9.4"), kueue)


@conflict(f"{MANAGES} @ addons.kueue.values")
def our_kueue_with_a_configuration_without_pytorchjobs() -> Fleet:
    text = FRAMEWORKS.format(pytorchjob='# - "kubeflow.org/pytorchjob"')
    kueue = {"values": {"managerConfig": {"controllerManagerConfigYaml": text}}}
    return with_addons({**PLUGINS, "training-operator": {}, "kueue": kueue})


@conflict()
def our_kueue_beside_our_training_operator() -> Fleet:
    return with_addons({**PLUGINS, "training-operator": {}, "kueue": {}})


@conflict(f"{MANAGES} @ addons.charts.our-kueue.values")
def kueue_beside_hyperpods_training_operator() -> Fleet:
    return beside_plugins(operating(), a_chart("kueue", "0.19.2"))


@conflict(f"{KNOWS} @ addons.trainer.version")
def our_trainer_of_a_version_that_kueue_does_not_know() -> Fleet:
    return with_addons({**PLUGINS, "kueue": {}, "trainer": {"version": "1.9.0"}})


TRAINER: Mapping[str, Any] = {"jobset": {"install": False}}


@conflict(f"{KNOWS} @ addons.charts.our-kubeflow-trainer.version")
def a_trainer_that_kueue_does_not_know() -> Fleet:
    return beside_plugins(a_chart("kueue", "0.19.2"), a_chart("kubeflow-trainer", "2.0.0-rc.1"))


@conflict()
def a_trainer_that_kueue_knows() -> Fleet:
    return beside_plugins(a_chart("kueue", "0.19.2"), a_chart("kubeflow-trainer", "2.0.0"))


@case(unjudged=(f"{KNOWS} @ {urn('kubeflow-trainer')}",))
def a_trainer_not_yet_known_beside_kueue() -> Fleet:
    return a_fleet(an_addon("kueue", "0.19.2"), an_addon("kubeflow-trainer", UNKNOWN, TRAINER))


@conflict(f"{JOBSET} @ addons.charts.our-kubeflow-trainer.values.jobset.install")
def trainers_jobset_beside_another() -> Fleet:
    return beside_plugins(a_chart("jobset", "0.12.0"), a_chart("kubeflow-trainer", "2.3.0"))


@conflict(f"{JOBSET} @ addons.trainer.values.jobset.install")
def our_trainers_jobset_beside_our_jobset() -> Fleet:
    trainer = {"values": {"jobset": {"install": True}}}
    return with_addons({**PLUGINS, "jobset": {}, "trainer": trainer})


@conflict(f"{JOBSET} @ addons.charts.our-jobset")
def a_chart_of_jobset_beside_ours() -> Fleet:
    return with_addons({**PLUGINS, "jobset": {}, "charts": {"our-jobset": a_chart("jobset", "0.12.0")}})


@conflict()
def our_trainer_beside_our_jobset() -> Fleet:
    return with_addons({**PLUGINS, "jobset": {}, "trainer": {}})


@conflict()
def trainer_without_its_jobset_beside_another() -> Fleet:
    return beside_plugins(a_chart("jobset", "0.12.0"), a_chart("kubeflow-trainer", "2.3.0", **TRAINER))


# efa-plugin-knows-p6

KNOWS_P6 = "efa-plugin-knows-p6"
P6: Mapping[str, Any] = {**ON_DEMAND, "groups.workers.instance": "p6-b200.48xlarge"}


@conflict(f"{KNOWS_P6} @ addons.efa-device-plugin.version", unjudged=OF_ON_DEMAND)
def an_efa_plugin_that_counts_nvlink() -> Fleet:
    return with_addons({**PLUGINS, "efa-device-plugin": {"version": "v0.5.9"}}, **P6)


@conflict(unjudged=OF_ON_DEMAND)
def the_first_efa_plugin_that_knows_p6() -> Fleet:
    return with_addons({**PLUGINS, "efa-device-plugin": {"version": "v0.5.10"}}, **P6)


@conflict(f"{KNOWS_P6} @ addons.efa-device-plugin.values.image.tag", unjudged=OF_ON_DEMAND)
def an_image_that_counts_nvlink() -> Fleet:
    return with_addons({**PLUGINS, "efa-device-plugin": {"values": {"image": {"tag": "v0.5.5"}}}}, **P6)


@conflict(unjudged=OF_ON_DEMAND)
def the_first_image_that_knows_p6() -> Fleet:
    return with_addons({**PLUGINS, "efa-device-plugin": {"values": {"image": {"tag": "v0.5.6"}}}}, **P6)


@conflict()
def an_efa_plugin_of_old_on_p5() -> Fleet:
    return with_addons({**PLUGINS, "efa-device-plugin": {"version": "v0.5.9"}})


@case(unjudged=(f"{KNOWS_P6} @ {urn(EFA)}",))
def an_efa_plugin_of_a_version_nobody_knows() -> Fleet:
    return a_fleet(a_template(instance="p6-b200.48xlarge"), an_addon(EFA, UNKNOWN))


# gpu-operator-leaves-the-image


def operator_with(**values: Any) -> Fleet:
    operator = a_chart(OPERATOR, "v26.7.0", **values)
    return with_addons({"efa-device-plugin": {}, "charts": {f"our-{OPERATOR}": operator}})


@conflict(f"{LEAVES} @ addons.charts.our-gpu-operator.values")
def the_gpu_operator_as_it_comes() -> Fleet:
    return operator_with()


@conflict(f"{LEAVES} @ addons.charts.our-gpu-operator.values")
def the_gpu_operators_toolkit_on_eks_image() -> Fleet:
    return operator_with(driver={"enabled": False})


@conflict()
def hyperpods_operator_that_leaves_the_image() -> Fleet:
    own = {"toolkit": {"enabled": False}, "devicePlugin": {"enabled": False}}
    chart = lean(**{"gpu-operator": {"enabled": True, "gpu-operator": own}})
    return beside_plugins(chart)


@case(f"{SPARES} @ {urn(HYPERPOD)}")
def hyperpods_operator_where_only_hyperpod_has_gpus() -> Fleet:
    operator = of_hyperpod(**{"gpu-operator": {"enabled": True}})
    return a_fleet(operator, without=[NodeGroup])


@case()
def the_gpu_operator_on_nodes_that_it_does_not_tolerate() -> Fleet:
    taints = frozenset({Taint("ours", "", "NoSchedule")})
    return loose(an_addon(OPERATOR, "v26.7.0", {"devicePlugin": {"enabled": False}}), taints=taints)


@conflict(f"{SPARES} @ addons.charts.our-hyperpod-helm-chart.values.nvidia-device-plugin")
def hyperpods_plugin_of_an_image_that_takes_efas_devices() -> Fleet:
    own = {"devicePlugin": {"enabled": True}, "image": {"tag": "v0.19.1"}}
    return beside_plugins(lean(**{"nvidia-device-plugin": own}))


@case(f"{SPARES} @ {urn(NVIDIA)}")
def an_nvidia_plugin_by_its_manifest_that_takes_efas_devices() -> Fleet:
    return loose(by_manifest(NVIDIA, "v0.19.1"))


@case()
def the_gpu_operator_on_an_image_of_ones_own() -> Fleet:
    return a_fleet(a_template(image="ami-0123456789abcdef0"), a_group(), an_addon(OPERATOR, "v26.7.0"))


@case(unjudged=(f"{LEAVES} @ groups.workers", "image-fits-hardware @ groups.workers"))
def the_gpu_operator_on_an_image_not_yet_known() -> Fleet:
    return a_fleet(a_group(ami_type=UNKNOWN), an_addon(OPERATOR, "v26.7.0"))


# etcd-speaks-v2

ETCD = "etcd-speaks-v2"


@case(f"{ETCD} @ addons.etcd.version")
def our_etcd_without_v2() -> Fleet:
    return a_fleet(a_manifest("etcd", "v3.6.4"))


@case()
def our_etcd_with_v2() -> Fleet:
    return a_fleet(a_manifest("etcd", "v3.5.21"))


@conflict(f"{ETCD} @ addons.etcd.version")
def an_etcd_of_a_version_without_v2() -> Fleet:
    return with_addons({**PLUGINS, "etcd": {"version": "v3.6.4"}})


@conflict()
def an_etcd_as_it_is_pinned() -> Fleet:
    return with_addons({**PLUGINS, "etcd": {}})


FOR_TORCHX: Mapping[str, Any] = {"extraArgs": ["--enable-v2=true"]}


@conflict(f"{ETCD} @ addons.charts.our-etcd.values.image.tag")
def a_chart_of_etcd_without_v2() -> Fleet:
    return beside_plugins(a_chart("etcd", "12.0.20", **FOR_TORCHX))


@conflict()
def a_chart_of_etcd_with_v2() -> Fleet:
    return beside_plugins(a_chart("etcd", "12.0.20", **FOR_TORCHX, image={"tag": "v3.5.20"}))


@conflict()
def a_chart_of_etcd_for_something_else() -> Fleet:
    return beside_plugins(a_chart("etcd", "12.0.20"))


@conflict()
def a_chart_of_etcd_that_is_told_not_to() -> Fleet:
    env = [{"name": "ETCD_ENABLE_V2", "value": "false"}]
    return beside_plugins(a_chart("etcd", "12.0.20", extraEnvVars=env, extraArgs=["--enable-v2=false"]))


@conflict(f"{ETCD} @ addons.charts.our-etcd.values.image.tag")
def a_chart_of_etcd_that_is_told_by_its_environment() -> Fleet:
    env = [{"name": "ETCD_NAME", "value": "store"}, {"name": "ETCD_ENABLE_V2", "value": "true"}]
    return beside_plugins(a_chart("etcd", "12.0.20", extraEnvVars=env))


@conflict(f"{ETCD} @ addons.charts.our-etcd.values.image.tag")
def a_chart_of_etcd_that_is_told_by_its_configuration() -> Fleet:
    return beside_plugins(a_chart("etcd", "12.0.20", configuration="name: store\nenable-v2: true\n"))


@conflict(unjudged=(*NOBODY_SAYS, f"{ETCD} @ addons.charts.our-etcd"))
def a_chart_of_etcd_that_nobody_knows() -> Fleet:
    return beside_plugins(a_chart("etcd", "0.8.7", **FOR_TORCHX))


# plugin-reaches-its-nodes, plugin-stays-with-its-devices, group-has-its-device-plugin

REACHES, STAYS, HAS = "plugin-reaches-its-nodes", "plugin-stays-with-its-devices", "group-has-its-device-plugin"


@conflict(f"{REACHES} @ addons.efa-device-plugin.values")
def an_efa_plugin_that_tolerates_nothing() -> Fleet:
    return with_addons({**PLUGINS, "efa-device-plugin": {"values": {"tolerations": []}}})


@conflict(f"{REACHES} @ addons.efa-device-plugin.values")
def an_efa_plugin_for_another_type() -> Fleet:
    own = {"supportedInstanceLabels": {"values": ["ml.p5.48xlarge"]}}
    return with_addons({**PLUGINS, "efa-device-plugin": {"values": own}})


@conflict(f"{REACHES} @ addons.nvidia-device-plugin.values", unjudged=(*NOBODY_SAYS,))
def an_nvidia_plugin_for_labels_that_nobody_sets() -> Fleet:
    """The chart's own affinity: the label that it asks for nodeadm sets only from 1.35 on."""
    return described({"kubernetes": "1.34", "addons.nvidia-device-plugin": {"values": BY_LABEL}})


@conflict()
def an_nvidia_plugin_for_labels_that_the_kubelet_sets() -> Fleet:
    return described({"addons.nvidia-device-plugin": {"values": BY_LABEL}})


@conflict()
def an_nvidia_plugin_for_labels_that_its_own_discovery_sets() -> Fleet:
    values = {**BY_LABEL, "gfd": {"enabled": True}, "nfd": {"enabled": True}}
    return described({"kubernetes": "1.34", "addons.nvidia-device-plugin": {"values": values}})


@conflict(f"{REACHES} @ addons.nvidia-device-plugin.values")
def an_nvidia_plugin_that_a_node_selector_keeps_off() -> Fleet:
    return described({"addons.nvidia-device-plugin": {"values": {"nodeSelector": {"gpus": "fast"}}}})


@case(f"{REACHES} @ {urn(EFA)}")
def an_efa_plugin_of_another_program_that_tolerates_no_gpus() -> Fleet:
    return loose(an_addon(EFA, "v0.5.30"), taints=frozenset({Taint("nvidia.com/gpu", "true", "NoSchedule")}))


@case()
def an_efa_plugin_of_another_program() -> Fleet:
    return loose(an_addon(EFA, "v0.5.30"))


@case(unjudged=(f"{REACHES} @ {urn(NVIDIA)}",))
def a_plugin_by_labels_that_nobody_says() -> Fleet:
    return a_fleet(a_control_plane("1.34"), an_addon(NVIDIA, "0.20.0"))


@conflict(unjudged=(*NOBODY_SAYS, f"{REACHES} @ addons.nvidia-device-plugin"))
def an_nvidia_plugin_for_a_node_by_its_name() -> Fleet:
    """Nobody knows the names of nodes before they are there."""
    name = {"key": "metadata.name", "operator": "In", "values": ["ip-10-0-0-1"]}
    required = {"nodeSelectorTerms": [{"matchFields": [name]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
    return described({"addons.nvidia-device-plugin": {"values": {"affinity": affinity}}})


@conflict(f"{STAYS} @ addons.nvidia-device-plugin.values")
def an_nvidia_plugin_on_all_nodes() -> Fleet:
    return described({"addons.nvidia-device-plugin": {"values": {"affinity": None}}})


@conflict(f"{STAYS} @ addons.efa-device-plugin.values")
def an_efa_plugin_on_nodes_without_efa() -> Fleet:
    own = {"supportedInstanceLabels": {"keys": ["muster/group"], "values": ["system", "workers"]}}
    return with_addons({**PLUGINS, "efa-device-plugin": {"values": own}})


@conflict(f"{HAS} @ groups.workers.instance")
def no_nvidia_plugin() -> Fleet:
    return with_addons({"efa-device-plugin": {}})


@conflict(f"{HAS} @ groups.workers.instance")
def plugins_of_hyperpod_that_are_for_other_nodes() -> Fleet:
    chart = lean(**{"nvidia-device-plugin": {"devicePlugin": {"enabled": True}}})
    return with_addons({"efa-device-plugin": {}, "charts": {f"our-{HYPERPOD}": chart}})


@conflict()
def an_nvidia_plugin_of_a_chart_of_ones_own() -> Fleet:
    return with_addons({"efa-device-plugin": {}, "charts": {"nvidia": a_chart(NVIDIA, "0.20.0")}})


# plugin-tolerates-health-taint

HEALTH = "plugin-tolerates-health-taint"


@case(f"{HEALTH} @ {urn(NVIDIA)}")
def a_plugin_on_hyperpod_nodes_that_leaves_them() -> Fleet:
    return a_fleet(of_hyperpod(), an_addon(NVIDIA, "0.20.0"))


@case()
def a_plugin_on_hyperpod_nodes_that_stays() -> Fleet:
    health = {"key": "sagemaker.amazonaws.com/node-health-status", "operator": "Exists"}
    values = {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}, health]}
    return a_fleet(of_hyperpod(), an_addon(NVIDIA, "0.20.0", values))


@case()
def plugins_of_hyperpod_as_they_come() -> Fleet:
    return a_fleet(an_addon(HYPERPOD, "0.1.0"), without=[NodeGroup])


# one-fsx-csi-driver

FSX, FSX_CSI = "one-fsx-csi-driver", "aws-fsx-csi-driver"


@case(f"{FSX} @ {urn(FSX_CSI)}")
def the_fsx_driver_by_helm_and_by_eks() -> Fleet:
    return a_fleet(an_eks(FSX_CSI), an_addon(FSX_CSI, "1.17.0"))


@conflict(f"{FSX} @ addons.charts.our-hyperpod-helm-chart.values.hyperpod-inference-operator.fsx")
def the_fsx_driver_by_helm_and_with_hyperpod() -> Fleet:
    return beside_plugins(a_chart(FSX_CSI, "1.17.0"), lean(inferenceOperators={"enabled": True}))


@conflict()
def hyperpods_inference_operator_without_its_fsx_driver() -> Fleet:
    own = {"inferenceOperators": {"enabled": True}, "hyperpod-inference-operator": {"fsx": {"enabled": False}}}
    return beside_plugins(a_chart(FSX_CSI, "1.17.0"), lean(**own))


@case()
def the_fsx_driver_by_eks() -> Fleet:
    return a_fleet(an_eks(FSX_CSI))


# daemons-fit-nodes, operators-fit-nodes

DAEMONS, OPERATORS = "daemons-fit-nodes", "operators-fit-nodes"


@conflict(f"{DAEMONS} @ groups.workers.instance")
def a_daemon_that_takes_the_node() -> Fleet:
    asks = {"resources": {"requests": {"cpu": "192"}}}
    return with_addons({**PLUGINS, "nvidia-device-plugin": {"values": asks}})


@conflict(f"{DAEMONS} @ groups.workers.instance")
def daemons_that_take_the_memory_together() -> Fleet:
    asks = {"resources": {"requests": {"memory": "1000Gi"}}}
    return with_addons({each: {"values": asks} for each in PLUGINS})


@conflict()
def a_daemon_that_leaves_half_of_the_node() -> Fleet:
    asks = {"resources": {"requests": {"cpu": "96"}}}
    return with_addons({**PLUGINS, "nvidia-device-plugin": {"values": asks}})


@conflict(f"{OPERATORS} @ groups.system")
def an_operator_that_no_node_has_room_for() -> Fleet:
    asks = {"controllerManager": {"manager": {"resources": {"requests": {"cpu": "8"}}}}}
    return with_addons({**PLUGINS, "kueue": {"values": asks}})


@conflict(f"{OPERATORS} @ groups.system")
def an_operator_that_only_two_nodes_have_room_for() -> Fleet:
    asks = {"controllerManager": {"manager": {"resources": {"requests": {"cpu": "8"}}}}}
    return described({"addons.kueue": {"values": asks}, "groups.system.nodes": 2})


@conflict()
def all_operators() -> Fleet:
    names = ("mpi-operator", "training-operator", "jobset", "trainer", "volcano", "kuberay-operator", "etcd", "kueue")
    return with_addons({**PLUGINS, **{name: {} for name in names}})


def operating_on(group: Any, *more: Any, **template: Any) -> Fleet:
    """The MPI operator and CoreDNS on one group of c5.2xlarge."""
    machines = a_template(instance="c5.2xlarge", interfaces=(), **template)
    coredns = EksAddon(Ref(ADDON, "coredns"), "coredns", "v1.14.3-eksbuild.16", Place("kubernetes"))
    return a_fleet(machines, group, coredns, a_manifest("mpi-operator", "v0.8.2"), *more)


@case(f"{OPERATORS} @ groups.workers")
def operators_on_too_few_addresses() -> Fleet:
    """aws-node, CoreDNS twice and the MPI operator."""
    return operating_on(a_group(purpose=Purpose.SYSTEM), max_pods=3)


@case()
def operators_on_just_enough_addresses() -> Fleet:
    return operating_on(a_group(purpose=Purpose.SYSTEM), max_pods=4)


@case()
def operators_on_nodes_that_an_autoscaler_adds() -> Fleet:
    return operating_on(a_group(purpose=Purpose.SYSTEM, nodes_max=2, scaled_by=Scaler.AUTOSCALER), max_pods=3)


# addon-supports-kubernetes, addon-has-what-it-needs

SUPPORTS = "addon-supports-kubernetes"


@case(f"{SUPPORTS} @ addons.mpi-operator")
def an_operator_for_newer_versions() -> Fleet:
    return on_version("1.29", a_manifest("mpi-operator", "v0.8.2"), as_of=date(2024, 1, 1))


@conflict(f"{SUPPORTS} @ addons.volcano")
def volcano_on_a_version_that_it_does_not_name() -> Fleet:
    return described({"kubernetes": "1.36", "addons.volcano": {}})


@case()
def an_operator_of_another_version() -> Fleet:
    return on_version("1.29", a_manifest("mpi-operator", "v0.7.0"), as_of=date(2024, 1, 1))


@case(unjudged=(f"{SUPPORTS} @ addons.mpi-operator", *OF_UNKNOWN_VERSIONS))
def an_operator_on_a_version_not_yet_known() -> Fleet:
    return on_version(UNKNOWN, a_manifest("mpi-operator", "v0.8.2"))


NEEDS = "addon-has-what-it-needs"
TRAINING_OF_HYPERPOD = "hyperpod-training-operator"


@conflict(f"{NEEDS} @ addons.{TRAINING_OF_HYPERPOD}")
def an_operator_without_its_certificates() -> Fleet:
    return with_addons({**PLUGINS, TRAINING_OF_HYPERPOD: {}})


@conflict()
def an_operator_with_its_certificates() -> Fleet:
    return with_addons({**PLUGINS, TRAINING_OF_HYPERPOD: {}, "cert-manager": {}})


def joining(**known: Any) -> Fleet:
    """An add-on with a role, on a cluster that was there before."""
    plane = a_control_plane(subnets=(), existing=True, name="theirs")
    said = {"facts": facts(clusters={"theirs": {"eksAddons": {"vpc-cni": "v1.23.1-eksbuild.1", **known}}})}
    observability = a_manifest("cloudwatch-observability", "v6.6.0-eksbuild.1")
    return a_fleet(plane, observability, without=[ControlPlane, EksAddon], **(said if known else {}))


AGENT = "eks-pod-identity-agent"


@case(f"{NEEDS} @ addons.cloudwatch-observability")
def an_agent_that_an_existing_cluster_lacks() -> Fleet:
    return joining(coredns="v1.14.3-eksbuild.16")


@case()
def an_agent_that_an_existing_cluster_has() -> Fleet:
    return joining(**{AGENT: "v1.3.10-eksbuild.3"})


@case(unjudged=(f"{NEEDS} @ addons.cloudwatch-observability", "vpc-cni-supports-efa @ groups.workers"))
def an_agent_that_nobody_speaks_of() -> Fleet:
    return joining()


@conflict(f"{KUEUE} @ addons.kueue")
def our_task_governance_beside_our_kueue() -> Fleet:
    return with_addons({**PLUGINS, "hyperpod-task-governance": {}, "kueue": {}})


USE = "addon-has-a-use"
REPOSITORY = {"repository": "oci://registry.example.com/charts"}


@conflict(f"{USE} @ addons.hyperpod")
def our_hyperpod_beside_our_operators() -> Fleet:
    names = ("mpi-operator", "kueue", "hyperpod-training-operator", "cert-manager")
    return with_addons({**PLUGINS, "hyperpod": REPOSITORY, **{name: {} for name in names}})


@conflict(f"{ONE_PLUGIN} @ addons.nvidia-device-plugin.values", f"{USE} @ addons.hyperpod")
def our_hyperpod_with_an_nvidia_plugin_for_these_nodes() -> Fleet:
    own = {"devicePlugin": {"enabled": True}, "affinity": where("node.kubernetes.io/instance-type", "p5.48xlarge")}
    values = {"nvidia-device-plugin": own}
    return with_addons({**PLUGINS, "hyperpod": {**REPOSITORY, "values": values}})


@conflict(f"{FSX} @ addons.charts.our-aws-fsx-csi-driver")
def our_fsx_driver_by_eks_and_another_by_helm() -> Fleet:
    charts = {"our-aws-fsx-csi-driver": a_chart(FSX_CSI, "1.17.0")}
    return with_addons({**PLUGINS, "fsx-csi-driver": {}, "charts": charts})


# addon-values-have-a-form

FORM = "addon-values-have-a-form"


@conflict(f"{FORM} @ addons.efa-device-plugin.values")
def a_plugin_with_an_amount_that_is_none() -> Fleet:
    return described({"addons.efa-device-plugin": {"values": {"resources": {"requests": {"cpu": "lots"}}}}})


@conflict(f"{FORM} @ addons.efa-device-plugin.values")
def a_plugin_with_tolerations_that_are_none() -> Fleet:
    return described({"addons.efa-device-plugin": {"values": {"tolerations": 5}}})


# kueue-serves-its-queues

SERVES_QUEUES = "kueue-serves-its-queues"


@conflict(f"{SERVES_QUEUES} @ addons.kueue.version")
def a_kueue_from_before_its_queues_api() -> Fleet:
    return described({"addons.kueue": {"version": "0.14.8"}})


@conflict()
def the_first_kueue_with_its_queues_api() -> Fleet:
    return described({"addons.kueue": {"version": "v0.15.0"}})


# add-ons without nodes that they are for


@conflict(f"{USE} @ addons.hyperpod")
def hyperpods_chart_without_its_nodes() -> Fleet:
    return with_addons({**PLUGINS, "hyperpod": REPOSITORY})


@conflict()
def the_monitoring_agent_on_nodes_of_eks() -> Fleet:
    return with_addons({**PLUGINS, "eks-node-monitoring-agent": {}})
