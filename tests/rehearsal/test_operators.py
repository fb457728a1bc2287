"""The description's operators and queues: who runs which job, whose queue counts, what the API server takes of ours."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.jobs.kinds import builtin
from muster.jobs.kinds.catalogue import KINDS, roles_of
from muster.rehearsal.kubernetes.addons import InstalledAddons, addons_that_run
from muster.rehearsal.kubernetes.kueue import queue_objects
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Outcome, Verdict
from tests.factories import a_blueprint
from tests.rehearsal.clusters import GPU

ALL: Mapping[str, Any] = {
    f"addons.{name}": {} for name, addon in CATALOGUE.items() if addon.runs or name in {"kueue", "etcd"}
}


def a_volcano_job(queue: str) -> dict[str, Any]:
    """One pod with eight GPUs."""
    container = {"name": "c", "image": "c", "resources": {"limits": {GPU: 8}}}
    task = {"name": "worker", "replicas": 1, "template": {"spec": {"containers": [container]}}}
    return {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {"name": "train"},
        "spec": {"queue": queue, "tasks": [task]},
    }


def played(job: dict[str, Any], edits: Mapping[str, Any], *beside: dict[str, Any]) -> Outcome:
    """As `muster rehearse` plays it."""
    blueprint, shape = a_blueprint(edits), roles_of(job, beside)
    return rehearse(RehearsalRequest(blueprint, job, shape, beside))


def test_every_kind_of_job_has_an_addon_that_runs_it() -> None:
    """But for those that Kubernetes runs by itself."""
    own = {("v1", builtin.POD), ("batch/v1", builtin.JOB), *(("apps/v1", kind) for kind in builtin.REPLICATED)}
    assert {kind for kind in KINDS if not addons_that_run(*kind)} == own
    assert addons_that_run("jobset.x-k8s.io/v1alpha2", "JobSet") == ("jobset", "trainer"), (
        "the first is what is advised"
    )


def test_the_files_queue_stands_in_place_of_the_clusters() -> None:
    """Of one kind, name and namespace; the others are there beside it."""
    blueprint = a_blueprint({"addons.kueue": {}, "addons.volcano": {"queues": {"test": {}}}})
    own = {(each["kind"], each["metadata"]["name"]): each for each in queue_objects(blueprint)}
    assert set(own) == {
        ("ResourceFlavor", "system"),
        ("ResourceFlavor", "workers"),
        ("ClusterQueue", "main"),
        ("LocalQueue", "main"),
    }
    theirs = {**own["ClusterQueue", "main"], "spec": {"stopPolicy": "Hold"}}
    found = queue_objects(blueprint, (theirs,))
    assert len(found) == len(own)
    assert theirs in found
    elsewhere = {**own["LocalQueue", "main"], "metadata": {"name": "main", "namespace": "vision"}}
    assert len(queue_objects(blueprint, (elsewhere,))) == len(own) + 1


@pytest.mark.parametrize(
    ("addons", "runner"),
    [(("hyperpod",), "hyperpod"), (("training-operator",), "training-operator"), (("kueue",), None)],
)
def test_hyperpods_chart_runs_what_its_own_operators_run(addons: tuple[str, ...], runner: str | None) -> None:
    """Where its values turn them on."""
    on = {"values": {"mpi-operator": {"enabled": True}, "trainingOperators": {"enabled": True}}}
    said: dict[str, Any] = {f"addons.{name}": on if name == "hyperpod" else {} for name in addons}
    installed = InstalledAddons.of(a_blueprint({"chart-mirror": "oci://r.example.org/charts", **said}))
    found = installed.runner("kubeflow.org/v1", "PyTorchJob")
    assert (found.addon.name if found else None) == runner
    if runner == "hyperpod":
        assert found is not None
        assert [each["metadata"]["name"] for each in found.deployments] == [
            *("hyperpod-helm-chart-mpi-operator", "hyperpod-helm-chart-training-operators")
        ]


@pytest.mark.rehearsal
@pytest.mark.usefixtures("shared_plane")
def test_every_operator_may_be_there_at_once() -> None:
    """On tainted system nodes, with what is ours and no chart at hand: the API server takes it, and their pods run."""
    outcome = played(a_volcano_job("default"), {**ALL, "groups.system.taints": {"system": "NoSchedule"}})
    assert outcome.verdict is Verdict.STARTS
    (system,) = [each for each in outcome.nodes if each.group == "system"]
    asked = {"kueue": 500, "jobset": 500, "kuberay-operator": 100, "etcd": 100}
    assert system.amounts["cpu"].used >= sum(asked.values())
    played_by_us = {each.name for each in outcome.simulated_parts}
    assert played_by_us >= {"kueue", "volcano", "trainer", "jobset", "kuberay-operator", "training-operator"}
    assert "etcd" not in played_by_us
    assert not [note for note in outcome.notes if "left out" in note]
