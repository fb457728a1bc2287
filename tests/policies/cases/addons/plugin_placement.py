"""Device plugins that do not reach their nodes, or do not stay there."""

from muster.fleet.resources import Fleet, NodeGroup, Taint
from tests.factories import a_control_plane, a_fleet, described
from tests.policies.addons import (
    BY_LABEL,
    EFA,
    HYPERPOD,
    NOBODY_SAYS,
    NVIDIA,
    PLUGINS,
    a_chart,
    an_addon,
    conflict,
    lean,
    loose,
    of_hyperpod,
    urn,
    with_addons,
)
from tests.policies.case import case

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
