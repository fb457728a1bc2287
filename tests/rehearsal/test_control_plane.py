"""The control plane as a whole, with its binaries."""

import contextlib
import json
import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from muster.blueprint.node import EFA_RESOURCE
from muster.rehearsal.kubernetes import nodes
from muster.rehearsal.kubernetes.binaries import pinned_binary
from muster.rehearsal.kubernetes.client import ApiError, Client
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.machine_limits import ComponentDied, RehearsalError
from tests.factories import a_blueprint
from tests.rehearsal.clusters import GPU, a_plugin, a_pod
from tests.rehearsal.world import World

pytestmark = pytest.mark.rehearsal


def test_it_is_the_pinned_kubernetes(plane: ControlPlane):
    assert plane.version == ".".join(pinned_binary("kube-apiserver").version.split(".")[:2])
    assert set(plane.processes.running) == set(plane.binaries)


def opened(pid: int) -> set[str]:
    """What a process has open; a connection that ends while we look is none."""
    found = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found.add(str(descriptor.readlink()))
    return found


def test_only_the_api_server_and_webhooks_listen_and_only_on_loopback(plane: ControlPlane):
    inodes = set[str]().union(*(opened(each.child.pid) for each in plane.processes.running.values()))
    listening = [
        line.split()[1].partition(":")[0]
        for family in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{family}").read_text().splitlines()[1:]
        if line.split()[3] == "0A" and f"socket:[{line.split()[9]}]" in inodes
    ]
    assert listening == ["0100007F"] * 5  # 127.0.0.1: the API server, and four operators with webhooks


def test_nobody_gets_in_without_the_token(plane: ControlPlane):
    authority = next(plane.folder.glob("**/tls.crt")).read_text()
    server = json.loads(plane.kubeconfig.read_text())["clusters"][0]["cluster"]["server"]
    with Client(server, "another", authority) as stranger, pytest.raises(ApiError) as refused:
        stranger.get("/api/v1/nodes")
    assert refused.value.status == 401


def test_its_certificate_is_signed_by_its_own_authority_alone(plane: ControlPlane):
    server = json.loads(plane.kubeconfig.read_text())["clusters"][0]["cluster"]["server"]
    with Client(server, "any") as trusting_the_machines_authorities, pytest.raises(RehearsalError, match="CERTIFICATE"):
        trusting_the_machines_authorities.get("/api/v1/nodes")


def test_nobody_else_reads_its_folder(plane: ControlPlane):
    assert stat.S_IMODE(plane.folder.stat().st_mode) == 0o700


def test_keys_are_for_their_owner_alone(plane: ControlPlane):
    for file in (*plane.folder.glob("**/*.key"), plane.folder / "tokens.csv", plane.kubeconfig):
        assert file.stat().st_mode & 0o077 == 0, file


def test_two_do_not_meet(plane: ControlPlane, world: World):
    """The second one is to be of a version newer than the binaries: it runs as theirs, and both can be reported."""
    world.join(a_blueprint())
    with ControlPlane(kubernetes="1.99") as other:
        assert (other.requested, other.version) == ("1.99", "1.35")
        assert other.folder != plane.folder
        assert other.client.items("/api/v1/nodes") == []
        nodes.create_nodes(other.client, nodes.planned_nodes(a_blueprint()))
        assert len(other.client.items("/api/v1/nodes")) == 2
    assert not other.folder.exists()
    assert len(plane.client.items("/api/v1/nodes")) == 2


@pytest.mark.parametrize("version", ["1.20", "1.31"])
def test_a_version_that_is_too_old_for_the_binaries_is_refused_in_words(version: str, tmp_path: Path):
    """Before anything starts, instead of with the API server's log."""
    words = f"Kubernetes {version}, but rehearsals run 1.32 to 1.35"
    with pytest.raises(RehearsalError, match=words), ControlPlane(kubernetes=version, folder=tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_component_that_dies_is_named_with_the_end_of_its_log():
    """By whoever waits, and by the next request."""
    words = r"kube-apiserver was killed by signal 9; the last lines of its log:\n  "
    with ControlPlane() as broken:
        folder = broken.folder
        os.kill(broken.processes.running["kube-apiserver"].child.pid, 9)
        with pytest.raises(ComponentDied, match=words):
            broken.processes.wait(5)
        with pytest.raises(ComponentDied, match=words):
            broken.wait_until(lambda: False, "nothing")
        with pytest.raises(ComponentDied, match=words):
            broken.client.get("/api/v1/nodes")
    assert not folder.exists()


# What the client does on it.


def a_job(**meta: Any) -> dict[str, Any]:
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": meta}


def test_a_path_has_the_kinds_plural_and_the_objects_namespace(plane: ControlPlane):
    """A name is one part of it, whatever is in it."""
    client, jobs = plane.client, "/apis/batch/v1/namespaces"
    assert client.path({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}) == "/api/v1/nodes/a"
    assert client.path(a_job(name="a", namespace=None)) == f"{jobs}/default/jobs/a"
    assert client.path(a_job(name="a", namespace="team"), named=False) == f"{jobs}/team/jobs"
    strange = client.path(a_job(name="../nodes?a=b", namespace="a/b"))
    assert strange == f"{jobs}/a%2Fb/jobs/..%2Fnodes%3Fa%3Db"


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (a_job(generateName="a-"), "a Job has no name"),
        (a_job(name=123), "a Job: name is 123, which is not text; put it into quotes"),
        (a_job(name="a", namespace=7), "the Job a: namespace is 7, which is not text; put it into quotes"),
        ({"apiVersion": "batch/v1", "kind": "Job", "metadata": None}, "a Job has no name"),
        ({"apiVersion": 1, "kind": "Job"}, "an object: apiVersion is 1, which is not text; put it into quotes"),
        ({"apiVersion": "batch/v1"}, "an object has no kind"),
    ],
)
def test_an_object_without_a_path_is_refused_in_words(plane: ControlPlane, thing: dict[str, Any], words: str):
    """Manifests are users': YAML makes a number of the name 123."""
    with pytest.raises(RehearsalError, match=f"^{words}$"):
        plane.client.path(thing)


