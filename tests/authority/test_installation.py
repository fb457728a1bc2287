"""`muster pcluster install`: an environment in the cache, complete or not used."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from muster.authority import installation
from muster.authority.installation import NotInstalled, package_python


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would be run, in a checkout without the package and with an empty cache."""
    commands: list[list[str]] = []

    def run(command: Any, **_: Any) -> "subprocess.CompletedProcess[str]":
        commands.append([str(each) for each in command])
        return subprocess.CompletedProcess(command, 1 if (tmp_path / "no network").exists() else 0)

    monkeypatch.setattr(installation.child_process, "run", run)
    monkeypatch.setattr(installation, "checkout_root", lambda: tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(installation.VARIABLE, raising=False)
    return commands


def test_it_is_found_once_it_is_installed(ran: list[list[str]]) -> None:
    """With the hashes of the lock that is in the package."""
    with pytest.raises(NotInstalled, match="run `muster pcluster install`"):
        package_python()
    environment = installation.install()
    assert package_python() == environment / "bin" / "python"
    assert "--require-hashes" in ran[-1]
    lock = Path(ran[-1][-1])
    assert lock.is_relative_to(Path(installation.__file__).parent)
    assert "\naws-parallelcluster==" in lock.read_text(encoding="utf-8")


def test_what_could_not_be_installed_is_not_used(ran: list[list[str]], tmp_path: Path) -> None:
    (tmp_path / "no network").touch()
    with pytest.raises(NotInstalled, match="pip could not install aws-parallelcluster"):
        installation.install()
    with pytest.raises(NotInstalled, match="is not installed"):
        package_python()
