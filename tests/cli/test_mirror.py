"""`muster mirror --script`: a shell runs it as it is. What is printed of stacks is in `transcripts/mirror.txt`."""

import os
import shlex
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from muster.addons.charts.mirror import Copy, MirrorList
from muster.addons.context import Mirrors
from muster.cli.commands import mirror
from tests.cli.conftest import Muster

ECR = "111122223333.dkr.ecr.us-west-2.amazonaws.com"


def commands(script: str) -> list[list[str]]:
    """The words of every line that does something."""
    lines = [line for line in script.splitlines() if line and not line.startswith("#")]
    return [shlex.split(line) for line in lines]


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


def test_two_that_would_be_called_alike_exit_1(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is printed all the same, and the two are named."""
    clash = {"a": ("quay.io/x/y:1",), "b": ("ghcr.io/x/y:1",)}
    monkeypatch.setattr("muster.cli.commands.mirror._job_images", lambda _: clash)
    ran = muster("mirror", "p5-odcr", "--to", "r.example.org")
    assert ran.code == 1
    assert all(each in ran.err for each in ("r.example.org/x/y:1", "ghcr.io/x/y:1", "quay.io/x/y:1"))
    assert "quay.io/x/y:1" in ran.out


DIGEST = "sha256:" + "0123456789abcdef" * 4
REGISTRY = "r.example.org/m"
WHERE = Mirrors(f"oci://{REGISTRY}", REGISTRY)


def a_copy(what: Any, source: str, destination: str, **more: Any) -> Copy:
    """Something to copy, with a digest that is known."""
    settings: dict[str, Any] = {"name": source, "version": None, "digest": DIGEST, "users": ("a",), **more}
    return Copy(what, source, destination=destination, **settings)


def script(*copies: Copy) -> list[list[str]]:
    return commands("\n".join(mirror.script_lines("it", MirrorList(copies, (), (), ()), WHERE)))


def test_what_has_a_digest_is_copied_by_it() -> None:
    """And gets its tag in the mirror: skopeo takes no reference with both. A registry's port is no tag."""
    scheme = "docker://"
    image = a_copy("image", "r:5000/a/b:v1", f"{REGISTRY}/a/b:v1")
    only = a_copy("image", f"quay.io/c/d@{DIGEST}", f"{REGISTRY}/c/d@{DIGEST}")
    chart = a_copy("chart", "oci://ghcr.io/charts/e", f"oci://{REGISTRY}/e", name="e", version="1.0.0")
    assert [words[-2:] for words in script(image, only, chart) if words[0] == "skopeo"] == [
        [f"{scheme}r:5000/a/b@{DIGEST}", f"{scheme}{REGISTRY}/a/b:v1"],
        [f"{scheme}quay.io/c/d@{DIGEST}", f"{scheme}{REGISTRY}/c/d@{DIGEST}"],
        [f"{scheme}ghcr.io/charts/e@{DIGEST}", f"{scheme}{REGISTRY}/e:1.0.0"],
    ]


def test_names_of_charts_are_no_commands() -> None:
    """Whatever a description calls them, a shell takes it as one word."""
    evil = "a; touch /tmp/x $(id)"
    chart = a_copy("chart", "https://example.org/$(id)", f"oci://{REGISTRY}/{evil}", name=evil, version="1.0.0")
    (pull,) = [words for words in script(chart) if "pull" in words]
    assert pull[pull.index("pull") + 1 :][:4] == [evil, "--repo", "https://example.org/$(id)", "--version"]
