"""CloudWatch Container Insights: its values. See `cloudwatch_observability.toml`."""

from muster.addons.addon import Json
from muster.addons.context import AddonContext, system_tolerations
from muster.addons.sheet import addon


def _values(context: AddonContext) -> Json:
    listed = system_tolerations(context)
    return {
        "dcgmExporter": {"enabled": bool(context.having("nvidia.com/gpu"))},
        "neuronMonitor": {"enabled": bool(context.having("aws.amazon.com/neuron"))},
        **({"manager": {"tolerations": listed}} if listed else {}),
    }


ADDON = addon("cloudwatch-observability", values=_values)
