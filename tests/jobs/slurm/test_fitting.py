"""Which jobs a cluster with Slurm can run."""

from typing import Any

import pytest

from muster.jobs.catalogue import JOBS, DoesNotFit, JobOptions, can_run, first_fitting, script_of
from tests.jobs.slurm.clusters import a_group, a_queue, a_slurm_cluster

SEVERAL = {
    "compute-gpu": a_queue({"a100": a_group(), "h100": a_group(instance="p5.48xlarge", nodes=2)}),
    "compute-trn": a_queue({"trn": a_group(instance="trn1.32xlarge")}),
    "inference": a_queue(
        {"serving": a_group(instance="g5.12xlarge", nodes={"min": 0, "max": 10}) | {"for": "inference"}}
    ),
}
"""Two training groups with GPUs in one queue, one with Trainium in another, one for inference."""


def refused(job: str, ask: JobOptions | None = None, queues: Any = None, **said: Any) -> tuple[str, ...]:
    """The reasons."""
    with pytest.raises(DoesNotFit) as fault:
        script_of(JOBS[job], a_slurm_cluster(queues, **said), ask or JobOptions())
    return fault.value.reasons


def test_the_first_that_fits() -> None:
    """What proves more comes first; of those that lack least every reason."""
    assert first_fitting(a_slurm_cluster()).name == "nccl-tests"
    trn = {"q": a_queue({"w": a_group(instance="trn1.32xlarge")})}
    assert first_fitting(a_slurm_cluster(trn)).name == "trn1-pretrain"
    assert first_fitting(a_slurm_cluster(trn, storage=None)).name == "efa-check"
    with pytest.raises(DoesNotFit) as fault:
        first_fitting(a_slurm_cluster({"q": a_queue({"w": a_group(instance="m5.2xlarge")})}))
    lacking = "efa-check: no training group with EFA ('w' has no EFA interfaces (m5.2xlarge)); add one below queues:"
    assert lacking in fault.value.reasons


def test_what_can_run_in_some_way() -> None:
    """On one of the groups, with one of the file systems."""
    blueprint = a_slurm_cluster(SEVERAL)
    able = {name for name, job in JOBS.items() if can_run(blueprint, job)}
    assert able == {"nccl-tests", "pytorch-fsdp", "trn1-pretrain", "trn1-precompile", "efa-check"}
