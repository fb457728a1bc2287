"""Which Python runs another team's program: theirs, where it can be found.

The engine's order (pulumi/pulumi `sdk/python/toolchain`, 3.260): `runtime.options` says the toolchain and the virtual
environment; without them the usual places.
"""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from muster.foreign.environment import of_poetry
from muster.foreign.project import Project
from muster.foreign.words import CannotBeRead

_SECONDS = 30
_IN = ("bin/python", "bin/python3", "Scripts/python.exe")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python, and why it is this one."""

    path: Path
    why: str


def interpreter_of(project: Project, asked: Path | None = None) -> Interpreter:
    """The interpreter of a project.

    Raises:
        CannotBeRead: one was named, here or in Pulumi.yaml, that is none.
    """
    if asked is not None:
        # A folder comes first: an environment may have the name of a command, such as env.
        found = within(asked) if asked.is_dir() else shutil.which(asked)
        if found is None:
            raise CannotBeRead(f"--python {asked}: no interpreter there; give the path of a python, or its environment")
        # The program runs in its own folder: a relative path would name a file there.
        return Interpreter(Path(found).absolute(), "--python")
    named = project.options.get("virtualenv")
    if isinstance(named, str) and named:
        python = within(project.root / named)
        if python is None:
            raise CannotBeRead(
                f"{project.file}: virtualenv '{named}' has no interpreter; make it (`pulumi install`), or give another "
                "with --python"
            )
        return Interpreter(python, f"virtualenv of {project.file.name}")
    if project.options.get("toolchain") == "poetry" and (python := _poetry(project.root)):
        return Interpreter(python, "poetry's environment")
    for folder in (project.root, *project.root.parents):
        if python := within(folder / ".venv"):
            return Interpreter(python, f"{folder / '.venv'}")
    return Interpreter(Path(sys.executable), "Muster's own: the project has none; --python names another")


def within(environment: Path) -> Path | None:
    """The interpreter of a virtual environment; None where there is none."""
    return next((environment / each for each in _IN if (environment / each).exists()), None)


def _poetry(root: Path) -> Path | None:
    """Where poetry keeps the project's environment; None where there is no poetry, or no environment."""
    poetry = shutil.which("poetry")
    if poetry is None:
        return None
    try:
        said = subprocess.run(
            [poetry, "env", "info", "--path"],
            cwd=root,
            env=of_poetry(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return within(Path(said.stdout.strip())) if said.returncode == 0 and said.stdout.strip() else None
