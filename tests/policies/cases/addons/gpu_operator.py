"""The GPU operator on images that have its parts built in."""

from typing import Any

from muster.fleet.resources import Fleet, NodeGroup, Taint
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_fleet, a_group, a_template
from tests.policies.addons import (
    HYPERPOD,
    NVIDIA,
    OPERATOR,
    a_chart,
    an_addon,
    beside_plugins,
    by_manifest,
    conflict,
    lean,
    loose,
    of_hyperpod,
    urn,
    with_addons,
)
from tests.policies.case import case
from tests.policies.cases.addons.plugin_images import SPARES

LEAVES = "gpu-operator-leaves-the-image"


@conflict(
    f"{SPARES} @ addons.charts.our-hyperpod-helm-chart.values.gpu-operator.gpu-operator.devicePlugin",
    f"{LEAVES} @ addons.charts.our-hyperpod-helm-chart.values",
)
def hyperpods_operator_whose_plugin_takes_efas_devices() -> Fleet:
    chart = lean(**{"gpu-operator": {"enabled": True}})
    return with_addons({"efa-device-plugin": {}, "charts": {f"our-{HYPERPOD}": chart}})


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
