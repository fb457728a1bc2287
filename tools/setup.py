"""Creates .venv with exactly the packages of requirements.txt and this checkout.

Standard library only. The environment has a file .done, which exists only when the environment is complete. The
Makefile depends on it.
"""

import json
import os
import shutil
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from muster import child_process  # noqa: E402

VENV = ROOT / ".venv"
_DOWNLOADS = child_process.environment(*child_process.DOWNLOADS)


def main() -> None:
    """Creates or completes the environment. If the machine lacks something, it prints one line about it."""
    if sys.version_info < (3, 11):  # noqa: UP036 - the version of this Python is not known yet
        sys.exit(f"Muster needs Python 3.11 or newer; this is {sys.version.split()[0]} (try: make PYTHON=python3.12)")
    install = _installer(_environment(VENV), VENV)
    print("installing packages (half a minute the first time)", flush=True)
    for what in (("--require-hashes", "--requirement", ROOT / "requirements.txt"), (*_THIS_CHECKOUT, ROOT)):
        if code := _run(*install, *what):
            sys.exit(code)
    _lock_for_the_engine()
    (VENV / ".done").touch()


_THIS_CHECKOUT = ("--no-deps", "--no-build-isolation", "--editable")


def _environment(folder: Path) -> list[str | Path]:
    """The pip of an environment. Creates the environment if it does not exist."""
    if not (folder / "bin" / "python").exists():
        print(f"creating {folder.name}", flush=True)
        _create(folder)
    return _pip(folder / "bin" / "python")


def _installer(pip: Sequence[str | Path], folder: Path) -> list[str | Path]:
    """The command that installs packages into an environment: uv, which downloads in parallel, or else pip.

    uv does not read pip's configuration. If pip is configured with an index, and uv is not, uv gets pip's.
    """
    uv = VENV / "bin" / "uv"
    if not uv.exists():
        with tempfile.TemporaryDirectory() as made:
            lock = Path(made) / "uv.txt"
            lock.write_text(_locked("uv"))
            pip_of_uv = (*_pip(VENV / "bin" / "python"), "install", "--quiet")
            code = _run(*pip_of_uv, "--require-hashes", "--requirement", lock)
        if code or not uv.exists():
            return [*pip, "install", "--quiet"]
    if not {"UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_CONFIG_FILE"} & set(os.environ):
        known = child_process.run([*pip, "config", "get", "global.index-url"], env=_DOWNLOADS)
        if url := os.environ.get("PIP_INDEX_URL") or known.stdout.strip():
            _DOWNLOADS["UV_DEFAULT_INDEX"] = url
    return [uv, "pip", "install", "--quiet", "--python", folder / "bin" / "python"]


def _locked(package: str) -> str:
    """A package's lines of requirements.txt: its version and the hashes of its files."""
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(f"{package}=="))
    end = next((n for n, line in enumerate(lines[first + 1 :], first + 1) if not line.startswith(" ")), len(lines))
    return "\n".join(line for line in lines[first:end] if "#" not in line).rstrip(" \\") + "\n"


def _lock_for_the_engine() -> None:
    """Writes uv.lock (never committed: it holds index addresses) with the versions of requirements.txt.

    The engine runs `uv sync` before every command. Without a lock, that installs the newest versions. With a lock, it
    keeps these versions. If the lock cannot be written, the engine chooses the versions.
    """
    pins = [
        line.split("\\")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines() if "==" in line
    ]
    with tempfile.TemporaryDirectory() as folder:
        text = (ROOT / "pyproject.toml").read_text()
        (Path(folder) / "pyproject.toml").write_text(
            f"{text}\n[tool.uv]\nconstraint-dependencies = {json.dumps(pins)}\n"
        )
        shutil.copy(ROOT / "README.md", folder)  # noqa: TID251
        (Path(folder) / "muster").mkdir()
        shutil.copy(ROOT / "muster" / "__init__.py", Path(folder) / "muster")  # it has the version  # noqa: TID251
        done = child_process.run([VENV / "bin" / "uv", "lock", "--quiet"], cwd=Path(folder), env=_DOWNLOADS)
        if done.returncode == 0:
            shutil.copy(Path(folder) / "uv.lock", ROOT / "uv.lock")  # noqa: TID251
        else:
            print("uv.lock was not written: `pulumi up` chooses the versions of packages", flush=True)


def _create(folder: Path) -> None:
    """A virtual environment. It has no pip if this Python has no ensurepip (Debian without python3-venv)."""
    try:
        venv.create(folder, with_pip=True)
    except (child_process.SubprocessError, ImportError):
        venv.create(folder, with_pip=False, clear=True)


def _pip(python: Path) -> list[str | Path]:
    """The pip of the environment, or the pip of the machine with the environment as its target."""
    common = ("--disable-pip-version-check", "--no-input")
    own = child_process.python("-m", "pip", interpreter=python)
    if child_process.run([*own, "--version"]).returncode == 0:
        return [*own, *common]
    machines = child_process.python("-m", "pip")
    if child_process.run([*machines, "--version"]).returncode:
        sys.exit("this Python has neither ensurepip nor pip; install python3-venv (Debian, Ubuntu) and try again")
    return [*machines, "--python", python, *common]


def _run(*command: str | Path) -> int:
    """The exit code of a command whose output people see."""
    return child_process.run(command, env=_DOWNLOADS, show=True).returncode


if __name__ == "__main__":
    main()
