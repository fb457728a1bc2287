"""Device plugins whose image does not go together with EFA."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import Fleet, NodeGroup
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, a_template
from tests.policies.addons import (
    ALONE,
    EFA,
    NVIDIA,
    ON_DEMAND,
    OPERATOR,
    PLUGINS,
    a_chart,
    an_addon,
    with_addons,
)
from tests.policies.case import case, cases

# nvidia-plugin-spares-efa


cases(
    an_nvidia_plugin_that_takes_efas_devices=lambda: with_addons(
        {**PLUGINS, "nvidia-device-plugin": {"version": "0.19.1", "values": {"mofedEnabled": None}}}
    ),
    an_nvidia_plugin_that_is_told_not_to=lambda: with_addons(
        {**PLUGINS, "nvidia-device-plugin": {"version": "0.19.1"}}
    ),
)


@case
def an_nvidia_plugin_of_a_mended_image() -> Fleet:
    values = {"mofedEnabled": None, "image": {"tag": "v0.19.3"}}
    return with_addons({**PLUGINS, "nvidia-device-plugin": {"version": "0.19.1", "values": values}})


cases(
    an_nvidia_plugin_before_the_change=lambda: with_addons(
        {**PLUGINS, "nvidia-device-plugin": {"version": "0.18.2", "values": {"mofedEnabled": None}}}
    ),
    an_operator_whose_plugin_takes_efas_devices=lambda: with_addons(
        {"efa-device-plugin": {}, "charts": {f"our-{OPERATOR}": a_chart(OPERATOR, "v26.3.2", **ALONE)}}
    ),
)


@case
def an_operator_whose_plugin_is_told_not_to() -> Fleet:
    env = [{"name": "MOFED_ENABLED", "value": "false"}]
    operator = a_chart(OPERATOR, "v26.3.2", **ALONE, devicePlugin={"env": env})
    return with_addons({"efa-device-plugin": {}, "charts": {f"our-{OPERATOR}": operator}})


cases(
    an_operator_whose_plugin_is_mended=lambda: with_addons(
        {"efa-device-plugin": {}, "charts": {f"our-{OPERATOR}": a_chart(OPERATOR, "v26.3.3", **ALONE)}}
    ),
    an_operator_whose_plugin_nobody_knows=lambda: with_addons(
        {"efa-device-plugin": {}, "charts": {f"our-{OPERATOR}": a_chart(OPERATOR, "v27.1.0", **ALONE)}}
    ),
)


@case
def an_nvidia_plugin_with_a_configuration_of_its_own() -> Fleet:
    values = {"mofedEnabled": None, "config": {"map": {"default": "version: v1"}}}
    return with_addons({**PLUGINS, "nvidia-device-plugin": {"version": "0.19.1", "values": values}})


cases(
    two_plugins_that_collide_wherever_they_are=lambda: a_fleet(
        an_addon(NVIDIA, "0.19.0"), an_addon(EFA, "v0.5.30"), without=[NodeGroup]
    ),
)


# efa-plugin-knows-p6

P6: Mapping[str, Any] = {**ON_DEMAND, "groups.workers.instance": "p6-b200.48xlarge"}


cases(
    an_efa_plugin_that_counts_nvlink=lambda: with_addons({**PLUGINS, "efa-device-plugin": {"version": "v0.5.9"}}, **P6),
    the_first_efa_plugin_that_knows_p6=lambda: with_addons(
        {**PLUGINS, "efa-device-plugin": {"version": "v0.5.10"}}, **P6
    ),
    an_image_that_counts_nvlink=lambda: with_addons(
        {**PLUGINS, "efa-device-plugin": {"values": {"image": {"tag": "v0.5.5"}}}}, **P6
    ),
    the_first_image_that_knows_p6=lambda: with_addons(
        {**PLUGINS, "efa-device-plugin": {"values": {"image": {"tag": "v0.5.6"}}}}, **P6
    ),
    an_efa_plugin_of_old_on_p5=lambda: with_addons({**PLUGINS, "efa-device-plugin": {"version": "v0.5.9"}}),
    an_efa_plugin_of_a_version_nobody_knows=lambda: a_fleet(
        a_template(instance="p6-b200.48xlarge"), an_addon(EFA, UNKNOWN)
    ),
)
