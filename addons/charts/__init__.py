"""An add-on's objects, from its real chart or manifest. Pure of pulumi; loaded only where charts are asked for."""

from muster.addons.charts.chart_rendering import NOT_RUN, Charts, Rendered
from muster.addons.charts.helm import ChartFault, NoChart

__all__ = ["NOT_RUN", "ChartFault", "Charts", "NoChart", "Rendered"]
