"""Builds the wheel and installs it, once in a run."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.conftest import Ran
from tests.stack_files import AS_OF, ROOT

UV = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")

WATCH = f"""
import sys

def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and arguments[0].startswith({f"{ROOT}{os.sep}"!r}):
        raise RuntimeError(f"a file of the checkout is opened: {{arguments[0]}}")

sys.addaudithook(watch)
"""
"""In the environment's sitecustomize.py: what is installed uses nothing of the checkout."""


ONE_AFTER_THE_OTHER = """
import contextlib, io, json, sys
from muster.cli.main import main

ran = []
for command in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main(command)
    ran.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(ran))
"""


@dataclass(frozen=True)
class Installed:
    """A Muster that is installed from its wheel."""

    folder: Path

    @property
    def environment(self) -> Path:
        """Its virtual environment."""
        return self.folder / "environment"

    @property
    def distributions(self) -> Path:
        """The folder of wheel and sdist."""
        return self.folder / "dist"

    def make(self) -> None:
        """Builds and installs, with the locked versions of what it depends on."""
        python = self.environment / "bin" / "python"
        self._uv("build", "--no-build-isolation", "--python", sys.executable, "--out-dir", self.distributions, ROOT)
        (wheel,) = self.distributions.glob("*.whl")
        self._uv("venv", "--python", sys.executable, self.environment)
        self._uv("pip", "install", "--python", python, "--constraint", ROOT / "constraints.txt", wheel)
        (packages,) = self.environment.glob("lib/python3*/site-packages")
        (packages / "sitecustomize.py").write_text(WATCH, encoding="utf-8")
        (self.folder / "done").touch()

    def muster(self, *arguments: str, project: Path) -> Ran:
        """Runs the command in a folder."""
        return self._run([self.environment / "bin" / "muster", *arguments], project)

    def all_of(self, commands: Iterable[list[str]], project: Path) -> list[tuple[list[str], Ran]]:
        """Runs command lines in a folder, one after the other."""
        asked = list(commands)
        ran = self._run([self.environment / "bin" / "python", "-c", ONE_AFTER_THE_OTHER, json.dumps(asked)], project)
        assert ran.code == 0, ran.err
        return [(command, Ran(*each)) for command, each in zip(asked, ran.json, strict=True)]

    def _run(self, command: list[str | Path], project: Path) -> Ran:
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.folder),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "MUSTER_AS_OF": AS_OF,
        }
        done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
        return Ran(done.returncode, done.stdout, done.stderr)

    def _uv(self, *arguments: str | Path) -> None:
        assert UV, "uv is among the development tools: make setup"
        subprocess.run([UV, *arguments, "--quiet"], check=True, cwd=self.folder)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """One for all workers of a run."""
    base = tmp_path_factory.getbasetemp()
    made = Installed((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "installed")
    made.folder.mkdir(exist_ok=True)
    with (made.folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (made.folder / "done").exists():
            made.make()
    return made
