"""Jobs on UltraServers, on a real control plane: which pods share NVLink, and what a job learns that straddles."""

from typing import Any

import pytest

from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.nodes import planned_nodes
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Outcome, Verdict
from muster.stack.project import open_stack
from tests.stack_files import ROOT

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]

ULTRASERVER = "topology.k8s.aws/ultraserver-id"


def a_job(pods: int, *, together: bool = False) -> dict[str, Any]:
    """A Job with all GPUs of a node for each pod; `together` keeps its pods in one UltraServer."""
    term = {"labelSelector": {"matchLabels": {"app": "train"}}, "topologyKey": ULTRASERVER}
    affinity = {"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}}
    container = {"name": "train", "image": "train:1", "resources": {"limits": {"nvidia.com/gpu": 4}}}
    spec = {"restartPolicy": "Never", "containers": [container], **(affinity if together else {})}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "train"},
        "spec": {
            "parallelism": pods,
            "completions": pods,
            "template": {"metadata": {"labels": {"app": "train"}}, "spec": spec},
        },
    }


def played(job: dict[str, Any]) -> Outcome:
    """A rehearsal on two UltraServers of HyperPod, of which each keeps a spare instance."""
    blueprint = open_stack(ROOT, "hyperpod-p6e-gb200").derive()
    return rehearse(RehearsalRequest(blueprint, job, roles_of(job, ()), ()))


def straddles(outcome: Outcome) -> list[str]:
    return [note for note in outcome.notes if "straddle" in note]


def test_a_job_that_is_larger_than_an_ultraserver_straddles_two() -> None:
    outcome = played(a_job(20))
    assert outcome.verdict is Verdict.STARTS
    (note,) = straddles(outcome)
    assert "straddle 2 UltraServers" in note
    assert f"topologyKey: {ULTRASERVER}" in note


def test_a_job_that_stays_in_one_ultraserver_shares_nvlink() -> None:
    outcome = played(a_job(17, together=True))
    assert outcome.verdict is Verdict.STARTS
    assert straddles(outcome) == []


def test_a_job_that_must_stay_in_one_ultraserver_and_does_not_fit_waits() -> None:
    outcome = played(a_job(18, together=True))
    assert (outcome.verdict, outcome.running, outcome.not_running) == (Verdict.DOES_NOT_START, 17, 1)


def test_the_report_names_what_no_source_states() -> None:
    (interfaces,) = (note for note in played(a_job(1)).notes if "no source states" in note)
    assert interfaces == (
        "group workers: no source states the network interfaces of p6e-gb200.36xlarge, so the rehearsal assumes the "
        "memory that is certain"
    )


def test_the_nodes_of_a_trn2_ultraserver_have_the_labels_of_neurons_plugin() -> None:
    """The example of Neuron's documentation: one id of four nodes, two ids of two."""
    nodes = planned_nodes(open_stack(ROOT, "trn2-ultraserver").derive(), {"workers": 8})
    keys = ("ultraserver-mode", "ultraserver-server-id-4", "ultraserver-node-id-4", "ultraserver-server-id-2")
    found = [[each.manifest["metadata"]["labels"].get(f"neuron.amazonaws.com/{key}") for key in keys] for each in nodes]
    assert found[:2] == [[None] * 4, ["1_2_4", "workers-0", "0", "workers-0-0"]]
    assert found[4] == ["1_2_4", "workers-0", "3", "workers-0-1"]
