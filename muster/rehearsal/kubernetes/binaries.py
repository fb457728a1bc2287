"""The binaries that a rehearsal runs: the user's own programs, else programs built from their Go modules."""

import hashlib
import json
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import yaml

from muster import child_process
from muster.rehearsal import machine_limits
from muster.rehearsal.kubernetes import build_cache, go_toolchain
from muster.rehearsal.kubernetes.build_cache import Entry
from muster.rehearsal.kubernetes.go_toolchain import NAMES, Pin, Toolchain, accepts_own_program, read_pin
from muster.rehearsal.kubernetes.operators import Operator, operator_with_binary
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.processes import Processes, tail
from muster.rehearsal.progress import Progress, SilentProgress
from muster.whole_number import version_numbers

MANIFESTS = "manifests.json"
"""An operator's CRDs and webhook configuration, beside its binary."""

_FLAGS = ("-mod=readonly", "-trimpath", "-buildvcs=false")
_KEY = 12
"""Characters of the key in a folder's name."""
_SHOWN = 15
"""Lines of a failed build's log that are shown."""
_POLL_SECONDS = 0.3


def cache_entry(pin: Pin) -> Entry:
    """Where the binary of these pins is, or would be."""
    digest = hashlib.sha256()
    for source in pin.sources:
        digest.update(f"{source.name}\0".encode() + source.read_bytes() + b"\0")
    machine = f"{sys.platform}/{platform.machine()}"
    digest.update("\0".join((machine, *_FLAGS, _link_flags(pin))).encode())
    return Entry(f"{pin.name}-{pin.version}-{digest.hexdigest()[:_KEY]}", pin.name)


def build_binary(pin: Pin, progress: Progress, built_by: Toolchain | None = None) -> Path:
    """The binary. Builds it if it does not exist.

    Args:
        pin: the binary.
        progress: shows the progress.
        built_by: the Go toolchain that builds it. Default: the toolchain of `find_toolchain`.

    Raises:
        RehearsalError: it could not be built; the message ends with Go's output.
    """
    target = cache_entry(pin)
    if not target.there():
        with target.being_made(progress) as folder:
            if folder is not None:
                _build(pin, built_by or go_toolchain.find_toolchain(), folder, progress)
    return target.folder / pin.name


def _link_flags(pin: Pin) -> str:
    """Linker flags: no symbol tables (a third smaller), and the version that the program reports."""
    flags = {
        "k8s.io/kubernetes": f" -X k8s.io/component-base/version.gitVersion=v{pin.version}",
        "sigs.k8s.io/kwok": f" -X sigs.k8s.io/kwok/pkg/consts.Version=v{pin.version}",
    }
    return f"-s -w{flags.get(pin.module, '')}"


def _build(pin: Pin, built_by: Toolchain, folder: Path, progress: Progress) -> None:
    go = go_toolchain.install_toolchain(built_by, progress)
    progress.line(f"building {pin.name} {pin.version} with {built_by.source}")
    # With a watchdog, like the rehearsal's processes: a killed build leaves no compiler running.
    with Processes() as processes:
        env = {**go_toolchain.build_environment(go), "GOTMPDIR": str(processes.folder)}
        progress.status(f"  {pin.name}: downloading its modules")
        listing = _go(
            processes, pin, "list", [go, "list", "-C", pin.folder, "-mod=readonly", "-deps", pin.package], env
        )
        packages = len(listing.read_text().splitlines())
        flags = ("-C", pin.folder, *_FLAGS, "-v", "-ldflags", _link_flags(pin), "-o", folder / pin.name)
        _go(processes, pin, "build", (go, "build", *flags, pin.package), env, progress, packages)
        if operator := operator_with_binary(pin.name):
            find: list[str | Path] = [go, "list", "-C", pin.folder, "-m", "-f", "{{.Dir}}", pin.module]
            module = Path(_go(processes, pin, "find", find, env).read_text().splitlines()[-1])
            (folder / MANIFESTS).write_text(json.dumps(_manifests(operator, module)))
    progress.line(f"built {pin.name} {pin.version}")


