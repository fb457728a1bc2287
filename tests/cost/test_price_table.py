"""Laws of `prices.csv` and `sources.csv`, and what is read from them."""

import csv
import re
from datetime import date
from decimal import Decimal

import pytest

from muster.cost.prices import (
    CONTROL_PLANE,
    EVERYWHERE,
    EXTENDED_SUPPORT,
    NAT_GATEWAY,
    Item,
    Kind,
    Unit,
    price_of,
    price_rows,
)
from muster.hardware.catalogue import accelerated_types, instance_types
from muster.hardware.zones import REGION
from tests.hardware_types import every
from tests.stack_files import ROOT

FOLDER = ROOT / "muster" / "cost"


def read(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((FOLDER / name).read_text(encoding="utf-8").splitlines()))


ROWS, SOURCES = read("prices.csv"), {row["source"]: row for row in read("sources.csv")}
TABLE = price_rows()

CATALOGUED = set(instance_types())


def test_every_row_is_one_price_of_a_dated_source() -> None:
    """A positive decimal in the one unit of its item, of a Region, written in one way. No item stands twice in a
    Region; rows are sorted. No source without rows, none without a day, none of the future."""
    for row in ROWS:
        about = f"{row['kind']} {row['name']} {row['region']}"
        assert row["region"] == EVERYWHERE or REGION.fullmatch(row["region"]), about
        assert re.fullmatch(r"\d+(\.\d*[1-9])?", row["usd"]), about
        assert Decimal(row["usd"]) > 0, about
        assert Unit(row["unit"]) is (Unit.GB_MONTH if Kind(row["kind"]) is Kind.LUSTRE else Unit.HOUR), about
    keys = [(row["kind"], row["name"], row["region"]) for row in ROWS]
    assert keys == sorted(set(keys))
    assert set(SOURCES) == {row["source"] for row in ROWS}
    for row in SOURCES.values():
        assert date(2025, 1, 1) < date.fromisoformat(row["seen"]) < date(2026, 11, 23)
        assert row["what"]


def test_only_what_one_page_prices_for_all_regions_stands_for_all() -> None:
    """Elsewhere a Region has its own row, or no price."""
    everywhere = {Item(Kind(row["kind"]), row["name"]) for row in ROWS if row["region"] == EVERYWHERE}
    assert everywhere == {CONTROL_PLANE, EXTENDED_SUPPORT}


def test_instances_are_catalogued_types_or_plain_ones() -> None:
    """A price of a type that nothing knows would be a slip of the pen."""
    kinds = {Kind.INSTANCE, Kind.CAPACITY_BLOCK, Kind.HYPERPOD, Kind.SAGEMAKER}
    names = {row["name"] for row in ROWS if Kind(row["kind"]) in kinds}
    assert names - CATALOGUED == set()


def test_accelerated_types_of_us_east_1_without_a_price_are_these() -> None:
    """Sold in Capacity Blocks alone, or not in that Region."""
    priced = {item.name for item, region in TABLE if item.kind is Kind.INSTANCE and region == "us-east-1"}
    unpriced = {"p5e.48xlarge", "p6e-gb200.36xlarge", "trn2.3xlarge", "trn2.48xlarge", "trn2u.48xlarge"}
    assert set(accelerated_types()) - priced == unpriced


@every(sorted(TABLE), sorted({region for _, region in TABLE}))
def test_another_regions_price_is_never_given(key: tuple[Item, str], region: str) -> None:
    """What is known of one Region says nothing of another."""
    item, _ = key
    own = TABLE.get((item, region)) or TABLE.get((item, EVERYWHERE))
    assert price_of(item, region) == own or (own is None and item.kind is Kind.HYPERPOD)


@pytest.mark.parametrize(
    ("item", "region"),
    [
        # One page for all Regions does not speak of other partitions.
        (CONTROL_PLANE, "cn-north-1"),
        (CONTROL_PLANE, "us-gov-west-1"),
        (Item(Kind.INSTANCE, "quantum.48xlarge"), "us-west-2"),
        (NAT_GATEWAY, "eu-north-1"),
        (Item(Kind.HYPERPOD, "trn1.32xlarge"), "us-west-2"),
    ],
)
def test_what_nobody_prices_has_no_price(item: Item, region: str) -> None:
    """Unknown is None, never zero."""
    assert price_of(item, region) is None


def test_hyperpods_own_price_stands_before_the_one_that_is_near() -> None:
    """ml.p4d.24xlarge costs more on HyperPod than in Studio: one is not the other."""
    own = price_of(Item(Kind.HYPERPOD, "p4d.24xlarge"), "us-west-2")
    assert (own and own.usd, own and own.near) == (Decimal("25.91001756"), "")
    near = price_of(Item(Kind.HYPERPOD, "p5.48xlarge"), "us-west-2")
    assert near is not None
    assert (near.usd, bool(near.near)) == (Decimal("63.296"), True)


def test_a_price_that_stands_in_is_never_ec2s() -> None:
    """SageMaker asks more for the same machine."""
    for item, region in TABLE:
        ec2 = TABLE.get((Item(Kind.INSTANCE, item.name), region))
        if ec2 and item.kind in {Kind.HYPERPOD, Kind.SAGEMAKER}:
            assert TABLE[item, region].usd > ec2.usd


@pytest.mark.parametrize(
    ("item", "region", "usd"),
    [
        (Item(Kind.INSTANCE, "p5.48xlarge"), "us-west-2", "55.04"),
        (Item(Kind.INSTANCE, "p4d.24xlarge"), "us-east-1", "21.957642"),
        (Item(Kind.INSTANCE, "p4d.24xlarge"), "us-west-2", "21.95764"),
        (Item(Kind.INSTANCE, "trn1.32xlarge"), "us-west-2", "21.5"),
        (Item(Kind.CAPACITY_BLOCK, "p5.48xlarge"), "us-west-2", "47.76"),
        (Item(Kind.LUSTRE, "persistent-2-ssd-250"), "us-west-2", "0.21"),
        (CONTROL_PLANE, "eu-west-1", "0.1"),
        (EXTENDED_SUPPORT, "eu-west-1", "0.5"),
        (NAT_GATEWAY, "us-west-2", "0.045"),
    ],
)
def test_prices_as_aws_pages_have_them(item: Item, region: str, usd: str) -> None:
    """Read independently of the generator: EC2, EKS, FSx, VPC and EBS pricing pages and lists of autumn 2026."""
    price = price_of(item, region)
    assert price is not None
    assert price.usd == Decimal(usd)
