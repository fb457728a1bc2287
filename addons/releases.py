"""Helm releases: of add-ons, and of the description's own charts. Pure."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from muster.addons.addon import Addon, Chart
from muster.addons.context import AddonContext, GroupNodes
from muster.addons.values import values_of, values_of_chart, version_of, workloads_of
from muster.config.description.addons import Options, OtherChart

OCI = "oci://"

DEFAULT_TIMEOUT = 300
"""Seconds: Helm's own default, and that of the provider's Release."""

_SECONDS_PER_NODE = 30
"""A DaemonSet is updated node by node (`maxUnavailable: 1`, Kubernetes' default and our charts'): on each the old pod
ends, an image may be pulled, and the new pod starts."""


class Release(NamedTuple):
    """A Helm release."""

    name: str
    repository: str
    """The address of an index, or ``oci://`` and a registry's."""
    chart: str
    version: str
    values: Mapping[str, Any]
    timeout: int = DEFAULT_TIMEOUT

    @property
    def in_registry(self) -> bool:
        """Whether the chart is in a registry, not in an index."""
        return self.repository.startswith(OCI)

    @property
    def address(self) -> str:
        """The address of a chart in a registry; of one in an index, the index's address and the chart's name."""
        return f"{self.repository}/{self.chart}"


def repository_of(chart: Chart, options: Options) -> str:
    """Where an add-on's chart is: AWS publishes HyperPod's nowhere, so the description says it. Empty where only the
    stack knows it that installs the add-on."""
    return chart.repository or getattr(options, "repository", None) or ""


def of_addon(addon: Addon, context: AddonContext) -> Release:
    """The release of an add-on that is a chart, in its chosen form."""
    chart, values = addon.source, values_of(addon, context)
    assert isinstance(chart, Chart)
    options = context.chosen[addon.name]
    where, version = context.mirrors.charts or repository_of(chart, options), version_of(addon, options)
    timeout = _timeout(addon, values, context) if addon.waits else DEFAULT_TIMEOUT
    # The release's name is the chart's: another one lengthens every object's name.
    return Release(chart.name, where.rstrip("/"), chart.name, version, values, timeout)


def of_chart(name: str, chart: OtherChart, context: AddonContext) -> Release:
    """The release of a chart of the description's own."""
    where = context.mirrors.charts or chart.repository
    return Release(name, where.rstrip("/"), chart.chart, chart.version, values_of_chart(chart, context))


def _timeout(addon: Addon, values: Mapping[str, Any], context: AddonContext) -> int:
    """Seconds that Helm waits until all pods of an atomic release are updated.

    It counts the most nodes that there can be, in powers of two: a new `timeout` updates the release, and a group that
    grows by a node should not.
    """
    daemons = [each for each in workloads_of(addon, values) if each.kind == "DaemonSet"]
    served = [each.serves or addon.serves for each in daemons]
    most = max((_most(context.offering(each) if each else context.nodes) for each in served), default=0)
    seconds = _SECONDS_PER_NODE * (1 << (most - 1).bit_length()) if most else 0
    return max(seconds, DEFAULT_TIMEOUT)


def _most(nodes: tuple[GroupNodes, ...]) -> int:
    return sum(each.most for each in nodes)
