"""`muster check` with files of other tools on stdin, and with names that are too long to print."""

import io
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Muster
from tests.stack_files import ROOT

EXAMPLES = ROOT / "examples" / "other-tools"


def test_stdin_is_read(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((EXAMPLES / "eks-p5.yaml").read_bytes())))
    ran = muster.judged("check", "-")
    assert ran.code == 1
    assert re.search(r"^stdin:\d+:\d+ \(.*\): mandatory plugin-reaches-its-nodes: ", ran.out, re.MULTILINE)


@pytest.mark.parametrize("form", ["table", "github", "markdown"])
def test_a_long_name_is_shortened_where_it_is_printed(muster: Muster, form: str) -> None:
    """The findings stay, and each prints a place that can be read."""
    template = (EXAMPLES / "eks-training.template.yaml").read_text(encoding="utf-8")
    long = "c" + "::a" * 40_000
    template = template.replace("  NodeTemplate:", f"  ? {long}\n  :").replace("NodeTemplate", long)
    Path("long.yaml").write_text(template, encoding="utf-8")
    ran = muster.judged("check", "long.yaml", "--output", form)
    assert ran.code == 1
    assert "capacity-block" in ran.out
    assert len(ran.out) < 40_000


JOB = """apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: train}
spec:
  slotsPerWorker: 8
  mpiReplicaSpecs:
    Launcher:
      template: {spec: {containers: [{name: launcher, image: train, command: [mpirun, -np, "16", train]}]}}
    Worker:
      replicas: 2
      template:
        spec:
          containers:
            - name: worker
              image: train
              resources: {limits: {nvidia.com/gpu: 8, memory: 100Gi}}
"""


@pytest.mark.parametrize(
    ("stacks", "places"),
    [
        ((), {("shared-memory-is-mounted", 14)}),
        (("p5-odcr",), {("shared-memory-is-mounted", 14), ("pod-asks-its-share-of-efa", 12)}),
    ],
)
def test_a_job_is_judged_alone_and_on_the_nodes_of_a_stack(
    muster: Muster, stacks: tuple[str, ...], places: set[tuple[str, int]]
) -> None:
    Path("job.yaml").write_text(JOB, encoding="utf-8")
    report = muster.judged("check", *stacks, "job.yaml", "--json").json["stacks"][-1]
    assert report["stack"] == "job.yaml"
    assert {(each["rule"], each["where"]["line"]) for each in report["findings"]} == places
    unjudged = {each["rule"] for each in report["notEvaluated"]}
    assert unjudged == (set() if stacks else {"devices-within-instance", "pod-asks-its-share-of-efa"})


TRAIN_JOB = """apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: train}
spec:
  runtimeRef: {name: own}
  trainer: {numNodes: 2, resourcesPerNode: {limits: {nvidia.com/gpu: 8, memory: 100Gi}}}
"""
RUNTIME = """apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: own}
spec:
  mlPolicy: {torch: {}}
  template:
    spec:
      replicatedJobs:
        - name: node
          template:
            metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
            spec:
              template:
                spec:
                  volumes: [{name: shm, emptyDir: {medium: Memory}}]
                  containers:
                    - name: node
                      image: train
                      volumeMounts: [{name: shm, mountPath: /dev/shm}]
"""


def test_a_train_job_is_judged_with_the_runtime_of_another_file(muster: Muster) -> None:
    """Without it, its pods are not known, and the report names the runtime."""
    Path("job.yaml").write_text(TRAIN_JOB, encoding="utf-8")
    Path("runtime.yaml").write_text(RUNTIME, encoding="utf-8")
    alone = muster.judged("check", "p5-odcr", "job.yaml", "--json").json["stacks"][-1]
    assert not alone["findings"]
    assert "ClusterTrainingRuntime own, which is in no file" in {each["missing"] for each in alone["notEvaluated"]}
    _, job, runtime = muster.judged("check", "p5-odcr", "job.yaml", "runtime.yaml", "--json").json["stacks"]
    assert [each["rule"] for each in job["findings"]] == ["pod-asks-its-share-of-efa"]
    assert not (job["notEvaluated"] or runtime["findings"] or runtime["notEvaluated"])
