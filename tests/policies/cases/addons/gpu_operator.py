"""The GPU operator on images that have its parts built in."""

from typing import Any

from muster.fleet.resources import Fleet, NodeGroup
from tests.factories import a_fleet
from tests.policies.addons import (
    OPERATOR,
    a_chart,
    of_hyperpod,
    with_addons,
)
from tests.policies.case import cases

# gpu-operator-leaves-the-image


def operator_with(**values: Any) -> Fleet:
    operator = a_chart(OPERATOR, "v26.7.0", **values)
    return with_addons({"efa-device-plugin": {}, "charts": {f"our-{OPERATOR}": operator}})


cases(
    the_gpu_operator_as_it_comes=lambda: operator_with(),
)


cases(
    hyperpods_operator_where_only_hyperpod_has_gpus=lambda: a_fleet(
        of_hyperpod(**{"gpu-operator": {"enabled": True}}), without=[NodeGroup]
    ),
)
