"""What AWS asks for things, in US dollars and before tax: one table, `prices.csv`, with the sources in `sources.csv`.

The table is dated and partial. What no source states has no row, and then no price is known: never zero. Prices that
AWS's own answers (`muster.account.price_list`) go before the table's.

To add a price: add its row, with a source that has a row, too; then run ``make verify``: the laws in
``tests/fleet/prices`` judge it. `tools/on_demand_prices.py` renews the rows of us-east-1 from Karpenter's own.
"""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple, Protocol

from muster.hardware.zones import partition_of


class Kind(StrEnum):
    """Kinds of things that AWS bills, each with its unit."""

    INSTANCE = "instance"
    """An EC2 instance: Linux, shared tenancy, on demand. Its name is the type."""
    CAPACITY_BLOCK = "capacity-block"
    """An instance of a Capacity Block, what a new one is sold for. Its name is the type."""
    HYPERPOD = "hyperpod"
    """An instance of HyperPod, on demand. Its name is the type, as EC2 has it."""
    SAGEMAKER = "sagemaker"
    """The same instance elsewhere in SageMaker (Studio, notebooks): near HyperPod's price, and not the same."""
    LUSTRE = "lustre"
    """Storage of FSx for Lustre: ``persistent-2-ssd-250``, ``scratch-ssd``."""
    VOLUME = "volume"
    """EBS: ``gp3``, and what it is given beyond its base, ``gp3-iops`` and ``gp3-throughput``; ``hyperpod``."""
    SERVICE = "service"
    """Things by the hour: the names below."""


class Item(NamedTuple):
    """One thing that has a price."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"

    @property
    def words(self) -> str:
        """Its common name: ``an EKS control plane``; by default made of its kind and name."""
        return _WORDS.get(self) or _OF_KIND.get(self.kind, "{}").format(self.name)


CONTROL_PLANE = Item(Kind.SERVICE, "eks")
EXTENDED_SUPPORT = Item(Kind.SERVICE, "eks-extended-support")
"""The surcharge: what an old Kubernetes version costs beside the control plane itself."""
NAT_GATEWAY = Item(Kind.SERVICE, "nat-gateway")
PUBLIC_ADDRESS = Item(Kind.SERVICE, "public-ipv4")
ENDPOINT = Item(Kind.SERVICE, "interface-endpoint")
"""Of one service in one zone."""
GP3, GP3_IOPS, GP3_THROUGHPUT = (Item(Kind.VOLUME, each) for each in ("gp3", "gp3-iops", "gp3-throughput"))
HYPERPOD_VOLUME = Item(Kind.VOLUME, "hyperpod")
METADATA_IOPS = Item(Kind.LUSTRE, "metadata-iops")
"""Provisioned metadata IOPS; those of the automatic mode cost nothing."""


def tracking_server(size: str) -> Item:
    """A tracking server of managed MLflow: ``Small``."""
    return Item(Kind.SERVICE, f"mlflow-{size.lower()}")


_WORDS: Mapping[Item, str] = MappingProxyType(
    {
        CONTROL_PLANE: "an EKS control plane",
        EXTENDED_SUPPORT: "extended support of an EKS control plane",
        NAT_GATEWAY: "a NAT gateway",
        PUBLIC_ADDRESS: "a public IPv4 address",
        ENDPOINT: "an interface endpoint",
        GP3: "gp3 volumes",
        GP3_IOPS: "IOPS of gp3 volumes",
        GP3_THROUGHPUT: "throughput of gp3 volumes",
        HYPERPOD_VOLUME: "HyperPod's volumes",
    }
)
_OF_KIND: Mapping[Kind, str] = MappingProxyType({Kind.HYPERPOD: "ml.{} of HyperPod", Kind.LUSTRE: "FSx for Lustre {}"})
"""With the item's name; others are their name: ``p5.48xlarge``."""


class Unit(StrEnum):
    """What a price is for."""

    HOUR = "hour"
    GB_MONTH = "GB-month"
    """AWS counts GiB, and writes GB."""
    IOPS_MONTH = "IOPS-month"
    MIBPS_MONTH = "MiB/s-month"

    @property
    def of_a_month(self) -> bool:
        """Whether it is for a month; else for an hour."""
        return self is not Unit.HOUR


@dataclass(frozen=True, slots=True)
class Price:
    """What one unit costs, in US dollars."""

    usd: Decimal
    unit: Unit
    source: str
    """For people: where the price is published."""
    seen: date
    """The day it is known to have been AWS's."""
    asked: bool = False
    """Whether AWS gave it to this account now; else it is the table's."""
    near: str = ""
    """Whose price it is, where the item's own is not known."""


EVERYWHERE = "*"
"""In place of a Region: AWS's page names one price for all of them. China and GovCloud have lists of their own."""

_STAND_INS = {Kind.HYPERPOD: (Kind.SAGEMAKER, "SageMaker's price of the type in Studio, HyperPod's own is not known")}
"""Kind -> the kind whose price is used where its own is not known, and the note for it."""


class Prices(Protocol):
    """Who knows prices."""

    def price(self, item: Item, region: str) -> Price | None:
        """What one unit costs in a Region; None where it is not known."""


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by item and Region."""

    rows: Mapping[tuple[Item, str], Price]

    def price(self, item: Item, region: str) -> Price | None:
        """What one unit costs in a Region; None where it is not known. Another Region's price is never used."""
        own = self.rows.get((item, region)) or self._everywhere(item, region)
        if own is not None or item.kind not in _STAND_INS:
            return own
        kind, words = _STAND_INS[item.kind]
        near = self.rows.get((Item(kind, item.name), region))
        return replace(near, near=words) if near else None

    def _everywhere(self, item: Item, region: str) -> Price | None:
        return self.rows.get((item, EVERYWHERE)) if partition_of(region) == "aws" else None

    def before(self, first: Mapping[tuple[Item, str], Price]) -> "PriceTable":
        """The same, with other prices before its own."""
        return PriceTable({**self.rows, **first})


def _read(name: str) -> Iterable[dict[str, str]]:
    return csv.DictReader((files("muster.extras.cost") / name).read_text(encoding="utf-8").splitlines())


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


__all__ = ["Item", "Kind", "Price", "PriceTable", "Prices", "Unit", "price_table"]
