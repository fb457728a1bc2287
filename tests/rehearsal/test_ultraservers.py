"""Jobs on UltraServers, on a real control plane: which pods share NVLink, and what a job learns that straddles."""

import pytest

from muster.jobs.kinds.catalogue import roles_of
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
