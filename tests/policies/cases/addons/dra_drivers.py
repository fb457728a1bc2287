"""DRA drivers beside device plugins, and before their time."""

from datetime import date

from tests.policies.addons import (
    ALONE,
    NVIDIA,
    OPERATOR,
    an_addon,
    loose,
    on_version,
)
from tests.policies.case import cases

# no-dra-driver-beside-plugin


cases(
    a_dra_driver_before_its_time=lambda: on_version("1.33", an_addon("aws-dranet"), as_of=date(2026, 1, 1)),
    the_operators_dra_driver_beside_the_plugin=lambda: loose(
        an_addon(NVIDIA, "0.20.0"), an_addon(OPERATOR, "v26.7.0", {**ALONE, "gpuCluster": {"deployCR": True}})
    ),
)
