"""A TrainJob: the JobSet that its runtime makes of it, or a refusal."""

from typing import Any

import pytest

from muster.jobs.kinds.catalogue import roles_of
from muster.jobs.manifest import MalformedJob
from tests.jobs.documents import ASKED, a_container, a_replicated_job, a_runtime, a_template, a_train_job

STEP = "trainer.kubeflow.org/trainjob-ancestor-step"


def a_step(step: str, name: str, pods: int = 1, *containers: dict[str, Any]) -> dict[str, Any]:
    """A replicated job of a runtime, for one step."""
    job = a_replicated_job(name, pods, replicas=3)
    job["template"]["metadata"] = {"labels": {STEP: step}}
    job["template"]["spec"]["template"] = a_template(containers=list(containers) or [a_container(name=name)])
    return job


def test_the_trainer() -> None:
    """As many nodes as the TrainJob says, with its image and resources in the container `node`."""
    shape = roles_of(a_train_job(), [a_runtime()])
    assert (shape.kind, shape.runs_by) == ("TrainJob", "Kubeflow Trainer, by a JobSet")
    (role,) = shape.roles
    assert (role.name, role.pods) == ("node", 4)
    assert role.asks["nvidia.com/gpu"] == ASKED["nvidia.com/gpu"]


@pytest.mark.parametrize(
    ("policy", "trainer", "nodes"),
    [
        ({"numNodes": 3}, {}, 3),
        ({"numNodes": 3}, {"numNodes": 5}, 5),
        ({}, {}, 1),
        (None, {}, 2),
        (None, {"numNodes": 5}, 5),
    ],
)
def test_how_many_nodes(policy: dict[str, Any] | None, trainer: dict[str, Any], nodes: int) -> None:
    """The TrainJob's number, else the policy's, else, without a policy, the runtime's own."""
    template = {"spec": {"replicatedJobs": [a_step("trainer", "node", 2)]}}
    shape = roles_of(a_train_job(trainer=trainer), [a_runtime(mlPolicy=policy, template=template)])
    assert shape.pods == nodes


def test_resources_are_merged_resource_by_resource() -> None:
    """Those of the runtime stay where the TrainJob says nothing; other containers keep theirs."""
    node = a_container(name="node", resources={"requests": {"cpu": 8, "memory": "1Gi"}})
    beside = a_container(name="beside", resources={"requests": {"cpu": 1}})
    template = {"spec": {"replicatedJobs": [a_step("trainer", "node", 1, node, beside)]}}
    trainer = {"resourcesPerNode": {"requests": {"memory": "2Gi"}, "limits": {"nvidia.com/gpu": 8}}}
    (role,) = roles_of(a_train_job(trainer=trainer), [a_runtime(template=template)]).roles
    assert role.asks == {"cpu": 9000, "memory": 2 * 2**30, "nvidia.com/gpu": 8}


def test_initializers_come_first() -> None:
    """One Job each, in the runtime's order."""
    first = a_step("dataset-initializer", "dataset-initializer")
    node = {**a_step("trainer", "node"), "dependsOn": [{"name": "dataset-initializer", "status": "Complete"}]}
    shape = roles_of(a_train_job(), [a_runtime(template={"spec": {"replicatedJobs": [first, node]}})])
    assert [(role.name, role.pods, role.after) for role in shape.roles] == [
        ("dataset-initializer", 1, ()),
        ("node", 4, ("dataset-initializer",)),
    ]
    assert any("Jobs do not complete in a rehearsal" in note for note in shape.notes)


def test_a_runtime_of_the_namespace() -> None:
    """A TrainingRuntime counts in its own namespace only."""
    job = a_train_job(runtimeRef={"name": "torch", "kind": "TrainingRuntime"})
    runtime = {**a_runtime(), "kind": "TrainingRuntime"}
    assert roles_of(job, [runtime]).pods == 4
    runtime["metadata"] = {"name": "torch", "namespace": "elsewhere"}
    with pytest.raises(MalformedJob, match="depend on its TrainingRuntime, but the file does not contain 'torch'"):
        roles_of(job, [runtime])
