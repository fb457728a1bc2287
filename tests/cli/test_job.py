"""`muster job`: a manifest on stdout, or words on stderr and nothing on stdout."""

import ast
import json
from pathlib import Path

import pytest
import yaml

from muster.cli.commands import job
from muster.cli.exits import WrongInput
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import JobOptions
from tests.cli.conftest import Muster
from tests.jobs.printed_jobs import kubernetes_cluster

JOB = ("job", "nccl-tests", "--stack", "p5-odcr")


def test_stdout_is_the_manifest_under_a_comment(muster: Muster) -> None:
    ran = muster.judged(*JOB)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[:3] == [
        "# nccl-tests for stack p5-odcr, printed by `muster job`.",
        "# All numbers are derived from the nodes of the group: change the stack's description, not this file.",
        "apiVersion: kubeflow.org/v2beta1",
    ]
    manifest = yaml.safe_load(ran.out)
    assert manifest["spec"]["mpiReplicaSpecs"]["Worker"]["replicas"] == 1
    assert muster.judged(*JOB).out == ran.out


def test_it_follows_the_description(muster: Muster) -> None:
    muster.edit("        nodes: 1\n", "        nodes: {min: 0, start: 2, max: 4}\n")
    muster.edit("            count: 1\n", "            count: 4\n")
    assert "replicas: 2" in muster.judged(*JOB).out, "as many as the group starts with"
    assert "replicas: 3" in muster.judged(*JOB, "--nodes", "3").out
    refused = muster.judged(*JOB, "--nodes", "5")
    assert (refused.code, refused.out) == (2, "")


BLOCK = (
    "          capacity-block: {id: cr-fill-me-in, zone: us-west-2a, count: 1, active: false, "
    'starts: "2026-12-01", ends: "2026-12-15"}\n'
)


