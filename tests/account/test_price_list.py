"""AWS's Price List: what is asked for a price, and which of the rows that come is the one.

The rows are made as public copies of the list have them (attributes, usage types, units, terms).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.account.price_list import REGION, price_queries, query_prices, read_prices
from muster.account.query import Answer, Query, Unanswered, UnansweredReason
from muster.account.query_runner import QueryRunner
from muster.account.session import Session
from muster.extras.cost.estimate import items_to_price
from muster.extras.cost.prices import (
    CONTROL_PLANE,
    ENDPOINT,
    EXTENDED_SUPPORT,
    GP3,
    GP3_IOPS,
    GP3_THROUGHPUT,
    HYPERPOD_VOLUME,
    METADATA_IOPS,
    NAT_GATEWAY,
    PUBLIC_ADDRESS,
    Item,
    Kind,
    Unit,
    price_table,
)
from tests.account.aws import Aws, denied, playing
from tests.factories import AS_OF, a_blueprint

DAY = date(2026, 11, 22)
P5 = Item(Kind.INSTANCE, "p5.48xlarge")
ON_HYPERPOD = Item(Kind.HYPERPOD, "p5.48xlarge")
LUSTRE = Item(Kind.LUSTRE, "persistent-2-ssd-250")


def product(usd: str, unit: str = "Hrs", *, tiers: bool = False, **attributes: str) -> dict[str, Any]:
    """One row of the list, as the API gives it but for the string around it."""
    sku = "ABCDEFGH12345678"
    first = {"unit": unit, "beginRange": "0", "endRange": "Inf", "pricePerUnit": {"USD": usd}}
    dimensions = {f"{sku}.JRTCKXETXF.6YS6EN2CT7": first}
    if tiers:
        more = {**first, "beginRange": "1048576", "pricePerUnit": {"USD": "0.0000000001"}}
        dimensions[f"{sku}.JRTCKXETXF.7YS6EN2CT8"] = more
    return {
        "product": {"sku": sku, "attributes": {"regionCode": "us-west-2", **attributes}},
        "serviceCode": "AmazonEC2",
        "terms": {"OnDemand": {f"{sku}.JRTCKXETXF": {"priceDimensions": dimensions}}, "Reserved": {}},
        "publicationDate": "2026-11-20T00:46:05Z",
    }


def instance(usd: str = "55.0400000000", **more: str) -> dict[str, Any]:
    plain = {
        "instanceType": "p5.48xlarge",
        "operatingSystem": "Linux",
        "tenancy": "Shared",
        "preInstalledSw": "NA",
        "licenseModel": "No License required",
        "capacitystatus": "Used",
        "marketoption": "OnDemand",
        "usagetype": "USW2-BoxUsage:p5.48xlarge",
    }
    return product(usd, **{**plain, **more})


def used(usd: str, usagetype: str, unit: str = "Hrs", **more: Any) -> dict[str, Any]:
    return product(usd, unit, usagetype=usagetype, **more)


def read(item: Item, *products: Any, region: str = "us-west-2"):
    """The price of one thing, if those are the rows."""
    (asked,) = price_queries((item,), region)
    said = {"PriceList": [each if isinstance(each, str) else json.dumps(each) for each in products]}
    return read_prices((asked,), (Answer(asked.question, said),), DAY).get((item, region))


def test_an_instances_price_is_the_one_of_plain_linux_on_demand() -> None:
    """With every filter that tells it from the rows beside it, of one Region, asked in us-east-1."""
    ((_, _, question),) = [(each.item, each.region, each.question) for each in price_queries((P5,), "us-west-2")]
    assert (question.service, question.operation, question.region) == ("pricing", "GetProducts", REGION)
    assert question.parameters["ServiceCode"] == "AmazonEC2"
    assert {each["Field"]: (each["Type"], each["Value"]) for each in question.parameters["Filters"]} == {
        "regionCode": ("TERM_MATCH", "us-west-2"),
        "instanceType": ("TERM_MATCH", "p5.48xlarge"),
        "operatingSystem": ("TERM_MATCH", "Linux"),
        "tenancy": ("TERM_MATCH", "Shared"),
        "preInstalledSw": ("TERM_MATCH", "NA"),
        "licenseModel": ("TERM_MATCH", "No License required"),
        "capacitystatus": ("TERM_MATCH", "Used"),
        "marketoption": ("TERM_MATCH", "OnDemand"),
    }
    price = read(P5, instance())
    assert price is not None
    assert (price.usd, price.unit, price.asked, price.seen) == (Decimal("55.04"), Unit.HOUR, True, DAY)
    assert price.source == "AWS Price List, published 2026-11-20"


def test_what_is_asked_for_is_called_as_people_call_it() -> None:
    """In lines about prices that do not come; the inner name is for programs."""
    names = {
        P5: "p5.48xlarge",
        ON_HYPERPOD: "ml.p5.48xlarge of HyperPod",
        LUSTRE: "FSx for Lustre persistent-2-ssd-250",
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
    asked = price_queries(names, "us-west-2")
    assert [(each.item, each.question.about) for each in asked] == [
        (item, f"the price of {words}") for item, words in names.items()
    ]
    assert str(CONTROL_PLANE) == "service eks"


OTHERS: Mapping[str, dict[str, Any]] = {
    "a block's, paid in advance": instance("0.0000000000", marketoption="CapacityBlock"),
    "an unused reservation's": instance("55.04", capacitystatus="UnusedCapacityReservation"),
    "another system's": instance("60", operatingSystem="RHEL"),
    "with a database": instance("99", preInstalledSw="SQL Std"),
    "dedicated": instance("58", tenancy="Dedicated"),
    "another Region's": instance("68.8", regionCode="us-west-1"),
    "another type's": instance("6.88", instanceType="p5.4xlarge"),
    "free": instance("0.0000000000"),
    "of another unit": {**instance(), "terms": product("55.04", "Quantity")["terms"]},
    "without terms": {**instance(), "terms": {}},
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS.keys())
def test_rows_beside_it_are_not_taken_for_it(other: dict[str, Any]) -> None:
    """Alone they are no price; beside it they change nothing. A block's row would make a p5 free."""
    assert read(P5, other) is None
    price = read(P5, other, instance())
    assert price is not None
    assert price.usd == Decimal("55.04")


