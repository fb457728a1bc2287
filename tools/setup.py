"""Makes .venv with exactly the packages of requirements.txt, and this checkout in it; told ``parallelcluster``, that of
AWS ParallelCluster's own package, whose pins do not go with Pulumi's. Standard library only.

Each has a file .done of its own, which is there only once the environment is whole: make goes by it.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PARALLELCLUSTER = ROOT / ".venv-parallelcluster"
"""Where `muster.authority` looks for AWS's package."""


def main(what: Sequence[str] = ()) -> None:
    """Creates or completes an environment; prints in one line what a machine lacks."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this runs before anything is known of the Python
        sys.exit(f"Muster needs Python 3.11 or newer; this is {sys.version.split()[0]} (try: make PYTHON=python3.12)")
    if "parallelcluster" in what:
        parallelcluster()
    else:
        _muster()


def _muster() -> None:
    install = _installer(_environment(VENV), VENV)
    print("installing packages (half a minute the first time)", flush=True)
    _run(*install, "--require-hashes", "--requirement", str(ROOT / "requirements.txt"))
    _run(*install, "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    _lock_for_the_engine()
    (VENV / ".done").touch()


def parallelcluster() -> None:
    """AWS's own judge of ParallelCluster stacks. Everything else works without it, and `check` says where it is not:
    so that a machine on which it cannot be installed is no machine without Muster, and this is no failure."""
    print("installing AWS ParallelCluster's own package beside Muster's", flush=True)
    install = _installer(_environment(PARALLELCLUSTER), PARALLELCLUSTER)
    lock = str(ROOT / "tools" / "parallelcluster" / "requirements.txt")
    if subprocess.run([*install, "--require-hashes", "--requirement", lock], check=False).returncode:
        print(
            "it could not be installed, and `muster check` will say so of ParallelCluster stacks; "
            "the next make tries again",
            flush=True,
        )
    else:
        (PARALLELCLUSTER / ".done").touch()


def _environment(folder: Path) -> list[str]:
    """The pip of an environment, which is made where there is none."""
    if not (folder / "bin" / "python").exists():
        print(f"creating {folder.name}", flush=True)
        _create(folder)
    return _pip(folder / "bin" / "python")


def _installer(pip: Sequence[str], folder: Path) -> list[str]:
    """The command that installs packages into an environment: uv, which downloads side by side, or pip without it.

    uv does not read pip's configuration. Where pip has an index of its own, and uv was given none, uv gets pip's.
    """
    uv = VENV / "bin" / "uv"
    if not uv.exists():
        with tempfile.TemporaryDirectory() as made:
            lock = Path(made) / "uv.txt"
            lock.write_text(_locked("uv"))
            done = subprocess.run(
                [*_pip(VENV / "bin" / "python"), "install", "--quiet", "--require-hashes", "--requirement", str(lock)],
                check=False,
            )
        if done.returncode or not uv.exists():
            return [*pip, "install", "--quiet"]
    if not {"UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_CONFIG_FILE"} & set(os.environ):
        known = subprocess.run([*pip, "config", "get", "global.index-url"], capture_output=True, text=True, check=False)
        if url := os.environ.get("PIP_INDEX_URL") or known.stdout.strip():
            os.environ["UV_DEFAULT_INDEX"] = url
    return [str(uv), "pip", "install", "--quiet", "--python", str(folder / "bin" / "python")]


def _locked(package: str) -> str:
    """A package's lines of requirements.txt: its version and the hashes of its files."""
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(f"{package}=="))
    end = next((n for n, line in enumerate(lines[first + 1 :], first + 1) if not line.startswith(" ")), len(lines))
    return "\n".join(line for line in lines[first:end] if "#" not in line).rstrip(" \\") + "\n"


def _lock_for_the_engine() -> None:
    """Writes uv.lock (never committed: it holds index addresses) with the versions of requirements.txt.

    The engine runs `uv sync` before every command. Without a lock that would take the newest versions it finds; with
    one it keeps these. Where it cannot be written the engine's own choice is what there is.
    """
    pins = [
        line.split("\\")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines() if "==" in line
    ]
    with tempfile.TemporaryDirectory() as folder:
        text = (ROOT / "pyproject.toml").read_text()
        (Path(folder) / "pyproject.toml").write_text(
            f"{text}\n[tool.uv]\nconstraint-dependencies = {json.dumps(pins)}\n"
        )
        shutil.copy(ROOT / "README.md", folder)
        done = subprocess.run([VENV / "bin" / "uv", "lock", "--quiet"], cwd=folder, capture_output=True, check=False)
        if done.returncode == 0:
            shutil.copy(Path(folder) / "uv.lock", ROOT / "uv.lock")
        else:
            print("uv.lock could not be written; `pulumi up` will choose versions itself", flush=True)


def _create(folder: Path) -> None:
    """A virtual environment; without pip where the machine's Python has no ensurepip (Debian without python3-venv)."""
    try:
        venv.create(folder, with_pip=True)
    except (subprocess.CalledProcessError, ImportError):
        venv.create(folder, with_pip=False, clear=True)


def _pip(python: Path) -> list[str]:
    """The pip of the environment, or the machine's own told to work on it."""
    has_own = subprocess.run([python, "-c", "import pip"], capture_output=True, check=False).returncode == 0
    common = ["--disable-pip-version-check", "--no-input"]
    if has_own:
        return [str(python), "-m", "pip", *common]
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode:
        sys.exit("this Python has neither ensurepip nor pip; install python3-venv (Debian, Ubuntu) and try again")
    return [sys.executable, "-m", "pip", "--python", str(python), *common]


def _run(*command: str) -> None:
    done = subprocess.run(command, check=False)
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    main(sys.argv[1:])
