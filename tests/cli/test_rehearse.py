"""`muster rehearse`: a verdict with the cause and its remedy, on a real control plane; or words."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from muster.rehearsal.kubernetes import rehearsal
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from tests.cli.conftest import Muster, Ran
from tests.stack_files import NO_JOB_FITS, ON_KUBERNETES, QUEUES, ROOT

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]

NCCL = ("rehearse", "p5-odcr", "--job", "nccl-tests")


@pytest.fixture
def job(muster: Muster) -> dict[str, Any]:
    """The job of the stack as it is, before anything is broken."""
    printed: dict[str, Any] = yaml.safe_load(muster.judged("job", "nccl-tests", "--stack", "p5-odcr").out)
    return printed


def rehearsed(muster: Muster, job: dict[str, Any], *more: str) -> Ran:
    """Rehearses a job of one's own."""
    Path("job.yaml").write_text(yaml.safe_dump(job))
    return muster.judged("rehearse", "p5-odcr", "--file", "job.yaml", "--json", *more)


def the_cause(ran: Ran) -> dict[str, Any]:
    """The one cause for which pods wait."""
    assert (ran.code, ran.json["verdict"]) == (1, "does-not-start"), ran.err
    causes = {(each["id"], each["cause"], each["remedy"]): each for each in ran.json["waiting"]}
    (cause,) = causes.values()
    return cause


