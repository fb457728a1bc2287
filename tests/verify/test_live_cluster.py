"""`muster verify` of p5-odcr on a real API server: planned nodes, plugins that really land or do not."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from muster.blueprint.node import EFA_RESOURCE
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.nodes import planned_nodes
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.stack.project import open_stack
from muster.verify.cluster_reader import load, read_cluster
from muster.verify.expected import expected_cluster
from muster.verify.verification import verify
from tests.cli.conftest import Muster
from tests.rehearsal.shared_plane import lent
from tests.stack_files import ROOT

pytestmark = pytest.mark.rehearsal


class Live:
    """p5-odcr as it runs, but for what a test changes."""

    def __init__(self, plane: ControlPlane) -> None:
        self.plane = plane

    def up(self, project: Path = ROOT) -> None:
        """Its nodes join, plugins settle, the operator's Deployment runs. EKS's own pods, whose requests a rehearsal
        subtracts from the nodes, are left out."""
        cluster = PlannedCluster(self.plane, blueprint := open_stack(project, "p5-odcr").derive())
        cluster.nodes = planned_nodes(blueprint)
        cluster.join()
        for each in cluster.installed.addons:
            assert not list(filter(None, map(cluster.deployment_waits, each.deployments)))

    def findings(self) -> list[str]:
        """The rules of what differs now."""
        expected = expected_cluster(open_stack(ROOT, "p5-odcr").derive())
        seen = read_cluster(load(self.plane.kubeconfig, None, {}), expected)
        return [each.rule for each in verify(expected, seen).findings]


@pytest.fixture
def live(plane: ControlPlane) -> Iterator[Live]:
    with lent(plane):
        yield Live(plane)


def test_a_healthy_cluster_has_no_finding_and_a_broken_interface_one(live: Live, muster: Muster) -> None:
    """The command, too, in its exit code and its JSON; and nothing but GET is sent."""
    live.up()
    live.plane.wait_until(lambda: not live.findings(), "there are findings", 30, why=lambda: str(live.findings()))
    arguments = ("verify", "p5-odcr", "--kubeconfig", str(live.plane.kubeconfig))
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

    broken = {"status": {"allocatable": {EFA_RESOURCE: "31"}}}
    live.plane.client.patch("/api/v1/nodes/workers-0/status", broken)
    live.plane.wait_until(lambda: bool(live.findings()), "the broken interface was not told")
    ran = muster(*arguments, "--json")
    assert (ran.code, [each["rule"] for each in ran.json["findings"]]) == (1, ["node-offers"])


def test_a_plugin_that_does_not_tolerate_the_taint_is_found(live: Live, muster: Muster) -> None:
    """With the taint, though no pod was ever made to say it."""
    muster.edit("      efa-device-plugin: {}", "      efa-device-plugin: {values: {tolerations: []}}")
    live.up(muster.folder)
    assert live.findings() == ["plugin-ready"]
