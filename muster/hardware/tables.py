"""Reads the CSV tables of a package."""

import csv
from importlib import import_module
from pathlib import Path


def read_table(name: str, package: str = "muster.hardware") -> list[dict[str, str]]:
    """Every row of a table, by column.

    Args:
        name: the file's, ``offerings.csv``.
        package: the package whose folder has it.
    """
    return list(csv.DictReader(read_text(name, package).splitlines()))


def read_text(name: str, package: str = "muster.hardware") -> str:
    """The text of a table. A package is a folder: `importlib.resources` alone takes longer than some commands' work."""
    return Path(import_module(package).__path__[0], name).read_text(encoding="utf-8")
