"""The control plane as a whole, with its binaries."""

import contextlib
import json
import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from muster.rehearsal.kubernetes import nodes
from muster.rehearsal.kubernetes.client import ApiError, Client
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.devices import Devices, Plugin
from muster.rehearsal.machine_limits import ComponentDied, RehearsalError
from tests.factories import a_blueprint
from tests.rehearsal.clusters import GPU
from tests.rehearsal.shared_plane import lent

pytestmark = pytest.mark.rehearsal


def opened(pid: int) -> set[str]:
    """What a process has open; a connection that ends while we look is none."""
    found = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found.add(str(descriptor.readlink()))
    return found


def test_only_the_api_server_and_webhooks_listen_and_only_on_loopback(plane: ControlPlane) -> None:
    inodes = set[str]().union(*(opened(each.child.pid) for each in plane.processes.running.values()))
    listening = [
        line.split()[1].partition(":")[0]
        for family in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{family}").read_text().splitlines()[1:]
        if line.split()[3] == "0A" and f"socket:[{line.split()[9]}]" in inodes
    ]
    assert listening == ["0100007F"] * 5  # 127.0.0.1: the API server, and four operators with webhooks


def test_nobody_gets_in_without_the_token(plane: ControlPlane) -> None:
    """Its certificate is signed by its own authority, which nobody else trusts."""
    authority = next(plane.folder.glob("**/tls.crt")).read_text()
    server = json.loads(plane.kubeconfig.read_text())["clusters"][0]["cluster"]["server"]
    with Client(server, "another", authority) as stranger, pytest.raises(ApiError) as refused:
        stranger.get("/api/v1/nodes")
    assert refused.value.status == 401
    with Client(server, "any") as trusting_the_machines_authorities, pytest.raises(RehearsalError, match="CERTIFICATE"):
        trusting_the_machines_authorities.get("/api/v1/nodes")


def test_nobody_else_reads_its_folder_or_keys(plane: ControlPlane) -> None:
    assert stat.S_IMODE(plane.folder.stat().st_mode) == 0o700
    for file in (*plane.folder.glob("**/*.key"), plane.folder / "tokens.csv", plane.kubeconfig):
        assert file.stat().st_mode & 0o077 == 0, file


def test_a_version_that_is_too_old_for_the_binaries_is_refused_in_words(tmp_path: Path) -> None:
    """Before anything starts, instead of with the API server's log."""
    words = "Kubernetes 1.31, but rehearsals run 1.32 to 1.35"
    with pytest.raises(RehearsalError, match=words), ControlPlane(kubernetes="1.31", folder=tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_component_that_dies_is_named_with_the_end_of_its_log(plane: ControlPlane) -> None:
    """By whoever waits, and by the next request. Another control plane is not touched. It is to be of a version newer
    than the binaries: it runs as theirs, and both can be reported."""
    words = r"kube-apiserver was killed by signal 9; the last lines of its log:\n  "
    with ControlPlane(kubernetes="1.99") as broken:
        assert (broken.requested, broken.version) == ("1.99", "1.35")
        folder = broken.folder
        os.kill(broken.processes.running["kube-apiserver"].child.pid, 9)
        with pytest.raises(ComponentDied, match=words):
            broken.processes.wait(5)
        with pytest.raises(ComponentDied, match=words):
            broken.wait_until(lambda: False, "nothing")
        with pytest.raises(ComponentDied, match=words):
            broken.client.get("/api/v1/nodes")
        plane.processes.check()
    assert not folder.exists()


def a_job(**meta: Any) -> dict[str, Any]:
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": meta}


def test_a_path_has_the_kinds_plural_and_the_objects_namespace(plane: ControlPlane) -> None:
    """A name is one part of it, whatever is in it."""
    path, jobs = plane.client.path, "/apis/batch/v1/namespaces"
    assert path({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}) == "/api/v1/nodes/a"
    assert path(a_job(name="a", namespace=None)) == f"{jobs}/default/jobs/a"
    assert path(a_job(name="a", namespace="team"), named=False) == f"{jobs}/team/jobs"
    assert path(a_job(name="../nodes?a=b", namespace="a/b")) == f"{jobs}/a%2Fb/jobs/..%2Fnodes%3Fa%3Db"


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (a_job(generateName="a-"), "a Job has no name"),
        (a_job(name=123), "a Job: name is 123"),
        (a_job(name="a", namespace=7), "the Job a: namespace is 7"),
        ({"apiVersion": "batch/v1", "kind": "Job", "metadata": None}, "a Job has no name"),
        ({"apiVersion": 1, "kind": "Job"}, "an object: apiVersion is 1"),
        ({"apiVersion": "batch/v1"}, "an object has no kind"),
    ],
)
def test_an_object_without_a_path_is_refused_in_words(plane: ControlPlane, thing: dict[str, Any], words: str) -> None:
    """Manifests are users': YAML makes a number of the name 123."""
    with pytest.raises(RehearsalError, match=f"^{words}"):
        plane.client.path(thing)


def test_plugins_that_do_not_come_are_named_with_the_reason(plane: ControlPlane) -> None:
    """Here the API server refuses their pods: whoever waits is told which DaemonSet, and what it says."""
    labels = {"app": "plugin"}
    pod = {"serviceAccountName": "nobody", "tolerations": [{"operator": "Exists"}]}
    template = {"metadata": {"labels": labels}, "spec": {**pod, "containers": [{"name": "c", "image": "c"}]}}
    thing = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "plugin", "namespace": "kube-system"},
        "spec": {"selector": {"matchLabels": labels}, "template": template},
    }
    planned = nodes.planned_nodes(a_blueprint())
    devices = Devices(plane.client, [Plugin("kube-system", "plugin", template["spec"], GPU)])
    with lent(plane):
        nodes.create_nodes(plane.client, devices.joined(planned))
        plane.client.create(thing)
        with pytest.raises(RehearsalError) as told:
            plane.wait_until(devices.settled, "they did not settle", 3, why=devices.unsettled)
    (said,) = re.findall(r"within 3 s: (.*)", str(told.value))
    assert said.startswith("DaemonSet kube-system/plugin has 0 of ")
    assert 'serviceaccount "nobody" not found' in said
