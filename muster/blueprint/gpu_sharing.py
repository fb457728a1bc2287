"""How NVIDIA's device plugin shares the GPUs of a node: time slicing and MPS.

NVIDIA/k8s-device-plugin v0.20.0, README.md, "Shared Access to GPUs": `sharing.timeSlicing` and `sharing.mps` of a
configuration; `config.map` has configurations by name, and a node's label chooses one of them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
    selector = values.get("nodeSelector")
    selected = selector if isinstance(selector, Mapping) else {}
    return False not in switches and all(labels.get(key) == value for key, value in selected.items())


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
    given = configurations_of(values)
    name = given.chosen_by(labels)
    configuration = given.parsed(name) if name is not None else None
    for how in ("timeSlicing", "mps"):
        sharing = value_at(configuration, "sharing", how)
        for each in mappings_at(sharing, "resources"):
            replicas = each.get("replicas")
            if each.get("name") == GPU and isinstance(replicas, int) and replicas > 1:
                # `rename` of a resource is ignored (api/config/v1/replicas.go).
                renamed = value_at(sharing, "renameByDefault") is True
                given_limit = value_at(sharing, "failRequestsGreaterThanOne")
                one_only = given_limit if isinstance(given_limit, bool) else how == "mps"
                return GpuSharing(how, replicas, renamed, one_only, f"{given.at}.{name}")
    return None


@dataclass(frozen=True, slots=True)
class Configurations:
    """The configurations among a plugin's values."""

    at: str
    """Their path: the plugin's chart calls them ``config.map``, the GPU operator's ``config.data``."""
    by_name: Mapping[str, Any]
    """Name -> text."""
    default: str | None
    """The name in `config.default`."""
    falls_back: bool
    """Whether a node without a label and without `config.default` also gets one: the plugin's own chart does so
    (templates/_helpers.tpl), the GPU operator's does not."""

    def chosen_by(self, labels: Mapping[str, str]) -> str | None:
        """The name of a node's configuration: that of its label, the default, or the only one."""
        if named := labels.get(_CHOSEN_BY) or self.default:
            return named
        if not self.falls_back:
            return None
        if "default" in self.by_name:
            return "default"
        return next(iter(self.by_name)) if len(self.by_name) == 1 else None

    def parsed(self, name: str) -> Any:
        """A configuration; None if it does not exist or is not YAML."""
        text = self.by_name.get(name)
        if not isinstance(text, str):
            return text
        import yaml  # noqa: PLC0415  (only descriptions with a configuration need it: check must be fast)

        try:
            return yaml.safe_load(text)
        except yaml.YAMLError:
            return None


def configurations_of(values: Mapping[str, Any]) -> Configurations:
    """The configurations among a plugin's values."""
    default = value_at(values, "config", "default")
    for key in ("map", "data"):
        found = value_at(values, "config", key)
        if isinstance(found, Mapping) and found:
            named = default if isinstance(default, str) else None
            return Configurations(f"config.{key}", found, named, falls_back=key == "map")
    return Configurations("", {}, default if isinstance(default, str) else None, falls_back=False)