@pytest.mark.parametrize("tenancy", ["Shared", "Dedicated"])
def test_metal_is_metal_whatever_its_tenancy_is_called(tenancy: str) -> None:
    """Karpenter asks for it as dedicated."""
    metal = Item(Kind.INSTANCE, "g4dn.metal")
    price = read(metal, instance("7.824", instanceType="g4dn.metal", tenancy=tenancy))
    assert price is not None
    assert price.usd == Decimal("7.824")


def test_two_prices_are_none() -> None:
    """Where the list does not tell two rows apart, nobody guesses; the table stands."""
    assert read(P5, instance("55.04"), instance("56")) is None
    assert read(P5, instance("55.04"), instance("55.0400000000")) is not None


@pytest.mark.parametrize(
    "strange",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        json.dumps({"product": []}),
        json.dumps({"product": {"attributes": []}}),
        json.dumps({**instance(), "terms": {"OnDemand": []}}),
        json.dumps({**instance(), "terms": {"OnDemand": {"a": {"priceDimensions": {"b": {"unit": "Hrs"}}}}}}),
        json.dumps(instance("a lot")),
        json.dumps(instance("NaN")),
        json.dumps(instance("-1")),
    ],
)
def test_what_is_no_row_is_no_price(strange: str) -> None:
    """Never an error, never zero."""
    assert read(P5, strange) is None


