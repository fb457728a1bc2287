"""Reads the CSV tables of a package."""

import csv
from importlib.resources import files


def read_table(name: str, package: str = "muster.hardware") -> list[dict[str, str]]:
    """Every row of a table, by column.

    Args:
        name: the file's, ``catalogue.csv``.
        package: the package whose folder has it.
    """
    text = (files(package) / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