def test_a_group_without_nodes_until_its_block_is_active(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    text = muster.file().read_text()
    head, _, rest = text.partition("          reservation:\n")
    muster.file().write_text(head + BLOCK + rest[rest.index("        local-storage") :])
    ran = muster.judged(*JOB)
    assert ran.code == 0, ran.err
    assert ran.err == "note: group workers has no nodes until its Capacity Block is active\n"
    assert yaml.safe_load(ran.out)["kind"] == "MPIJob"
    assert muster.judged("plan", "p5-odcr", "--json").json["nodes"][1]["count"] == {"min": 0, "start": 0, "max": 1}
    monkeypatch.setattr("muster.cli.tables._width", lambda _: 1000)
    assert "0 to 1, 0 at first" in muster.judged("plan", "p5-odcr").out


def test_only_what_stops_is_said_of_a_refused_cluster(muster: Muster) -> None:
    muster.edit("        nodes: 1\n", "        nodes: 2\n")
    ran = muster("job", "nccl-tests", "--stack", "p5-odcr", "--as-of", "2027-04-01")
    assert (ran.code, ran.out) == (1, "")
    assert "mandatory reservation-covers-nodes" in ran.err
    assert "advisory kubernetes-standard-support" not in ran.err
    assert ran.err.splitlines()[-1].startswith("p5-odcr: 2 findings (1 mandatory, 1 advisory): ")
    assert ran.err.endswith(" (`muster check p5-odcr -v` for details)\n")


@pytest.mark.parametrize(
    ("arguments", "said"), [(("--queue", "main"), "the stack has no Kueue"), (("--group", "system"), "is for system")]
)
def test_what_does_not_fit_is_refused_in_words(muster: Muster, arguments: tuple[str, ...], said: str) -> None:
    """One line, and nothing on stdout."""
    ran = muster.judged(*JOB, *arguments)
    assert (ran.code, ran.out) == (2, "")
    (line,) = ran.err.splitlines()
    assert line.startswith("error: nccl-tests does not fit p5-odcr: ")
    assert said in line


OF_HYPERPOD = """\
      hyperpod-training-operator: {}
      cert-manager: {}
"""


@pytest.mark.parametrize(
    ("form", "addons"), [("hyperpod-cli", OF_HYPERPOD), ("hyperpod-cli-2", "      training-operator: {}\n")]
)
def test_a_form_needs_its_own_operator_and_no_other(muster: Muster, form: str, addons: str) -> None:
    """Today's CLI HyperPod's own, the blog's Kubeflow's; what is said of it needs no more."""
    stack = "hyperpod-training-plan"
    muster.take(stack)
    muster.edit("      mpi-operator: {}\n", addons, stack)
    ran = muster.judged("job", "pytorch-fsdp", "--stack", stack, "--image", "a.example/b:1", "--format", form)
    said = (
        "note: the stack has no file system that pods can mount: the job keeps no checkpoints, and starts "
        "from the beginning after a failure\n"
    )
    assert (ran.code, ran.err) == (0, said)
    assert "instance_type: ml.p5en.48xlarge" in ran.out


FORMS = sorted((job.name, name) for job in JOBS.values() for name in ("kubectl", *job.forms))


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_every_form_is_written(name: str, form: str) -> None:
    """As text that can be sent: YAML under a comment that says what takes it, or a Python file; else as JSON, too."""
    blueprint, chosen = kubernetes_cluster(name, form), JOBS[name]
    other = chosen.forms.get(form)
    _, text = job.manifest(chosen, blueprint, JobOptions(), other, as_json=False)
    if form == "torchx":
        assert isinstance(ast.parse(text).body[-1], ast.FunctionDef)
        with pytest.raises(WrongInput, match="--json"):
            job.manifest(chosen, blueprint, JobOptions(), other, as_json=True)
        return
    assert text.startswith(f"# {name} for stack tested, printed by `muster job`.\n")
    assert other is None or f"for: {other.sent_by}" in text
    _, as_json = job.manifest(chosen, blueprint, JobOptions(), other, as_json=True)
    read = json.loads(as_json)
    assert (read["items"] if read.get("kind") == "List" else [read]) == list(yaml.safe_load_all(text))


SLURM = ("job", "nccl-tests", "--stack", "pcluster-p4de-postinstall")


def test_a_cluster_with_slurm_gets_a_batch_script(muster: Muster) -> None:
    """Stdout is the script and nothing else, with or without its form's name; the same each time."""
    muster.take("pcluster-p4de-postinstall")
    ran = muster.judged(*SLURM)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[:2] == [
        "#!/bin/bash",
        "# nccl-tests for stack pcluster-p4de-postinstall, printed by `muster job`.",
    ]
    assert muster.judged(*SLURM, "--format", "sbatch").out == ran.out


def test_a_batch_script_as_json(muster: Muster) -> None:
    """Its options apart, and the script as it is."""
    muster.take("pcluster-p4de-postinstall")
    told = muster.judged(*SLURM, "--nodes", "2", "--json").json
    assert sorted(told) == ["group", "job", "options", "queue", "script", "stack"]
    assert (told["queue"], told["group"], told["options"]["nodes"]) == ("compute-gpu", "distributed-ml", "2")
    assert told["script"] == muster.judged(*SLURM, "--nodes", "2").out


def test_forms_of_the_other_kind_of_cluster_are_refused(muster: Muster) -> None:
    """By the stack's backend, with what to do."""
    muster.take("pcluster-p4de-postinstall")
    refused = muster.judged(*SLURM, "--format", "kubectl")
    assert (refused.code, refused.out) == (2, "")
    refused = muster.judged(*JOB, "--format", "sbatch")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("error: --format sbatch ")


def test_a_batch_script_is_no_manifest(muster: Muster, tmp_path: Path) -> None:
    """Where one is rehearsed on a cluster with Kubernetes the words say which clusters take it."""
    muster.take("pcluster-p4de-postinstall")
    script = tmp_path / "nccl-tests.sbatch"
    script.write_text(muster.judged(*SLURM).out, encoding="utf-8")
    refused = muster.judged("rehearse", "p5-odcr", "--file", str(script))
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith(f"error: {script} is a script")
