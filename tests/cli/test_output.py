"""Manners of the output, in a process of its own: pipes, colour, what is loaded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stack_files import AS_OF, ROOT

CHECK = ("check", "--all", "--as-of", AS_OF)
MUSTER = [sys.executable, "-m", "muster.cli"]


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}}
    return {**kept, "PYTHONPATH": str(ROOT), **more}


def run(*arguments: str, cwd: Path = ROOT, **more: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*MUSTER, *arguments], cwd=cwd, env=environment(**more), capture_output=True, text=True, check=False
    )


def on_terminal(*arguments: str, **more: str) -> tuple[int, str]:
    """Runs with stdout and stderr on a terminal; gives the exit code and everything that appeared there."""
    pty = pytest.importorskip("pty")
    here, there = pty.openpty()
    process = subprocess.Popen(
        [*MUSTER, *arguments], cwd=ROOT, env=environment(**{"TERM": "xterm", **more}), stdout=there, stderr=there
    )
    os.close(there)
    shown = b""
    while True:
        try:
            read = os.read(here, 65536)
        except OSError:  # Linux says so where the other end is closed
            break
        if not read:
            break
        shown += read
    os.close(here)
    return process.wait(), shown.decode()


@pytest.mark.parametrize(
    "command",
    [CHECK, ("hardware",), ("hardware", "p5.48xlarge"), ("explain", "--all"), ("plan", "p5-odcr", "--as-of", AS_OF)],
    ids=lambda command: " ".join(command[:2]),
)
def test_piped_output_has_no_escape_codes_and_no_progress(command: tuple[str, ...]) -> None:
    ran = run(*command)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "\x1b" not in ran.stdout
    assert not [line for line in ran.stdout.splitlines() if line != line.rstrip()]


def test_colour_on_a_terminal_unless_no_color() -> None:
    check = ("check", "p5-odcr", "--as-of", AS_OF)
    code, shown = on_terminal(*check)
    assert code == 0
    assert "\x1b[32mclean\x1b[0m" in shown
    assert "\x1b" not in on_terminal(*check, NO_COLOR="1")[1]
    assert "\x1b" not in on_terminal(*check, TERM="dumb")[1]


def test_progress_is_gone_when_the_plan_stands() -> None:
    code, shown = on_terminal("plan", "p5-odcr", "--as-of", AS_OF, NO_COLOR="1")
    assert code == 0
    assert shown.startswith("\r\x1b[Krunning the program of p5-odcr offline ...\r\x1b[Kp5-odcr")


@pytest.mark.parametrize(
    "command", [("explain", "--all", "--json"), ("schema",), ("hardware", "--json"), CHECK, ("--help",)]
)
def test_a_reader_that_leaves_early_is_no_error(command: tuple[str, ...]) -> None:
    """`muster ... | head -1`: quiet, and the exit code is still the verdict."""
    process = subprocess.Popen(
        [*MUSTER, *command], cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    said = process.stderr.read().decode()
    process.stderr.close()
    assert (process.wait(), said) == (0, "")


def test_a_verdict_survives_a_reader_that_leaves(tmp_path: Path) -> None:
    import shutil

    shutil.copy(ROOT / "Pulumi.yaml", tmp_path)
    shutil.copytree(ROOT / "stacks", tmp_path / "stacks")
    file = tmp_path / "stacks" / "Pulumi.p5-odcr.yaml"
    file.write_text(file.read_text().replace("        nodes: 1\n", "        nodes: 2\n"))
    process = subprocess.Popen(
        [*MUSTER, *CHECK], cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait() == 1


@pytest.mark.parametrize(
    ("redirection", "code", "said"),
    [
        (">&-", 0, ""),
        (
            ">/dev/full",
            2,
            "error: the output cannot be written: No space left on device; free some space, or print it elsewhere\n",
        ),
    ],
)
def test_a_stdout_that_takes_nothing(redirection: str, code: int, said: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    command = " ".join([*MUSTER, *CHECK, redirection])
    ran = subprocess.run(
        ["sh", "-c", command], cwd=ROOT, env=environment(), stderr=subprocess.PIPE, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (code, said)


def test_a_stdout_that_knows_ascii_only() -> None:
    ran = run("plan", "p5-odcr", "--as-of", AS_OF, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.isascii()
