"""The binaries of a rehearsal: their pins, how they are built, with a Go that only pretends to, and how they are
downloaded, from a server on loopback."""

import hashlib
import io
import re
import socket
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from muster.addon_sheets import ADDONS
from muster.rehearsal.kubernetes import archives, binaries
from muster.rehearsal.kubernetes.archives import archives_here
from muster.rehearsal.kubernetes.binaries import NAMES, OF_EVERY_PLANE, PROGRAMS, find_binaries, pinned_binary
from muster.rehearsal.kubernetes.operators import OPERATORS, Operator
from muster.rehearsal.machine_limits import SILENT, Progress, RehearsalError


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


@pytest.mark.parametrize(
    ("system", "machine", "named"),
    [("linux", "x86_64", "amd64"), ("linux", "aarch64", "arm64"), ("linux", "riscv64", ""), ("darwin", "arm64", "")],
)
def test_an_archive_is_of_the_pinned_version(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str, named: str
) -> None:
    monkeypatch.setattr("sys.platform", system)
    monkeypatch.setattr("platform.machine", lambda: machine)
    here = archives_here()
    assert set(here) == (set(OF_EVERY_PLANE) if named else set())
    for program, each in here.items():
        algorithm, _, digits = each.sum.partition(":")
        assert len(bytes.fromhex(digits)) == hashlib.new(algorithm).digest_size
        assert each.version == pinned_binary(program).version
        assert f"/v{each.version}/" in each.address
        assert f"linux-{named}" in each.name


# Building.

PRETENDS = """#!/bin/sh
echo "$@" >> "{calls}"
echo some/package
[ "$1" != list ] || exec echo /nowhere
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
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)
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


# Downloading.

ON_LINUX = pytest.mark.skipif(not archives_here(), reason="this system has no archives")
MEMBERS = {"kube-aggregator.docker_tag": "padding", **{name: f"{name} of a release\n" for name in binaries.KUBERNETES}}
KUBERNETES, ETCD_FILE, KWOK = "kubernetes.tar.gz", "etcd.tar.gz", "kwok"


def packed(members: dict[str, str]) -> bytes:
    """A tar.gz with a folder."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as made:
        for name, text in members.items():
            member = tarfile.TarInfo(f"in/{name}")
            member.size = len(text)
            made.addfile(member, io.BytesIO(text.encode()))
    return file.getvalue()


class Releases(BaseHTTPRequestHandler):
    """A server of releases, and a proxy to it."""

    files: ClassVar[dict[str, bytes]] = {}
    how = ""
    """What happens to etcd's archive: ``absent``, ``moved``, ``cut``, ``stalled``."""
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        """A file, by the last part of its path."""
        self.asked.append(self.path)
        name = self.path.rpartition("/")[2]
        how = self.how if name == ETCD_FILE else ""
        body = self.files[name.removeprefix("moved-")]
        self.send_response({"absent": 404, "moved": 302}.get(how, 200))
        self.send_header("Location", f"moved-{name}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:20] if how in {"cut", "stalled"} else body)
        self.wfile.flush()
        if how == "stalled":
            self.connection.recv(1)  # until the other side gives up

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def releases(calls: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Releases]]:
    """The releases of archives of tiny programs."""
    for proxy in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(proxy, raising=False)
    here = type("Here", (Releases,), {"asked": []})
    here.files = {KUBERNETES: packed(MEMBERS), ETCD_FILE: packed({"etcd": "etcd of a release\n"}), KWOK: b"kwok\n"}
    with ThreadingHTTPServer(("127.0.0.1", 0), here) as server:
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        monkeypatch.setattr(archives, "FILE", calls.parent / "archives.toml")
        monkeypatch.setattr(archives, "_STALL_SECONDS", 0.3)
        write_records(f"http://127.0.0.1:{server.server_port}", here.files)
        yield here
        server.shutdown()


def write_records(server: str, files: dict[str, bytes]) -> None:
    """The data file, with the sums of these files."""
    of = {KUBERNETES: ([*binaries.KUBERNETES], "in/{program}"), ETCD_FILE: (["etcd"], "in/etcd"), KWOK: (["kwok"], "")}
    text = ""
    for file, (programs, member) in of.items():
        sums = f'"sha256:{hashlib.sha256(files[file]).hexdigest()}"'
        text += (
            f"[[archive]]\nprograms = {programs}\nversion = '{pinned_binary(programs[0]).version}'\n"
            f"address = '{server}/{file}'\nmember = '{member}'\npublished = 'here'\n"
            f"sums = {{amd64 = {sums}, arm64 = {sums}}}\n"
        )
    archives.FILE.write_text(text)


def kept() -> set[str]:
    """The folders of the cache."""
    return {each.name for each in binaries.cache_root().glob("*") if each.is_dir()}


