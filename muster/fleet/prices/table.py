"""Reads `prices.csv`."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Protocol

from muster.fleet.prices.item import Item, Kind
from muster.fleet.prices.price import Price, Unit
from muster.fleet.zones import partition_of

EVERYWHERE = "*"
"""In place of a Region: AWS's page names one price for all of them. China and GovCloud have lists of their own."""

_NEAR = {Kind.HYPERPOD: (Kind.SAGEMAKER, "SageMaker's price of the type in Studio, HyperPod's own is not known")}
"""Kind -> the kind whose price stands in for one that is not known, and what is said of it then."""


class Prices(Protocol):
    """Who knows prices."""

    def price(self, item: Item, region: str) -> Price | None:
        """What one unit costs in a Region; None where nobody says."""


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by item and Region."""

    rows: Mapping[tuple[Item, str], Price]

    def price(self, item: Item, region: str) -> Price | None:
        """What one unit costs in a Region; None where nobody says. Another Region's price is never given."""
        own = self.rows.get((item, region)) or self._everywhere(item, region)
        if own is not None or item.kind not in _NEAR:
            return own
        kind, words = _NEAR[item.kind]
        near = self.rows.get((Item(kind, item.name), region))
        return replace(near, near=words) if near else None

    def _everywhere(self, item: Item, region: str) -> Price | None:
        return self.rows.get((item, EVERYWHERE)) if partition_of(region) == "aws" else None

    def before(self, first: Mapping[tuple[Item, str], Price]) -> "PriceTable":
        """The same with other prices standing before its own."""
        return PriceTable({**self.rows, **first})


def _read(name: str) -> Iterable[dict[str, str]]:
    return csv.DictReader((files("muster.fleet.prices") / name).read_text(encoding="utf-8").splitlines())


@cache
def price_table() -> PriceTable:
    """The table of this repository."""
    sources = {row["source"]: (row["what"], date.fromisoformat(row["seen"])) for row in _read("sources.csv")}
    rows: dict[tuple[Item, str], Price] = {}
    for row in _read("prices.csv"):
        what, seen = sources[row["source"]]
        price = Price(Decimal(row["usd"]), Unit(row["unit"]), what, seen)
        rows[Item(Kind(row["kind"]), row["name"]), row["region"]] = price
    return PriceTable(rows)
