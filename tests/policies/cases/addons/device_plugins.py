"""Device plugins of several add-ons for one device."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.resources.eks import AddonKind
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_fleet, described
from tests.policies.addons import (
    ALONE,
    BY_LABEL,
    EFA,
    FOR_TRN1,
    HYPERPOD,
    NOBODY_SAYS,
    NVIDIA,
    OF_ON_DEMAND,
    ON_TRN1,
    OPERATOR,
    a_chart,
    an_addon,
    beside_plugins,
    by_manifest,
    conflict,
    lean,
    loose,
    urn,
    where,
    with_addons,
)
from tests.policies.case import case

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


@case(f"{ONE_PLUGIN} @ {urn('z-operator')}")
def two_plugins_of_another_program() -> Fleet:
    return loose(an_addon(NVIDIA, "0.20.0"), an_addon(OPERATOR, "v26.7.0", ALONE, name="z-operator"))


@case(unjudged=tuple(f"{each} @ {urn(NVIDIA)}" for each in (ONE_PLUGIN, "plugin-reaches-its-nodes")))
def two_plugins_for_nodes_that_are_not_here() -> Fleet:
    operator = an_addon(OPERATOR, "v26.7.0", ALONE)
    return a_fleet(an_addon(NVIDIA, "0.20.0"), operator, without=[NodeGroup])


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
    return a_fleet(an_addon(UNKNOWN, UNKNOWN, name="theirs", kind=AddonKind.MANIFEST))


@case(unjudged=tuple(f"{each} @ {urn(OPERATOR)}" for each in OF_UNKNOWN_CHARTS))
def values_not_yet_known() -> Fleet:
    return a_fleet(an_addon(OPERATOR, "v26.7.0", {"driver": {"enabled": UNKNOWN}}))


@case()
def a_chart_that_no_rule_knows() -> Fleet:
    return a_fleet(an_addon("redis", "19.0.0", {"replica": {"count": UNKNOWN}}))