class Told(Progress):
    """Collects the lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def line(self, text: str) -> None:
        """One more."""
        self.lines.append(text)

    def status(self, text: str) -> None:
        """Not kept."""


@ON_LINUX
def test_a_control_plane_comes_from_archives_and_an_operator_from_go(calls: Path, releases: type[Releases]) -> None:
    """Once. What is needed is named before anything comes."""
    told, names = Told(), (*OF_EVERY_PLANE, "mpi-operator")
    found = find_binaries(names, told)
    assert {name: (each.path.read_text(), each.source) for name, each in found.items()} == {
        **{name: (MEMBERS[name], "downloaded") for name in binaries.KUBERNETES},
        "etcd": ("etcd of a release\n", "downloaded"),
        "kwok": ("kwok\n", "downloaded"),
        "mpi-operator": ("binary\n", "built"),
    }
    assert all(name in told.lines[0] for name in names)
    assert find_binaries(names) == found
    assert len(releases.asked) == 3
    assert [line.split()[0] for line in calls.read_text().splitlines()] == ["build", "list"]
    assert kept() == {each.path.parent.name for each in found.values()}
    assert {each.source for each in find_binaries(names, build=True).values()} == {"built"}


@ON_LINUX
@pytest.mark.parametrize(
    ("how", "source"),
    [
        ("", "downloaded"),
        ("moved", "downloaded"),
        ("absent", "built"),
        ("cut", "built"),
        ("stalled", "built"),
        ("large", "built"),
    ],
)
def test_what_cannot_be_downloaded_is_built(
    releases: type[Releases], monkeypatch: pytest.MonkeyPatch, how: str, source: str
) -> None:
    releases.how = how
    if how == "large":
        monkeypatch.setattr(archives, "_MOST_BYTES", 20)
    found = find_binaries(["etcd", "kwok"])
    assert (found["etcd"].source, found["kwok"].source) == (source, "downloaded")
    assert kept() == {each.path.parent.name for each in found.values()}


@pytest.mark.usefixtures("releases")
@ON_LINUX
def test_without_a_network_it_is_built() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    write_records(f"http://127.0.0.1:{port}", Releases.files | dict.fromkeys((KUBERNETES, ETCD_FILE, KWOK), b""))
    assert find_binaries(["etcd"])["etcd"].source == "built"


@ON_LINUX
@pytest.mark.parametrize("proxy", ["http", "socks5"])
def test_a_proxy_of_the_environment_is_asked(
    releases: type[Releases], monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    """One of a kind that the HTTP library does not know is no traceback."""
    server = archives.FILE.read_text().partition("://")[2].partition("/")[0]
    monkeypatch.setenv("HTTP_PROXY", f"{proxy}://{server}")
    write_records("http://releases.invalid", releases.files)
    assert find_binaries(["etcd"])["etcd"].source == ("downloaded" if proxy == "http" else "built")
    assert releases.asked == ([f"http://releases.invalid/{ETCD_FILE}"] if proxy == "http" else [])


@ON_LINUX
@pytest.mark.parametrize("served", [b"<html>Sign in</html>", b"", packed({"etcd": "another"}), "half"])
@pytest.mark.parametrize("file", [ETCD_FILE, KWOK])
def test_another_sum_is_refused_by_name(calls: Path, releases: type[Releases], file: str, served: bytes | str) -> None:
    """And is not built silently."""
    whole = releases.files[file]
    releases.files = {**releases.files, file: served if isinstance(served, bytes) else whole[: len(whole) // 2]}
    with pytest.raises(RehearsalError, match=file) as told:
        find_binaries([file.partition(".")[0]])
    assert hashlib.sha256(whole).hexdigest() in str(told.value)
    assert "--build" in str(told.value)
    assert kept() == set()
    assert not calls.exists()


def a_process() -> "subprocess.Popen[bytes]":
    """Another process that needs etcd."""
    program = (
        "import sys; from pathlib import Path; from muster.rehearsal.kubernetes import archives, binaries\n"
        "archives.FILE = Path(sys.argv[1]); binaries.find_binaries(['etcd'])"
    )
    return subprocess.Popen([sys.executable, "-c", program, str(archives.FILE)])


@ON_LINUX
def test_two_processes_download_once(releases: type[Releases]) -> None:
    assert [each.wait() for each in [a_process(), a_process()]] == [0, 0]
    assert len(releases.asked) == len(kept()) == 1


@ON_LINUX
def test_a_killed_download_leaves_nothing(releases: type[Releases]) -> None:
    releases.how = "stalled"
    with a_process() as killed:
        while not releases.asked:
            time.sleep(0.02)
        killed.kill()
    until = time.monotonic() + 60
    while kept() and time.monotonic() < until:
        time.sleep(0.02)
    assert kept() == set()
    releases.how = ""
    assert find_binaries(["etcd"])["etcd"].source == "downloaded"


# Installed.


@ON_LINUX
@pytest.mark.usefixtures("releases")
@pytest.mark.parametrize(
    ("says", "used"),
    [
        ("echo Kubernetes v1.35.99", True),
        ("echo Kubernetes v1.34.4", False),
        ("echo", False),
        ("exit 1", False),
        ("sleep 100", False),
    ],
)
@pytest.mark.parametrize("variable", ["KUBEBUILDER_ASSETS", "PATH"])
def test_an_installed_program_of_the_pinned_minor_version_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, says: str, *, used: bool
) -> None:
    monkeypatch.setattr(binaries, "_ASK_SECONDS", 0.5)
    installed = tmp_path / "installed" / "kube-apiserver"
    installed.parent.mkdir()
    installed.write_text(f"#!/bin/sh\n{says}\n")
    installed.chmod(0o755)
    monkeypatch.setenv(variable, f"{installed.parent}:{tmp_path}:/usr/bin:/bin")
    found = find_binaries(["kube-apiserver"])["kube-apiserver"]
    assert (found.source, found.path == installed) == ((variable, True) if used else ("downloaded", False))
    assert found.version == ("1.35.99" if used else pinned_binary("kube-apiserver").version)
