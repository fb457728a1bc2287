"""Jobs on UltraServers, on a real control plane: which pods share NVLink, and what a job learns that straddles."""

import pytest

from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.nodes import planned_nodes
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.stack.project import open_stack
from tests.rehearsal.clusters import a_gpu_job
from tests.stack_files import ROOT

ULTRASERVER = "topology.k8s.aws/ultraserver-id"


@pytest.mark.rehearsal
@pytest.mark.usefixtures("shared_plane")
@pytest.mark.parametrize(("pods", "together", "running"), [(20, False, 20), (17, True, 17), (18, True, 17)])
def test_pods_of_one_ultraserver_share_nvlink(pods: int, together: bool, running: int) -> None:
    """Two UltraServers of HyperPod, of which each keeps a spare instance. A job that is larger straddles them, or
    waits where it must not."""
    term = {"labelSelector": {"matchLabels": {"app": "train"}}, "topologyKey": ULTRASERVER}
    affinity = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    job = a_gpu_job(pods, gpus=4, **({"affinity": affinity} if together else {}))
    job["spec"]["template"]["metadata"] = {"labels": {"app": "train"}}
    blueprint = open_stack(ROOT, "hyperpod-p6e-gb200").derive()
    outcome = rehearse(RehearsalRequest(blueprint, job, roles_of(job, ())))
    assert (outcome.running, outcome.not_running) == (running, pods - running)
    straddles = [note for note in outcome.notes if "straddle 2 UltraServers" in note]
    assert [f"topologyKey: {ULTRASERVER}" in note for note in straddles] == ([] if together else [True])
    assert any("no source states the network interfaces of p6e-gb200.36xlarge" in note for note in outcome.notes)


def test_the_nodes_of_a_trn2_ultraserver_have_the_labels_of_neurons_plugin() -> None:
    """The example of Neuron's documentation: one id of four nodes, two ids of two."""
    nodes = planned_nodes(open_stack(ROOT, "trn2-ultraserver").derive(), {"workers": 8})
    keys = ("ultraserver-mode", "ultraserver-server-id-4", "ultraserver-node-id-4", "ultraserver-server-id-2")
    found = [[each.manifest["metadata"]["labels"].get(f"neuron.amazonaws.com/{key}") for key in keys] for each in nodes]
    assert found[:2] == [[None] * 4, ["1_2_4", "workers-0", "0", "workers-0-0"]]
    assert found[4] == ["1_2_4", "workers-0", "3", "workers-0-1"]