def test_nccl_tests_start_on_p5_odcr(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a control plane of its own. And the report says what ran, what was played, and that nothing waits."""
    monkeypatch.setattr(rehearsal, "ControlPlane", ControlPlane)
    ran = muster.judged(*NCCL, "--json")
    assert ran.code == 0, ran.err
    said = ran.json
    assert {
        key: said[key] for key in ("contract", "stack", "job", "kind", "kubernetes", "verdict", "pods", "waiting")
    } == {
        "contract": 1,
        "stack": "p5-odcr",
        "job": "nccl-tests",
        "kind": "MPIJob",
        "kubernetes": "1.35",
        "verdict": "starts",
        "pods": {"running": 2, "waiting": 0},
        "waiting": [],
    }
    launcher = next(name for name in said["placed"] if name.startswith("nccl-tests-launcher-"))
    assert said["placed"] == {launcher: "system-0", "nccl-tests-worker-0": "workers-0"}
    (workers,) = (each for each in said["nodes"] if each["name"] == "workers-0")
    assert workers["resources"]["nvidia.com/gpu"] == {"planned": 8, "offered": 8, "used": 8}
    assert workers["resources"]["vpc.amazonaws.com/efa"] == {"planned": 32, "offered": 32, "used": 32}
    assert [each["name"] for each in said["standIns"]] == [
        "aws-node, kube-proxy, eks-pod-identity-agent",
        "nvidia-device-plugin",
        "efa-device-plugin",
        "mpi-operator",
    ]
    assert set(said["binaries"]) == {
        "etcd", "kube-apiserver", "kube-scheduler", "kube-controller-manager", "kwok", "mpi-operator",
    }  # fmt: skip
    assert said["seconds"] > 0
    assert said["peakMemoryMiB"] > 0


def test_the_efa_plugin_without_its_toleration(muster: Muster, job: dict[str, Any]) -> None:
    """Its chart tolerates no GPU taint by itself: it is nowhere, so EFA is offered nowhere."""
    muster.edit("      efa-device-plugin: {}", "      efa-device-plugin: {values: {tolerations: []}}")
    line, column = muster.place("[]", "efa-device-plugin")
    cause = the_cause(rehearsed(muster, job))
    assert cause["id"] == "plugin-not-on-node"
    assert cause["where"] == {
        "file": "stacks/Pulumi.p5-odcr.yaml",
        "line": line,
        "column": column,
        "path": "addons.efa-device-plugin.values.tolerations",
    }
    assert "Insufficient vpc.amazonaws.com/efa" in cause["reason"]


def test_huge_pages_off(muster: Muster, job: dict[str, Any]) -> None:
    """The job asks for pages that no node reserves."""
    muster.edit("        instance: p5.48xlarge\n", "        instance: p5.48xlarge\n        huge-pages: 0MiB\n")
    cause = the_cause(rehearsed(muster, job))
    assert (cause["id"], cause["where"]["path"]) == ("too-few-huge-pages", "groups.workers.huge-pages")
    assert "groups.workers.huge-pages to at least 5GiB" in cause["remedy"]


def test_one_node_too_few(muster: Muster) -> None:
    """A worker more than nodes: one waits, with the arithmetic of who has taken what."""
    ran = muster.judged(*NCCL, "--nodes", "2", "--json")
    cause = the_cause(ran)
    assert ran.json["pods"] == {"running": 1, "waiting": 2}, "the launcher comes once the workers run"
    assert (cause["id"], cause["where"]["path"]) == ("nodes-full", "groups.workers.nodes")
    assert {
        "resource": "nvidia.com/gpu",
        "asked": 8,
        "nodes": 1,
        "mostOnANode": 8,
        "offered": 8,
        "inUse": 8,
        "mostFree": 0,
    } in cause["arithmetic"]


def test_no_operator(muster: Muster, job: dict[str, Any]) -> None:
    """Without the MPI operator nothing would make a pod: the job is not even sent."""
    muster.edit("      mpi-operator: {}\n", "")
    ran = rehearsed(muster, job)
    cause = the_cause(ran)
    assert (cause["id"], cause["remedy"]) == ("no-operator", "add `mpi-operator: {}` below addons:")
    assert ran.json["pods"] == {"running": 0, "waiting": 2}


def test_the_drill(muster: Muster) -> None:
    """Who waits while a node is lost, and what becomes of the job."""
    ran = muster.judged(*NCCL, "--json", "--lose-nodes", "1")
    assert (ran.code, ran.json["verdict"]) == (0, "starts"), "a drill says what would be, it is no finding"
    (node,) = ran.json["drills"]
    assert (node["drill"], node["running"]) == ("lose-nodes 1", {"before": 2, "after": 1, "atLast": 2})
    assert [each["id"] for each in node["waiting"]] == ["node-lost"]
    assert node["comesBack"]
    assert node["assumes"]


def test_a_page_is_written_beside_the_text(muster: Muster) -> None:
    """The same verdict, as HTML."""
    ran = muster.judged(*NCCL, "--html", "report.html")
    assert (ran.code, ran.err) == (0, "report written to report.html\n")
    page = Path("report.html").read_text()
    assert page.lower().startswith("<!doctype html>")
    assert "nccl-tests" in page


def test_a_stack_that_rules_refuse_is_rehearsed_and_says_so(muster: Muster) -> None:
    """The verdict is about the job; that the cluster would not come up is said beside it, and the exit tells."""
    muster.edit("            zone: us-west-2a\n", "            zone: us-west-2b\n")
    ran = muster.judged(*NCCL, "--json")
    assert (ran.code, ran.json["verdict"]) == (1, "starts")
    assert any(each.startswith("`muster check p5-odcr` has ") for each in ran.json["notes"])


@pytest.mark.parametrize("stack", [each for each in ON_KUBERNETES if each not in NO_JOB_FITS])
def test_every_stack_rehearses_a_job_of_its_own(
    stack: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first that fits it, and it starts."""
    monkeypatch.chdir(ROOT)
    queue = ("--queue", QUEUES[stack]) if stack in QUEUES else ()
    ran = Muster(ROOT, capsys).judged("rehearse", stack, "--json", *queue)
    assert (ran.code, ran.json["verdict"], ran.json["waiting"]) == (0, "starts", []), ran.err
    assert ran.json["pods"]["running"] > 0


def test_the_file_of_a_job_is_judged_too(muster: Muster, job: dict[str, Any]) -> None:
    """The job starts, but Gloo would find no interface: a finding with its line, and exit code 1."""
    container = job["spec"]["mpiReplicaSpecs"]["Worker"]["template"]["spec"]["containers"][0]
    container["env"] = [{"name": "GLOO_SOCKET_IFNAME", "value": "^lo,docker"}]
    ran = rehearsed(muster, job)
    assert (ran.code, ran.json["verdict"]) == (1, "starts"), ran.err
    (finding,) = ran.json["findings"]
    lines = enumerate(Path("job.yaml").read_text().splitlines(), 1)
    line = next(number for number, text in lines if "GLOO_SOCKET_IFNAME" in text)
    assert (finding["rule"], finding["where"]["file"], finding["where"]["line"]) == (
        "socket-interfaces-exist",
        "job.yaml",
        line,
    )
