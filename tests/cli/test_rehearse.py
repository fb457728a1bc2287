"""`muster rehearse`: a verdict with the cause and its remedy, on a real control plane; or words."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from muster.jobs.catalogue import JOBS
from muster.rehearsal.kubernetes import rehearsal
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from tests.cli.conftest import Muster, Ran
from tests.rehearsal.conftest import kueue_plane, plane, shared_plane
from tests.stack_files import NO_JOB_FITS, ON_KUBERNETES, QUEUES, ROOT

__all__ = ["kueue_plane", "plane", "shared_plane"]

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


def resources(job: dict[str, Any]) -> list[dict[str, Any]]:
    """A worker's limits and requests."""
    (container,) = job["spec"]["mpiReplicaSpecs"]["Worker"]["template"]["spec"]["containers"]
    return [container["resources"]["limits"], container["resources"]["requests"]]


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
    assert said["seconds"]["total"] > 0
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


def test_one_gpu_too_many(muster: Muster, job: dict[str, Any]) -> None:
    """Nine of eight."""
    for each in resources(job):
        each["nvidia.com/gpu"] = 9
    cause = the_cause(rehearsed(muster, job))
    assert cause["id"] == "more-than-a-node-has"
    assert cause["arithmetic"] == [
        {
            "resource": "nvidia.com/gpu",
            "asked": 9,
            "nodes": 1,
            "mostOnANode": 8,
            "offered": 8,
            "inUse": 0,
            "mostFree": 8,
        }
    ]


def test_one_node_too_few(muster: Muster) -> None:
    """A worker more than nodes: one waits, with the arithmetic of who has taken what."""
    ran = muster.judged(*NCCL, "--nodes", "2", "--json")
    cause = the_cause(ran)
    assert ran.json["pods"] == {"running": 1, "waiting": 2}, "the launcher comes once the workers run"
    assert (cause["id"], cause["where"]["path"]) == ("nodes-full", "groups.workers.nodes")
    assert {
        each["resource"]: (each["asked"], each["offered"], each["inUse"], each["mostFree"])
        for each in cause["arithmetic"]
    } == {
        "nvidia.com/gpu": (8, 8, 8, 0),
        "vpc.amazonaws.com/efa": (32, 32, 32, 0),
    }


_CHARTS_OWN = """\
      nvidia-device-plugin:
        values:
          affinity:
            nodeAffinity:
              requiredDuringSchedulingIgnoredDuringExecution:
                nodeSelectorTerms:
                - matchExpressions: [{key: feature.node.kubernetes.io/pci-10de.present, operator: In, values: ["true"]}]
                - matchExpressions:
                  - {key: feature.node.kubernetes.io/cpu-model.vendor_id, operator: In, values: [NVIDIA]}
                - matchExpressions: [{key: nvidia.com/gpu.present, operator: In, values: ["true"]}]
"""


@pytest.mark.parametrize(("kubernetes", "starts"), [("1.34", False), ("1.35", True)])
def test_the_nvidia_charts_own_affinity(muster: Muster, kubernetes: str, starts: bool) -> None:
    """It asks for a label that EKS's images set from 1.35 on: on 1.34 the plugin lands nowhere."""
    muster.edit('kubernetes: "1.35"', f'kubernetes: "{kubernetes}"')
    muster.edit("      nvidia-device-plugin: {}\n", _CHARTS_OWN)
    ran = muster.judged(*NCCL, "--json")
    assert ran.json["kubernetes"] == kubernetes
    if starts:
        assert (ran.code, ran.json["verdict"]) == (0, "starts")
        return
    cause = the_cause(ran)
    assert (cause["id"], cause["where"]["path"]) == (
        "plugin-not-on-node",
        "addons.nvidia-device-plugin.values.affinity",
    )


def test_no_plugin_at_all(muster: Muster, job: dict[str, Any]) -> None:
    """The add-on that serves the devices is named."""
    muster.edit("      efa-device-plugin: {}\n", "")
    cause = the_cause(rehearsed(muster, job))
    assert (cause["id"], cause["remedy"]) == ("no-plugin", "add `efa-device-plugin: {}` below addons:")


