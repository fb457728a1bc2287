"""Elastic PyTorchJobs: what torchrun is given decides how many workers a job needs."""

from typing import Any

import pytest

from muster.jobs.catalogue import roles_of
from tests.jobs.documents import a_container, a_pytorch_job, a_template


def an_elastic_job(command: Any, masters: int = 0, least: int = 1, **container: Any) -> dict[str, Any]:
    """Eight workers that run a command, of which one is enough for the operator."""
    chosen = a_container(name="pytorch", command=command, **container)
    replicas = {"Worker": {"replicas": 8, "template": a_template(containers=[chosen])}}
    if masters:
        replicas["Master"] = {"replicas": masters, "template": a_template()}
    return a_pytorch_job(elasticPolicy={"minReplicas": least}, pytorchReplicaSpecs=replicas)


SCRIPT = "cd /fsx\n# torchrun --nnodes=2\ntorchrun --nproc_per_node=8 \\\n  --nnodes=$NODES train.py"

COMMANDS: dict[str, tuple[Any, int]] = {
    "a fixed number": (["torchrun", "--nnodes=8", "train.py"], 8),
    "a fixed number apart": (["torchrun", "--nnodes", "8", "train.py"], 8),
    "a range": (["torchrun", "--nnodes=2:8", "train.py"], 2),
    "in a script, by the container's environment": (["bash", "-c", SCRIPT], 8),
    "known in the container alone": (["bash", "-c", "torchrun --nnodes=$ELSEWHERE train.py"], 1),
    "no torchrun": (["python", "train.py"], 1),
    "no command": (None, 1),
    "no list": ("torchrun --nnodes=8", 1),
}


@pytest.mark.parametrize("case", COMMANDS)
def test_workers_that_an_elastic_job_needs(case: str) -> None:
    """A fixed `--nnodes` waits for all."""
    command, needed = COMMANDS[case]
    job = an_elastic_job(command, env=[{"name": "NODES", "value": "8"}])
    assert roles_of(job).role("worker").needed == needed


def test_a_master_is_a_node_too() -> None:
    """Of nine nodes eight are workers."""
    assert roles_of(an_elastic_job(["torchrun", "--nnodes=9"], masters=1)).needed == 9


def test_a_job_that_is_not_elastic_needs_all() -> None:
    """Whatever its torchrun would go on with."""
    job = an_elastic_job(["torchrun", "--nnodes=2:8"])
    del job["spec"]["elasticPolicy"]
    assert roles_of(job).needed == 8


@pytest.mark.parametrize("nnodes", ["8", "16", "$ELSEWHERE"])
def test_what_torchrun_makes_of_an_elastic_policy_is_said(nnodes: str) -> None:
    """That it waits for all, for more than there are, or that nothing is known."""
    (note,) = roles_of(an_elastic_job(["torchrun", f"--nnodes={nnodes}"])).notes
    assert f"--nnodes={nnodes}" in note
