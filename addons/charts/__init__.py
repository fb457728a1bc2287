"""An add-on's objects, from its real chart or manifest. Pure of pulumi; loaded only where charts are asked for."""

from muster.addons.charts.chart_rendering import Charts, LeftOut, Rendered
from muster.addons.charts.helm import ChartFault, NoChart

__all__ = ["ChartFault", "Charts", "LeftOut", "NoChart", "Rendered"]
