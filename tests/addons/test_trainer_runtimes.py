"""The runtimes of TrainJobs that the trainer's chart puts in place."""

from typing import Any

import pytest

from muster.addons.catalogue import trainer


@pytest.mark.parametrize(
    ("values", "there"),
    [
        ({"runtimes": {"torchDistributed": {"enabled": False}}}, False),
        ({"runtimes": {"torchDistributed": {"enabled": False}, "defaultEnabled": True}}, True),
        ({"runtimes": 3}, False),
    ],
)
def test_values_decide(values: dict[str, Any], there: bool) -> None:
    """As in the chart."""
    assert bool(trainer.runtimes(values)) is there
