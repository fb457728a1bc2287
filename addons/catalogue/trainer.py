"""Kubeflow Trainer, v2: its values, and the runtimes that its chart applies. See `trainer.toml`."""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Json
from muster.addons.context import AddonContext, system_tolerations
from muster.addons.sheet import addon, sheet
from muster.addons.values import at

_CHART = "kubeflow-trainer"
_SUB_CHART = "jobset"


def _values(context: AddonContext) -> Json:
    tolerations = system_tolerations(context)
    own = not context.has(_SUB_CHART)
    return {
        "manager": {"tolerations": tolerations},
        "jobset": {"install": True, "controller": {"tolerations": tolerations}} if own else {"install": False},
        "runtimes": {"torchDistributed": {"enabled": True}, "installer": {"tolerations": tolerations}},
    }


def runtimes(values: Mapping[str, Any]) -> tuple[Json, ...]:
    """The runtimes that the chart's Job applies with these values, of those that are known here: the chart's
    `files/runtimes/torch-distributed.yaml` at v2.3.0."""
    on = at(values, "runtimes", "torchDistributed", "enabled") or at(values, "runtimes", "defaultEnabled")
    return (dict(sheet("trainer")["runtime"]),) if on else ()


DEFAULT_RUNTIMES = runtimes({"runtimes": {"torchDistributed": {"enabled": True}}})
"""Those that Muster's values apply."""

ADDON = addon("trainer", values=_values)
