"""Runs another team's Pulumi program in its interpreter, as a preview, against the offline monitor; reads one in YAML.

The program gets no AWS credentials: its environment variables and its home directory have none, so that a call by boto3
fails instead of reading or changing the account. It is no sandbox: the program can use the disk and the network.
"""

import json
import os
import stat
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import TYPE_CHECKING, Any

from muster import user_files
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
"""The default timeout of a program, most of which goes into importing SDKs."""

ORGANIZATION = "organization"
_PRINTED = "printed"
_RUNNER = Path(__file__).parent / "runner.py"
_FALLBACK = "us-east-1"
"""The Region where none is set; each answer that depends on it is a gap."""
_LISTS = ("requirements.txt", "pyproject.toml", "Pipfile")
"""Where a project names its packages."""
_LEFT = user_files.Limit(16 * 1024 * 1024, "")
"""What is read of what the program leaves behind."""
_TEXTS = ("ended", "file", "module", "pulumi", "python", "says", "type")
"""Keys of the runner's outcome that are texts."""
_ENCRYPTED = "is encrypted: its value is unknown here"


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """What a program registered, and what could not be seen of it."""

    registrations: "tuple[Registration, ...]"
    """Sorted by URN."""
    gaps: "tuple[Gap, ...]"
    """Sorted."""
    region: str | None
    interpreter: str
    """Which Python it was, in words."""
    complaints: tuple[str, ...]
    """What the program itself warned of."""
    printed: int = 0
    """Lines that it printed."""


class ProgramFailed(CannotBeRead):
    """The program did not run to its end; the message states where and why."""


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
        python: the interpreter; the project's own without it.
        seconds: the timeout.
        arguments: the program's command line.
        facts: what is known of the account.
        region: the Region, where neither the configuration nor the environment sets it.
        known: gives facts and Region instead, and is called while the program imports its SDKs.
        install: installs the program's packages for this run, into a virtual environment made by `python`.

    Raises:
        CannotBeRead: it cannot be run, or its configuration is not complete.
        ProgramFailed: it raised an exception, or did not end.
        Exception: a bug of the monitor.
    """
    settings = project.settings(stack)
    own = _region(settings)
    if project.language == YAML:
        given = {"--python": python is not None, "--install": install}
        if left := [option for option, is_given in given.items() if is_given]:
            raise CannotBeRead(f"{left[0]}: the program is in YAML, which needs no interpreter; leave it out")
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
            # These take as long to import as the program's own interpreter takes to start.
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
    """Evaluates a program in YAML, without an interpreter."""
    from muster.foreign.yaml_program import run_yaml_program
    from muster.offline.monitor import OfflineMonitor

    monitor = OfflineMonitor(project.name, stack, _FALLBACK, preview=True, lenient=True)
    monitor.place(region or _FALLBACK, assumed=region is None, facts=facts)
    complaints = run_yaml_program(project, stack, settings, monitor)
    return _run_python(monitor, settings, region, "Muster itself: a program in YAML needs no language host", complaints)


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
    """Where the stack's default provider would be."""
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
) -> "Iterator[subprocess.Popen[bytes]]":
    """Starts the child, and ends whatever is left of it; what it prints is not ours to print."""
    request_file, printed = scratch / "request.json", scratch / _PRINTED
    request_file.write_text(json.dumps(request), encoding="utf-8")
    home = scratch / "home"
    home.mkdir()
    with printed.open("wb") as out:
        try:
            child = subprocess.Popen(
                [str(python), "-u", str(_RUNNER), str(request_file)],
                cwd=project.root,
                env=_environment(settings, home),
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as fault:
            raise CannotBeRead(f"{python} cannot be run: {fault.strerror}; name another with --python") from None
        try:
            yield child
        finally:
            _end(child)


def _send_address(child: "subprocess.Popen[bytes]", address: str) -> None:
    """Sends the monitor's address, which is all that comes by stdin."""
    assert child.stdin is not None
    with suppress(BrokenPipeError), child.stdin:  # it has ended, and its outcome is why
        child.stdin.write(f"{address}\n".encode())


def _wait(child: "subprocess.Popen[bytes]", seconds: float, project: Project) -> None:
    try:
        child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        words = f"{project.root} did not end within {seconds:g} s; give it longer with --timeout, or look for a loop"
        raise ProgramFailed(words) from None


def _end(child: "subprocess.Popen[bytes]") -> None:
    """Ends the child and whatever it started."""
    end_session(child)
    if child.stdin is not None:
        with suppress(BrokenPipeError):
            child.stdin.close()


def _printed(file: Path) -> str:
    """What the program printed, at most its end. The program can put something else in the file's place: no link is
    followed, and no pipe is waited for."""
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
    """How the program ended, as the runner wrote it down; the program can write there, too."""
    with suppress(user_files.CannotRead, NotJson):
        found = load(user_files.read_text(file, _LEFT))
        complete = isinstance(found, dict) and isinstance(found.get("ended"), str)
        if complete and all(isinstance(found.get(key), str | None) for key in _TEXTS):
            return {**dict.fromkeys(_TEXTS), **found}
    if str(file) in printed:  # it showed us our own question
        raise ProgramFailed(f"{python} is no Python: it did not run the program; name another with --python")
    last = next((line.strip() for line in reversed(printed.splitlines()) if line.strip()), None)
    output = f"the last it printed: {last}" if last else "it printed nothing (does the program call os._exit?)"
    raise ProgramFailed(f"{python} ended before the program did; {output}")


def _missing(module: str, project: Project, python: Path) -> str:
    """What to do about a package that the interpreter does not have."""
    listed = next((name for name in _LISTS if (project.root / name).is_file()), None)
    how = f"install what {project.root / listed} names there" if listed else "install its package there"
    if listed in INSTALLED_HERE:
        how += ", or for one run by --install"
    if module.partition(".")[0] == "pulumi_crds":
        how = "generate it with crd2pulumi and install it there"
    return f"{python} has no module '{module}', which the program imports; {how}, or name another with --python"


def _failure(outcome: Mapping[str, Any], project: Project, python: Path, monitor: "OfflineMonitor") -> str:
    """Why a program did not come to its end, in one line, and what of it may be our doing."""
    if outcome["ended"] == "no-pulumi":
        return (
            f"{python} has no pulumi ({outcome['says']}); install the project's requirements there, "
            "or name another interpreter with --python"
        )
    place = f"{outcome['file']}:{outcome['line']}" if outcome.get("file") else str(project.root)
    if outcome["ended"] == "left":
        return f"{place}: the program left with exit code {outcome['says']}"
    if outcome.get("module"):
        return f"{place}: {_missing(outcome['module'], project, python)}"
    raised = f"{outcome['type']}: " if outcome.get("type") else ""
    message = " ".join(str(outcome.get("says") or "").split()) or "no message"
    words = f"{place}: the program raised {raised}{message}" if raised else f"{place}: the program refuses: {message}"
    wanted = message.strip("'")
    if outcome.get("type") == "KeyError" and wanted in os.environ:
        words += f"\n{wanted} is a variable here, which is not handed on. Judge a plan of it (--plan)."
    unanswered = sorted({gap.where for gap in monitor.gaps if ":" in gap.where and not gap.where.startswith("urn:")})
    if unanswered:
        asked = ", ".join(unanswered)
        words += (
            f"\nIt had asked what only the account knows ({asked}). Where that is why: judge a plan of it (--plan)."
        )
    return words
