"""`muster cost --json`: amounts for programs. What people read of each stack is in `tests/golden/STACK.cost.txt`."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from tests.cli.conftest import Muster


def numbers(found: Any) -> Iterator[Any]:
    if isinstance(found, Mapping):
        for each in found.values():
            yield from numbers(each)
    elif isinstance(found, list):
        for each in found:
            yield from numbers(each)
    else:
        yield found


def test_json_has_no_float_and_parts_that_add_up(muster: Muster) -> None:
    """Amounts are decimals in strings; counts are whole."""
    for stack in ("p5-odcr", "pcluster-p4de-batch-g5", "hyperpod-p5"):
        muster.take(stack)
        document = muster.judged("cost", stack, "--json").json
        assert not [each for each in numbers(document) if isinstance(each, float)]
        (told,) = document["stacks"]
        for name in ("start", "max"):
            parts = [Decimal(line["monthly"][name]) for line in told["lines"] if line["monthly"]]
            assert sum(parts) == Decimal(told["monthly"][name])
