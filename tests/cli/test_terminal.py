"""Manners of the output, in a process of its own: pipes, colour, what is loaded."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stack_files import AS_OF, ROOT, edited, text_of

CHECK = ("check", "p5-odcr", "--as-of", AS_OF)
MUSTER = [sys.executable, "-m", "muster.cli"]


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}}
    return {**kept, "PYTHONPATH": str(ROOT), **more}


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


def test_colour_and_progress_are_for_a_terminal() -> None:
    """Unless it wants no colour; the progress is gone when the plan stands."""
    code, shown = on_terminal(*CHECK)
    assert code == 0
    assert "\x1b[32mclean\x1b[0m" in shown
    code, shown = on_terminal("plan", "p5-odcr", "--as-of", AS_OF, NO_COLOR="1")
    assert code == 0
    assert shown.startswith("\r\x1b[Krunning the program of p5-odcr offline ...\r\x1b[Kp5-odcr")
    assert shown.count("\x1b") == 2
    assert "\x1b" not in on_terminal(*CHECK, TERM="dumb")[1]


def broken(folder: Path) -> Path:
    """A project whose one stack has a mandatory finding."""
    shutil.copy(ROOT / "Pulumi.yaml", folder)
    (folder / "stacks").mkdir()
    text = edited(text_of("p5-odcr"), "        nodes: 1\n", "        nodes: 2\n")
    (folder / "stacks" / "Pulumi.p5-odcr.yaml").write_text(text)
    return folder


@pytest.mark.parametrize(("command", "code"), [(("explain", "--all", "--json"), 0), (("--help",), 0), (CHECK, 1)])
def test_a_reader_that_leaves_early_is_no_error(command: tuple[str, ...], code: int, tmp_path: Path) -> None:
    """`muster ... | head -1`: quiet, and the exit code is still the verdict."""
    pipe = subprocess.PIPE
    process = subprocess.Popen([*MUSTER, *command], cwd=broken(tmp_path), env=environment(), stdout=pipe, stderr=pipe)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    said = process.stderr.read().decode()
    process.stderr.close()
    assert (process.wait(), said) == (code, "")


@pytest.mark.parametrize(
    ("redirection", "code", "said"),
    [
        (">&-", 0, ""),
        (
            ">/dev/full",
            2,
            "error: the output cannot be written: No space left on device",
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
    assert (ran.returncode, ran.stderr.partition(";")[0]) == (code, said)


def test_a_stdout_that_knows_ascii_only() -> None:
    command, ascii_only = (
        [*MUSTER, "plan", "p5-odcr", "--as-of", AS_OF],
        {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    ran = subprocess.run(command, cwd=ROOT, env=environment(**ascii_only), capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.isascii()
