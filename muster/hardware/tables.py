"""Reads the CSV tables of a package."""

import csv
from importlib.resources import files


def read_table(name: str, package: str = "muster.hardware") -> list[dict[str, str]]:
    """Every row of a table, by column.

    Args:
        name: the file's, ``offerings.csv``.
        package: the package whose folder has it.
    """
    return list(csv.DictReader(read_text(name, package).splitlines()))


def read_text(name: str, package: str = "muster.hardware") -> str:
    """The text of a table."""
    return (files(package) / name).read_text(encoding="utf-8")
