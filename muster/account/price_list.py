"""Prices from AWS's Price List. Pure: queries for items, prices from answers.

Pitfalls, each present in public copies of the list: without a filter for `marketoption`, a p5.48xlarge is free (a
Capacity Block's row, $0.00, paid in advance). Without one for `capacitystatus`, its unused reservation is a second row.
HyperPod's instances belong to SageMaker, with usage types like `USW2-Cluster:ml.p5.48xlarge`, and a second type ends
with `-Reserved`. gp3's throughput is priced by the GiB/s. If there is not exactly one price in the right unit, the
price is unknown.

The API has endpoints in three Regions, for all Regions of the commercial partition (Billing guide, "Price List Query
API").
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any

from muster.account.query import Answer, Query, RunQueries
from muster.extras.cost.prices import (
    CONTROL_PLANE,
    ENDPOINT,
    EXTENDED_SUPPORT,
    GP3,
    GP3_IOPS,
    GP3_THROUGHPUT,
    HYPERPOD_VOLUME,
    NAT_GATEWAY,
    PUBLIC_ADDRESS,
    Item,
    Kind,
    Price,
    Unit,
)
from muster.hardware.zones import partition_of

REGION = "us-east-1"
"""The Region of the endpoint, regardless of the stack's Region."""

RIGHT = "pricing:GetProducts"

_PLAIN_LINUX = MappingProxyType(
    {
        "operatingSystem": "Linux",
        "tenancy": "Shared",
        "preInstalledSw": "NA",
        "licenseModel": "No License required",
        "capacitystatus": "Used",
        "marketoption": "OnDemand",
    }
)

_USAGE = MappingProxyType(
    {
        CONTROL_PLANE: ("AmazonEKS", "AmazonEKS-Hours:perCluster"),
        EXTENDED_SUPPORT: ("AmazonEKS", "AmazonEKS-Hours:extendedSupport"),
        NAT_GATEWAY: ("AmazonEC2", "NatGateway-Hours"),
        PUBLIC_ADDRESS: ("AmazonVPC", "PublicIPv4:InUseAddress"),
        ENDPOINT: ("AmazonVPC", "VpcEndpoint-Hours"),
        GP3: ("AmazonEC2", "EBS:VolumeUsage.gp3"),
        GP3_IOPS: ("AmazonEC2", "EBS:VolumeP-IOPS.gp3"),
        GP3_THROUGHPUT: ("AmazonEC2", "EBS:VolumeP-Throughput.gp3"),
        HYPERPOD_VOLUME: ("AmazonSageMaker", "Cluster:VolumeUsage.gp2"),
    }
)
"""Item -> the code of its service, and its usage type without the Region in front."""

_UNITS: Mapping[str, tuple[Unit, int]] = MappingProxyType(
    {
        "hrs": (Unit.HOUR, 1),
        "hours": (Unit.HOUR, 1),
        "hour": (Unit.HOUR, 1),
        "gb-mo": (Unit.GB_MONTH, 1),
        "gb-month": (Unit.GB_MONTH, 1),
        "iops-mo": (Unit.IOPS_MONTH, 1),
        "mibps-mo": (Unit.MIBPS_MONTH, 1),
        "gibps-mo": (Unit.MIBPS_MONTH, 1024),
    }
)
"""The price list's unit -> Muster's unit, and how many of these are in one unit of the list."""

_LUSTRE = re.compile(r"persistent-[12]-(?P<disk>ssd|hdd)-(?P<throughput>\d+)")
"""Persistent file systems, whose throughput determines their generation. Scratch file systems are not queried."""


@dataclass(frozen=True, slots=True)
class PriceQuery:
    """A price to query."""

    item: Item
    region: str
    question: Query


def price_queries(items: Iterable[Item], region: str) -> tuple[PriceQuery, ...]:
    """The queries for the prices of items in a Region. There are none for items that the list does not distinguish, and
    for Regions of other partitions, whose price lists are only for their accounts."""
    if partition_of(region) != "aws":
        return ()
    made = ((item, _question(item, region)) for item in items)
    return tuple(PriceQuery(item, region, question) for item, question in made if question)


def _question(item: Item, region: str) -> Query | None:
    if item.kind is Kind.INSTANCE:
        return _price_query(item, "AmazonEC2", {"regionCode": region, **_instance(item)})
    if item.kind is Kind.HYPERPOD:
        return _price_query(item, "AmazonSageMaker", {"regionCode": region}, _cluster(item))
    if item.kind is Kind.LUSTRE and (known := _LUSTRE.fullmatch(item.name)):
        kind = {"productFamily": "Storage", "fileSystemType": "Lustre", "storageType": known["disk"].upper()}
        return _price_query(item, "AmazonFSx", {"regionCode": region, **kind})
    if item in _USAGE:
        service, usage = _USAGE[item]
        return _price_query(item, service, {"regionCode": region}, usage)
    return None


def _instance(item: Item) -> dict[str, str]:
    """The attributes of the row. Karpenter filters metal types by dedicated tenancy, and others by shared tenancy. This
    query does not filter the tenancy of metal types, and two prices count as none."""
    plain = {field: value for field, value in _PLAIN_LINUX.items() if field != "tenancy" or ".metal" not in item.name}
    return {"instanceType": item.name, **plain}


