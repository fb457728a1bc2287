"""Updates the on-demand prices of us-east-1 in `muster/cost/prices.csv` from the generated prices of Karpenter.

    python -m tools.on_demand_prices zz_generated.pricing_aws.go

The file is `pkg/providers/pricing/zz_generated.pricing_aws.go` of github.com/aws/karpenter-provider-aws, which its
maintainers generate from the AWS Price List: on-demand prices of Linux in us-east-1. Rows of other sources stay. Add
the date and the commit to `sources.csv` yourself.
"""

import argparse
import csv
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path

from muster.hardware.catalogue import instance_types
from tools.ec2_types import as_csv

ROWS = Path(__file__).resolve().parent.parent / "muster" / "cost" / "prices.csv"
SOURCE, REGION = "karpenter", "us-east-1"
HEADS = ("kind", "name", "region", "usd", "unit", "source")

_REGION = re.compile(r'^\t"(?P<region>[a-z0-9-]+)": \{$')
_PRICE = re.compile(r'"(?P<type>[a-z0-9-]+\.[a-z0-9-]+)": (?P<usd>\d+\.\d+)')


def read(text: str) -> Mapping[str, Decimal]:
    """Instance type -> US dollars per hour, from the file of Karpenter."""
    region, found = "", {}
    for line in text.splitlines():
        if heading := _REGION.match(line):
            region = heading["region"]
        elif region == REGION:
            found |= {each["type"]: Decimal(each["usd"]).normalize() for each in _PRICE.finditer(line)}
    return found


def renewed(rows: Iterable[Mapping[str, str]], prices: Mapping[str, Decimal]) -> list[dict[str, str]]:
    """The table's rows, with new rows of this source for the known types and for those that the table already has."""
    own = [row for row in rows if row["source"] == SOURCE]
    wanted = sorted({*instance_types(), *(row["name"] for row in own)} & prices.keys())
    made = [
        dict(zip(HEADS, ("instance", name, REGION, f"{prices[name]:f}", "hour", SOURCE), strict=True))
        for name in wanted
    ]
    others = [dict(row) for row in rows if row["source"] != SOURCE]
    return sorted([*others, *made], key=lambda row: (row["kind"], row["name"], row["region"]))


def main() -> None:
    """Reads the file and writes the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", type=Path)
    prices = read(options.parse_args().file.read_text(encoding="utf-8"))
    rows = list(csv.DictReader(ROWS.read_text(encoding="utf-8").splitlines()))
    ROWS.write_text(as_csv(renewed(rows, prices)), encoding="utf-8")


if __name__ == "__main__":
    main()
