"""Device plugins whose image does not go together with EFA."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_fleet, a_template
from tests.policies.addons import (
    ALONE,
    EFA,
    NOBODY_SAYS,
    NVIDIA,
    OF_ON_DEMAND,
    ON_DEMAND,
    OPERATOR,
    PLUGINS,
    a_chart,
    an_addon,
    conflict,
    urn,
    with_addons,
)
from tests.policies.case import case

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


@case(f"{SPARES} @ {urn(NVIDIA)}", unjudged=tuple(f"plugin-reaches-its-nodes @ {urn(each)}" for each in (NVIDIA, EFA)))
def two_plugins_that_collide_wherever_they_are() -> Fleet:
    return a_fleet(an_addon(NVIDIA, "0.19.0"), an_addon(EFA, "v0.5.30"), without=[NodeGroup])


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
