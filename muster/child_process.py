"""Starts every child process of Muster and of its tools. Ruff rejects every other way (`banned-api` in pyproject.toml).

Muster works in folders whose authors it does not trust, and programs obey files of the folder they start in: Python
imports from it, uv reads uv.toml, git reads its configuration. So a child starts in ``/``, unless it is meant to read
another folder, and its environment has only what is named here.

Standard library only: `tools/setup.py` and the watchdog of rehearsals use it where nothing else is installed.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Child = subprocess.Popen
SubprocessError, TimeoutExpired = subprocess.SubprocessError, subprocess.TimeoutExpired
DEVNULL, PIPE, STDOUT = subprocess.DEVNULL, subprocess.PIPE, subprocess.STDOUT

PYTHON = Path(sys.executable)
"""The interpreter of Muster. Other programs of its environment are beside it."""

NOWHERE = Path("/")
"""A folder that only root can write. A relative PATH finds nothing here."""

_EVERY_CHILD = ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "PATH", "SSL_CERT_DIR", "SSL_CERT_FILE", "TMPDIR", "TZ")

DOWNLOADS = (
    *("ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "all_proxy", "https_proxy", "http_proxy", "no_proxy"),
    *("CURL_CA_BUNDLE", "NETRC", "PIP_*", "REQUESTS_CA_BUNDLE", "UV_*", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"),
)
"""Variables of a child that downloads: how it reaches an index, and where it keeps its files."""


def environment(*more: str) -> dict[str, str]:
    """The variables that every child needs, and these. ``PIP_*`` names all that begin with PIP_.

    None of them is a credential for a cloud, and PYTHONPATH is not among them.
    """
    return dict(_named((*_EVERY_CHILD, *more)))


def _named(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    starts = tuple(each[:-1] for each in names if each.endswith("*"))
    for name, value in os.environ.items():
        if name in names or name.startswith(starts):
            yield name, value


def python(*arguments: str | Path, interpreter: Path | None = None) -> list[str | Path]:
    """The command line of Python, which imports nothing from the current folder, PYTHONPATH or the user's packages."""
    return [interpreter or PYTHON, "-I", *arguments]


def module(name: str, *arguments: str | Path, packages: Path, interpreter: Path | None = None) -> list[str | Path]:
    """The command line of a module of Muster in an interpreter that does not have Muster.

    Args:
        name: the module.
        arguments: its arguments.
        packages: the folder that contains the package `muster`.
        interpreter: the interpreter. Default: Muster's.
    """
    code = f"import runpy, sys; sys.path.append(sys.argv.pop(1)); runpy.run_module({name!r}, None, '__main__', True)"
    return python("-c", code, packages, *arguments, interpreter=interpreter)


def start(
    command: Sequence[str | Path], *, cwd: Path = NOWHERE, env: Mapping[str, str] | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Starts a child.

    Args:
        command: the program and its arguments. No shell reads them.
        cwd: the folder that it is meant to read.
        env: its whole environment. Default: `environment()`.
        options: as of `subprocess.Popen`.
    """
    given = environment() if env is None else env
    return subprocess.Popen(command, cwd=cwd, env={**given, "UV_NO_CONFIG": "1"}, **options)


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path = NOWHERE,
    env: Mapping[str, str] | None = None,
    given: str = "",
    timeout: float | None = None,
    show: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Runs a child to its end, whatever its exit code.

    Args:
        command: as of `start`.
        cwd: as of `start`.
        env: as of `start`.
        given: its input.
        timeout: in seconds; then it is killed.
        show: whether its output appears on the terminal. Otherwise, it is in the result.

    Raises:
        TimeoutExpired: it did not end in time.
    """
    output = None if show else PIPE
    with start(command, cwd=cwd, env=env, stdin=PIPE, stdout=output, stderr=output) as child:
        try:
            out, errors = child.communicate(given.encode(), timeout)
        except BaseException:
            child.kill()
            raise
    return subprocess.CompletedProcess(command, child.returncode, _text(out), _text(errors))


def _text(output: bytes | None) -> str:
    return (output or b"").decode(errors="replace").replace("\r\n", "\n")
