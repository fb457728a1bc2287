"""Children start in a folder and with variables that nobody else chose."""

import os
import shutil
from pathlib import Path

import pytest

from muster import child_process
from muster.cli.commands.plan_against import NotInGit, commit_of
from tests.stack_files import ROOT

MODULES = ("pip", "sitecustomize", "usercustomize", "encodings", "json", "runpy", "muster", "conftest")


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: whatever imports, obeys or runs anything of it leaves a file `ran`."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for each in MODULES:
        (folder / each).mkdir()
        for name in ("__init__.py", "__main__.py"):
            (folder / each / name).write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    program = f"#!/bin/sh\ntouch {tmp_path}/ran\n"
    for each in ("git", "uv", "go", "sbatch"):
        (folder / each).write_text(program)
        (folder / each).chmod(0o755)
    for each in ("uv.toml", "pyproject.toml"):
        (folder / each).write_text("this is not TOML")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", f".{os.pathsep}{folder}")
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    return folder


UV = child_process.PYTHON.with_name("uv")


@pytest.mark.parametrize(
    "command",
    [
        child_process.python("-m", "pip", "--version"),
        child_process.python("-m", "pip", "--python", child_process.PYTHON, "list"),
        child_process.python("-c", "import json, encodings"),
        child_process.module("muster.written_files", packages=ROOT),
        [UV, "pip", "list", "--python", child_process.PYTHON],
        ["git", "--version"],
    ],
    ids=lambda command: " ".join(str(each).rpartition("/")[2] for each in command)[:40],
)
def test_nothing_of_the_current_folder_runs(command: list[str | Path], hostile: Path) -> None:
    if command[0] == UV and not UV.exists():
        pytest.skip("uv is not installed")
    done = child_process.run(command)
    assert done.returncode == 0, done.stderr
    assert not (hostile.parent / "ran").exists()


def test_no_credential_reaches_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = [
        "AWS_SECRET_ACCESS_KEY",
        "GITHUB_TOKEN",
        "PULUMI_ACCESS_TOKEN",
        "LD_PRELOAD",
        "PYTHONPATH",
        "GIT_DIR",
        "GOFLAGS",
    ]
    for each in (*secret, "HTTPS_PROXY", "PIP_INDEX_URL"):
        monkeypatch.setenv(each, "")
    printed = child_process.run(["env"]).stdout.split()
    names = {each.partition("=")[0] for each in printed}
    assert "UV_NO_CONFIG=1" in printed
    assert not names & {*secret, "HTTPS_PROXY", "PIP_INDEX_URL"}
    downloads = child_process.environment(*child_process.DOWNLOADS)
    assert {"HTTPS_PROXY", "PIP_INDEX_URL"} <= downloads.keys()
    assert not downloads.keys() & {*secret}


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_folder_that_looks_like_a_bare_repository_configures_nothing(tmp_path: Path) -> None:
    """As a pull request can contain one: its configuration names programs that git would run."""
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    folder = tmp_path / "checkout"
    for each in ("objects", "refs/heads"):
        (folder / each).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "refs" / "heads" / "main").write_text(f"{'1' * 40}\n")
    (folder / "config").write_text(
        f"[core]\n repositoryformatversion = 1\n bare = true\n fsmonitor = {program}\n sshCommand = {program}\n"
        f'[extensions]\n partialClone = origin\n[remote "origin"]\n url = ext::{program}\n promisor = true\n'
        f' uploadpack = {program}\n[protocol "ext"]\n allow = always\n'
    )
    with pytest.raises(NotInGit):
        commit_of(folder, "main")
    assert not (tmp_path / "ran").exists()
