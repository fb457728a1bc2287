"""`muster verify` of p5-odcr on a real API server: planned nodes, plugins that really land or do not."""

import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from muster.blueprint.node import EFA_RESOURCE
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.devices import Devices, Plugin
from muster.stack.project import open_stack
from muster.verify.cluster_reader import load, read_cluster
from muster.verify.expected import NVIDIA, expected_cluster
from muster.verify.verification import Verification, verify
from tests.cli.conftest import Muster
from tests.rehearsal.clusters import GPU_TAINT, a_daemon_set
from tests.rehearsal.shared_plane import lent
from tests.rehearsal.world import World
from tests.stack_files import ROOT

pytestmark = pytest.mark.rehearsal

STACK = open_stack(ROOT, "p5-odcr")
BLUEPRINT = STACK.derive()
NVIDIA_PLUGIN = Plugin("kube-system", "nvidia-device-plugin", NVIDIA)
EFA_PLUGIN = Plugin("kube-system", "aws-efa-k8s-device-plugin", EFA_RESOURCE)


OPERATOR = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "mpi-operator", "namespace": "mpi-operator"},
    "spec": {
        "selector": {"matchLabels": {"app": "mpi-operator"}},
        "template": {
            "metadata": {"labels": {"app": "mpi-operator"}},
            "spec": {"containers": [{"name": "c", "image": "i"}]},
        },
    },
}


class Live:
    """p5-odcr as it runs, but for what a test changes."""

    def __init__(self, world: World) -> None:
        self.world, self.client, self.kubeconfig = world, world.client, world.plane.kubeconfig

    def up(self, efa_tolerations: tuple[Any, ...] = (GPU_TAINT,)) -> None:
        """Nodes join, plugins settle, the operator's Deployment runs."""
        self.client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "mpi-operator"}})
        devices = Devices(self.client, self.world.join(BLUEPRINT), [NVIDIA_PLUGIN, EFA_PLUGIN])
        for plugin, tolerations in ((NVIDIA_PLUGIN, (GPU_TAINT,)), (EFA_PLUGIN, efa_tolerations)):
            self.client.create(a_daemon_set(plugin, tolerations=tolerations))
        self.client.create(OPERATOR)
        path = self.client.path(OPERATOR)
        wait_until = self.world.plane.wait_until
        wait_until(devices.settled, "the plugins did not settle", 120)
        wait_until(lambda: bool(self.client.get(path).get("status", {}).get("readyReplicas")), "no operator ran", 60)

    def verify(self) -> Verification:
        """What differs now."""
        expected = expected_cluster(BLUEPRINT)
        return verify(expected, read_cluster(load(self.kubeconfig, None, {}), expected))

    def findings(self) -> list[str]:
        """The findings' rules."""
        return [each.rule for each in self.verify().findings]


@pytest.fixture
def live(plane: ControlPlane, world: World) -> Iterator[Live]:
    with lent(plane):
        yield Live(world)


def test_a_healthy_cluster_has_no_finding_and_a_broken_interface_one(live: Live, muster: Muster) -> None:
    """The command, too, in its exit code, its text and its JSON; and nothing but GET is sent."""
    live.up()
    assert live.findings() == []
    arguments = ("verify", "p5-odcr", "--kubeconfig", str(live.kubeconfig))
    sent: list[tuple[str, str]] = []
    send = httpx2.Client.send

    def recording(client: Any, request: Any, **more: Any) -> Any:
        if threading.current_thread() is threading.main_thread():  # the control plane's own clients are in others
            sent.append((request.method, request.url.path))
        return send(client, request, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpx2.Client, "send", recording)
        ran = muster(*arguments)
    assert sent == [
        ("GET", "/api/v1/nodes"),
        ("GET", "/api/v1/pods"),
        ("GET", "/apis/apps/v1/daemonsets"),
        ("GET", "/apis/apps/v1/deployments"),
    ]
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("p5-odcr: clean, 3 not evaluated\n")

    broken = {"status": {"allocatable": {EFA_RESOURCE: "31"}}}
    live.client.patch("/api/v1/nodes/workers-0/status", broken)
    live.world.plane.wait_until(lambda: bool(live.findings()), "the broken interface was not told")
    assert live.findings() == ["node-offers"]
    ran = muster(*arguments, "--json")
    assert ran.code == 1
    (found,) = ran.json["findings"]
    line, _ = muster.place("workers:", "workers:")
    assert (found["where"]["path"], found["where"]["line"]) == ("groups.workers", line)


def test_a_plugin_that_does_not_tolerate_the_taint_is_found(live: Live) -> None:
    """With the taint, though no pod was ever made to say it."""
    live.up(efa_tolerations=())
    assert live.findings() == ["plugin-ready"]
