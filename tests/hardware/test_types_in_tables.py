"""What differs by instance type stands in tables: no other source names a type."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from muster.hardware.catalogue import accelerated_types, instance_types
from muster.hardware.hyperpod_types import ML, hyperpod_types
from muster.hardware.other_types import types_without_hardware, without_open_driver
from muster.hardware.tables import read_table
from tests.stack_files import ROOT
from tools import product_files

TABLES = ROOT / "muster" / "hardware"

EXCEPTIONS: dict[tuple[str, str], str] = {
    (
        "muster/config/description/node_group.py",
        "p5.48xlarge",
    ): "the schema's example, which errors about a missing group show",
}
"""A file and the constant in it -> why it may stand there. Texts that name a type among other words need none."""


def known_names() -> frozenset[str]:
    """Types, families and series of every table, without ``ml.``. Series of one letter are words elsewhere, and so are
    those without accelerators."""
    listed = (
        *instance_types(),
        *hyperpod_types(),
        *(types_without_hardware() | without_open_driver()),
        *(row["instance_type"] for row in read_table("chart_instance_types.csv", "muster.addons.catalogue")),
    )
    types = {each.removeprefix(ML) for each in listed}
    families = {each.partition(".")[0] for each in types}
    series = {re.match(r"[a-z]*", each)[0] for each in accelerated_types()}  # type: ignore[index]
    return frozenset(types | families | {each for each in series if len(each) > 1})


def named_types(source: str, names: frozenset[str]) -> Iterator[tuple[str, int]]:
    """The constants, and the names of keyword arguments, that are exactly a type or a family, with their lines; a
    family may end in a dot, as a beginning does."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            word = node.value
        elif isinstance(node, ast.keyword) and node.arg:
            word = node.arg.replace("_", "-")
        else:
            continue
        if word.removeprefix(ML).removesuffix(".") in names:
            yield word, getattr(node, "lineno", 0)


def sources() -> Iterator[Path]:
    return (file for file in product_files.files() if TABLES not in file.parents)


def test_no_source_outside_the_tables_names_a_type() -> None:
    """A new row is enough for a new type; a rule or a job asks the row."""
    names = known_names()
    found = {
        (str(file.relative_to(ROOT)), word): line
        for file in sources()
        for word, line in named_types(file.read_text(encoding="utf-8"), names)
    }
    assert {
        f"{file}:{line}: {word!r}" for (file, word), line in found.items() if (file, word) not in EXCEPTIONS
    } == set()
    assert EXCEPTIONS.keys() <= found.keys()