# What a cluster does on it.


def test_a_node_offers_what_it_has_as_soon_as_its_plugins_run(world: World):
    planned = world.join(a_blueprint(), {"workers": 3})
    before = world.client.get("/api/v1/nodes/workers-0")["status"]
    world.serve(planned, [GPU, EFA_RESOURCE])
    status = world.client.get("/api/v1/nodes/workers-0")["status"]
    assert GPU not in before["capacity"]
    assert world.offered(GPU, EFA_RESOURCE) == {GPU: 24, EFA_RESOURCE: 96}
    for offered in (status["capacity"], status["allocatable"]):
        assert (offered[GPU], offered[EFA_RESOURCE]) == ("8", "32")
    assert status["allocatable"]["memory"] == before["allocatable"]["memory"]
    assert GPU not in world.client.get("/api/v1/nodes/system-0")["status"]["capacity"]


def test_a_plugin_that_does_not_tolerate_the_taint_serves_nothing(world: World):
    planned = world.join(a_blueprint())
    world.serve(planned, [GPU])
    world.serve(planned, [EFA_RESOURCE], tolerations=())
    assert world.offered(GPU, EFA_RESOURCE) == {GPU: 8}
    world.client.create(a_pod("worker", world.namespace))
    assert "2 Insufficient vpc.amazonaws.com/efa" in world.why_waiting("worker")


def test_plugins_that_do_not_come_are_named_with_the_reason(world: World):
    """Here the API server refuses their pods: whoever waits is told which DaemonSet, and what it says."""
    planned = world.join(a_blueprint())
    with pytest.raises(RehearsalError) as told:
        world.serve(planned, [GPU], patience=3, serviceAccountName="nobody")
    (said,) = re.findall(r"within 3 s: (.*)", str(told.value))
    plugin = a_plugin(GPU, f"{world.namespace}-")
    assert said.startswith(
        f"DaemonSet {plugin.namespace}/{plugin.daemon_set} has 0 of 1 pods running (Error creating: pods "
    )
    assert 'serviceaccount "nobody" not found' in said


def test_a_lost_node_goes_with_its_pods(world: World):
    """As the cloud controller takes it away, and the collector of pods what was on it."""
    world.join(a_blueprint())
    world.client.create(a_pod("alone", world.namespace, gpus=0, efa=0))
    world.plane.wait_until(lambda: world.running() == 1, "the pod did not run")
    (pod,) = world.pods()
    nodes.delete_node(world.client, pod["spec"]["nodeName"])
    assert pod["spec"]["nodeName"] not in {each["metadata"]["name"] for each in world.client.items("/api/v1/nodes")}
    assert world.pods() == []


def test_pods_of_a_job_run_until_they_are_deleted(world: World):
    world.join(a_blueprint())
    spec = {"restartPolicy": "Never", "containers": [{"name": "c", "image": "c"}]}
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "hello", "namespace": world.namespace},
        "spec": {"template": {"spec": {**spec, "initContainers": [{"name": "i", "image": "i"}]}}},
    }
    world.client.create(job)
    world.plane.wait_until(lambda: world.running() == 1, "the Job's pod did not run")
    status = world.pods()[0]["status"]
    assert status["initContainerStatuses"][0]["state"]["terminated"]["reason"] == "Completed"
    assert {each["type"] for each in status["conditions"]} >= {"PodScheduled", "Ready"}
    world.client.delete(world.client.path(job), propagationPolicy="Background")
    world.plane.wait_until(lambda: not world.pods(), "the Job's pod stayed")
