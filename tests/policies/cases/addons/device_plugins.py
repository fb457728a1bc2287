"""Device plugins of several add-ons for one device."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.resources.eks import AddonKind
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, described
from tests.policies.addons import (
    ALONE,
    BY_LABEL,
    EFA,
    FOR_TRN1,
    HYPERPOD,
    NVIDIA,
    ON_TRN1,
    OPERATOR,
    a_chart,
    an_addon,
    beside_plugins,
    by_manifest,
    lean,
    loose,
    where,
    with_addons,
)
from tests.policies.case import case, cases

# one-plugin-per-device


cases(
    the_gpu_operator_without_its_plugin=lambda: beside_plugins(
        a_chart(OPERATOR, "v26.7.0", **ALONE, devicePlugin={"enabled": False})
    ),
    the_gpu_operator_with_its_plugin=lambda: beside_plugins(a_chart(OPERATOR, "v26.7.0", **ALONE)),
    the_gpu_operator_alone=lambda: with_addons(
        {"efa-device-plugin": {}, "charts": {"gpu": a_chart(OPERATOR, "v26.7.0", **ALONE)}}
    ),
    a_second_nvidia_plugin=lambda: beside_plugins(a_chart(NVIDIA, "0.20.0")),
    a_second_efa_plugin=lambda: beside_plugins(
        a_chart(EFA, "v0.5.30", tolerations=[{"key": "nvidia.com/gpu", "operator": "Exists"}])
    ),
    a_second_efa_plugin_that_is_kept_off=lambda: beside_plugins(a_chart(EFA, "v0.5.30")),
    plugins_of_hyperpod_for_its_own_nodes=lambda: beside_plugins(
        lean(**{each: {"devicePlugin": {"enabled": True}} for each in ("nvidia-device-plugin", EFA)}),
    ),
)


@case
def the_nvidia_plugin_of_hyperpod_on_these_nodes() -> Fleet:
    own = {"devicePlugin": {"enabled": True}, "affinity": where("node.kubernetes.io/instance-type", "p5.48xlarge")}
    return beside_plugins(lean(**{"nvidia-device-plugin": own}))


@case
def the_efa_plugin_of_hyperpod_on_these_nodes() -> Fleet:
    toleration = {"key": "nvidia.com/gpu", "operator": "Exists"}
    own = {
        "devicePlugin": {"enabled": True},
        "supportedInstanceLabels": {"values": ["ml.p5.48xlarge", "p5.48xlarge"]},
        "tolerations": [toleration, {"key": "sagemaker.amazonaws.com/node-health-status", "operator": "Exists"}],
    }
    return beside_plugins(lean(**{EFA: own}))


@case
def the_neuron_plugin_of_hyperpod() -> Fleet:
    chart = lean(**{"neuron-device-plugin": {"devicePlugin": {"enabled": True}}})
    return with_addons({**FOR_TRN1, "charts": {f"our-{HYPERPOD}": chart}}, **ON_TRN1)


cases(
    hyperpod_without_its_neuron_plugin=lambda: with_addons({**FOR_TRN1, "charts": {HYPERPOD: lean()}}, **ON_TRN1),
)


BOTTLEROCKET: Mapping[str, Any] = {
    "for": "training",
    "instance": "p5.48xlarge",
    "nodes": 1,
    "zone": "us-west-2a",
    "image": "bottlerocket",
}


cases(
    the_nvidia_plugin_beside_bottlerocket=lambda: described({"groups.rockets": BOTTLEROCKET}),
    the_nvidia_plugin_on_bottlerocket=lambda: described(
        {"groups.rockets": BOTTLEROCKET, "addons.nvidia-device-plugin": {"values": BY_LABEL}}
    ),
    two_plugins_of_another_program=lambda: loose(
        an_addon(NVIDIA, "0.20.0"), an_addon(OPERATOR, "v26.7.0", ALONE, name="z-operator")
    ),
    two_plugins_for_nodes_that_are_not_here=lambda: a_fleet(
        an_addon(NVIDIA, "0.20.0"), an_addon(OPERATOR, "v26.7.0", ALONE), without=[NodeGroup]
    ),
    the_nvidia_plugin_by_its_manifest_beside_its_chart=lambda: loose(
        an_addon(NVIDIA, "0.20.0", {"affinity": None}), by_manifest(NVIDIA, "v0.17.1", "z-static")
    ),
    the_efa_plugin_by_its_manifest_beside_its_chart=lambda: loose(
        an_addon(EFA, "v0.5.30"), by_manifest(EFA, "v0.5.30", "z-static")
    ),
    the_nvidia_plugin_by_its_manifest_alone=lambda: loose(by_manifest(NVIDIA, "v0.17.1")),
    a_chart_not_yet_known=lambda: a_fleet(an_addon(UNKNOWN, UNKNOWN, name="theirs")),
    a_manifest_not_yet_known=lambda: a_fleet(an_addon(UNKNOWN, UNKNOWN, name="theirs", kind=AddonKind.MANIFEST)),
    values_not_yet_known=lambda: a_fleet(an_addon(OPERATOR, "v26.7.0", {"driver": {"enabled": UNKNOWN}})),
    a_chart_that_no_rule_knows=lambda: a_fleet(an_addon("redis", "19.0.0", {"replica": {"count": UNKNOWN}})),
)
