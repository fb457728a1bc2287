"""The tables of instance types and offers are what moto's copy of EC2's answers makes."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from tools.ec2_types import OFFERINGS, TYPES, as_csv, offering_rows, type_rows


@pytest.mark.parametrize(
    ("table", "rows"), [(TYPES, type_rows), (OFFERINGS, offering_rows)], ids=["types", "offerings"]
)
def test_the_table_is_made_of_motos_copy(table: Path, rows: Callable[[], Iterable[Mapping[str, object]]]) -> None:
    """After an upgrade of moto, `python -m tools.ec2_types` renews it."""
    assert table.read_text(encoding="utf-8") == as_csv(rows())
