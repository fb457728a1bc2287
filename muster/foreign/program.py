"""Runs a Pulumi program of another team in its interpreter, as a preview, against the offline monitor. Programs in YAML
are evaluated by Muster.

The program gets no AWS credentials: its environment variables and its home directory contain none, so that calls by
boto3 fail instead of reading or changing the account. This is not a sandbox: the program can use the disk and the
network.
"""

import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import TYPE_CHECKING, Any

from muster import child_process, user_files
from muster.foreign.project import YAML, CannotBeRead, Project, StackConfiguration
from muster.foreign.python_process import (
    INSTALLED_HERE,
    REGIONS,
    become_undumpable,
    end_orphans,
    end_session,
    install_packages,
    interpreter_of,
    program_environment,
)
from muster.json_text import NotJson, load

if TYPE_CHECKING:
    from muster.fleet.facts import Facts
    from muster.fleet.registration import Registration
    from muster.offline.gaps import Gap
    from muster.offline.monitor import OfflineMonitor

TIMEOUT_SECONDS = 120.0
"""The default timeout of a program. Importing SDKs takes most of its time."""

ORGANIZATION = "organization"
_PRINTED = "printed"
_RUNNER = Path(__file__).parent / "runner.py"
_FALLBACK = "us-east-1"
"""The Region if none is set. Each answer that depends on it is a gap."""
_LISTS = ("requirements.txt", "pyproject.toml", "Pipfile")
"""The files in which a project lists its packages."""
_LEFT = user_files.Limit(16 * 1024 * 1024, "")
"""The most bytes that Muster reads of a file that the program leaves behind."""
_TEXTS = ("ended", "file", "module", "pulumi", "python", "says", "type")
"""Keys of the runner's outcome that are strings."""
_ENCRYPTED = "the value is encrypted, so Muster does not know it"


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """What a program registered, and what Muster could not see of it."""

    registrations: "tuple[Registration, ...]"
    """Sorted by URN."""
    gaps: "tuple[Gap, ...]"
    """Sorted."""
    region: str | None
    interpreter: str
    """The interpreter that ran it, in words."""
    complaints: tuple[str, ...]
    """The program's own warnings and errors."""
    printed: int = 0
    """The number of lines that it printed."""


class ProgramFailed(CannotBeRead):
    """The program did not finish. The message states where and why."""


def run_program(
    project: Project,
    stack: str,
    *,
    python: Path | None = None,
    seconds: float = TIMEOUT_SECONDS,
    arguments: tuple[str, ...] = (),
    facts: "Facts | None" = None,
    region: str | None = None,
    known: "Callable[[], tuple[Facts | None, str | None]] | None" = None,
    install: bool = False,
) -> ProgramRun:
    """Runs a program on one of its stacks.

    Args:
        project: the project.
        stack: the stack whose configuration the program gets.
        python: the interpreter. Default: the project's interpreter.
        seconds: the timeout.
        arguments: the program's command line.
        facts: the known facts about the account.
        region: the Region, if neither the configuration nor the environment sets it.
        known: returns facts and Region instead. It is called while the program imports its SDKs.
        install: installs the program's packages for this run, into a virtual environment made by `python`.

    Raises:
        CannotBeRead: it cannot be run, or its configuration is incomplete.
        ProgramFailed: it raised an exception, or did not end.
        Exception: a bug of the monitor.
    """
    settings = project.settings(stack)
    own = _region(settings)
    if project.language == YAML:
        given = {"--python": python is not None, "--install": install}
        if left := [option for option, is_given in given.items() if is_given]:
            raise CannotBeRead(f"{left[0]}: the program is in YAML and needs no interpreter; remove the option")
        facts, region = known() if known else (facts, region)
        return _of_yaml(project, stack, settings, facts, own or region)
    with TemporaryDirectory(prefix="muster-") as scratch:
        chosen = install_packages(project, Path(scratch), python) if install else interpreter_of(project, python)
        outcome_file = Path(scratch) / "outcome.json"
        request = {
            "project": project.name,
            "stack": stack,
            "organization": ORGANIZATION,
            "root": str(project.root),
            "folder": str(project.folder),
            "program": project.program,
            "arguments": list(arguments),
            "config": dict(settings.values),
            "secrets": list(settings.secrets),
            "outcome": str(outcome_file),
        }
        become_undumpable()
        with end_orphans(), _started(chosen.path, request, settings, Path(scratch), project) as child:
            # These imports take as long as the program's interpreter takes to start.
            from muster.foreign.grpc_monitor import ProgramMessages, serve
            from muster.offline.monitor import OfflineMonitor

            monitor = OfflineMonitor(project.name, stack, _FALLBACK, preview=True, lenient=True)
            messages = ProgramMessages(ready=Event())
            with serve(monitor, messages) as address:
                _send_address(child, address)
                facts, region = known() if known else (facts, region)
                region = own or region
                monitor.place(region or _FALLBACK, assumed=region is None, facts=facts)
                messages.ready.set()
                _wait(child, seconds, project)
        printed = _printed(Path(scratch) / _PRINTED)
        if messages.bug is not None:
            raise messages.bug
        outcome = _outcome(outcome_file, printed, chosen.path)
    if outcome["ended"] != "done":
        raise ProgramFailed(_failure(outcome, project, chosen.path, monitor))
    sdk = f", pulumi {outcome['pulumi']}" if outcome.get("pulumi") else ""
    return _run_python(
        monitor,
        settings,
        region,
        f"{chosen.path} (Python {outcome['python']}{sdk}; {chosen.why})",
        tuple(messages.complaints),
        sum(1 for line in printed.splitlines() if line.strip()),
    )


