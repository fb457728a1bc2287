"""The binaries of a rehearsal: their pins, and how they are built, with a Go that only pretends to."""

import re
import threading
from pathlib import Path

import pytest

from muster.addon_sheets import ADDONS
from muster.rehearsal.kubernetes import binaries
from muster.rehearsal.kubernetes.binaries import NAMES, PROGRAMS, pinned_binary
from muster.rehearsal.kubernetes.operators import OPERATORS, Operator
from muster.rehearsal.machine_limits import SILENT, RehearsalError


def test_every_module_builds_a_binary() -> None:
    assert {pinned_binary(name).source for name in NAMES} == {file.parent for file in PROGRAMS.glob("*/go.mod")}


def test_a_pin_is_a_release_from_nowhere_in_particular() -> None:
    """No module names a registry. Kubernetes is one version, and takes its parts in its own: k8s.io/kubernetes names
    its staging modules v0.0.0, and each is replaced by what was published with the release."""
    for name in NAMES:
        assert re.fullmatch(r"\d+\.\d+\.\d+", pinned_binary(name).version), name
    assert not [file for file in PROGRAMS.glob("*/go.mod") if "://" in file.read_text()]
    (version,) = {pinned_binary(name).version for name in binaries.KUBERNETES}
    lines = (PROGRAMS / "kubernetes" / "go.mod").read_text().splitlines()
    replaced = [line.split() for line in lines if "=>" in line]
    assert len(replaced) > 25
    assert all(old == new and at == f"v{version.replace('1.', '0.', 1)}" for old, _, new, at in replaced)


NOT_IN_MODULES = {"volcano": ("1.15.0", "1.14.1"), "kuberay-operator": ("1.7.0", "1.6.2")}
"""Add-ons of a version whose module cannot be built, and the newest release before it that can: volcano.sh/volcano
1.15.0 needs volcano.sh/apis 1.15.0, which the module proxy does not have, as it does not have ray-operator 1.7.0."""


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda each: each.name)
def test_an_operator_is_what_the_addon_installs(operator: Operator) -> None:
    """Of the version that `muster/versions.py` pins, or nearly: then both versions are stated above."""
    installed = ADDONS[operator.addon].version.removeprefix("v")
    (runs,) = {pinned_binary(binary).version for binary in operator.binaries}
    assert (installed, runs) == NOT_IN_MODULES.get(operator.name, (installed, installed))


# Building.

PRETENDS = """#!/bin/sh
echo "$@" >> "{calls}"
echo some/package
while [ "$1" != -o ]; do shift; done
{then}
echo binary > "$2"
"""
ETCD = pinned_binary("etcd")


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the pretending Go writes what it was called with; the cache is a new one."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    a_go(tmp_path / "calls")
    return tmp_path / "calls"


def a_go(calls: Path, then: str = "") -> None:
    file = calls.parent / "go"
    file.write_text(PRETENDS.format(calls=calls, then=then))
    file.chmod(0o755)


def test_two_at_once_build_it_once_and_later_it_needs_no_go(calls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_go(calls, then="sleep 0.5")
    assert binaries.missing_binaries(["etcd"]) == ("etcd",)
    both = [threading.Thread(target=binaries.build_binary, args=(ETCD, SILENT)) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    (call,) = calls.read_text().splitlines()
    assert "-mod=readonly -trimpath" in call
    monkeypatch.setenv("PATH", "/nowhere")
    binaries.build_binary(ETCD, SILENT)
    assert ETCD.path.read_text() == "binary\n"
    assert binaries.missing_binaries(["etcd"]) == ()


def test_a_build_that_fails_says_what_go_said_and_leaves_nothing(calls: Path) -> None:
    a_go(calls, then="echo 'undefined: x'; exit 1")
    with pytest.raises(RehearsalError) as told:
        binaries.build_binary(ETCD, SILENT)
    assert "  undefined: x" in str(told.value).splitlines()
    assert "undefined: x" in (binaries.cache_root() / "etcd-build.log").read_text()
    assert [each.name for each in binaries.cache_root().iterdir() if each.is_dir()] == []


def test_where_there_is_no_go_its_installation_is_named(calls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(binaries.child_process, "PYTHON", Path("/nowhere/python"))
    with pytest.raises(RehearsalError, match="needs Go"):
        binaries.build_binary(ETCD, SILENT)


def test_another_source_or_machine_is_another_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "etcd").mkdir()
    names = set()
    for sums, machine in (("one", "x86_64"), ("two", "x86_64"), ("two", "arm64")):
        (tmp_path / "etcd" / "go.mod").write_text("tool go.etcd.io/etcd\nrequire go.etcd.io/etcd v3.0.0\n")
        (tmp_path / "etcd" / "go.sum").write_text(sums)
        monkeypatch.setattr("platform.machine", lambda name=machine: name)
        names.add(pinned_binary.__wrapped__("etcd", tmp_path).entry)
    assert len(names) == 3


@pytest.mark.usefixtures("calls")
def test_what_a_killed_build_leaves_goes_with_the_next() -> None:
    killed = binaries.cache_root() / f"{ETCD.entry}.making-killed"
    killed.mkdir(parents=True)
    binaries.build_binary(ETCD, SILENT)
    assert ETCD.path.is_file()
    assert not killed.exists()


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(RehearsalError, match="cannot be written: Not a directory; set XDG_CACHE_HOME to a folder"):
        binaries.build_binary(ETCD, SILENT)


def test_the_users_settings_do_not_make_another_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOFLAGS", "-mod=mod")
    monkeypatch.setenv("GOPROXY", "off")
    seen = binaries.build_environment(Path("/go/bin/go"))
    assert "GOFLAGS" not in seen
    assert (seen["GOPROXY"], seen["CGO_ENABLED"], seen["GOTOOLCHAIN"]) == ("off", "0", "auto")
