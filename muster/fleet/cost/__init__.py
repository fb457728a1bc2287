"""What a cluster costs, derived from its blueprint and a table of prices. Pure: who asks AWS is elsewhere."""

from muster.fleet.cost.amounts import HOURS_A_MONTH, Money, Span
from muster.fleet.cost.cost import Cost, cost_of, start_of, wanted
from muster.fleet.cost.line import Basis, Line
from muster.fleet.cost.prepaid import Prepaid, Way

__all__ = ["HOURS_A_MONTH", "Basis", "Cost", "Line", "Money", "Prepaid", "Span", "Way", "cost_of", "start_of", "wanted"]
