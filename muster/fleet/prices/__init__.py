"""What AWS asks for things, in US dollars and before tax: one table, `prices.csv`, with the sources in `sources.csv`.

The table is dated and partial. What no source states has no row, and then no price is known: never zero. Prices that
AWS gave when it was asked stand before the table's (`muster.account.price_list`).

To add a price: add its row, with a source that has a row, too; then run ``make verify``: the laws in
``tests/fleet/prices`` judge it. `tools/on_demand_prices.py` renews the rows of us-east-1 from Karpenter's own.
"""

from muster.fleet.prices.item import Item, Kind
from muster.fleet.prices.price import Price, Unit
from muster.fleet.prices.table import Prices, PriceTable, price_table

__all__ = ["Item", "Kind", "Price", "PriceTable", "Prices", "Unit", "price_table"]
