"""The generator of on-demand prices: what it reads in Karpenter's file, and which rows it touches."""

import csv
from decimal import Decimal

from tests.stack_files import ROOT
from tools.ec2_types import as_csv
from tools.on_demand_prices import ROWS, read, renewed

KARPENTER = """package pricing

// generated at 2026-07-20T13:44:30Z for us-east-1

var InitialOnDemandPricesAWS = map[string]map[ec2types.InstanceType]float64{
\t// us-east-1
\t"us-east-1": {
\t\t// c5 family
\t\t"c5.2xlarge": 0.340000, "c5.metal": 4.080000,
\t\t// p6-b200 family
\t\t"p6-b200.48xlarge": 113.932800,
\t},
\t// us-west-2
\t"us-west-2": {
\t\t"c5.2xlarge": 0.990000,
\t},
}
"""


def test_it_reads_the_prices_of_one_region() -> None:
    """Decimals as they are written, without the zeros behind."""
    assert read(KARPENTER) == {
        "c5.2xlarge": Decimal("0.34"),
        "c5.metal": Decimal("4.08"),
        "p6-b200.48xlarge": Decimal("113.9328"),
    }


def test_it_renews_its_own_rows_and_no_others() -> None:
    """Catalogued types, and types that it had before; one that is gone from the file goes."""

    def row(name: str, region: str, usd: str, source: str) -> dict[str, str]:
        return {"kind": "instance", "name": name, "region": region, "usd": usd, "unit": "hour", "source": source}

    before = [
        row("c5.2xlarge", "us-east-1", "0.5", "karpenter"),
        row("c5.metal", "us-east-1", "9", "karpenter"),
        row("gone.large", "us-east-1", "1", "karpenter"),
        row("c5.2xlarge", "us-west-2", "0.34", "skypilot"),
    ]
    assert renewed(before, read(KARPENTER)) == [
        row("c5.2xlarge", "us-east-1", "0.34", "karpenter"),
        row("c5.2xlarge", "us-west-2", "0.34", "skypilot"),
        row("c5.metal", "us-east-1", "4.08", "karpenter"),
        row("p6-b200.48xlarge", "us-east-1", "113.9328", "karpenter"),
    ]


def test_the_table_is_written_as_the_generator_writes_it() -> None:
    """To renew it changes nothing but prices."""
    text = (ROOT / "muster" / "cost" / "prices.csv").read_text(encoding="utf-8")
    assert ROWS.read_text(encoding="utf-8") == text == as_csv(csv.DictReader(text.splitlines()))
