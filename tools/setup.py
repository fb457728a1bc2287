"""Makes .venv with exactly the packages of requirements.txt, and this checkout in it; told ``parallelcluster``, that of
AWS ParallelCluster's own package, whose pins do not go with Pulumi's. Standard library only.

Each has a file .done of its own, which is there only once the environment is whole: make goes by it.
"""

import json
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
    """Creates or completes an environment; says in one line what is missing on a machine that lacks something."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this runs before anything is known of the Python
        sys.exit(f"Muster needs Python 3.11 or newer; this is {sys.version.split()[0]} (try: make PYTHON=python3.12)")
    if "parallelcluster" in what:
        parallelcluster()
    else:
        _muster()


def _muster() -> None:
    pip = _environment(VENV)
    print("installing packages (a minute or two the first time)", flush=True)
    _run(*pip, "install", "--quiet", "--require-hashes", "--requirement", str(ROOT / "requirements.txt"))
    _run(*pip, "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    _lock_for_the_engine()
    (VENV / ".done").touch()


def _environment(folder: Path) -> list[str]:
    """The pip of an environment, which is made where there is none."""
    if not (folder / "bin" / "python").exists():
        print(f"creating {folder.name}", flush=True)
        _create(folder)
    return _pip(folder / "bin" / "python")


def parallelcluster() -> None:
    """AWS's own judge of ParallelCluster stacks. Everything else works without it, and `check` says where it is not:
    so that a machine on which it cannot be installed is no machine without Muster, and this is no failure."""
    print("installing AWS ParallelCluster's own package beside Muster's (half a minute the first time)", flush=True)
    pip = _environment(PARALLELCLUSTER)
    lock = str(ROOT / "tools" / "parallelcluster" / "requirements.txt")
    if subprocess.run([*pip, "install", "--quiet", "--require-hashes", "--requirement", lock], check=False).returncode:
        print(
            "it could not be installed, and `muster check` will say so of ParallelCluster stacks; "
            "the next make tries again",
            flush=True,
        )
    else:
        (PARALLELCLUSTER / ".done").touch()


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
