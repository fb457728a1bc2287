"""Building, with a Go that only pretends to."""

import io
import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from muster.rehearsal.kubernetes import binaries, build_cache
from muster.rehearsal.kubernetes import binaries as building
from muster.rehearsal.kubernetes.build_cache import Entry
from muster.rehearsal.kubernetes.go_toolchain import Pin, Toolchain, read_pin
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.progress import Progress, SilentProgress

PRETENDS = """#!/bin/sh
case "$1" in
  list) echo some/package; echo other/package ;;
  build)
    echo "$@" >> "{calls}"
    echo some/package
    while [ "$1" != -o ]; do shift; done
    {then}
    echo binary > "$2" ;;
esac
"""


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the pretending Go writes what it was called with; the cache is a new one."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "calls"


def a_go(calls: Path, then: str = "") -> Toolchain:
    file = calls.parent / "go"
    file.write_text(PRETENDS.format(calls=calls, then=then))
    file.chmod(0o755)
    return Toolchain("1.99.0", file)


ETCD = read_pin("etcd")


def test_a_binary_is_built_once(calls: Path):
    go = a_go(calls)
    first = building.build_binary(ETCD, SilentProgress(), go)
    assert building.build_binary(ETCD, SilentProgress(), go) == first
    assert first.read_text() == "binary\n"
    assert len(calls.read_text().splitlines()) == 1
    assert "-mod=readonly -trimpath" in calls.read_text()


def test_what_is_built_is_used_without_go_and_after_its_upgrade(calls: Path, monkeypatch: pytest.MonkeyPatch):
    """To build takes ten minutes."""
    built = building.build_binary(ETCD, SilentProgress(), a_go(calls))
    assert building.build_binary(ETCD, SilentProgress(), Toolchain("1.99.1", None)) == built
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(
        "muster.rehearsal.kubernetes.go_toolchain.find_toolchain", lambda: pytest.fail("nobody needs Go")
    )
    assert building.build_binary(ETCD, SilentProgress()) == built
    assert binaries.missing_binaries(["etcd"]) == ()


def test_the_key_is_the_pins_and_the_machine(calls: Path, monkeypatch: pytest.MonkeyPatch):
    def key(of: Pin = ETCD) -> str:
        return building.cache_entry(of).name

    same = key()
    assert key() == same
    assert key(replace(ETCD, version="3.0.0")) != same
    monkeypatch.setattr("platform.machine", lambda: "another")
    assert key() != same


def test_another_source_is_another_key(calls: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("muster.rehearsal.kubernetes.go_toolchain.PROGRAMS", tmp_path)
    (tmp_path / "etcd").mkdir()
    names = set()
    for sums in ("one", "two"):
        for mod in ("one", "two"):
            (tmp_path / "etcd" / "go.mod").write_text(mod)
            (tmp_path / "etcd" / "go.sum").write_text(sums)
            names.add(building.cache_entry(ETCD).name)
    assert len(names) == 4


def test_two_at_once_build_it_once(calls: Path):
    go = a_go(calls, then="sleep 0.5")
    built: list[Path] = []
    both = [
        threading.Thread(target=lambda: built.append(building.build_binary(ETCD, SilentProgress(), go)))
        for _ in range(2)
    ]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert len(built) == 2
    assert len(set(built)) == 1
    assert len(calls.read_text().splitlines()) == 1


def test_a_build_that_fails_says_what_go_said_and_leaves_nothing(calls: Path):
    go = a_go(calls, then="echo 'undefined: x'; exit 1")
    with pytest.raises(RehearsalError) as told:
        building.build_binary(ETCD, SilentProgress(), go)
    kept = build_cache.cache_root() / "etcd-build.log"
    assert str(told.value).splitlines() == [
        f"etcd {ETCD.version} could not be built. The end of Go's output (the whole output: {kept}):",
        "  some/package",
        "  undefined: x",
        "Fix this problem and try again, or put etcd on PATH or into $KUBEBUILDER_ASSETS.",
    ]
    assert "undefined: x" in kept.read_text()
    assert [each.name for each in build_cache.cache_root().iterdir() if each.is_dir()] == []


def test_a_training_operator_that_fails_is_not_to_be_put_on_path(calls: Path):
    """Nobody would look for it there."""
    with pytest.raises(RehearsalError) as told:
        building.build_binary(read_pin("training-operator"), SilentProgress(), a_go(calls, then="exit 1"))
    assert str(told.value).splitlines()[-1] == "Fix this problem and try again."


def test_elsewhere_than_on_a_terminal_progress_is_a_line_at_the_start_and_the_end(
    calls: Path, capsys: pytest.CaptureFixture[str]
):
    building.build_binary(ETCD, Progress(), a_go(calls))
    assert capsys.readouterr().err.splitlines() == [
        f"building etcd {ETCD.version} with this machine's Go 1.99.0",
        f"built etcd {ETCD.version}",
    ]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_packages_are_counted_on_a_line_that_goes(calls: Path, monkeypatch: pytest.MonkeyPatch):
    said = Terminal()
    monkeypatch.setattr("sys.stderr", said)
    building.build_binary(ETCD, Progress(), a_go(calls, then="sleep 0.5"))
    assert "\r\x1b[K  etcd: 1 of about 2 packages" in said.getvalue()
    assert said.getvalue().splitlines()[-1].rpartition("\r")[2] == f"\x1b[Kbuilt etcd {ETCD.version}"


# The cache.


def test_an_entry_is_complete_or_not_there(calls: Path):
    entry = Entry("some", "proof")
    with pytest.raises(ZeroDivisionError), entry.being_made(SilentProgress()) as folder:
        assert folder is not None
        (folder / "proof").touch()
        raise ZeroDivisionError
    assert not entry.there()
    with entry.being_made(SilentProgress()) as folder:
        assert folder is not None
        (folder / "proof").touch()
    assert entry.there()


def test_what_a_killed_build_left_goes_with_the_next(calls: Path):
    left = build_cache.cache_root() / "some.making-old"
    left.mkdir(parents=True)
    with Entry("some", "proof").being_made(SilentProgress()):
        assert not left.exists()


def test_entries_that_nobody_uses_any_more_go(calls: Path):
    for name in ("old", "used"):
        with Entry(name, "proof").being_made(SilentProgress()) as folder:
            assert folder is not None
            (folder / "proof").touch()
    os.utime(build_cache.cache_root() / "old", (0, 0))
    with Entry("new", "proof").being_made(SilentProgress()):
        pass
    assert [name for name in ("old", "used", "new") if (build_cache.cache_root() / name).is_dir()] == ["used", "new"]


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    told = pytest.raises(RehearsalError, match="cannot be written: Not a directory; set XDG_CACHE_HOME to a folder")
    with told, Entry("some", "proof").being_made(SilentProgress()):
        pass


def test_a_relative_cache_home_is_ignored_as_the_standard_says(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert build_cache.cache_root() == Path.home() / ".cache" / "muster" / "rehearsal"