USED = [
    (CONTROL_PLANE, "AmazonEKS", "USW2-AmazonEKS-Hours:perCluster", "Hours", "0.1000000000", "0.1"),
    (EXTENDED_SUPPORT, "AmazonEKS", "USW2-AmazonEKS-Hours:extendedSupport", "Hours", "0.5000000000", "0.5"),
    (NAT_GATEWAY, "AmazonEC2", "USW2-NatGateway-Hours", "Hrs", "0.0450000000", "0.045"),
    (PUBLIC_ADDRESS, "AmazonVPC", "USW2-PublicIPv4:InUseAddress", "Hrs", "0.0050000000", "0.005"),
    (ENDPOINT, "AmazonVPC", "USW2-VpcEndpoint-Hours", "Hrs", "0.0100000000", "0.01"),
    (GP3, "AmazonEC2", "USW2-EBS:VolumeUsage.gp3", "GB-Mo", "0.0800000000", "0.08"),
    (GP3_IOPS, "AmazonEC2", "USW2-EBS:VolumeP-IOPS.gp3", "IOPS-Mo", "0.0050000000", "0.005"),
    (GP3_THROUGHPUT, "AmazonEC2", "USW2-EBS:VolumeP-Throughput.gp3", "GiBps-mo", "40.9600000000", "0.04"),
    (ON_HYPERPOD, "AmazonSageMaker", "USW2-Cluster:ml.p5.48xlarge", "Hrs", "64.9472000000", "64.9472"),
    (HYPERPOD_VOLUME, "AmazonSageMaker", "USW2-Cluster:VolumeUsage.gp2", "GB-Mo", "0.1400000000", "0.14"),
]


@pytest.mark.parametrize(("item", "service", "usage", "unit", "usd", "expected"), USED, ids=str)
def test_what_goes_by_its_usage_type(item: Item, service: str, usage: str, unit: str, usd: str, expected: str) -> None:
    """Whatever the Region's prefix, us-east-1's none among them; throughput by the GiB/s is by the MiB/s here."""
    (asked,) = price_queries((item,), "us-west-2")
    assert asked.question.parameters["ServiceCode"] == service
    assert asked.question.parameters["Filters"][-1] == {
        "Type": "CONTAINS",
        "Field": "usagetype",
        "Value": usage.removeprefix("USW2-"),
    }
    for written in (usage, usage.removeprefix("USW2-")):
        price = read(item, used(usd, written, unit))
        assert price is not None
        assert price.usd == Decimal(expected)
    assert read(item, used(usd, f"{usage}-Reserved", unit)) is None
    assert read(item, used(usd, usage.replace("USW2-", "USW2-Regional"), unit)) is None


def test_tiers_beyond_the_first_are_not_taken() -> None:
    """The price is that of the first unit."""
    price = read(ENDPOINT, used("0.01", "USW2-VpcEndpoint-Hours", tiers=True))
    assert price is not None
    assert price.usd == Decimal("0.01")


def test_a_file_systems_price_is_told_by_its_throughput() -> None:
    """Which both generations of persistent file systems have others of; a backup is no storage."""

    def row(usd: str, throughput: str, usagetype: str = "USW2-Lustre", disk: str = "SSD") -> dict[str, Any]:
        return used(usd, usagetype, "GB-Mo", throughputCapacity=throughput, storageType=disk)

    beside = [row("0.145", "125 MB/s/TiB"), row("0.6", "1000 MB/s/TiB"), row("0.05", "250", "USW2-BackupUsage")]
    price = read(LUSTRE, *beside, row("0.21", "250 MB/s/TiB"))
    assert price is not None
    assert (price.usd, price.unit) == (Decimal("0.21"), Unit.GB_MONTH)
    assert read(LUSTRE, *beside) is None
    assert read(LUSTRE, row("0.025", "250", disk="HDD")) is None


