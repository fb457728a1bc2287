"""What `make setup` does again, and what not: there is no other advice where AWS's own package is missing."""

import subprocess
from pathlib import Path

import pytest

from tests.stack_files import ROOT
from tools import setup

MUSTER, AWS = "-I tools/setup.py", "-I tools/setup.py parallelcluster"

PYTHON = """#!/bin/sh
echo "$*" >> ran
mkdir -p .venv .venv-parallelcluster/bin
case "$*" in
  *parallelcluster) touch .venv-parallelcluster/bin/python; [ -e refused ] || touch .venv-parallelcluster/.done ;;
  *) touch .venv/.done ;;
esac
"""
"""Stands in for the Python that runs tools/setup.py: says what it was asked, and leaves the files that it would."""


class Checkout:
    """The Makefile, and what `make setup` goes by."""

    def __init__(self, folder: Path) -> None:
        for name in ("requirements.txt", "pyproject.toml", "tools/setup.py", "muster/authority/requirements.txt"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).touch()
        (folder / "Makefile").write_text((ROOT / "Makefile").read_text(encoding="utf-8"))
        (folder / "python").write_text(PYTHON)
        (folder / "python").chmod(0o755)
        self.folder = folder

    def made(self) -> list[str]:
        """What `make setup` runs."""
        ran = self.folder / "ran"
        ran.unlink(missing_ok=True)
        subprocess.run(["make", "--quiet", "setup", "PYTHON=./python"], cwd=self.folder, check=True)
        return ran.read_text().splitlines() if ran.exists() else []


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """A fresh one."""
    return Checkout(tmp_path)


def test_each_environment_is_made_once(checkout: Checkout) -> None:
    assert checkout.made() == [MUSTER, AWS]
    assert checkout.made() == []


def test_what_could_not_be_installed_is_tried_again(checkout: Checkout) -> None:
    """Its Python is there and the package is not: Muster itself is ready all the same."""
    (checkout.folder / "refused").touch()
    assert checkout.made() == [MUSTER, AWS]
    assert checkout.made() == [AWS]
    (checkout.folder / "refused").unlink()
    assert checkout.made() == [AWS]
    assert checkout.made() == []


def test_an_environment_that_is_gone_is_made_again(checkout: Checkout) -> None:
    checkout.made()
    (checkout.folder / ".venv-parallelcluster" / ".done").unlink()
    assert checkout.made() == [AWS]


@pytest.mark.parametrize(("code", "done"), [(0, True), (1, False)])
def test_only_a_whole_environment_is_done(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *, done: bool
) -> None:
    """And one that is not says so, and is no failure."""
    monkeypatch.setattr(setup, "PARALLELCLUSTER", tmp_path)
    monkeypatch.setattr(setup, "_environment", lambda _: [])
    monkeypatch.setattr(setup, "_installer", lambda *_: ["sh", "-c", f"exit {code}"])
    setup.main(["parallelcluster"])
    assert (tmp_path / ".done").exists() is done
    said = (
        "AWS ParallelCluster's own package was not installed. `muster check` reports it as missing for ParallelCluster "
        "stacks. The next `make` tries again."
    )
    assert (said in capfd.readouterr().out) is not done
