"""Runs the commands that pages show, and compares or rewrites the output that they show.

    python -m tools.console_blocks             rewrites outputs that have changed
    python -m tools.console_blocks --check     writes nothing; exit code 1: an output has changed
    python -m tools.console_blocks PAGE...     only these pages; --no-rehearsals skips blocks that need a control plane

A `console` block has commands after `$ ` and their output. A line `...` replaces lines that the page omits. A `sh`
block has only commands. All blocks of a page run in one copy of the checkout, in their order. A comment in the line
above a block sets how to run it:

| comment | meaning |
|---|---|
| `<!-- not run: REASON -->` | The block is not run: it needs an account, a cluster, a network. |
| `<!-- rehearsal -->` | It needs the programs of a rehearsal. Building them takes minutes. |
| `<!-- slurm -->` | It needs the programs of Slurm. |
| `<!-- parallelcluster -->` | It needs AWS ParallelCluster's package, which `make setup` installs. |
| `<!-- exits 1 -->` | Its last command ends with this code. |
| `<!-- edit FILE -->` | The tool applies the `diff` block below to the file. A reader edits the file. |
| `<!-- writes FILE -->` | The tool writes the block below to the file. |
| `<!-- run: COMMAND -->` | The tool runs the command. Readers do not see it. |
"""

