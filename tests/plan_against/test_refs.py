"""What `muster plan --against` takes for a commit, and in which repositories it finds one."""

import pytest

from tests.cli.conftest import Muster
from tests.plan_against.repositories import against, commit, compared, costs, git
from tests.stack_files import AS_OF


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
    commit(repository.folder, "another")
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "--quiet", "--depth", "1", f"file://{repository.folder}", str(clone / "it"))
    monkeypatch.chdir(clone / "it")
    ran = against(repository, ref="HEAD~1")
    assert ran.code == 2
    assert "shallow clone" in ran.err
    assert "fetch-depth: 0" in ran.err


@pytest.mark.parametrize("ref", ["--output=x", "", "main..HEAD", "main:stacks", "a\nb", "HEAD^{tree}"])
def test_what_names_no_commit_is_refused_in_words(repository: Muster, ref: str) -> None:
    """Nothing that is given becomes an option of git's, or a traceback."""
    ran = repository("plan", "p5-odcr", f"--against={ref}", "--as-of", AS_OF)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ")
    assert not (repository.folder / "x").exists()


def test_outside_of_a_repository(muster: Muster) -> None:
    """It says that there is none."""
    ran = against(muster)
    assert ran.code == 2
    assert "is not in a git repository, which" in ran.err


def test_without_git(repository: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what is missing."""
    monkeypatch.setenv("PATH", str(repository.folder))
    ran = against(repository)
    assert ran.code == 2
    assert "`git` is not on PATH;" in ran.err


def test_a_hook_of_another_repository_leads_nowhere_else(repository: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git tells its hooks where their repository is; ours is the one around the project."""
    monkeypatch.setenv("GIT_DIR", "/nowhere/.git")
    assert compared(repository)["changes"] == []
