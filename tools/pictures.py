"""Writes the pictures of the documentation: `python -m tools.pictures [NAME...]` writes `docs/assets`.

The pictures of terminals are runs of the tutorial's commands. The picture of a rehearsal's report needs Chromium. On a
machine without Chromium, the command prints a warning and does not write it. `make goldens` writes the diagrams of
clusters, which depend only on stack files.
"""

import argparse
import fcntl
import io
import os
import pty
import re
import shutil
import struct
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from muster import child_process
from tools.console_blocks import Shell, checkout
from tools.terminal_theme import THEME

ROOT = Path(__file__).resolve().parent.parent
ASSETS = ROOT / "docs" / "assets"
COLUMNS = 110
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
_NO_FONTS = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
    "Fira Code, monospace", "monospace"
)
"""The format of Rich without the font that it loads from another host."""
_INIT = (
    "muster init my-p5 --offline --reservation cr-0123456789abcdef0 --instance p5.48xlarge "
    "--region us-west-2 --zone us-west-2b --nodes 2"
)


def prepared(shell: Shell) -> None:
    """Runs the steps of the tutorial before its pictures."""
    for command in (
        _INIT,
        r"sed -i 's/^        nodes: 2 #.*/&\n        taints: {team-llm: NoSchedule}/' stacks/Pulumi.my-p5.yaml",
        "muster job nccl-tests --stack my-p5 > job.yaml",
    ):
        printed, code = shell.run(command)
        if code:
            sys.exit(f"{command}: exit {code}\n{printed}")


def check(shell: Shell) -> Iterator[Path]:
    """The finding about the zone of a reservation."""
    shell.run(
        r"sed 's/^        taints: .*/&\n        zone: us-west-2a/' stacks/Pulumi.my-p5.yaml > stacks/Pulumi.broken.yaml"
    )
    shell.run("mv stacks/Pulumi.my-p5.yaml kept && mv stacks/Pulumi.broken.yaml stacks/Pulumi.my-p5.yaml")
    yield _terminal("check", "muster check my-p5", shell)
    shell.run("mv kept stacks/Pulumi.my-p5.yaml")


def rehearse(shell: Shell) -> Iterator[Path]:
    """The job that does not tolerate a taint."""
    shell.run("cp job.yaml kept && sed -i '/team-llm/,+3d' job.yaml")
    yield _terminal("rehearse", "muster rehearse my-p5 --file job.yaml", shell)
    shell.run("mv kept job.yaml")


def report(shell: Shell) -> Iterator[Path]:
    """The HTML report of a rehearsal."""
    chromium = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if chromium is None:
        print("report.png is not written: Chromium is not installed")
        return
    shell.run("muster rehearse my-p5 --file job.yaml --html report.html")
    file = ASSETS / "report.png"
    done = child_process.run(
        [
            chromium, "--headless=new", "--no-sandbox", "--hide-scrollbars", "--force-color-profile=srgb",
            "--window-size=1000,900", f"--screenshot={file}", (shell.folder / "report.html").as_uri(),
        ],
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.stderr)
    yield file


PICTURES: dict[str, Callable[[Shell], Iterator[Path]]] = {"check": check, "rehearse": rehearse, "report": report}


def _terminal(name: str, command: str, shell: Shell) -> Path:
    """A terminal with a command and what it prints."""
    console = Console(width=COLUMNS, record=True, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))
    for line in _on_a_terminal(command, shell):
        console.print(Text.from_ansi(line), soft_wrap=False)
    file = ASSETS / f"{name}.svg"
    text = console.export_svg(title="muster", theme=THEME, code_format=_NO_FONTS, unique_id=name)
    file.write_text(re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE), encoding="utf-8")
    return file


def _on_a_terminal(command: str, shell: Shell) -> list[str]:
    """The lines that a command leaves on a terminal, with their colors."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 60, COLUMNS, 0, 0))
    environment = {key: value for key, value in shell.environment.items() if key != "NO_COLOR"}
    process = child_process.start(
        ["bash", "-c", command],
        cwd=shell.folder,
        env=environment | {"TERM": "xterm-256color", "COLUMNS": str(COLUMNS)},
        stdin=child_process.DEVNULL,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    printed = b""
    with suppress(OSError):  # Linux raises it when the other side is closed
        while part := os.read(master, 1 << 16):
            printed += part
    process.wait()
    lines = printed.decode().replace("\r\n", "\n").splitlines()
    left = [re.sub(r"\x1b\[[0-9;?]*[A-HJKSTfhl]", "", line.rpartition("\r")[2]) for line in lines]
    return [line for line in left if not line.endswith(" ...")]  # progress


def main() -> None:
    """Writes the pictures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", choices=[*PICTURES, []])
    names = options.parse_args().names or list(PICTURES)
    with checkout() as shell:
        prepared(shell)
        for name in names:
            for file in PICTURES[name](shell):
                print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