import argparse
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from muster import child_process

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/index.md", "docs/tutorial/*.md", "docs/how-to/*.md")
AS_OF = "2026-11-21"
PARALLELCLUSTER = ROOT / ".venv-parallelcluster" / "bin" / "python"
SLURM = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol")
_COPIED = ("Pulumi.yaml", "__main__.py", "stacks", "examples", "docs/schema", "policies")
_BLOCK = re.compile(
    r"(?P<marks>(?:^ *<!-- [^\n]* -->\n)*)^(?P<indent> *)```(?P<language>[a-z]+)\n(?P<body>.*?)^ *```$"
    r"|^<!-- run: (?P<hidden>[^\n]*) -->$",
    re.DOTALL | re.MULTILINE,
)
_MARK = re.compile(
    r"<!-- (?P<name>not run:|run:|rehearsal|slurm|parallelcluster|exits|edit|writes) ?(?P<rest>.*?) ?-->"
)
_TIMEOUT_SECONDS = 300
_VOLATILE = (
    (re.compile(r"\b\d+(\.\d+)? s\b"), "0 s"),
    (re.compile(r"\b\d+ MiB\)"), "0 MiB)"),
    (re.compile(r"\b(Python|Slurm) \d+\.\d+\.\d+\b"), r"\1 0.0.0"),  # the machine's own
    (re.compile(r"\b[0-9a-f]{12}\b"), "0" * 12),
    (re.compile(r"(?<=-)[bcdfghjklmnpqrstvwxz2456789]{5}\b"), "xxxxx"),  # the suffix that Kubernetes adds to names
)
"""Parts of outputs that differ between runs."""


class Failed(Exception):
    """A command of a page does not do what the page shows."""


@dataclass(frozen=True)
class Block:
    """A block of a page."""

    language: str
    body: str
    start: int
    """The position in the page where its body begins."""
    indent: str = ""
    """The indentation of its lines: blocks in a list are indented."""
    marks: dict[str, str] = field(default_factory=dict)
    """The comments above it: name -> the text after the name."""

    @property
    def runs(self) -> bool:
        """Whether it has or prepares commands, and no comment disables it."""
        shown = self.language in {"console", "sh", "run"} or bool(self.marks.keys() & {"edit", "writes"})
        return shown and "not run:" not in self.marks


@dataclass
class Ran:
    """The result of running a page."""

    text: str
    """The page with the current outputs."""
    not_run: list[str] = field(default_factory=list)
    """The blocks that were not run, each with its line and the reason."""


def pages() -> list[Path]:
    """The pages with commands to run."""
    return [file for pattern in PAGES for file in sorted(ROOT.glob(pattern))]


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a page, in their order."""
    for found in _BLOCK.finditer(text):
        if found["hidden"]:
            yield Block("run", found["hidden"], found.start())
            continue
        marks = {
            each["name"]: each["rest"] for each in map(_MARK.match, map(str.strip, found["marks"].splitlines())) if each
        }
        if hidden := marks.pop("run:", ""):
            yield Block("run", hidden, found.start())
        yield Block(found["language"], found["body"], found.start("body"), found["indent"], marks)


def run(page: Path, *, rehearsals: bool = True) -> Ran:
    """Runs all blocks of a page.

    Raises:
        Failed: the exit code of a command differs from the page.
    """
    text = page.read_text(encoding="utf-8")
    ran, position = Ran(""), 0
    with checkout() as shell:
        for block in blocks(text):
            where = f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, block.start)}"
            if reason := _left_out(block, rehearsals=rehearsals):
                ran.not_run.append(f"{where}: {reason}")
            elif block.runs:
                body = _done(block, shell, where)
                ran.text += text[position : block.start] + body
                position = block.start + (len(block.body) if block.language != "run" else 0)
    ran.text += text[position:]
    return ran


def _left_out(block: Block, *, rehearsals: bool) -> str:
    """The reason why a block with commands is not run. Empty if it is run."""
    if "not run:" in block.marks:
        return block.marks["not run:"]
    if "rehearsal" in block.marks and not rehearsals:
        return "it needs the programs of a rehearsal"
    if "slurm" in block.marks and not all(map(shutil.which, SLURM)):
        return "it needs Slurm (apt-get install munge slurm-client slurmctld slurmd)"
    if "parallelcluster" in block.marks and not PARALLELCLUSTER.exists():
        return "it needs AWS ParallelCluster's package (make setup)"
    return ""


@dataclass
class Shell:
    """A shell in a copy of the checkout. It keeps its variables and its folder between commands."""

    folder: Path
    environment: dict[str, str]

    def run(self, command: str) -> tuple[str, int]:
        """The output of a command, stdout and stderr combined, and its exit code."""
        state = self.folder.parent / "state"
        kept = f'{{ export -p; printf "cd %q\\n" "$PWD"; }} > "{state}"'
        script = f'[ -f "{state}" ] && . "{state}"\n{command}\ncode=$?\n{kept}\nexit $code'
        made = child_process.run(  # the shell of the reader
            ["bash", "-c", f"exec 2>&1\n{script}"], cwd=self.folder, env=self.environment, timeout=_TIMEOUT_SECONDS
        )
        return made.stdout.replace(str(self.folder), "/home/you/muster"), made.returncode


@contextmanager
def checkout() -> Iterator[Shell]:
    """A copy of the files that a reader has after `git clone` and `make setup`."""
    with TemporaryDirectory() as name:
        folder = Path(name).resolve() / "muster"
        for each in _COPIED:
            source, target = ROOT / each, folder / each
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("node_modules", ".venv", "__pycache__"))
            else:
                shutil.copy(source, target)  # noqa: TID251
        (folder / ".venv").symlink_to(Path(sys.prefix))
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("AWS_", "PULUMI_", "MUSTER_"))}
        shell = Shell(
            folder,
            kept
            | {
                "PATH": f"{child_process.PYTHON.parent}{os.pathsep}{kept.get('PATH', os.defpath)}",
                "HOME": name,
                "XDG_CACHE_HOME": kept.get("XDG_CACHE_HOME") or str(Path.home() / ".cache"),
                "AWS_EC2_METADATA_DISABLED": "true",
                "MUSTER_AS_OF": AS_OF,
                "MUSTER_PARALLELCLUSTER": str(PARALLELCLUSTER),
                "NO_COLOR": "1",
                "COLUMNS": "100",
                "PYTHONUNBUFFERED": "1",
                "LC_ALL": "C.UTF-8",
                "GIT_AUTHOR_NAME": "you",
                "GIT_AUTHOR_EMAIL": "you@example.org",
                "GIT_COMMITTER_NAME": "you",
                "GIT_COMMITTER_EMAIL": "you@example.org",
            },
        )
        shell.run("printf '.venv\\n' > .gitignore && git init -q -b main && git add -A && git commit -qm start")
        yield shell


def _done(block: Block, shell: Shell, where: str) -> str:
    """Runs a block.

    Returns:
        Its body with the current outputs. For a block without outputs, the same body or nothing.

    Raises:
        Failed: an exit code is not the expected one, or a diff does not apply to its file.
    """
    body = "".join(f"{line.removeprefix(block.indent)}\n" for line in block.body.splitlines())
    if block.language == "run":
        _expect(shell, body, 0, where)
        return ""
    if file := block.marks.get("writes"):
        (shell.folder / file).parent.mkdir(parents=True, exist_ok=True)
        (shell.folder / file).write_text(body, encoding="utf-8")
    elif file := block.marks.get("edit"):
        _edit(shell.folder / file, body, where)
    code = int(block.marks.get("exits", 0))
    if block.language == "sh":
        _expect(shell, body, code, where)
    if block.language != "console":
        return block.body
    made = list[str]()
    steps = list(_steps(body))
    for number, (command, shown) in enumerate(steps, 1):
        printed = _expect(shell, command.removeprefix("$ "), code if number == len(steps) else 0, where)
        made += [*command.splitlines(), *_accepted(shown, printed)]
    return "".join(f"{block.indent}{line}".rstrip() + "\n" for line in made)


def _expect(shell: Shell, command: str, code: int, where: str) -> list[str]:
    """The lines that a command prints.

    Raises:
        Failed: its exit code is not `code`.
    """
    printed, got = shell.run(command)
    if got != code:
        raise Failed(f"{where}: `{command.strip()}` exits with {got} instead of {code}:\n{printed}")
    return [line.rstrip() for line in printed.splitlines()]


def _steps(body: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a `console` block, and the output lines below each."""
    command, shown, goes_on = "", list[str](), False
    for line in body.splitlines():
        if goes_on or line.startswith("$ "):
            if not goes_on and command:
                yield command, shown
                command, shown = "", []
            command += f"{line}\n"
            goes_on = line.endswith("\\")
        else:
            shown.append(line)
    if command:
        yield command, shown


def _accepted(shown: Sequence[str], printed: Sequence[str]) -> Sequence[str]:
    """The output on the page, if it differs from the printed output only in parts that differ between runs. Otherwise
    the printed output, with the same number of lines before and after the omitted ones."""
    if "..." in shown:
        before = shown.index("...")
        after = len(shown) - before - 1
        if before + after < len(printed):
            printed = [*printed[:before], "...", *printed[len(printed) - after :]]
    return shown if [*map(_steady, shown)] == [*map(_steady, printed)] else printed


def _steady(line: str) -> str:
    """A line without the parts that differ between runs. These can also change the width of columns."""
    for pattern, steady in _VOLATILE:
        line = pattern.sub(steady, line)
    return re.sub(r" {2,}|[─━]{2,}", "  ", line).strip()


def _edit(file: Path, diff: str, where: str) -> None:
    """Applies a diff without line numbers.

    Raises:
        Failed: the lines before the change are not in the file, or occur more than once.
    """
    lines = diff.splitlines()
    before = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "+")
    after = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "-")
    text = file.read_text(encoding="utf-8")
    if text.count(before) != 1:
        raise Failed(f"{where}: the lines of the diff occur {text.count(before)} times in {file.name}, not once")
    file.write_text(text.replace(before, after), encoding="utf-8")


def main() -> None:
    """Rewrites or checks the pages."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("pages", nargs="*", type=Path)
    options.add_argument("--check", action="store_true")
    options.add_argument("--no-rehearsals", action="store_true")
    chosen = options.parse_args()
    wrong = 0
    every = [page.resolve() for page in chosen.pages] or pages()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for page, made in zip(
            every, pool.map(lambda each: _tried(each, rehearsals=not chosen.no_rehearsals), every), strict=True
        ):
            if isinstance(made, Failed):
                wrong += 1
                print(made)
                continue
            print(*(f"not run: {each}" for each in made.not_run), sep="\n", end="\n" if made.not_run else "")
            if made.text != page.read_text(encoding="utf-8"):
                wrong += chosen.check
                print(f"{'an output has changed' if chosen.check else 'wrote'}: {page.relative_to(ROOT)}")
                if not chosen.check:
                    page.write_text(made.text, encoding="utf-8")
    sys.exit(bool(wrong))


def _tried(page: Path, *, rehearsals: bool) -> Ran | Failed:
    try:
        return run(page, rehearsals=rehearsals)
    except Failed as failure:
        return failure


if __name__ == "__main__":
    main()
