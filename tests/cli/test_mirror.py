"""`muster mirror`: a list, scripts that a shell runs as they are, and JSON."""

import os
import shlex
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from muster.addons.charts.mirror import Copy, CopyKind, MirrorList
from muster.addons.context import Mirrors
from muster.cli.commands import mirror
from tests.cli.conftest import Muster

ECR = "111122223333.dkr.ecr.us-west-2.amazonaws.com"
JOB_IMAGE = "public.ecr.aws/hpc-cloud/nccl-tests"


def commands(script: str) -> list[list[str]]:
    """The words of every line that does something."""
    lines = [line for line in script.splitlines() if line and not line.startswith("#")]
    return [shlex.split(line) for line in lines]


def test_the_list(muster: Muster) -> None:
    """A line each with tabs in it; what is not copied is told in remarks."""
    ran = muster("mirror", "p5-odcr", "--to", "r.example.org/m")
    assert (ran.code, ran.err) == (0, "")
    rows = [line.split("\t") for line in ran.out.splitlines() if not line.startswith("#")]
    assert [row[0] for row in rows] == ["chart", "chart", "image", "image", "image", "image"]
    assert [
        "image",
        "nvcr.io/nvidia/k8s-device-plugin:v0.20.0",
        "r.example.org/m/nvidia/k8s-device-plugin:v0.20.0",
    ] in [row[:3] for row in rows]
    (job,) = [row for row in rows if row[1].startswith(JOB_IMAGE)]
    assert job[4] == "job nccl-tests, job efa-check"
    remarks = [line for line in ran.out.splitlines() if line.startswith("#")]
    assert not [line for line in remarks if "job" in line], "jobs take their images from the mirror by themselves"
    assert len([line for line in remarks if "images of EKS add-ons" in line]) == 1
    assert any("not copied: the manifest of mpi-operator: https://" in line for line in remarks)


def test_the_descriptions_mirrors_are_the_destination(muster: Muster) -> None:
    """Until --to names another."""
    muster.edit(
        "    addons:\n",
        "    image-mirror: r.example.org/ours\n    chart-mirror: https://r.example.org/charts\n    addons:\n",
    )
    told = muster("mirror", "p5-odcr", "--json").json
    assert {each["destination"].partition("/")[2].split("/")[0] for each in told["images"]} == {"ours"}
    assert {each["destination"] for each in told["charts"]} == {
        "https://r.example.org/charts/nvidia-device-plugin",
        "https://r.example.org/charts/aws-efa-k8s-device-plugin",
    }
    other = muster("mirror", "p5-odcr", "--json", "--to", "other.example.org").json
    assert {each["destination"].partition("/")[0] for each in other["images"]} == {"other.example.org"}


def test_a_script_copies_each_thing_of_the_list_once(muster: Muster) -> None:
    """Images with the tool, charts of an index with helm."""
    told = muster("mirror", "p5-odcr", "--json", "--to", "r.example.org/m").json
    ran = muster("mirror", "p5-odcr", "--script", "--to", "r.example.org/m")
    assert (ran.code, ran.err) == (0, "")
    made = commands(ran.out)
    copied = [words[-2:] for words in made if words[:2] == ["skopeo", "copy"]]
    assert copied == [[f"docker://{each['source']}", f"docker://{each['destination']}"] for each in told["images"]]
    pulled = [words[words.index("pull") + 1 :] for words in made if "pull" in words]
    assert [words[:5] for words in pulled] == [
        [each["name"], "--repo", each["source"], "--version", each["version"]] for each in told["charts"]
    ]
    pushed = [words[-1] for words in made if words[:2] == ["helm", "push"]]
    assert pushed == ["oci://r.example.org/m/charts"] * len(told["charts"])
    assert "#   image-mirror: r.example.org/m\n#   chart-mirror: oci://r.example.org/m/charts\n" in ran.out


def a_program(folder: Path, name: str, body: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


@pytest.mark.parametrize("to", ["r.example.org/m", f"{ECR}/m"])
def test_a_shell_runs_the_script_to_its_end(muster: Muster, tmp_path: Path, to: str) -> None:
    """With programs of those names that only note what they are told; helm leaves an archive, as it does."""
    folder, noted = tmp_path / "bin", tmp_path / "noted"
    folder.mkdir()
    for name in ("skopeo", "aws"):
        a_program(folder, name, f'echo {name} "$@" >>{noted}')
    pull = 'if [ "$1" = pull ]; then for last; do :; done; touch "$last/$2-0.tgz"; fi'
    a_program(folder, "helm", f'echo helm "$@" >>{noted}\n{pull}')
    script = muster("mirror", "p5-odcr", "--script", "--to", to).out
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "TMPDIR": str(tmp_path)}
    subprocess.run(["sh", "-c", script], check=True, env=environment)
    told = noted.read_text().splitlines()
    assert len([line for line in told if line.startswith("skopeo copy")]) == 4
    pushed = [line.split()[2].rpartition("/")[2] for line in told if line.startswith("helm push")]
    assert pushed == ["aws-efa-k8s-device-plugin-0.tgz", "nvidia-device-plugin-0.tgz"]
    logins = {line.split()[-1] for line in told if " login " in line}
    # The EFA plugin's image is in a registry of EKS's own, which wants a login, too.
    assert {"602401143452.dkr.ecr.us-west-2.amazonaws.com", *([ECR] if to.startswith(ECR) else [])} == logins


