"""The tables of instance types and offers are what moto's copy of EC2's answers and botocore's model make."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from tools.ec2_types import (
    OFFERINGS,
    TYPES,
    WITHOUT_HARDWARE,
    as_csv,
    offering_rows,
    rows_without_hardware,
    type_rows,
)


@pytest.mark.parametrize(
    ("table", "rows"),
    [(TYPES, type_rows), (OFFERINGS, offering_rows), (WITHOUT_HARDWARE, rows_without_hardware)],
    ids=["types", "offerings", "types without hardware"],
)
def test_the_table_is_what_the_tool_makes(table: Path, rows: Callable[[], Iterable[Mapping[str, object]]]) -> None:
    """After an upgrade of moto or botocore, `python -m tools.ec2_types` renews it."""
    assert table.read_text(encoding="utf-8") == as_csv(rows())
