"""`rehearse --file`: the job of a file, with the places of its objects."""

from pathlib import Path

import pytest
import yaml

from muster.cli.exits import WrongInput
from muster.cli.job_file import read_job
from tests.jobs.documents import a_ray_cluster

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
    assert read.objects_at == {("Job", "train"): f"{file}:2:7"}
    assert read.requests_at == {(read.roles.roles[0].name, "nvidia.com/gpu"): f"{file}:11:71"}


@pytest.mark.parametrize(
    "text",
    [JOB.replace("parallelism: 2", "parallelism: $NUM_NODES"), "a: {{ .Values.a }}\n", "{% if a %}\n"],
)
def test_a_template_is_to_be_filled_first(text: str, tmp_path: Path) -> None:
    """Whatever its error is."""
    with pytest.raises(WrongInput, match="envsubst"):
        read_job(_file(tmp_path, text))


def test_an_earlier_version_is_read_as_the_one_of_today(tmp_path: Path) -> None:
    """And the report has a note."""
    job = a_ray_cluster()
    read = read_job(_file(tmp_path, yaml.safe_dump({**job, "apiVersion": "ray.io/v1alpha1"})))
    assert (read.document, read.roles.api_version) == (job, "ray.io/v1")
    assert len(read.notes) == 1
