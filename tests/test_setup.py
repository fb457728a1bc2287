"""What `make setup` does, and does again."""

import subprocess
from pathlib import Path

from tests.stack_files import ROOT

PYTHON = """#!/bin/sh
echo "$*" >> ran
mkdir -p .venv
touch .venv/.done
"""
"""Stands in for the Python that runs tools/setup.py: says what it was asked, and leaves the file that it would."""


def test_the_environment_is_made_once(tmp_path: Path) -> None:
    """And again if a file changes that it depends on."""
    for name in ("requirements.txt", "pyproject.toml", "tools/setup.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text(encoding="utf-8"))
    (tmp_path / "python").write_text(PYTHON)
    (tmp_path / "python").chmod(0o755)

    def made() -> list[str]:
        ran = tmp_path / "ran"
        ran.unlink(missing_ok=True)
        subprocess.run(["make", "--quiet", "setup", "PYTHON=./python"], cwd=tmp_path, check=True)
        return ran.read_text().splitlines() if ran.exists() else []

    assert made() == ["-I tools/setup.py"]
    assert made() == []
    (tmp_path / ".venv" / ".done").unlink()
    assert made() == ["-I tools/setup.py"]
