"""How NVIDIA's device plugin shares the GPUs of a node: time slicing and MPS.

NVIDIA/k8s-device-plugin v0.20.0, README.md, "Shared Access to GPUs": `sharing.timeSlicing` and `sharing.mps` of a
configuration; `config.map` has configurations by name, and a node's label chooses one of them.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from muster.plain_data import mappings_at, value_at

if TYPE_CHECKING:
    from muster.config.description.addons import Addons

GPU = "nvidia.com/gpu"
SHARED_GPU = "nvidia.com/gpu.shared"

_CHOSEN_BY = "nvidia.com/device-plugin.config"
"""The label of a node that names its configuration."""

_PLUGIN = "nvidia-device-plugin"
_VALUES_IN_CHART: Mapping[str, tuple[str, ...]] = {_PLUGIN: (), "gpu-operator": ("devicePlugin",)}
"""Chart -> the path of the plugin's values among the chart's. (In HyperPod's chart they are below the plugin's
name.)"""


class GpuSharing(NamedTuple):
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
    """The path of the configuration among the plugin's values: ``config.map.default``."""

    @property
    def resource(self) -> str:
        """The extended resource that the node offers."""
        return SHARED_GPU if self.renamed else GPU


def device_of(resource: str) -> str:
    """The resource by the name that the plugin registers without sharing."""
    return GPU if resource == SHARED_GPU else resource


def sharing_on(addons: "Addons", labels: Mapping[str, str]) -> GpuSharing | None:
    """How the add-ons of a description share the GPUs of nodes with these labels; None if they do not."""
    here = (values for values in _plugin_values(addons) if _runs_on(values, labels))
    return next(filter(None, (gpu_sharing(values, labels) for values in here)), None)


def _runs_on(values: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    """Whether the plugin is on, and its node selector chooses nodes with these labels, as far as they are known."""
    switches = (value_at(values, "devicePlugin", "enabled"), values.get("enabled"))
    selector = _mapping(values.get("nodeSelector"))
    return False not in switches and all(labels.get(key) == value for key, value in selector.items())


def _plugin_values(addons: "Addons") -> Iterator[Mapping[str, Any]]:
    for name, options in addons.chosen.items():
        values = getattr(options, "values", None) or {}
        if name == _PLUGIN:
            yield values
        elif isinstance(nested := values.get(_PLUGIN), Mapping):
            yield nested
    for chart in addons.charts.values():
        if chart.chart in _VALUES_IN_CHART:
            found = value_at(chart.values, *_VALUES_IN_CHART[chart.chart])
            if isinstance(found, Mapping):
                yield found


def gpu_sharing(values: Mapping[str, Any], labels: Mapping[str, str]) -> GpuSharing | None:
    """How a plugin shares the GPUs of a node; None if it does not, or if its configuration is unknown.

    Args:
        values: the plugin's values.
        labels: the node's labels.
    """
    at, configuration = _configuration(values, labels)
    for how in ("timeSlicing", "mps"):
        sharing = value_at(configuration, "sharing", how)
        for each in mappings_at(sharing, "resources"):
            replicas = each.get("replicas")
            if each.get("name") == GPU and isinstance(replicas, int) and replicas > 1:
                # `rename` of a resource is ignored (api/config/v1/replicas.go).
                renamed = value_at(sharing, "renameByDefault") is True
                limit = value_at(sharing, "failRequestsGreaterThanOne")
                one_only = limit if isinstance(limit, bool) else how == "mps"
                return GpuSharing(how, replicas, renamed, one_only, at)
    return None


def _configuration(values: Mapping[str, Any], labels: Mapping[str, str]) -> tuple[str, Any]:
    """The path of a node's configuration among a plugin's values, and the configuration; None without one."""
    default = value_at(values, "config", "default")
    name = labels.get(_CHOSEN_BY) or (default if isinstance(default, str) else None)
    # The plugin's chart calls them ``config.map``, the GPU operator's ``config.data``.
    for key in ("map", "data"):
        by_name = _mapping(value_at(values, "config", key))
        if not by_name:
            continue
        if not name and key == "map":
            # The plugin's own chart gives a node without a label one (templates/_helpers.tpl), the operator's does not.
            only = next(iter(by_name)) if len(by_name) == 1 else None
            name = "default" if "default" in by_name else only
        return f"config.{key}.{name}", _parsed(by_name.get(name or ""))
    return "", None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _parsed(text: Any) -> Any:
    """A configuration; None if it is not YAML."""
    if not isinstance(text, str):
        return text
    import yaml  # noqa: PLC0415  (only descriptions with a configuration need it: check must be fast)

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None
