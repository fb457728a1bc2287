"""Device plugins that do not reach their nodes, or do not stay there."""

from typing import Any

from muster.fleet.resources import Fleet, Taint
from tests.factories import a_fleet
from tests.policies.addons import (
    EFA,
    NVIDIA,
    PLUGINS,
    an_addon,
    loose,
    of_hyperpod,
    with_addons,
)
from tests.policies.case import cases

# plugin-reaches-its-nodes, plugin-stays-with-its-devices, group-has-its-device-plugin


cases(
    an_efa_plugin_of_another_program_that_tolerates_no_gpus=lambda: loose(
        an_addon(EFA, "v0.5.30"), taints=frozenset({Taint("nvidia.com/gpu", "true", "NoSchedule")})
    ),
)


# plugin-tolerates-health-taint


cases(
    a_plugin_on_hyperpod_nodes_that_leaves_them=lambda: a_fleet(of_hyperpod(), an_addon(NVIDIA, "0.20.0")),
)


# addon-pods-have-nodes


def placed(addon: str, **placement: Any) -> Fleet:
    """An add-on whose values place its pods."""
    return with_addons({**PLUGINS, addon: {"values": placement}})


NOWHERE = {"pool": "infra"}
cases(
    an_operator_that_no_group_takes=lambda: placed("kuberay-operator", nodeSelector=NOWHERE),
)