def _cluster(item: Item) -> str:
    return f"Cluster:ml.{item.name}"


def _price_query(item: Item, service: str, exactly: Mapping[str, str], usage: str = "") -> Query:
    filters = [{"Type": "TERM_MATCH", "Field": field, "Value": value} for field, value in exactly.items()]
    if usage:
        filters.append({"Type": "CONTAINS", "Field": "usagetype", "Value": usage})
    parameters = {"ServiceCode": service, "FormatVersion": "aws_v1", "Filters": tuple(filters)}
    return Query("pricing", "GetProducts", f"the price of {item.words}", parameters, region=REGION)


@dataclass(frozen=True, slots=True)
class PriceAnswers:
    """The prices in AWS's answers."""

    prices: Mapping[tuple[Item, str], Price]
    unanswered: tuple[Answer, ...] = ()
    """The unanswered queries, each with its reason."""


def query_prices(items: Iterable[tuple[Item, str]], ask: RunQueries, day: date) -> PriceAnswers:
    """Queries the prices of items in their Regions, all in parallel.

    Args:
        items: the items, each with its Region.
        ask: runs the queries.
        day: today, which becomes the date of the prices.

    Raises:
        NoAccount: AWS does not accept the credentials.
    """
    queries = tuple(each for item, region in items for each in price_queries((item,), region))
    answers = ask([each.question for each in queries]) if queries else ()
    return PriceAnswers(read_prices(queries, answers, day), tuple(each for each in answers if not each.answered))


def read_prices(wanted: Sequence[PriceQuery], answers: Sequence[Answer], day: date) -> dict[tuple[Item, str], Price]:
    """The prices in the answers; an item with no price, or with two, is not in it."""
    prices: dict[tuple[Item, str], Price] = {}
    for each, answer in zip(wanted, answers, strict=True):
        if (price := _price(each, answer, day)) is not None:
            prices[each.item, each.region] = price
    return prices


def _price(wanted: PriceQuery, answer: Answer, day: date) -> Price | None:
    products = [_read(text) for text in (answer.result or {}).get("PriceList", ())]
    found = [
        price
        for product in products
        if product and _is_meant(wanted, _attributes(product))
        for price in _on_demand(product, day)
    ]
    amounts = {(price.usd, price.unit) for price in found}
    return max(found, key=lambda price: price.source) if len(amounts) == 1 else None


def _read(text: Any) -> Mapping[str, Any] | None:
    """One product: each is JSON in a string."""
    try:
        product = json.loads(text, parse_float=Decimal)
    except (TypeError, ValueError):
        return None
    return product if isinstance(product, dict) else None


def _attributes(product: Mapping[str, Any]) -> Mapping[str, str]:
    block = product.get("product")
    attributes = block.get("attributes") if isinstance(block, dict) else None
    return attributes if isinstance(attributes, dict) else {}


def _is_meant(wanted: PriceQuery, attributes: Mapping[str, str]) -> bool:
    """Whether a product's attributes match the item: AWS may ignore a filter."""
    item, usage = wanted.item, str(attributes.get("usagetype", ""))
    if attributes.get("regionCode") != wanted.region:
        return False
    if item.kind is Kind.INSTANCE:
        return all(attributes.get(field) == value for field, value in _instance(item).items())
    if item.kind is Kind.LUSTRE:
        known = _LUSTRE.fullmatch(item.name)
        numbers = re.findall(r"\d+", str(attributes.get("throughputCapacity", "")))
        stored = "backup" not in usage.lower() and str(attributes.get("storageType", "")).upper()
        return known is not None and numbers == [known["throughput"]] and stored == known["disk"].upper()
    wished = _cluster(item) if item.kind is Kind.HYPERPOD else _USAGE[item][1]
    return re.fullmatch(rf"([A-Z0-9]+-)?{re.escape(wished)}", usage) is not None


def _on_demand(product: Mapping[str, Any], day: date) -> Iterable[Price]:
    """The prices of a product's on-demand terms, without higher tiers and prices of 0."""
    published = str(product.get("publicationDate", ""))[:10]
    source = f"AWS Price List, published {published}" if published else "AWS Price List"
    terms = product.get("terms")
    on_demand = terms.get("OnDemand") if isinstance(terms, dict) else None
    for term in _members(on_demand):
        for dimension in _members(term.get("priceDimensions")):
            price = _of(dimension, source, day)
            if price is not None and dimension.get("beginRange", "0") == "0":
                yield price


def _members(block: Any) -> Iterable[Mapping[str, Any]]:
    return [each for each in block.values() if isinstance(each, dict)] if isinstance(block, dict) else []


def _of(dimension: Mapping[str, Any], source: str, day: date) -> Price | None:
    unit = _UNITS.get(str(dimension.get("unit", "")).lower())
    amounts = dimension.get("pricePerUnit")
    text = amounts.get("USD") if isinstance(amounts, dict) else None
    if unit is None or text is None:
        return None
    try:
        usd = Decimal(str(text)) / unit[1]
    except InvalidOperation:
        return None
    return Price(usd.normalize(), unit[0], source, day, asked=True) if usd.is_finite() and usd > 0 else None