def test_no_operator(muster: Muster, job: dict[str, Any]) -> None:
    """Without the MPI operator nothing would make a pod: the job is not even sent."""
    muster.edit("      mpi-operator: {}\n", "")
    ran = rehearsed(muster, job)
    cause = the_cause(ran)
    assert (cause["id"], cause["remedy"]) == ("no-operator", "add `mpi-operator: {}` below addons:")
    assert ran.json["pods"] == {"running": 0, "waiting": 2}


def test_the_operator_has_no_node(muster: Muster, job: dict[str, Any]) -> None:
    """It tolerates what the system's nodes are tainted with; while there are none it waits, and nobody makes pods."""
    muster.edit("        instance: c5.2xlarge\n", "        instance: c5.2xlarge\n        taints: {team: NoSchedule}\n")
    assert the_cause(rehearsed(muster, job))["id"] == "taint-not-tolerated", "the job was made for nodes without"
    muster.edit("nodes: {min: 1, start: 1, max: 3", "nodes: {min: 0, start: 0, max: 3")
    cause = the_cause(rehearsed(muster, job))
    assert cause["id"] == "operator-waits"
    assert cause["cause"].startswith("the pod of mpi-operator, which creates the job's pods, is itself waiting: ")


def test_the_words_of_the_report(muster: Muster) -> None:
    """People read where, what, what to do, the arithmetic, and the scheduler's own words; the verdict comes last."""
    ran = muster.judged(*NCCL, "--nodes", "2")
    line, column = muster.place("1", "        nodes: 1")
    *_, place, remedy, gpus, efa, words, verdict = ran.out.splitlines()
    name, _, said = place.removeprefix(f"stacks/Pulumi.p5-odcr.yaml:{line}:{column}: ").partition(": ")
    assert name in {"nccl-tests-worker-0", "nccl-tests-worker-1"}, "which of the two is lucky is the scheduler's choice"
    assert said == "1 node of 'workers' can run 1 of the job's 2 such pods"
    assert remedy.startswith("    fix: raise groups.workers.nodes to 2")
    assert gpus == (
        "    nvidia.com/gpu: requested 8; offered 8 by 1 node (at most 8 by one node); in use 8; "
        "free on one node: at most 0"
    )
    assert efa.startswith("    vpc.amazonaws.com/efa: requested 32;")
    assert words.startswith("    message of the scheduler: 0/2 nodes are available: 1 Insufficient nvidia.com/gpu")
    assert verdict.startswith(
        "nccl-tests does not start on p5-odcr: 1 of 3 pods waits, 1 is not created (Kubernetes 1.35, "
    )
    assert (
        "  efa-device-plugin: a DaemonSet with the placement of Muster's values (no charts are available; give "
        "--charts)" in ran.out
    )


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


NO_GROUP = "no group 'sistem'; did you mean 'system'? (groups: system, workers)"

