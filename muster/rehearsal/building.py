"""Builds a binary from its Go module into the cache, once for each set of pins and machine.

Not for each Go: any that is new enough makes the same program, and who upgrades theirs need not wait ten minutes. Which
one made it, `go version FILE` says.
"""

import hashlib
import json
import platform
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import yaml

from muster.rehearsal import cache, machine_limits, toolchain
from muster.rehearsal.cache import Entry
from muster.rehearsal.faults import RehearsalFault
from muster.rehearsal.pins import OPERATOR, Pin, own_will_do
from muster.rehearsal.processes import Processes, tail
from muster.rehearsal.progress import Progress
from muster.rehearsal.toolchain import Toolchain

MANIFESTS = "manifests.json"
"""The training operator's CRDs and webhook configuration, beside its binary."""

_FLAGS = ("-mod=readonly", "-trimpath", "-buildvcs=false")
_KEY = 12
"""Characters of the key in a folder's name."""
_SHOWN = 15
"""Lines of a failed build's log that are shown."""
_LOOK = 0.3


def entry(pin: Pin) -> Entry:
    """Where the binary of these pins is, or would be."""
    digest = hashlib.sha256()
    for source in pin.sources:
        digest.update(f"{source.name}\0".encode() + source.read_bytes() + b"\0")
    machine = f"{sys.platform}/{platform.machine()}"
    digest.update("\0".join((machine, *_FLAGS, _link_flags(pin))).encode())
    return Entry(f"{pin.name}-{pin.version}-{digest.hexdigest()[:_KEY]}", pin.name, sealed=True)


def build(pin: Pin, progress: Progress, built_by: Toolchain | None = None) -> Path:
    """The binary, built where it is not there, and built again where it is no longer what was built.

    Args:
        pin: which.
        progress: told of it.
        built_by: the Go that builds it; the one that is chosen here without it.

    Raises:
        RehearsalFault: it could not be built; the message ends with what Go said.
    """
    target = entry(pin)
    if not target.there():
        if damage := target.damage():
            progress.line(f"{pin.name} {pin.version} is built again: {damage}")
        with target.being_made(progress) as folder:
            if folder is not None:
                _build(pin, built_by or toolchain.chosen(), folder, progress)
    return target.folder / pin.name


def _link_flags(pin: Pin) -> str:
    """No symbol tables (a third smaller), and the version that the program says it has."""
    said = {
        "k8s.io/kubernetes": f" -X k8s.io/component-base/version.gitVersion=v{pin.version}",
        "sigs.k8s.io/kwok": f" -X sigs.k8s.io/kwok/pkg/consts.Version=v{pin.version}",
    }
    return f"-s -w{said.get(pin.module, '')}"


def _build(pin: Pin, built_by: Toolchain, folder: Path, progress: Progress) -> None:
    go = toolchain.installed(built_by, progress)
    progress.line(f"building {pin.name} {pin.version} with {built_by.source}")
    # Below a keeper, as the rehearsal's own processes are: a build that is killed leaves no compiler running.
    with Processes() as processes:
        env = {**toolchain.environment(go), "GOTMPDIR": str(processes.folder)}
        progress.status(f"  {pin.name}: fetching its modules")
        listing = _go(
            processes, pin, "list", [go, "list", "-C", pin.folder, "-mod=readonly", "-deps", pin.package], env
        )
        packages = len(listing.read_text().splitlines())
        flags = ("-C", pin.folder, *_FLAGS, "-v", "-ldflags", _link_flags(pin), "-o", folder / pin.name)
        _go(processes, pin, "build", (go, "build", *flags, pin.package), env, progress, packages)
        if pin.module == OPERATOR:
            found = _go(processes, pin, "find", [go, "list", "-C", pin.folder, "-m", "-f", "{{.Dir}}", OPERATOR], env)
            (folder / MANIFESTS).write_text(json.dumps(_manifests(Path(found.read_text().splitlines()[-1]))))
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
    """Runs Go to its end; what it said."""
    name = f"{pin.name}-{what}"
    log = processes.start(name, command, env).log
    while (code := processes.ended(name, _LOOK)) is None:
        if progress:
            done = sum(1 for line in log.read_text(errors="replace").splitlines() if "/" in line)
            progress.status(f"  {pin.name}: {done} of about {packages} packages")
    if progress:
        progress.status("")
    if code:
        if lacking := machine_limits.used_up(log.read_text(errors="replace"), *_written(processes, env)):
            raise RehearsalFault(f"{pin.name} {pin.version} could not be built: {lacking}, and try again")
        instead = f", or put {pin.name} on PATH or into $KUBEBUILDER_ASSETS" if own_will_do(pin.name) else ""
        kept = cache.root() / f"{pin.name}-{what}.log"
        shutil.copy(log, kept)
        raise RehearsalFault(
            "\n".join(
                (
                    f"{pin.name} {pin.version} could not be built; Go said (all of it: {kept}):",
                    *tail(log, _SHOWN),
                    f"Mend that and try again{instead}.",
                )
            )
        )
    return log


def _written(processes: Processes, env: dict[str, str]) -> tuple[Path, ...]:
    """Where a build writes: its folder, the cache, and Go's own."""
    home = Path(env.get("HOME") or "/")
    modules = Path(env.get("GOMODCACHE") or Path(env.get("GOPATH") or home / "go") / "pkg" / "mod")
    compiled = Path(env.get("GOCACHE") or Path(env.get("XDG_CACHE_HOME") or home / ".cache") / "go-build")
    return processes.folder, cache.root(), modules, compiled


def _manifests(module: Path) -> list[object]:
    """Its custom resources and its webhooks, from its own repository, as JSON: YAML of that size takes seconds."""
    base = module / "manifests" / "base"
    files = (*sorted((base / "crds").glob("kubeflow.org_*.yaml")), base / "webhook" / "manifests.yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return [each for file in files for each in yaml.load_all(file.read_text(), loader) if each]
