"""Installs the packages of another team's program for one run, by pip as the person has it configured.

Packages that are built run their own code on the way, with the network and the person's home: nobody gets here without
having asked for it (`--install`).
"""

import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from muster import user_files
from muster.foreign.environment import of_pip
from muster.foreign.interpreter import Interpreter, interpreter_of, within
from muster.foreign.orphans import end_session
from muster.foreign.project import Project
from muster.foreign.shield import become_undumpable
from muster.foreign.words import CannotBeRead

_SECONDS = 900.0
"""What venv and pip have, together with the compilers that they start."""
_REQUIREMENTS, _PYPROJECT = "requirements.txt", "pyproject.toml"
INSTALLED = (_REQUIREMENTS, _PYPROJECT)
"""The files that are read."""
_OTHERWISE = "install it yourself, and name the environment with --python"


def installed(project: Project, scratch: Path, asked: Path | None = None) -> Interpreter:
    """A virtual environment below `scratch` with the program's packages.

    Args:
        project: whose packages.
        scratch: a folder that goes after the run.
        asked: the interpreter that the environment is made of; Muster's own without.

    Raises:
        CannotBeRead: the project names no packages, or they cannot be installed.
    """
    listed = _listed(project, scratch)
    base = interpreter_of(project, asked).path if asked is not None else Path(sys.executable)
    environment = scratch / "environment"
    become_undumpable()
    # -I: else a module of the project's, such as logging.py, would be taken for Python's own.
    _do([str(base), "-I", "-m", "venv", str(environment)], scratch, project, f"{base} makes no virtual environment")
    python = within(environment)
    if python is None:
        raise CannotBeRead(f"{base} makes no virtual environment; {_OTHERWISE}")
    pip = [str(python), "-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--quiet"]
    _do([*pip, "--requirement", str(listed)], scratch, project, f"pip could not install {_file(project)}")
    return Interpreter(python, f"with what {_file(project).name} names, installed for this run")


def _file(project: Project) -> Path:
    """Where the project names its packages."""
    folders = dict.fromkeys((project.root, project.folder))
    found = (folder / name for name in INSTALLED for folder in folders)
    for each in found:
        if each.exists():
            return each
    raise CannotBeRead(f"--install: neither {_REQUIREMENTS} nor {_PYPROJECT} is in {project.root}; {_OTHERWISE}")


def _listed(project: Project, scratch: Path) -> Path:
    """The packages, as pip reads them: of pyproject.toml its dependencies alone, for few programs are packages."""
    file = _file(project)
    if file.name == _REQUIREMENTS:
        return file
    try:
        data = tomllib.loads(user_files.read_text(file, user_files.DESCRIPTION))
    except user_files.CannotRead as fault:
        raise CannotBeRead(f"{file}: {fault.got}; {fault.remedy}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise CannotBeRead(f"{file}: is not TOML: {str(fault)[:200]}; mend it") from None
    names = _dependencies(data)
    if names is None:
        raise CannotBeRead(f"{file}: has no list of texts `dependencies` in [project]; {_OTHERWISE}")
    listed = scratch / "dependencies.txt"
    listed.write_text("\n".join(names), encoding="utf-8")
    return listed


def _dependencies(data: Mapping[str, Any]) -> list[str] | None:
    table = data.get("project")
    found = table.get("dependencies") if isinstance(table, Mapping) else None
    return found if isinstance(found, list) and all(isinstance(each, str) for each in found) else None


def _do(command: Sequence[str], scratch: Path, project: Project, failed: str) -> None:
    """Runs a command to its end, with all that it starts."""
    said = scratch / "said"
    try:
        with said.open("wb") as out:
            child = subprocess.Popen(  # noqa: S603 - what the person asked for
                command,
                cwd=project.root,
                env=of_pip(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                ended = child.wait(timeout=_SECONDS)
            finally:
                end_session(child)
    except subprocess.TimeoutExpired:
        raise CannotBeRead(f"{failed} within {_SECONDS:g} s; {_OTHERWISE}") from None
    except OSError as fault:
        raise CannotBeRead(f"{failed}: {fault.strerror}; {_OTHERWISE}") from None
    if ended:
        last = _last(said.read_text(encoding="utf-8", errors="replace"))
        raise CannotBeRead(f"{failed}: {last}; mend that, or {_OTHERWISE}")


def _last(said: str) -> str:
    """The last error, for hints may follow it; else the last line."""
    lines = [" ".join(line.split()) for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["it says nothing"])[-1]