def _of_yaml(
    project: Project, stack: str, settings: StackConfiguration, facts: "Facts | None", region: str | None
) -> ProgramRun:
    """Evaluates a program in YAML."""
    from muster.foreign.yaml_program import run_yaml_program
    from muster.offline.monitor import OfflineMonitor

    monitor = OfflineMonitor(project.name, stack, _FALLBACK, preview=True, lenient=True)
    monitor.place(region or _FALLBACK, assumed=region is None, facts=facts)
    complaints = run_yaml_program(project, stack, settings, monitor)
    return _run_python(monitor, settings, region, "Muster itself (a program in YAML needs no interpreter)", complaints)


def _run_python(
    monitor: "OfflineMonitor",
    settings: StackConfiguration,
    region: str | None,
    interpreter: str,
    complaints: tuple[str, ...],
    printed: int = 0,
) -> ProgramRun:
    from muster.offline.gaps import Gap, empty_program_gap

    registered = tuple(monitor.registrations[urn] for urn in sorted(monitor.registrations))
    gaps = {*monitor.gaps, *(Gap(key, _ENCRYPTED) for key in settings.encrypted), *empty_program_gap(registered)}
    return ProgramRun(registered, tuple(sorted(gaps)), region, interpreter, complaints, printed)


def _region(settings: StackConfiguration) -> str | None:
    """The Region of the stack's default provider."""
    configured = [settings.values.get(f"{package}:region") for package in ("aws", "aws-native")]
    return next((each for each in (*configured, *(os.environ.get(name) for name in REGIONS)) if each), None)


def _environment(settings: StackConfiguration, home: Path) -> dict[str, str]:
    return {
        **program_environment(home),
        "PULUMI_CONFIG": json.dumps(dict(settings.values)),
        "PULUMI_CONFIG_SECRET_KEYS": json.dumps(list(settings.secrets)),
    }


@contextmanager
def _started(
    python: Path, request: Mapping[str, Any], settings: StackConfiguration, scratch: Path, project: Project
) -> "Iterator[child_process.Child[bytes]]":
    """Starts the child, and ends whatever is left of it. Muster does not print what the child prints."""
    request_file, printed = scratch / "request.json", scratch / _PRINTED
    request_file.write_text(json.dumps(request), encoding="utf-8")
    home = scratch / "home"
    home.mkdir()
    with printed.open("wb") as out:
        try:
            child = child_process.start(
                [str(python), "-u", str(_RUNNER), str(request_file)],
                cwd=project.root,
                env=_environment(settings, home),
                stdin=child_process.PIPE,
                stdout=out,
                stderr=child_process.STDOUT,
                start_new_session=True,
            )
        except OSError as fault:
            raise CannotBeRead(
                f"{python} cannot be run: {fault.strerror}; set another interpreter with --python"
            ) from None
        try:
            yield child
        finally:
            _end(child)