UNASKED = (
    METADATA_IOPS,
    Item(Kind.LUSTRE, "scratch-ssd"),
    Item(Kind.LUSTRE, "persistent-1-hdd-12-cache"),
    Item(Kind.CAPACITY_BLOCK, "p5.48xlarge"),
    Item(Kind.SERVICE, "mlflow-small"),
)


@pytest.mark.parametrize("item", UNASKED, ids=str)
def test_what_the_list_does_not_tell_apart_is_not_asked_for(item: Item) -> None:
    """The table has it, or nobody."""
    assert price_queries((item,), "us-west-2") == ()


@pytest.mark.parametrize("region", ["cn-north-1", "us-gov-west-1"])
def test_other_partitions_are_not_asked(region: str) -> None:
    """Their accounts have no credentials for the commercial list, whose prices are not theirs."""
    assert price_queries((P5, GP3), region) == ()


def answering(*said: Answer | Mapping[str, Any]) -> Callable[[Sequence[Query]], Sequence[Answer]]:
    def ask(asked: Sequence[Query]) -> Sequence[Answer]:
        return [
            each if isinstance(each, Answer) else Answer(question, each)
            for each, question in zip(said, asked, strict=True)
        ]

    return ask


def test_what_is_not_answered_has_no_price_and_is_told() -> None:
    """Denied is not free."""
    (asked,) = price_queries((GP3,), "us-west-2")
    refused = Answer(asked.question, unanswered=Unanswered(UnansweredReason.DENIED, "AccessDeniedException"))
    told = query_prices(
        [(P5, "us-west-2"), (GP3, "us-west-2")], answering({"PriceList": [json.dumps(instance())]}, refused), DAY
    )
    assert list(told.prices) == [(P5, "us-west-2")]
    assert told.unanswered == (refused,)


def test_nothing_to_ask_asks_nobody() -> None:
    """Nor does a Region of another partition."""

    def ask(asked: Sequence[Query]) -> Sequence[Answer]:
        raise AssertionError(asked)

    assert query_prices([(P5, "cn-north-1")], ask, DAY).prices == {}


def test_over_http_by_botocores_own_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question of a stack, on the wire: filters that the API knows, rows as strings, us-east-1 as the Region."""

    def products(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
        fields = {each["Field"]: each["Value"] for each in parameters["Filters"]}
        assert fields["regionCode"] == "us-west-2"
        rows = [instance()] if fields.get("instanceType") == "p5.48xlarge" else []
        return {"FormatVersion": "aws_v1", "PriceList": [json.dumps(each) for each in rows]}

    aws = Aws({"pricing.GetProducts": products})
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        items = [(item, "us-west-2") for item in items_to_price(a_blueprint(), AS_OF)]
        told = query_prices(items, QueryRunner(Session("us-west-2")), DAY)
    assert {each.region for each in aws.asked} == {REGION}
    assert len(aws.asked) == len(items)
    assert {item for item, _ in told.prices} == {P5}
    assert not told.unanswered
    asked = price_table().before(told.prices).price(P5, "us-west-2")
    assert asked is not None
    assert asked.asked


def test_an_identity_without_the_right_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """`pricing:GetProducts`."""
    aws = Aws({"pricing.GetProducts": denied("pricing", "GetProducts")})
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        told = query_prices([(P5, "us-west-2")], QueryRunner(Session("us-west-2")), DAY)
    assert told.prices == {}
    (answer,) = told.unanswered
    assert answer.unanswered is not None
    assert answer.unanswered.reason is UnansweredReason.DENIED


@given(st.sampled_from([item for item, *_ in USED] + [P5, LUSTRE]), st.sampled_from(["us-east-2", "eu-west-1"]))
def test_a_row_of_another_region_is_never_taken(item: Item, region: str) -> None:
    """Though AWS should send one."""
    rows = [instance(), *(used(usd, usage, unit) for _, _, usage, unit, usd, _ in USED)]
    assert read(item, *rows, region=region) is None
