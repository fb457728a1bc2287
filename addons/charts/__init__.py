"""An add-on's objects, from its real chart or manifest. Pure of pulumi; loaded only where charts are asked for.

Where they come from is said in one word: a folder, the address of a mirror, or `online`.
"""

from addons.charts.chart_rendering import Charts, LeftOut, Rendered
from addons.charts.helm import ChartFault, NoChart

__all__ = ["ChartFault", "Charts", "LeftOut", "NoChart", "Rendered"]