def test_ecr_gets_its_repositories_first(muster: Muster) -> None:
    """It makes none by itself; elsewhere nothing is made."""
    script = muster("mirror", "p5-odcr", "--script", "--to", f"{ECR}/m").out
    lines = script.splitlines()
    (made,) = [number for number, line in enumerate(lines) if "create-repository" in line and "m/nvidia/" in line]
    assert lines[made + 1].startswith(
        "skopeo copy --all --preserve-digests docker://nvcr.io/nvidia/k8s-device-plugin:v0.20.0 "
    )
    assert script.count("aws ecr create-repository") == 6
    assert "create-repository" not in muster("mirror", "p5-odcr", "--script", "--to", "r.example.org").out


def test_charts_of_a_registry_are_copied_as_images_are(muster: Muster) -> None:
    """By skopeo, which keeps their digests; a plus in a version is no sign for a tag."""
    muster.edit("      mpi-operator: {}\n", "      neuron-device-plugin: {version: 1.9.0+b}\n")
    script = muster("mirror", "p5-odcr", "--script", "--to", "r.example.org/m").out
    source, destination = (
        "public.ecr.aws/neuron/neuron-helm-chart:1.9.0_b",
        "r.example.org/m/charts/neuron-helm-chart:1.9.0_b",
    )
    assert f"skopeo copy --all --preserve-digests docker://{source} docker://{destination}" in script


def test_two_that_would_be_called_alike_exit_1(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is printed all the same, and the two are named."""
    clash = {"a": ("quay.io/x/y:1",), "b": ("ghcr.io/x/y:1",)}
    monkeypatch.setattr("muster.cli.commands.mirror._job_images", lambda _: clash)
    ran = muster("mirror", "p5-odcr", "--to", "r.example.org")
    assert ran.code == 1
    assert ran.err == (
        "r.example.org/x/y:1 would be the name of both ghcr.io/x/y:1 and quay.io/x/y:1: "
        "copy one of them under another name\n"
    )
    assert "quay.io/x/y:1" in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--script",), "--to REGISTRY"),
        (("--to", "https://r.example.org"), "--to: 'https://r.example.org'"),
        (("--to", ""), "--to: ''"),
        (("--script", "--json"), "--json"),
    ],
)
def test_wrong_input_is_told_in_words(muster: Muster, arguments: tuple[str, ...], said: str) -> None:
    ran = muster("mirror", "p5-odcr", *arguments)
    assert ran.code == 2
    assert said in " ".join(ran.err.replace("│", " ").split())
    assert not ran.out


DIGEST = "sha256:" + "0123456789abcdef" * 4
REGISTRY = "r.example.org/m"


def a_copy(what: CopyKind, source: str, destination: str, **more: Any) -> Copy:
    """Something to copy, with a digest that is known."""
    settings: dict[str, Any] = {"name": source, "version": None, "digest": DIGEST, "users": ("a",), **more}
    return Copy(what, source, destination=destination, **settings)


def test_what_has_a_digest_is_copied_by_it() -> None:
    """And gets its tag in the mirror: skopeo takes no reference with both. A registry's port is no tag."""
    scheme = "docker://"
    image = a_copy(CopyKind.IMAGE, "r:5000/a/b:v1", f"{REGISTRY}/a/b:v1")
    only = a_copy(CopyKind.IMAGE, f"quay.io/c/d@{DIGEST}", f"{REGISTRY}/c/d@{DIGEST}")
    chart = a_copy(CopyKind.CHART, "oci://ghcr.io/charts/e", f"oci://{REGISTRY}/e", name="e", version="1.0.0")
    where = Mirrors(f"oci://{REGISTRY}", REGISTRY)
    script = "\n".join(mirror.script_lines("it", MirrorList((image, only, chart), (), (), ()), where))
    copies = [words[-2:] for words in commands(script) if words[0] == "skopeo"]
    assert copies == [
        [f"{scheme}r:5000/a/b@{DIGEST}", f"{scheme}{REGISTRY}/a/b:v1"],
        [f"{scheme}quay.io/c/d@{DIGEST}", f"{scheme}{REGISTRY}/c/d@{DIGEST}"],
        [f"{scheme}ghcr.io/charts/e@{DIGEST}", f"{scheme}{REGISTRY}/e:1.0.0"],
    ]


def test_names_of_charts_are_no_commands() -> None:
    """Whatever a description calls them, a shell takes it as one word."""
    evil = "a; touch /tmp/x $(id)"
    chart = a_copy(CopyKind.CHART, "https://example.org/$(id)", f"oci://{REGISTRY}/{evil}", name=evil, version="1.0.0")
    script = "\n".join(
        mirror.script_lines("it", MirrorList((chart,), (), (), ()), Mirrors(f"oci://{REGISTRY}", REGISTRY))
    )
    (pull,) = [words for words in commands(script) if "pull" in words]
    assert pull[pull.index("pull") + 1 :][:4] == [evil, "--repo", "https://example.org/$(id)", "--version"]
