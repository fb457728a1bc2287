"""The Python of another team's program: interpreter, packages, environment variables, and the end of its processes."""

import ctypes
import os
import shutil
import signal
import site
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muster import child_process, user_files
from muster.foreign.project import CannotBeRead, Project

REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION")
"""Variables that programs read and that are not secret."""
_KEPT = frozenset(
    {
        "LANG",
        "LANGUAGE",
        "LD_LIBRARY_PATH",
        "LOGNAME",
        "PATH",
        "PYENV_ROOT",
        "PYENV_VERSION",
        "PYTHONPATH",
        "SYSTEMROOT",
        "TMPDIR",
        "TZ",
        "USER",
    }
)
_KEPT_FOR_POETRY = frozenset({"HOME", "POETRY_CACHE_DIR", "POETRY_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"})
_KEPT_FOR_PIP = frozenset(
    {
        "ALL_PROXY",
        "APPDATA",
        "CURL_CA_BUNDLE",
        "HOME",
        "HTTPS_PROXY",
        "HTTP_PROXY",
        "LOCALAPPDATA",
        "NETRC",
        "NO_PROXY",
        "REQUESTS_CA_BUNDLE",
        "SSL_CERT_DIR",
        "SSL_CERT_FILE",
        "USERPROFILE",
        "XDG_CACHE_HOME",
        "XDG_CONFIG_DIRS",
        "XDG_CONFIG_HOME",
    }
)


def base_environment() -> dict[str, str]:
    """The environment variables that every process needs; none that gives access to anything."""
    return {key: value for key, value in os.environ.items() if key in _KEPT or key.startswith("LC_")}


def program_environment(home: Path) -> dict[str, str]:
    """The environment of a program: its home directory is empty, so that no library finds a profile, a login or a
    kubeconfig there.

    Args:
        home: the directory, which is deleted after the run.
    """
    return {
        **base_environment(),
        **{key: os.environ[key] for key in REGIONS if key in os.environ},
        "HOME": str(home),
        "USERPROFILE": str(home),
        "PULUMI_HOME": str(home / ".pulumi"),
        "AWS_SHARED_CREDENTIALS_FILE": str(home / ".aws" / "credentials"),
        "AWS_CONFIG_FILE": str(home / ".aws" / "config"),
        # Else boto3 queries the machine's role, and waits for a timeout if there is none.
        "AWS_EC2_METADATA_DISABLED": "true",
        # Packages that are installed only for the user must be found.
        "PYTHONUSERBASE": os.environ.get("PYTHONUSERBASE") or site.getuserbase(),
        "PYTHONUNBUFFERED": "1",
    }


def poetry_environment() -> dict[str, str]:
    """The environment of poetry, which finds its virtual environments by the home directory; it does not run the
    program."""
    kept = {key: os.environ[key] for key in _KEPT_FOR_POETRY if key in os.environ}
    places = {key: value for key, value in os.environ.items() if key.startswith("POETRY_VIRTUALENVS_")}
    return {**base_environment(), **kept, **places, "POETRY_VIRTUALENVS_CREATE": "false"}


def pip_environment() -> dict[str, str]:
    """The environment of pip, with the variables for its configuration, its cache and access to its index; without any
    cloud credentials."""
    kept = {key: value for key, value in os.environ.items() if key.upper() in _KEPT_FOR_PIP or key.startswith("PIP_")}
    plain = {key: value for key, value in base_environment().items() if key != "PYTHONPATH"}
    return {**plain, **kept, "PYTHONUNBUFFERED": "1"}


