"""`muster policies path` and `muster components path`: what Pulumi starts."""

import sys
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Muster


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


def test_the_pack_has_this_python_and_knows_the_project(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(muster.folder / "stacks")
    folder = Path(muster("policies", "path").out.strip())
    options = yaml.safe_load((folder / "PulumiPolicy.yaml").read_text())["runtime"]["options"]
    assert options == {"toolchain": "pip", "virtualenv": str(Path(sys.prefix).resolve())}
    assert f"os.chdir({str(muster.folder)!r})\n" in (folder / "__main__.py").read_text()
    assert muster("policies", "path", "--json").json == {"contract": 1, "path": str(folder)}


def test_outside_of_a_project_it_is_another_pack(
    muster: Muster, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For programs of other teams."""
    inside = muster("policies", "path").out
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    outside = muster("policies", "path").out
    assert outside != inside
    assert "chdir" not in (Path(outside.strip()) / "__main__.py").read_text()


def test_a_changed_pack_is_repaired(muster: Muster) -> None:
    """Pulumi runs its program, and imports from its folder first."""
    folder = Path(muster("policies", "path").out.strip())
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    (folder / "__main__.py").write_text("print('changed')\n")
    (folder / "muster").mkdir()
    (folder / "muster" / "__init__.py").touch()
    (folder / "PulumiPolicy.yaml").rename(folder / "yaml.py")
    (folder / "PulumiPolicy.yaml").symlink_to("yaml.py")
    muster("policies", "path")
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == before
    assert not any(each.is_symlink() for each in folder.iterdir())


def test_a_cache_that_cannot_be_written(muster: Muster, cache: Path) -> None:
    (cache / "muster").touch()
    ran = muster("policies", "path")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert ran.err.endswith("; set XDG_CACHE_HOME to a folder you can write to\n")


def test_the_component_plugin_is_an_executable_file(muster: Muster) -> None:
    """By the name that Pulumi looks for."""
    file = Path(muster("components", "path").out.strip())
    assert file.name == "pulumi-resource-muster"
    assert file.stat().st_mode & 0o111