def _go(
    processes: Processes,
    pin: Pin,
    what: str,
    command: Sequence[str | Path],
    env: dict[str, str],
    progress: Progress | None = None,
    packages: int = 0,
) -> Path:
    """Runs Go to its end. Returns its output."""
    name = f"{pin.name}-{what}"
    log = processes.start(name, command, env).log
    while (code := processes.ended(name, _POLL_SECONDS)) is None:
        if progress:
            done = sum(1 for line in log.read_text(errors="replace").splitlines() if "/" in line)
            progress.status(f"  {pin.name}: {done} of about {packages} packages")
    if progress:
        progress.status("")
    if code:
        instead = f", or put {pin.name} on PATH or into $KUBEBUILDER_ASSETS" if accepts_own_program(pin.name) else ""
        kept = build_cache.cache_root() / f"{pin.name}-{what}.log"
        shutil.copy(log, kept)  # noqa: TID251
        raise RehearsalError(
            f"{pin.name} {pin.version} could not be built. The end of Go's output (the whole output: {kept}):",
            *tail(log, _SHOWN),
            f"Fix this problem and try again{instead}.",
        )
    return log


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


class Source(StrEnum):
    """The origin of a binary."""

    ASSETS = "KUBEBUILDER_ASSETS"
    PATH = "PATH"
    BUILT = "built"


@dataclass(frozen=True, slots=True)
class Binary:
    """A program that can be run."""

    name: str
    path: Path
    version: str
    """``1.35.8``; for the user's own program the version that it prints, ``unknown`` if it prints none."""
    source: Source


KUBERNETES = ("kube-apiserver", "kube-scheduler", "kube-controller-manager")


@machine_limits.exhausted_here()
def find_binaries(names: Iterable[str] = NAMES, progress: Progress | None = None) -> dict[str, Binary]:
    """The binaries of these names, by name. Missing ones are built once, which takes minutes.

    Raises:
        RehearsalError: one cannot be built, or the versions of the user's programs do not match.
    """
    wanted = tuple(names)
    found = {name: _user_binary(name) or _built(name, progress or SilentProgress()) for name in wanted}
    _check_version_skew(found)
    return found


def missing_binaries(names: Iterable[str] = NAMES) -> tuple[str, ...]:
    """The binaries that must be built first."""
    return tuple(name for name in names if _user_path(name) is None and not cache_entry(read_pin(name)).there())


def _built(name: str, progress: Progress) -> Binary:
    path = build_binary(read_pin(name), progress)
    return Binary(name, path, read_pin(name).version, Source.BUILT)


def _user_binary(name: str) -> Binary | None:
    found = _user_path(name)
    return Binary(name, found[0], _version_of(found[0]), found[1]) if found else None


def _user_path(name: str) -> tuple[Path, Source] | None:
    if not accepts_own_program(name):
        return None
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    for source, where in ((Source.ASSETS, assets), (Source.PATH, None)):
        if (source is Source.PATH or where) and (program := shutil.which(name, path=where)):
            return Path(program), source
    return None


def _version_of(program: Path) -> str:
    """The first version number in its output."""
    try:
        done = child_process.run([program, "--version"], timeout=20)
    except (OSError, child_process.SubprocessError) as fault:
        raise RehearsalError(
            f"{program} cannot be run: {fault}; remove it, or replace it with a program that runs"
        ) from None
    numbers = re.search(r"\bv?(\d+\.\d+\.\d+\S*)", done.stdout + done.stderr)
    return numbers[1] if numbers else "unknown"


def _check_version_skew(found: dict[str, Binary]) -> None:
    """Kubernetes' version skew policy: no scheduler or controller manager newer than the API server."""
    server = found.get("kube-apiserver")
    for name in KUBERNETES[1:]:
        other = found.get(name)
        if server and other and minor(other.version) > minor(server.version):
            raise RehearsalError(
                f"{name} {other.version} ({_place(other)}) is newer than kube-apiserver {server.version} "
                f"({_place(server)}), which Kubernetes does not support; remove {server.path}, or put the same "
                f"version of {name} beside it"
            )


def minor(version: str) -> tuple[int, ...]:
    """``1.35.8`` -> (1, 35); () for text without numbers."""
    return version_numbers(".".join(re.findall(r"[0-9]+", version)[:2]))


def _place(binary: Binary) -> str:
    return "built by Muster" if binary.source is Source.BUILT else f"from {binary.source.value}"