_POETRY_SECONDS = 30
_PYTHON_IN_ENVIRONMENT = ("bin/python", "bin/python3", "Scripts/python.exe")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python, and why it is this one."""

    path: Path
    why: str


def interpreter_of(project: Project, named_python: Path | None = None) -> Interpreter:
    """The interpreter of a project.

    Raises:
        CannotBeRead: the one that --python or Pulumi.yaml names is not an interpreter.
    """
    if named_python is not None:
        # Folders first: an environment may have the name of a command, such as env.
        found = interpreter_in(named_python) if named_python.is_dir() else shutil.which(named_python)
        if found is None:
            raise CannotBeRead(
                f"--python {named_python}: no interpreter there; give the path of a Python interpreter, or of its "
                "virtual environment"
            )
        # The program runs in its own folder, where a relative path would mean another file.
        return Interpreter(Path(found).absolute(), "--python")
    named = project.options.get("virtualenv")
    if isinstance(named, str) and named:
        python = interpreter_in(project.root / named)
        if python is None:
            raise CannotBeRead(
                f"{project.file}: virtualenv '{named}' has no interpreter; create it (`pulumi install`), or set "
                "another interpreter with --python"
            )
        return Interpreter(python, f"virtualenv of {project.file.name}")
    if project.options.get("toolchain") == "poetry" and (python := _poetry(project.root)):
        return Interpreter(python, "poetry's environment")
    for folder in (project.root, *project.root.parents):
        if python := interpreter_in(folder / ".venv"):
            return Interpreter(python, f"{folder / '.venv'}")
    return Interpreter(
        child_process.PYTHON, "the interpreter of Muster, as the project has none; set another with --python"
    )


def interpreter_in(environment: Path) -> Path | None:
    """The interpreter of a virtual environment; None if there is none."""
    return next((environment / each for each in _PYTHON_IN_ENVIRONMENT if (environment / each).exists()), None)


def _poetry(root: Path) -> Path | None:
    """The interpreter of poetry's environment for the project; None if there is no poetry or no environment."""
    poetry = shutil.which("poetry")
    if poetry is None:
        return None
    try:
        answer = child_process.run(
            [poetry, "env", "info", "--path"], cwd=root, env=poetry_environment(), timeout=_POETRY_SECONDS
        )
    except (OSError, child_process.TimeoutExpired):
        return None
    return interpreter_in(Path(answer.stdout.strip())) if answer.returncode == 0 and answer.stdout.strip() else None


_PR_SET_CHILD_SUBREAPER = 36