WRONG: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "an unknown job": (
        ("--job", "nccl-test"),
        (f"no job 'nccl-test'; did you mean 'nccl-tests'? (jobs: {', '.join(JOBS)})",),
    ),
    "two jobs": (
        ("--job", "nccl-tests", "--file", "job.yaml"),
        ("--job and --file are two jobs; give only one of them",),
    ),
    "a size for a job of one's own": (
        ("--file", "job.yaml", "--nodes", "2"),
        (
            (
                "--group, --nodes and --queue are for a job of Muster; the job in --file sets them itself, so leave "
                "out these options"
            ),
        ),
    ),
    "no such file": (
        ("--file", "job.yaml"),
        ("there is no file 'job.yaml'; `muster job NAME --stack STACK` prints a job",),
    ),
    "more nodes than there are": (
        ("--lose-nodes", "3"),
        ("the rehearsal cannot continue: the drill cannot lose 3 nodes: the cluster has only 2",),
    ),
    "no file for the page": (
        ("--html", "-"),
        ("--html writes the page to a file, not to stdout; give the name of a file",),
    ),
    "far too many nodes": (
        ("--nodes", "100000"),
        ("the job has 100001 pods; a rehearsal supports at most 10000",),
    ),
    "a folder for the page": (("--html", "stacks"), ("--html: 'stacks' is a folder; give a file",)),
    "a folder that is not there": (
        ("--html", "reports/x.html"),
        (
            (
                "--html: cannot write 'reports/x.html': the folder 'reports' does not exist; create it first, or give "
                "another file"
            ),
        ),
    ),
    "a group that is not there": (
        ("--group", "sistem"),
        (f"no job of Muster fits p5-odcr: {NO_GROUP}",),
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_told_in_words(muster: Muster, case: str) -> None:
    """Before anything starts, with exit 2."""
    arguments, said = WRONG[case]
    ran = muster.judged("rehearse", "p5-odcr", *arguments)
    assert (ran.code, ran.out, ran.err) == (2, "", "".join(f"error: {line}\n" for line in said))


POD = "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: a}]}}\n"
CONFIG = "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n"
QUOTED = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: a}
spec: {replicas: "2", template: {spec: {containers: [{name: a}]}}}
"""

FILES = {
    "empty": ("", "job.yaml: is empty; give it a job's manifest (`muster job` prints one)"),
    "not YAML": ("a: [\n", "job.yaml:2:1: is not YAML: "),
    "no object": ("- 1\n", "job.yaml:1:1: a list is not a Kubernetes object, which has apiVersion, kind and metadata"),
    "no kind": ("a: 1\n", "job.yaml:1:1: an object without apiVersion and kind is not a Kubernetes object,"),
    "two jobs": (
        f"{POD}---\n{POD}",
        "job.yaml has 2 jobs (Pod a, Pod a), but a rehearsal runs one; keep only one in the file",
    ),
    "a key twice": (
        "kind: Pod\nkind: Job\n",
        "job.yaml:2:1: has the key 'kind' twice; keep only one of the two",
    ),
    "a template": ("a: {{ .Values.a }}\n", "job.yaml:1:4: this is a template of a Helm chart ({{ .Values.a }}); "),
    "no name": (
        "{apiVersion: v1, kind: ConfigMap, metadata: {}}",
        "job.yaml:1:45: the ConfigMap has no name; give it metadata.name",
    ),
    "no metadata": (f"{POD}---\nkind: Job\napiVersion: batch/v1\n", "job.yaml:3:1: the Job has no metadata;"),
    "a name that is a number": (
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: 7}}",
        "job.yaml:1:52: metadata.name of the ConfigMap is not text; put it in quotes",
    ),
    "the wrong MPIJob": ("{apiVersion: kubeflow.org/v1, kind: MPIJob, metadata: {name: a}}", "job.yaml:1:14: "),
    "an unknown kind": (
        f"{CONFIG}---\napiVersion: kubeflow.org/v2beta1\nkind: MPIjob\nmetadata: {{name: a}}\n",
        "job.yaml:4:7: ",
    ),
    "an amount": (
        POD.replace("image: a", "resources: {limits: {memory: 32000M1}}"),
        "job.yaml:1:109: the pod template of 'pod': spec.containers[0].resources.limits.memory: '32000M1' is not",
    ),
    "a field in a list": (
        "apiVersion: v1\nkind: List\nitems:\n- " + QUOTED.strip().replace("\n", "\n  "),
        "job.yaml:7:20: spec.replicas is the text",
    ),
    "a missing field": (
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  parallelism: 2\n",
        "job.yaml:5:3: spec.template is missing",
    ),
    "a number in quotes": (
        QUOTED,
        "job.yaml:5:18: spec.replicas is the text '2'; set a whole number, without quotes",
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_is_no_job_is_told_in_words(muster: Muster, case: str) -> None:
    """With what was found in it."""
    text, said = FILES[case]
    Path("job.yaml").write_text(text)
    ran = muster.judged("rehearse", "p5-odcr", "--file", "job.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {said}")
    assert "Traceback" not in ran.err


def test_a_stack_with_faults_of_form_is_not_rehearsed(muster: Muster) -> None:
    """It says what `check` says."""
    muster.edit("instance: p5.48xlarge", "instanse: p5.48xlarge")
    ran = muster.judged(*NCCL)
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean 'instance'?" in ran.err


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


@pytest.mark.parametrize("stack", NO_JOB_FITS)
def test_a_stack_that_no_job_fits_is_told_why(
    stack: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every reason of the jobs that lack least, before anything starts."""
    monkeypatch.chdir(ROOT)
    ran = Muster(ROOT, capsys).judged("rehearse", stack)
    lines = [f"error: no job of Muster fits {stack}: {reason}\n" for reason in NO_JOB_FITS[stack]]
    if "no training group" in lines[-1]:
        lines.append(f"error: to rehearse your own job: muster rehearse {stack} --file job.yaml\n")
    assert (ran.code, ran.out, ran.err) == (2, "", "".join(lines))
