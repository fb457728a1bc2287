"""DRA drivers beside device plugins, and before their time."""

from datetime import date

from muster.fleet.resources import Fleet, NodeGroup
from muster.unknown import UNKNOWN
from tests.factories import a_fleet
from tests.policies.addons import (
    ALONE,
    FOR_TRN1,
    NVIDIA,
    ON_TRN1,
    OPERATOR,
    a_chart,
    an_addon,
    beside_plugins,
    loose,
    on_version,
    with_addons,
)
from tests.policies.case import case, cases

# no-dra-driver-beside-plugin

ON_ALL = {"kubeletPlugin": {"affinity": None}, "gpuResourcesEnabledOverride": True}


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
        an_addon(NVIDIA, "0.20.0"), an_addon("nvidia-dra-driver-gpu", "25.12.0"), without=[NodeGroup]
    ),
    # As P6e-GB200 needs it.
    nvidias_dra_driver_on_the_first_version_that_serves_its_api=lambda: on_version(
        "1.33", an_addon("nvidia-dra-driver-gpu"), as_of=date(2026, 1, 1)
    ),
)
