"""`rehearse --file` of a template: what it needs is named at once, and --set and --env-file fill it."""

import shlex
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from muster.cli.exits import WrongInput
from muster.cli.job_file import Values, read_job
from tests.factories import a_blueprint
from tests.jobs.documents import a_ray_cluster

TEMPLATE = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  # parallelism: $COMMENTED
  parallelism: $NUM_NODES
  completions: ${NUM_NODES}
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: ${IMAGE_URI}
          command: [bash, -c, 'echo $RANK of $NUM_NODES']
          resources: {limits: {nvidia.com/gpu: "$GPU_PER_NODE"}}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The template is in the folder."""
    monkeypatch.chdir(tmp_path)
    Path("job.yaml").write_text(TEMPLATE)


def refused(*sets: str, env: str | None = None, file: str = "job.yaml") -> list[str]:
    """The lines with which a template is refused."""
    with pytest.raises(WrongInput) as refusal:
        read_job(file, Values.given(sets, env, a_blueprint()))
    return str(refusal.value).splitlines()


def test_requests_have_their_place_in_the_file() -> None:
    """By role and resource; the text is the one with the values filled in."""
    values = Values.given(["NUM_NODES=2", "GPU_PER_NODE=9"], None)
    _, shape, _ = read_job("job.yaml", values)
    assert values.requests_at == {(shape.roles[0].name, "nvidia.com/gpu"): "job.yaml:15:48"}


def test_all_variables_are_named_at_once_with_a_command_that_fills_them() -> None:
    """With their lines; and what that command gives is enough."""
    first, unneeded, command = refused()
    assert "NUM_NODES (line 6), GPU_PER_NODE (line 15)" in first
    assert {"IMAGE_URI", "RANK"} <= set(unneeded.rpartition(": ")[2].split(", "))
    words = shlex.split(command.partition(": ")[2])
    assert words[:3] == ["muster", "rehearse", "tested"]
    sets = [word for before, word in pairwise(words) if before == "--set"]
    document, shape, _ = read_job("job.yaml", Values.given(sets, None))
    assert shape.pods == document["spec"]["completions"]
    assert shape.roles[0].asks["nvidia.com/gpu"] == 8


def test_a_filled_template_says_what_stays_as_it_is() -> None:
    """envsubst without a list would empty the container's own variables."""
    values = Values.given(("NUM_NODES=2", "GPU_PER_NODE=8"), None)
    document, _, _ = read_job("job.yaml", values)
    assert "echo $RANK of 2" in document["spec"]["template"]["spec"]["containers"][0]["command"]
    (note,) = values.notes
    assert "RANK" in note
    assert "envsubst '$NUM_NODES $GPU_PER_NODE" in note


def test_a_file_of_values_is_read_as_a_shell_reads_it() -> None:
    """`export`, quotes, comments, earlier names; --set wins."""
    Path("env").write_text("# sizes\nexport N=2 # two\nexport NUM_NODES=${N}\nGPU_PER_NODE='8'\nOTHER=$(date)\n")
    _, shape, _ = read_job("job.yaml", Values.given((), "env"))
    assert shape.pods == 2
    _, shape, _ = read_job("job.yaml", Values.given(("NUM_NODES=3",), "env"))
    assert shape.pods == 3


def test_a_value_that_a_command_would_print_is_named() -> None:
    """Commands are not run."""
    Path("env").write_text("export NUM_NODES=$(kubectl get nodes | wc -l)\nGPU_PER_NODE=8\n")
    assert any(line.startswith("env:1: ") and "NUM_NODES" in line for line in refused(env="env"))


WRONG = {
    "no value": (("NUM_NODES",), None, "NUM_NODES=4"),
    "no name": (("=4",), None, "NUM_NODES=4"),
    "a misspelt name": (("NUM_NODE=4",), None, "did you mean 'NUM_NODES'"),
    "no such file": ((), "env", "the file does not exist"),
    "a folder": ((), ".", "is a folder"),
    "no assignment": ((), "echo hello\n", "file:1: 'echo hello' is not an assignment; use NAME=VALUE"),
    "an open quote": ((), "A='b\n", "file:1: "),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_values_are_told_in_words(case: str) -> None:
    """With what to write."""
    sets, env, said = WRONG[case]
    if env and env not in {"env", "."}:
        Path("file").write_text(env)
        env = "file"
    assert said in "\n".join(refused(*sets, env=env))


def test_values_that_blow_a_manifest_up_are_refused() -> None:
    """Before it is filled."""
    Path("job.yaml").write_text(TEMPLATE + "# $NUM_NODES\n" * 1000)
    assert "characters" in refused(f"NUM_NODES={'1' * 10_000}")[0]


def test_a_file_without_variables_has_none_to_fill() -> None:
    """--set of it is a mistake."""
    Path("plain.yaml").write_text("{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a}]}}")
    assert "has no such variable; it has no variables" in refused("A=b", file="plain.yaml")[0]


def test_a_shells_own_variables_make_no_template() -> None:
    """A container's script has them everywhere."""
    pod = "{name: a, command: [bash, -c, 'echo $RANK ${WORLD_SIZE} {{ .Name }}']}"
    Path("plain.yaml").write_text(
        f"{{apiVersion: v1, kind: Pod, metadata: {{name: a}}, spec: {{containers: [{pod}]}}}}"
    )
    values = Values()
    read_job("plain.yaml", values)
    assert values.notes == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: {{ .Values.a }}\n", "job.yaml:1:4: this is a template of a Helm chart ({{ .Values.a }}); render it first"),
        ("{% if a %}\n", "job.yaml:1:1: this is a Jinja template ({% if a %}); render it first"),
        (
            TEMPLATE.replace("name: train", "name: '{{ name }}'"),
            "job.yaml:3:19: this is a Helm or Jinja template ({{ name }}); render it first",
        ),
        (TEMPLATE.replace("name: train", "$MORE, {"), "is not YAML"),
    ],
)
def test_other_templates_are_named(text: str, said: str) -> None:
    """With what renders them."""
    Path("job.yaml").write_text(text)
    assert said in refused()[0]


def test_a_value_that_breaks_the_syntax_is_named() -> None:
    """With its line."""
    (said,) = refused("NUM_NODES=4: 5", "GPU_PER_NODE=8")
    assert said.startswith("job.yaml:6:")
    assert said.endswith("your value of NUM_NODES")


def test_an_earlier_version_is_read_as_the_one_of_today() -> None:
    """And the report says what to write."""
    job = a_ray_cluster()
    Path("ray.yaml").write_text(yaml.safe_dump({**job, "apiVersion": "ray.io/v1alpha1"}))
    values = Values()
    document, shape, _ = read_job("ray.yaml", values)
    assert (document, shape.api_version) == (job, "ray.io/v1")
    (note,) = values.notes
    assert "ray.io/v1alpha1" in note
    assert "apiVersion: ray.io/v1" in note