@contextmanager
def end_orphans() -> Iterator[None]:
    """Ends the processes that become children of this process meanwhile. Does nothing on systems other than Linux."""
    if not sys.platform.startswith("linux"):
        yield
        return
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    before = _children()
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        while orphans := _children() - before:  # the children of an ended process come next
            for each in orphans:
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(each, 0)
        prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def end_session(child: "child_process.Child[bytes]") -> None:
    """Kills a child that is a session leader, with all processes of its session."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _children() -> set[int]:
    """The processes whose parent is this one."""
    me, found = str(os.getpid()), set()
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # "PID (name) state parent ...": the name may contain spaces and brackets.
            if each.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1] == me:
                found.add(int(each.parent.name))
    return found


_PR_SET_DUMPABLE, _PR_CAPBSET_DROP = 4, 24
_READING = (19, 21, 38)
"""CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_PERFMON: with any of them, root can also read an undumpable process."""


def become_undumpable() -> None:
    """Makes this process unreadable for processes of the same user, until it ends. Does nothing on systems other than
    Linux.

    It remains so, because a program may leave a process behind that reads this one later. Root could still read it with
    its capabilities, so programs that are started from now on do not get them.
    """
    if not sys.platform.startswith("linux"):
        return
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    for capability in _READING:
        prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)  # fails for users that do not have the capability
    prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


_INSTALL_SECONDS = 900.0
"""The timeout of venv, and of pip with the compilers that it starts."""
_REQUIREMENTS, _PYPROJECT = "requirements.txt", "pyproject.toml"
INSTALLED_HERE = (_REQUIREMENTS, _PYPROJECT)
"""The files that `--install` reads."""
_INSTALL_YOURSELF = "install the packages yourself, and set the environment with --python"


def install_packages(project: Project, scratch: Path, named_python: Path | None = None) -> Interpreter:
    """A virtual environment below `scratch` with the program's packages.

    Args:
        project: the project whose packages are installed.
        scratch: a folder that is deleted after the run.
        named_python: the interpreter that creates the environment. Default: Muster's interpreter.

    Raises:
        CannotBeRead: the project lists no packages, or they cannot be installed.
    """
    listed = _listed(project, scratch)
    base = interpreter_of(project, named_python).path if named_python is not None else child_process.PYTHON
    environment = scratch / "environment"
    become_undumpable()
    # -I: else a module of the project, such as logging.py, would replace one of Python's.
    _run_command(
        [str(base), "-I", "-m", "venv", str(environment)],
        scratch,
        project,
        f"{base} could not create a virtual environment",
    )
    python = interpreter_in(environment)
    if python is None:
        raise CannotBeRead(f"{base} could not create a virtual environment; {_INSTALL_YOURSELF}")
    pip = [str(python), "-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--quiet"]
    _run_command(
        [*pip, "--requirement", str(listed)],
        scratch,
        project,
        f"pip could not install the packages of {_file(project)}",
    )
    return Interpreter(python, f"with the packages of {_file(project).name}, installed for this run")


def _file(project: Project) -> Path:
    """The file in which the project lists its packages."""
    folders = dict.fromkeys((project.root, project.folder))
    found = (folder / name for name in INSTALLED_HERE for folder in folders)
    for each in found:
        if each.exists():
            return each
    raise CannotBeRead(
        f"--install: {project.root} contains neither {_REQUIREMENTS} nor {_PYPROJECT}; {_INSTALL_YOURSELF}"
    )


def _listed(project: Project, scratch: Path) -> Path:
    """The list of packages, as pip reads it: of pyproject.toml only its dependencies, because few programs are packages
    themselves."""
    file = _file(project)
    if file.name == _REQUIREMENTS:
        return file
    try:
        data = tomllib.loads(user_files.read_text(file, user_files.DESCRIPTION))
    except user_files.CannotRead as fault:
        raise CannotBeRead(f"{file}: {fault.got}; {fault.remedy}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise CannotBeRead(f"{file}: is not valid TOML: {str(fault)[:200]}; correct the syntax") from None
    names = _dependencies(data)
    if names is None:
        raise CannotBeRead(f"{file}: [project] has no `dependencies` list of strings; {_INSTALL_YOURSELF}")
    listed = scratch / "dependencies.txt"
    listed.write_text("\n".join(names), encoding="utf-8")
    return listed


def _dependencies(data: Mapping[str, Any]) -> list[str] | None:
    table = data.get("project")
    found = table.get("dependencies") if isinstance(table, Mapping) else None
    return found if isinstance(found, list) and all(isinstance(each, str) for each in found) else None


def _run_command(command: Sequence[str], scratch: Path, project: Project, failed: str) -> None:
    """Runs a command to its end, and ends all processes that it started."""
    output = scratch / "said"
    try:
        with output.open("wb") as out:
            child = child_process.start(  # by --install
                command,
                cwd=project.root,
                env=pip_environment(),
                stdin=child_process.DEVNULL,
                stdout=out,
                stderr=child_process.STDOUT,
                start_new_session=True,
            )
            try:
                ended = child.wait(timeout=_INSTALL_SECONDS)
            finally:
                end_session(child)
    except child_process.TimeoutExpired:
        raise CannotBeRead(f"{failed} within {_INSTALL_SECONDS:g} s; {_INSTALL_YOURSELF}") from None
    except OSError as fault:
        raise CannotBeRead(f"{failed}: {fault.strerror}; {_INSTALL_YOURSELF}") from None
    if ended:
        last = _last(output.read_text(encoding="utf-8", errors="replace"))
        raise CannotBeRead(f"{failed}: {last}; correct that, or {_INSTALL_YOURSELF}")


def _last(output: str) -> str:
    """The last line that reports an error (hints may follow it); else the last line."""
    lines = [" ".join(line.split()) for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["it printed nothing"])[-1]
