"""`muster plan --against`: what it shows of two plans, what it takes for a commit, and in which repositories."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Muster, Ran
from tests.stack_files import AS_OF

_IDENTITY = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def git(folder: Path, *arguments: str) -> str:
    """Runs git there, as somebody with no settings of their own."""
    command = ["git", "-C", str(folder), "-c", "init.defaultBranch=main", *arguments]
    ran = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **_IDENTITY})
    return ran.stdout.strip()


def commit(folder: Path) -> None:
    """Commits everything there is."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "as it was")


@pytest.fixture
def repository(muster: Muster) -> Muster:
    """The project in a repository of its own, with one commit."""
    git(muster.folder, "init", "--quiet")
    commit(muster.folder)
    return muster


def against(muster: Muster, *more: str, stack: str = "p5-odcr", ref: str = "main") -> Ran:
    """Runs it on a fixed day."""
    return muster("plan", stack, f"--against={ref}", "--as-of", AS_OF, *more)


def compared(muster: Muster, stack: str = "p5-odcr") -> Any:
    """What it prints for programs; what rules find in today's description is not the matter here."""
    ran = against(muster, "--json", stack=stack)
    assert ran.code in {0, 1}, ran.err
    return ran.json["against"]


def costs(found: Any) -> dict[str, str]:
    """Path -> cost."""
    return {each["path"]: each["cost"] for each in found["changes"]}


def test_nothing_changed(repository: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """A comment is no change. Git tells its hooks where their repository is; ours is the one around the project."""
    repository.edit("config:", "config: # of the cluster")
    monkeypatch.setenv("GIT_DIR", "/nowhere/.git")
    found = compared(repository)
    assert (found["changes"], found["resources"]) == ([], [])


def test_a_changed_key_with_its_cost_and_its_resources(repository: Muster) -> None:
    repository.edit("size: 300GiB", "size: 400GiB")
    found = compared(repository)
    assert costs(found) == {"groups.workers.volume.size": "drains nodes"}
    assert {(each["operation"], each["name"], *each["inputs"]) for each in found["resources"]} == {
        ("update", "workers", "blockDeviceMappings"),
    }
    assert "groups.workers.volume.size: " in against(repository).out


def test_a_renamed_group_goes_and_comes(repository: Muster) -> None:
    """The resources of the old name are only in the earlier plan, those of the new name only in this one."""
    repository.edit("      workers:", "      trainers:")
    found = {(each["operation"], each["type"], each["name"]) for each in compared(repository)["resources"]}
    group = "aws:eks/nodeGroup:NodeGroup"
    assert {("delete", group, "workers"), ("create", group, "trainers")} <= found


def test_a_stack_that_the_commit_does_not_have(repository: Muster) -> None:
    """All its resources are new."""
    stacks = repository.folder / "stacks"
    (stacks / "Pulumi.new.yaml").write_text((stacks / "Pulumi.p5-odcr.yaml").read_text())
    found = compared(repository, stack="new")
    assert {each["operation"] for each in found["resources"]} == {"create"}


def test_a_file_that_could_not_be_read(repository: Muster) -> None:
    """It is no empty plan."""
    repository.edit("backend: eks", "backend: aks")
    commit(repository.folder)
    repository.edit("backend: aks", "backend: eks")
    ran = against(repository, ref="HEAD")
    assert (ran.code, ran.out) == (2, "")
    assert "HEAD" in ran.err


def test_a_project_below_the_root_and_a_worktree(
    repository: Muster, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ref's files are those of the same folder, wherever the repository's root is, and nothing is checked out."""
    root = tmp_path_factory.mktemp("outer")
    git(root, "init", "--quiet")
    inner = root / "teams" / "ml platform"
    inner.mkdir(parents=True)
    for name in ("Pulumi.yaml", "stacks"):
        (repository.folder / name).rename(inner / name)
    commit(root)
    git(root, "worktree", "add", "--quiet", "--detach", str(root / "elsewhere"))
    there = root / "elsewhere" / "teams" / "ml platform"
    file = there / "stacks" / "Pulumi.p5-odcr.yaml"
    file.write_text(file.read_text().replace("size: 300GiB", "size: 400GiB"))
    status = git(root, "status", "--porcelain")
    monkeypatch.chdir(there)
    assert costs(compared(repository)) == {"groups.workers.volume.size": "drains nodes"}
    assert git(root, "status", "--porcelain") == status


def test_a_shallow_clone_is_named(
    repository: Muster, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What brings the history is said."""
    commit(repository.folder)
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "--quiet", "--depth", "1", f"file://{repository.folder}", str(clone / "it"))
    monkeypatch.chdir(clone / "it")
    ran = against(repository, ref="HEAD~1")
    assert ran.code == 2
    assert "fetch-depth: 0" in ran.err


@pytest.mark.parametrize("ref", ["--output=x", "", "main..HEAD", "main:stacks", "a\nb", "HEAD^{tree}"])
def test_what_names_no_commit_is_refused_in_words(repository: Muster, ref: str) -> None:
    """Nothing that is given becomes an option of git's, or a traceback."""
    ran = against(repository, ref=ref)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ")
    assert not (repository.folder / "x").exists()


def test_outside_of_a_repository_and_without_git(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = against(muster)
    assert (ran.code, "git repository" in ran.err) == (2, True)
    monkeypatch.setenv("PATH", str(muster.folder))
    ran = against(muster)
    assert (ran.code, "PATH" in ran.err) == (2, True)
