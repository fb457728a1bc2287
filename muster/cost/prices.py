"""AWS's prices, in US dollars and before tax: one table, `prices.csv`, with the sources in `sources.csv`.

The table is dated and incomplete. An item that no source covers has no row, and its price is then unknown, never zero.

To add a price: add its row, with a source that also has a row; then run ``make verify``: the laws in
``tests/cost`` check it. `tools/on_demand_prices.py` renews the rows of us-east-1 from Karpenter's data.
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from muster.hardware.tables import read_table
from muster.hardware.zones import partition_of


class Kind(StrEnum):
    """Kinds of items that AWS bills, each with its unit."""

    INSTANCE = "instance"
    """An EC2 instance: Linux, shared tenancy, on demand. Its name is the type."""
    CAPACITY_BLOCK = "capacity-block"
    """An instance of a Capacity Block, at the price of a new block. Its name is the type."""
    HYPERPOD = "hyperpod"
    """An instance of HyperPod, on demand. Its name is EC2's name of the type."""
    SAGEMAKER = "sagemaker"
    """The same instance elsewhere in SageMaker (Studio, notebooks), at a price close to HyperPod's, but not equal."""
    LUSTRE = "lustre"
    """Storage of FSx for Lustre: ``persistent-2-ssd-250``, ``scratch-ssd``."""
    OPENZFS = "openzfs"
    """Storage of FSx for OpenZFS, and its throughput: ``single-az-ssd``, ``single-az-throughput``."""
    SERVICE = "service"
    """Items billed by the hour, with the names below."""


class Item(NamedTuple):
    """One item with a price."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


CONTROL_PLANE = Item(Kind.SERVICE, "eks")
EXTENDED_SUPPORT = Item(Kind.SERVICE, "eks-extended-support")
"""The surcharge of an old Kubernetes version, in addition to the control plane."""
NAT_GATEWAY = Item(Kind.SERVICE, "nat-gateway")


class Unit(StrEnum):
    """The unit of a price."""

    HOUR = "hour"
    GB_MONTH = "GB-month"
    """AWS counts GiB, but calls them GB."""


class Price(NamedTuple):
    """The price of one unit, in US dollars."""

    usd: Decimal
    unit: Unit
    source: str
    """Where the price is published, as text."""
    seen: date
    """The date on which it was AWS's price."""
    near: str = ""
    """The origin of the price, if the item's own price is unknown."""


EVERYWHERE = "*"
"""The Region of prices that AWS's page states for all Regions. China and GovCloud have their own lists."""


@cache
def price_rows() -> Mapping[tuple[Item, str], Price]:
    """Muster's table: item and Region -> the price of one unit."""
    listed = read_table("sources.csv", "muster.cost")
    sources = {row["source"]: (row["what"], date.fromisoformat(row["seen"])) for row in listed}
    rows: dict[tuple[Item, str], Price] = {}
    for row in read_table("prices.csv", "muster.cost"):
        what, seen = sources[row["source"]]
        price = Price(Decimal(row["usd"]), Unit(row["unit"]), what, seen)
        rows[Item(Kind(row["kind"]), row["name"]), row["region"]] = price
    return rows


def price_of(item: Item, region: str) -> Price | None:
    """The price of one unit in a Region; None if it is unknown. It never uses another Region's price."""
    rows = price_rows()
    everywhere = rows.get((item, EVERYWHERE)) if partition_of(region) == "aws" else None
    if item.kind is not Kind.HYPERPOD:
        return rows.get((item, region)) or everywhere
    near = rows.get((Item(Kind.SAGEMAKER, item.name), region))
    words = "SageMaker's price of the type in Studio, because HyperPod's price is unknown"
    return rows.get((item, region)) or (near._replace(near=words) if near else None)
