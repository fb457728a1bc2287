"""DRA drivers beside device plugins, and before their time."""

from datetime import date
from typing import Any

from muster.fleet.resources import Fleet, NodeGroup
from muster.unknown import UNKNOWN
from tests.factories import a_fleet
from tests.policies.addons import (
    ALONE,
    FOR_TRN1,
    NVIDIA,
    ON_TRN1,
    OPERATOR,
    PLUGINS,
    a_chart,
    an_addon,
    beside_plugins,
    loose,
    on_version,
    with_addons,
)
from tests.policies.case import case, cases

# no-dra-driver-beside-plugin

OVERRIDE = {"gpuResourcesEnabledOverride": True}
ON_ALL = {"kubeletPlugin": {"affinity": None}, **OVERRIDE}


cases(
    nvidias_dra_driver_beside_the_plugin=lambda: beside_plugins(
        a_chart("nvidia-dra-driver-gpu", "25.12.0", gpuResourcesEnabledOverride=True)
    ),
    nvidias_dra_driver_for_compute_domains_alone=lambda: beside_plugins(
        a_chart("nvidia-dra-driver-gpu", "25.12.0", resources={"gpus": {"enabled": False}})
    ),
    nvidias_dra_driver_alone=lambda: with_addons(
        {"efa-device-plugin": {}, "charts": {"dra": a_chart("dra-driver-nvidia-gpu", "0.5.0", **ON_ALL)}}
    ),
    the_efa_dra_driver_beside_the_plugin=lambda: beside_plugins(
        a_chart("aws-dranet", "1.0.0", tolerations=[{"key": "nvidia.com/gpu", "operator": "Exists"}])
    ),
)


@case
def the_neuron_dra_driver_beside_the_plugin() -> Fleet:
    chart = a_chart("neuron-helm-chart", "1.9.0", draDriver={"enabled": True}, devicePlugin={"enabled": False})
    return with_addons({**FOR_TRN1, "charts": {"our-neuron-helm-chart": chart}}, **ON_TRN1)


cases(
    a_dra_driver_before_its_time=lambda: on_version("1.33", an_addon("aws-dranet"), as_of=date(2026, 1, 1)),
    a_dra_driver_from_its_first_version_on=lambda: on_version("1.34", an_addon("aws-dranet")),
    a_dra_driver_on_a_version_not_yet_known=lambda: on_version(UNKNOWN, an_addon("aws-dranet")),
    the_operators_dra_driver_beside_the_plugin=lambda: loose(
        an_addon(NVIDIA, "0.20.0"), an_addon(OPERATOR, "v26.7.0", {**ALONE, "gpuCluster": {"deployCR": True}})
    ),
    a_dra_driver_for_nodes_that_are_not_here=lambda: a_fleet(
        an_addon(NVIDIA, "0.20.0"), an_addon("nvidia-dra-driver-gpu", "25.12.0", OVERRIDE), without=[NodeGroup]
    ),
    # As P6e-GB200 needs it.
    nvidias_dra_driver_on_the_first_version_that_serves_its_api=lambda: on_version(
        "1.33", an_addon("nvidia-dra-driver-gpu", values=OVERRIDE), as_of=date(2026, 1, 1)
    ),
)

# nvidia-dra-driver-has-override

COMPUTE_DOMAINS = {"resources": {"gpus": {"enabled": False}}}


def _alone(version: str, values: dict[str, Any] | None = None, chart: str = "dra-driver-nvidia-gpu") -> Fleet:
    return on_version("1.35", an_addon(chart, version, values))


cases(
    "nvidia-dra-driver-has-override",
    an_override=lambda: _alone("0.4.1", OVERRIDE),
    no_override=lambda: _alone("0.4.1"),
    no_override_under_the_former_name=lambda: _alone("25.8.1", chart="nvidia-dra-driver-gpu"),
    no_override_for_compute_domains_alone=lambda: _alone("0.4.1", COMPUTE_DOMAINS),
    no_override_in_a_release_that_was_not_read=lambda: _alone("1.0.0"),
    an_override_that_is_a_text=lambda: _alone("0.4.1", {"gpuResourcesEnabledOverride": "yes"}),
    an_override_known_later=lambda: _alone("0.4.1", {"gpuResourcesEnabledOverride": UNKNOWN}),
)

# Muster's own drivers

DRIVERS = {"nvidia-dra-driver": {}, "efa-dra-driver": {}}
OTHERS = {"groups.others": {"for": "training", "instance": "p4d.24xlarge", "nodes": 1, "zone": "us-west-2a"}}
FOR_WORKERS = {name: {"groups": ["workers"]} for name in DRIVERS}
ROCKET = {"groups.workers.image": "bottlerocket", "groups.workers.local-storage": "none"}

cases(
    our_dra_drivers=lambda: with_addons(DRIVERS),
    our_dra_drivers_beside_plugins_without_a_group=lambda: with_addons({**DRIVERS, **PLUGINS}),
    our_dra_drivers_of_one_group_and_plugins_of_another=lambda: with_addons({**FOR_WORKERS, **PLUGINS}, **OTHERS),
    our_dra_drivers_of_one_group_alone=lambda: with_addons(FOR_WORKERS, **OTHERS),
    our_dra_drivers_kept_off_their_group=lambda: with_addons(
        {**DRIVERS, "efa-dra-driver": {"values": {"nodeSelector": {"team": "vision"}}}}
    ),
    our_dra_driver_placed_beside_the_plugin=lambda: with_addons(
        {**FOR_WORKERS, **PLUGINS, "nvidia-dra-driver": {"groups": ["workers"], "values": ON_ALL}}, **OTHERS
    ),
    our_dra_drivers_on_bottlerocket=lambda: with_addons(FOR_WORKERS, **ROCKET),
    our_dra_drivers_leave_bottlerocket_alone=lambda: with_addons(DRIVERS, **ROCKET),
    our_dra_drivers_without_devices=lambda: with_addons(DRIVERS, **{"groups.workers.instance": "c5.2xlarge"}),
)
