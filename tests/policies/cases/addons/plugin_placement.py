"""Device plugins that do not reach their nodes, or do not stay there."""

from typing import Any

from muster.fleet.resources import Fleet, NodeGroup, Taint
from tests.factories import a_control_plane, a_fleet, described
from tests.policies.addons import (
    BY_LABEL,
    EFA,
    HYPERPOD,
    NVIDIA,
    PLUGINS,
    a_chart,
    an_addon,
    lean,
    loose,
    of_hyperpod,
    with_addons,
)
from tests.policies.case import case, cases

# plugin-reaches-its-nodes, plugin-stays-with-its-devices, group-has-its-device-plugin


cases(
    an_efa_plugin_that_tolerates_nothing=lambda: with_addons(
        {**PLUGINS, "efa-device-plugin": {"values": {"tolerations": []}}}
    ),
    an_efa_plugin_for_another_type=lambda: with_addons(
        {**PLUGINS, "efa-device-plugin": {"values": {"supportedInstanceLabels": {"values": ["ml.p5.48xlarge"]}}}}
    ),
    # The chart's own affinity: the label that it asks for nodeadm sets only from 1.35 on.
    an_nvidia_plugin_for_labels_that_nobody_sets=lambda: described(
        {"kubernetes": "1.34", "addons.nvidia-device-plugin": {"values": BY_LABEL}}
    ),
    an_nvidia_plugin_for_labels_that_the_kubelet_sets=lambda: described(
        {"addons.nvidia-device-plugin": {"values": BY_LABEL}}
    ),
)


@case
def an_nvidia_plugin_for_labels_that_its_own_discovery_sets() -> Fleet:
    values = {**BY_LABEL, "gfd": {"enabled": True}, "nfd": {"enabled": True}}
    return described({"kubernetes": "1.34", "addons.nvidia-device-plugin": {"values": values}})


cases(
    an_nvidia_plugin_that_a_node_selector_keeps_off=lambda: described(
        {"addons.nvidia-device-plugin": {"values": {"nodeSelector": {"gpus": "fast"}}}}
    ),
    an_efa_plugin_of_another_program_that_tolerates_no_gpus=lambda: loose(
        an_addon(EFA, "v0.5.30"), taints=frozenset({Taint("nvidia.com/gpu", "true", "NoSchedule")})
    ),
    an_efa_plugin_of_another_program=lambda: loose(an_addon(EFA, "v0.5.30")),
    a_plugin_by_labels_that_nobody_says=lambda: a_fleet(a_control_plane("1.34"), an_addon(NVIDIA, "0.20.0")),
)


@case
def an_nvidia_plugin_for_a_node_by_its_name() -> Fleet:
    """Nobody knows the names of nodes before they are there."""
    name = {"key": "metadata.name", "operator": "In", "values": ["ip-10-0-0-1"]}
    required = {"nodeSelectorTerms": [{"matchFields": [name]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
    return described({"addons.nvidia-device-plugin": {"values": {"affinity": affinity}}})


cases(
    an_nvidia_plugin_on_all_nodes=lambda: described({"addons.nvidia-device-plugin": {"values": {"affinity": None}}}),
)


@case
def an_efa_plugin_on_nodes_without_efa() -> Fleet:
    own = {"supportedInstanceLabels": {"keys": ["muster/group"], "values": ["system", "workers"]}}
    return with_addons({**PLUGINS, "efa-device-plugin": {"values": own}})


cases(
    no_nvidia_plugin=lambda: with_addons({"efa-device-plugin": {}}),
)


@case
def plugins_of_hyperpod_that_are_for_other_nodes() -> Fleet:
    chart = lean(**{"nvidia-device-plugin": {"devicePlugin": {"enabled": True}}})
    return with_addons({"efa-device-plugin": {}, "charts": {f"our-{HYPERPOD}": chart}})


cases(
    an_nvidia_plugin_of_a_chart_of_ones_own=lambda: with_addons(
        {"efa-device-plugin": {}, "charts": {"nvidia": a_chart(NVIDIA, "0.20.0")}}
    ),
)


# plugin-tolerates-health-taint


cases(
    a_plugin_on_hyperpod_nodes_that_leaves_them=lambda: a_fleet(of_hyperpod(), an_addon(NVIDIA, "0.20.0")),
)


@case
def a_plugin_on_hyperpod_nodes_that_stays() -> Fleet:
    health = {"key": "sagemaker.amazonaws.com/node-health-status", "operator": "Exists"}
    values = {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}, health]}
    return a_fleet(of_hyperpod(), an_addon(NVIDIA, "0.20.0", values))


cases(
    plugins_of_hyperpod_as_they_come=lambda: a_fleet(an_addon(HYPERPOD, "0.1.0"), without=[NodeGroup]),
)


# addon-pods-have-nodes


def placed(addon: str, **placement: Any) -> Fleet:
    """An add-on whose values place its pods."""
    return with_addons({**PLUGINS, addon: {"values": placement}})


NOWHERE = {"pool": "infra"}
cases(
    an_operator_that_no_group_takes=lambda: placed("kuberay-operator", nodeSelector=NOWHERE),
    an_operator_on_a_group_of_its_own=lambda: placed("kuberay-operator", nodeSelector={"muster/group": "system"}),
    an_operator_on_nodes_of_karpenter=lambda: with_addons(
        {
            **PLUGINS,
            "kuberay-operator": {"values": {"nodeSelector": {"karpenter.sh/nodepool": "system"}}},
            "charts": {"our-karpenter": a_chart("karpenter", "1.8.0")},
        }
    ),
    an_exporter_that_no_gpu_node_takes=lambda: placed("dcgm-exporter", nodeSelector=NOWHERE),
    an_exporter_without_tolerations=lambda: placed("dcgm-exporter", tolerations=[]),
    an_exporter_as_it_comes=lambda: placed("dcgm-exporter"),
)

# group-has-its-device-plugin

cases(
    a_plugin_that_is_turned_off=lambda: placed("nvidia-device-plugin", devicePlugin={"enabled": False}),
)