def _send_address(child: "child_process.Child[bytes]", address: str) -> None:
    """Sends the monitor's address, the only input on stdin."""
    assert child.stdin is not None
    with suppress(BrokenPipeError), child.stdin:  # the child has ended: its outcome states why
        child.stdin.write(f"{address}\n".encode())


def _wait(child: "child_process.Child[bytes]", seconds: float, project: Project) -> None:
    try:
        child.wait(timeout=seconds)
    except child_process.TimeoutExpired:
        words = (
            f"the program in {project.root} did not end within {seconds:g} s; raise --timeout, or look for an "
            "endless loop"
        )
        raise ProgramFailed(words) from None


def _end(child: "child_process.Child[bytes]") -> None:
    """Ends the child and whatever it started."""
    end_session(child)
    if child.stdin is not None:
        with suppress(BrokenPipeError):
            child.stdin.close()


def _printed(file: Path) -> str:
    """What the program printed; of a long output, the end. The program can replace the file, so no link is followed,
    and no pipe is waited for."""
    try:
        opened = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    with os.fdopen(opened, "rb") as stream:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode):
            return ""
        stream.seek(max(0, found.st_size - _LEFT.most))
        return stream.read(_LEFT.most).decode(errors="replace")


def _outcome(file: Path, printed: str, python: Path) -> dict[str, Any]:
    """How the program ended, as the runner wrote it. The program can also write to this file."""
    with suppress(user_files.CannotRead, NotJson):
        found = load(user_files.read_text(file, _LEFT))
        complete = isinstance(found, dict) and isinstance(found.get("ended"), str)
        if complete and all(isinstance(found.get(key), str | None) for key in _TEXTS):
            return {**dict.fromkeys(_TEXTS), **found}
    if str(file) in printed:  # it printed the request
        raise ProgramFailed(
            f"{python} is not a Python interpreter: it did not run the program; set another with --python"
        )
    last = next((line.strip() for line in reversed(printed.splitlines()) if line.strip()), None)
    output = f"its last line of output: {last}" if last else "it printed nothing (does the program call os._exit?)"
    raise ProgramFailed(f"{python} ended before the program was finished; {output}")


def _missing(module: str, project: Project, python: Path) -> str:
    """The remedy for a package that the interpreter does not have."""
    listed = next((name for name in _LISTS if (project.root / name).is_file()), None)
    how = f"install the packages of {project.root / listed} there" if listed else "install its package there"
    if listed in INSTALLED_HERE:
        how += ", or for this run only with --install"
    if module.partition(".")[0] == "pulumi_crds":
        how = "generate it with crd2pulumi and install it there"
    return (
        f"{python} has no module '{module}', which the program imports; {how}, or set another interpreter with --python"
    )


def _failure(outcome: Mapping[str, Any], project: Project, python: Path, monitor: "OfflineMonitor") -> str:
    """Why a program did not finish, in one line, and whether Muster may be the cause."""
    if outcome["ended"] == "no-pulumi":
        return (
            f"{python} cannot import pulumi ({outcome['says']}); install the project's requirements there, "
            "or set another interpreter with --python"
        )
    place = f"{outcome['file']}:{outcome['line']}" if outcome.get("file") else str(project.root)
    if outcome["ended"] == "left":
        return f"{place}: the program exited with code {outcome['says']}"
    if outcome.get("module"):
        return f"{place}: {_missing(outcome['module'], project, python)}"
    raised = f"{outcome['type']}: " if outcome.get("type") else ""
    message = " ".join(str(outcome.get("says") or "").split()) or "no message"
    words = f"{place}: the program raised {raised}{message}" if raised else f"{place}: the program failed: {message}"
    wanted = message.strip("'")
    if outcome.get("type") == "KeyError" and wanted in os.environ:
        words += (
            f"\n{wanted} is an environment variable that Muster does not pass to the program. Check a saved plan of "
            "the program instead (--plan)."
        )
    unanswered = sorted({gap.where for gap in monitor.gaps if ":" in gap.where and not gap.where.startswith("urn:")})
    if unanswered:
        unanswered_functions = ", ".join(unanswered)
        words += (
            f"\nThe program had called functions that only AWS can answer ({unanswered_functions}). If that is the "
            "cause, check a saved plan of the program instead (--plan)."
        )
    return words
