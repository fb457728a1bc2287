"""Writes `muster/config/request_limits.csv` from botocore's service models.

    python -m tools.request_limits

A row is a member of a request that a field of the description sets (`sent` of its key), with
the limits of its shape. A newer botocore gives a newer table. `tests/config/test_request_limits.py` compares them.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import botocore.session
from botocore.model import ListShape, MapShape, ServiceModel, Shape, StructureShape

from muster import backends
from muster.config.request_limits import SEPARATORS, text_fields
from tools.ec2_types import as_csv

TABLE = Path(__file__).resolve().parent.parent / "muster" / "config" / "request_limits.csv"


def limit_rows() -> Iterator[dict[str, object]]:
    """One row for each member, in the order of their names."""
    every = (field for each in backends.RECORDS.values() for field in text_fields(each.description.load(), each.name))
    for member in sorted({member for field in every for member in field.members}):
        shape = _shape(member)
        of = shape.metadata
        row = {"member": member, "shape": shape.name, "min": of.get("min", ""), "max": of.get("max", "")}
        yield {**row, "pattern": _python(of.get("pattern", ""))}


@cache
def _service(name: str) -> ServiceModel:
    return botocore.session.get_session().get_service_model(name)


def _shape(member: str) -> Shape:
    """The shape of a member, such as ``eks.CreateNodegroup.taints[].key``. `key` and `value` can be those of a map."""
    service, operation, *steps = member.split(".")
    shape: Shape | None = _service(service).operation_model(operation).input_shape
    for step in steps:
        if isinstance(shape, MapShape):
            shape = {"key": shape.key, "value": shape.value}[step]
        elif isinstance(shape, StructureShape):
            shape = shape.members[step.removesuffix("[]")]
        if step.endswith("[]"):
            assert isinstance(shape, ListShape), member
            shape = shape.member
    assert shape is not None, member
    assert not isinstance(shape, (StructureShape, ListShape, MapShape)), member
    return shape


def _python(pattern: str) -> str:
    r"""A pattern for Python's `re`, which has no Unicode classes and no surrogate pairs. `\w` is a letter, a digit or
    `_`: the patterns of AWS that contain letters contain all three."""
    translated = pattern.replace(r"\p{L}\p{Z}\p{N}_", rf"\w{SEPARATORS}")
    translated = translated.replace(r"\uD800\uDC00-\uDBFF\uDFFF", r"\U00010000-\U0010FFFF")
    if r"\p" in translated:
        raise ValueError(f"the pattern {pattern} has a class that Python does not support")
    return translated


if __name__ == "__main__":
    TABLE.write_text(as_csv(limit_rows()), encoding="utf-8")
