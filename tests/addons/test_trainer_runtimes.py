"""The runtimes of TrainJobs that the trainer's chart puts in place."""

from typing import Any

import pytest

from addons.catalogue import trainer
from addons.context import AddonContext
from addons.values import values_of
from muster.jobs.catalogue import roles_of
from muster.rehearsal.kubernetes.addons import training_runtimes
from tests.factories import a_blueprint
from tests.jobs.documents import a_train_job


def test_our_values_turn_torch_distributed_on() -> None:
    """And a TrainJob may name it."""
    blueprint = a_blueprint({"addons.trainer": {}})
    assert trainer.runtimes(values_of(trainer.ADDON, AddonContext.of_blueprint(blueprint))) == training_runtimes(
        blueprint
    )
    job = a_train_job(runtimeRef={"name": "torch-distributed"})
    assert roles_of(job, training_runtimes(blueprint)).pods == 4


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
