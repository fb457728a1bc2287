"""`rehearse --file`: the job of a file, with the places of its objects."""

from pathlib import Path

import pytest

from muster.cli.job_file import read_job
from muster.finding import WrongInput

JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  parallelism: 2
  completions: 2
  template:
    spec:
      restartPolicy: Never
      containers:
        - {name: main, image: a, resources: {limits: {nvidia.com/gpu: 8}}}
"""


def _file(folder: Path, text: str) -> str:
    file = folder / "job.yaml"
    file.write_text(text)
    return str(file)


def test_objects_and_requests_have_their_places(tmp_path: Path) -> None:
    """By kind and name; by role and resource."""
    file = _file(tmp_path, JOB)
    read = read_job(file)
    assert read.objects_at == {("Job", "train"): f"{file}:2:1"}
    assert read.requests_at == {(read.roles.roles[0].name, "nvidia.com/gpu"): f"{file}:11:55"}


def test_jobs_of_a_file_keep_their_order(tmp_path: Path) -> None:
    """The last one is rehearsed, after the others; none of them is among the other objects."""
    read = read_job(_file(tmp_path, f"{JOB}---\n{CONFIG}---\n{JOB.replace('train', 'second')}"))
    assert ([roles.name for _, roles in read.earlier], read.roles.name) == (["train"], "second")
    assert [each["kind"] for each in read.beside] == ["ConfigMap"]


def test_requests_of_a_runtime_have_no_place_in_the_job(tmp_path: Path) -> None:
    trainer = "apiVersion: trainer.kubeflow.org/v1alpha1"
    template = "{template: {spec: {containers: [{name: node, image: a, resources: {limits: {nvidia.com/gpu: 8}}}]}}}"
    replicated = f"[{{name: node, template: {{spec: {template}}}}}]"
    runtime = f"spec: {{mlPolicy: {{numNodes: 2}}, template: {{spec: {{replicatedJobs: {replicated}}}}}}}"
    text = (
        f"{trainer}\nkind: ClusterTrainingRuntime\nmetadata: {{name: b}}\n{runtime}\n---\n"
        f"{trainer}\nkind: TrainJob\nmetadata: {{name: a}}\nspec: {{runtimeRef: {{name: b}}}}\n"
    )
    assert read_job(_file(tmp_path, text)).requests_at == {}


@pytest.mark.parametrize(
    "text",
    [
        JOB.replace("parallelism: 2", "parallelism: $NUM_NODES"),
        JOB.replace("restartPolicy: Never", "nodeSelector: {kubernetes.io/hostname: $HOSTNAME_1}"),
        "a: {{ .Values.a }}\n",
        "{% if a %}\n",
    ],
)
def test_a_template_is_to_be_filled_first(text: str, tmp_path: Path) -> None:
    """Whatever its error is."""
    with pytest.raises(WrongInput, match="envsubst"):
        read_job(_file(tmp_path, text))


POD = "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: a}]}}\n"
CONFIG = "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n"
QUOTED = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: a}
spec: {replicas: "2", template: {spec: {containers: [{name: a}]}}}
"""

FILES = {
    "empty": ("", ""),
    "not YAML": ("a: [\n", ":2:1"),
    "no object": ("- 1\n", ":1:1"),
    "no kind": ("a: 1\n", ":1:1"),
    "too many jobs": (f"{POD}---\n" * 17, ""),
    "a key twice": ("kind: Pod\nkind: Job\n", ":2:1"),
    "no name": ("{apiVersion: v1, kind: ConfigMap, metadata: {}}", ":1:35"),
    "no metadata": (f"{POD}---\nkind: Job\napiVersion: batch/v1\n", ":3:1"),
    "a name that is a number": ("{apiVersion: v1, kind: ConfigMap, metadata: {name: 7}}", ":1:46"),
    "the wrong MPIJob": ("{apiVersion: kubeflow.org/v1, kind: MPIJob, metadata: {name: a}}", ":1:2"),
    "an unknown kind": (
        f"{CONFIG}---\napiVersion: kubeflow.org/v2beta1\nkind: MPIjob\nmetadata: {{name: a}}\n",
        ":4:1",
    ),
    "an unknown kind beside a job": (f"{POD}---\napiVersion: batch/v1\nkind: Jobb\nmetadata: {{name: b}}\n", ":4:1"),
    "two of one name": (f"{POD}---\n{POD}", ":3:1"),
    "an amount": (POD.replace("image: a", "resources: {limits: {memory: 32000M1}}"), ":1:101"),
    "a field in a list": (
        "apiVersion: v1\nkind: List\nitems:\n- " + QUOTED.strip().replace("\n", "\n  "),
        ":7:10",
    ),
    "a missing field": ("apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  parallelism: 2\n", ":4:1"),
    "a number in quotes": (QUOTED, ":5:8"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_is_no_job_is_an_error_at_its_place(case: str, tmp_path: Path) -> None:
    """The file, the line and the column."""
    text, at = FILES[case]
    file = _file(tmp_path, text)
    with pytest.raises(WrongInput) as raised:
        read_job(file)
    assert str(raised.value).startswith(f"{file}{at}")
