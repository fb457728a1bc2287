"""The images that the rendered charts of a cluster's add-ons name."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.addons.addon import Addon, Chart
from muster.addons.charts.chart_rendering import Charts
from muster.addons.charts.helm import NoChart
from muster.addons.charts.sources import same
from muster.addons.context import AddonContext
from muster.addons.image_names import named_images
from muster.addons.installation_order import install_order
from muster.addons.values import values_of, version_of


def rendered_images(context: AddonContext, charts: Charts) -> dict[str, tuple[str, ...]]:
    """Add-on, or ``charts.RELEASE`` -> the images in its chart or manifest. A chart that is missing, or of another
    version than would be installed, is left out.

    Raises:
        ChartFault: one of them cannot be rendered.
    """
    found: dict[str, tuple[str, ...]] = {}
    for addon, version, values in _installed(context):
        try:
            rendered = charts.rendered(addon, version, values, context.kubernetes)
        except NoChart:
            continue
        if rendered.version is None or same(rendered.version, version):
            found[addon.name] = named_images(rendered.everything)
    return found


def _installed(context: AddonContext) -> Iterator[tuple[Addon, str, Mapping[str, Any]]]:
    """Each add-on with its version and values, then the description's own charts."""
    for step in install_order(context):
        addon = step.addon
        yield addon, version_of(addon, context.chosen[addon.name]), values_of(addon, context)
    for release, chart in context.charts.items():
        source = Chart(chart.repository, chart.chart, lambda _: {}, release=release)
        own = Addon(f"charts.{release}", chart.namespace, source, "a chart that the description adds", lambda _: ())
        yield own, chart.version, chart.values
