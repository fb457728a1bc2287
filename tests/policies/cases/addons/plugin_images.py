"""Device plugins whose image does not go together with EFA."""

from collections.abc import Mapping
from typing import Any

from tests.policies.addons import (
    ON_DEMAND,
    PLUGINS,
    with_addons,
)
from tests.policies.case import cases

# efa-plugin-knows-p6

P6: Mapping[str, Any] = {**ON_DEMAND, "groups.workers.instance": "p6-b200.48xlarge"}


cases(
    an_efa_plugin_that_counts_nvlink=lambda: with_addons({**PLUGINS, "efa-device-plugin": {"version": "v0.5.9"}}, **P6),
)
