"""DRA drivers beside device plugins, and before their time."""

from datetime import date

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_fleet
from tests.policies.addons import (
    ALONE,
    FOR_TRN1,
    NVIDIA,
    OF_ON_DEMAND,
    OF_UNKNOWN_VERSIONS,
    ON_TRN1,
    OPERATOR,
    a_chart,
    an_addon,
    beside_plugins,
    conflict,
    loose,
    on_version,
    urn,
    with_addons,
)
from tests.policies.case import case

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


@case()
def nvidias_dra_driver_on_the_first_version_that_serves_its_api() -> Fleet:
    """As P6e-GB200 needs it."""
    return on_version("1.33", an_addon("nvidia-dra-driver-gpu"), as_of=date(2026, 1, 1))
