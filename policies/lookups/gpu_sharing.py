"""How NVIDIA's device plugin shares GPUs, as its configuration among the values has it.

NVIDIA/k8s-device-plugin v0.20.0, README.md, "Shared Access to GPUs": `sharing.timeSlicing` and `sharing.mps` of a
configuration; `config.map` has configurations by name, and a node's label chooses one of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from policies.lookups.chart_contents import AddonPart
from policies.lookups.pods import GPU
from policies.lookups.scheduling import NodeKind
from policies.lookups.unknowns import mappings_at, value_at

_CHOSEN_BY = "nvidia.com/device-plugin.config"
"""The label of a node that names its configuration."""


@dataclass(frozen=True, slots=True)
class GpuSharing:
    """How the GPUs of a node are shared."""

    how: str
    """``timeSlicing`` or ``mps``."""
    replicas: int
    """How often each GPU is offered."""
    renamed: bool
    """Whether they are offered as ``nvidia.com/gpu.shared``."""
    one_only: bool
    """Whether a container that requests more than one is refused."""
    at: str
    """Where the configuration is among the values."""


def gpu_sharing(part: AddonPart, spot: NodeKind) -> GpuSharing | None:
    """How a plugin shares the GPUs of a node; None where it does not, or where its configuration is not known."""
    at, configurations = _configurations(part.values)
    name = _chosen(part.values, configurations, spot)
    text = configurations.get(name) if name is not None else None
    configuration = _parsed(text)
    for how in ("timeSlicing", "mps"):
        sharing = value_at(configuration, "sharing", how)
        for each in mappings_at(sharing, "resources"):
            replicas = each.get("replicas")
            if each.get("name") == GPU and isinstance(replicas, int) and replicas > 1:
                renamed = value_at(sharing, "renameByDefault") is True or value_at(each, "rename") is not None
                given = value_at(sharing, "failRequestsGreaterThanOne")
                one_only = given if isinstance(given, bool) else how == "mps"
                return GpuSharing(how, replicas, renamed, one_only, f"{part.at}.{at}.{name}")
    return None


def _configurations(values: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Where the configurations are, and they by name: the plugin's chart calls them map, the GPU operator's data."""
    for key in ("map", "data"):
        found = value_at(values, "config", key)
        if isinstance(found, Mapping) and found:
            return f"config.{key}", found
    return "", {}


def _chosen(values: Mapping[str, Any], configurations: Mapping[str, Any], spot: NodeKind) -> str | None:
    """The configuration of a node: its label's, the default, the only one (templates/_helpers.tpl)."""
    label = spot.known_labels.get(_CHOSEN_BY)
    default = value_at(values, "config", "default")
    named = label or (default if isinstance(default, str) else None)
    if named:
        return named
    if "default" in configurations:
        return "default"
    return next(iter(configurations)) if len(configurations) == 1 else None


def _parsed(text: object) -> Any:
    if not isinstance(text, str):
        return text
    import yaml  # noqa: PLC0415  (only descriptions with a configuration need it: check must be fast)

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None
