"""TrainJobs, which Kubeflow Trainer itself makes JobSets of, with its webhooks."""

from typing import Any

import pytest

from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Outcome, Verdict
from tests.factories import a_blueprint
from tests.jobs.documents import a_container, a_replicated_job, a_runtime, a_template, a_train_job
from tests.rehearsal.clusters import GPU

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]

TWO = {"groups.workers.nodes": 2, "groups.workers.capacity.reservation.count": 2, "addons.trainer": {}}


def rehearsed(nodes: int, **changes: Any) -> Outcome:
    """A TrainJob of whole nodes, of which the cluster has two."""
    job = a_train_job(trainer={"numNodes": nodes, "resourcesPerNode": {"limits": {GPU: 8}}})
    runtime = a_runtime(**changes)
    replicated = runtime["spec"]["template"]["spec"]["replicatedJobs"]
    for each in replicated:
        each["template"]["spec"]["template"]["spec"]["tolerations"] = [{"key": GPU, "operator": "Exists"}]
    return rehearse(RehearsalRequest(a_blueprint(TWO), job, roles_of(job, [runtime]), (runtime,)))


def test_a_train_job_starts() -> None:
    """Trainer makes a JobSet of it, and the JobSet controller its Jobs; nothing of it is simulated."""
    outcome = rehearsed(2)
    assert outcome.verdict is Verdict.STARTS
    assert {"trainer", "jobset"} <= {each.name for each in outcome.programs}
    assert not any("Trainer" in each.name for each in outcome.simulated_parts)
    assert [pod.name.rsplit("-", 1)[0] for pod in outcome.pods] == ["train-node-0-0", "train-node-0-1"]


def test_a_train_job_that_is_a_node_short() -> None:
    """Two nodes run, and the third pod waits for one."""
    outcome = rehearsed(3)
    assert (outcome.verdict, outcome.running) == (Verdict.DOES_NOT_START, 2)
    assert {each.cause.id for each in outcome.waiting} == {"nodes-full"}


def test_nodes_follow_an_initializer_that_runs() -> None:
    """On a cluster they wait until it has completed; here nothing completes, and the report says so."""
    step = "trainer.kubeflow.org/trainjob-ancestor-step"
    first, node = a_replicated_job("dataset-initializer"), a_replicated_job("node")
    for each, name in ((first, "dataset-initializer"), (node, "node")):
        each["template"]["metadata"] = {"labels": {step: "trainer" if name == "node" else name}}
        each["template"]["spec"] = {"template": a_template(containers=[a_container(name=name, resources={})])}
    node["dependsOn"] = [{"name": "dataset-initializer", "status": "Complete"}]
    outcome = rehearsed(2, template={"spec": {"replicatedJobs": [first, node]}})
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 3)
    assert any("Jobs do not complete in a rehearsal" in each for each in outcome.notes)
