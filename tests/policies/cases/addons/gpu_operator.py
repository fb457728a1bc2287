"""The GPU operator on images that have its parts built in."""

from typing import Any

from muster.fleet.resources import Fleet, NodeGroup, Taint
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, a_group, a_template
from tests.policies.addons import (
    HYPERPOD,
    NVIDIA,
    OPERATOR,
    a_chart,
    an_addon,
    beside_plugins,
    by_manifest,
    lean,
    loose,
    of_hyperpod,
    with_addons,
)
from tests.policies.case import case, cases

cases(
    hyperpods_operator_whose_plugin_takes_efas_devices=lambda: with_addons(
        {"efa-device-plugin": {}, "charts": {f"our-{HYPERPOD}": lean(**{"gpu-operator": {"enabled": True}})}}
    ),
)


# gpu-operator-leaves-the-image


def operator_with(**values: Any) -> Fleet:
    operator = a_chart(OPERATOR, "v26.7.0", **values)
    return with_addons({"efa-device-plugin": {}, "charts": {f"our-{OPERATOR}": operator}})


cases(
    the_gpu_operator_as_it_comes=lambda: operator_with(),
    the_gpu_operators_toolkit_on_eks_image=lambda: operator_with(driver={"enabled": False}),
)


@case
def hyperpods_operator_that_leaves_the_image() -> Fleet:
    own = {"toolkit": {"enabled": False}, "devicePlugin": {"enabled": False}}
    chart = lean(**{"gpu-operator": {"enabled": True, "gpu-operator": own}})
    return beside_plugins(chart)


cases(
    hyperpods_operator_where_only_hyperpod_has_gpus=lambda: a_fleet(
        of_hyperpod(**{"gpu-operator": {"enabled": True}}), without=[NodeGroup]
    ),
    the_gpu_operator_on_nodes_that_it_does_not_tolerate=lambda: loose(
        an_addon(OPERATOR, "v26.7.0", {"devicePlugin": {"enabled": False}}),
        taints=frozenset({Taint("ours", "", "NoSchedule")}),
    ),
    hyperpods_plugin_of_an_image_that_takes_efas_devices=lambda: beside_plugins(
        lean(**{"nvidia-device-plugin": {"devicePlugin": {"enabled": True}, "image": {"tag": "v0.19.1"}}})
    ),
    an_nvidia_plugin_by_its_manifest_that_takes_efas_devices=lambda: loose(by_manifest(NVIDIA, "v0.19.1")),
    the_gpu_operator_on_an_image_of_ones_own=lambda: a_fleet(
        a_template(image="ami-0123456789abcdef0"), a_group(), an_addon(OPERATOR, "v26.7.0")
    ),
    the_gpu_operator_on_an_image_not_yet_known=lambda: a_fleet(
        a_group(ami_type=UNKNOWN), an_addon(OPERATOR, "v26.7.0")
    ),
)
