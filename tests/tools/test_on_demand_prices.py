"""The generator of on-demand prices, on the table that is committed."""

import csv

from tests.stack_files import ROOT
from tools.ec2_types import as_csv
from tools.on_demand_prices import ROWS


def test_the_table_is_written_as_the_generator_writes_it() -> None:
    """To renew it changes nothing but prices."""
    text = (ROOT / "muster" / "cost" / "prices.csv").read_text(encoding="utf-8")
    assert ROWS.read_text(encoding="utf-8") == text == as_csv(csv.DictReader(text.splitlines()))
