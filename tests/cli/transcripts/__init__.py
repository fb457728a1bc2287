"""Transcripts: what people type, and everything that they see, one file a topic. `make goldens` types it again.

A line that starts with `# ` begins a new project, with Pulumi.yaml and the stack p5-odcr. `  $ ` is typed, and `  > `
continues it. Below it stand stdout, stderr after `! `, and the exit code in brackets if it is not 0. `muster` runs in
this process, and its stdout may be piped. `edit STACK OLD NEW` replaces what stands exactly once in a stack's file, in
which `\\n` ends a line; `take STACK` copies one of ours with its facts. A shell runs everything else, with the
checkout in $ROOT.
"""

import io
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from muster import secret_texts
from muster.cli.main import main
from muster.stack.project import facts_file, stack_file
from tests.stack_files import AS_OF, ROOT, edited

FOLDER = Path("tests/cli/transcripts")
TOPICS = sorted(file.stem for file in (ROOT / FOLDER).glob("*.txt"))

_UNSET = ("FORCE_COLOR", "GITHUB_ACTIONS", "KUBECONFIG", "MUSTER_DEBUG", "NO_COLOR", "XDG_CACHE_HOME")
_RULES = re.compile(r"\b\d+ (rules?|rule evaluations?|not evaluated)\b")
"""Counts that grow with the catalogue, and say nothing of the command."""

Shown = tuple[int, str, str]


def page(topic: str) -> Iterator[tuple[Path, str]]:
    """The transcript of a topic, typed again."""
    file = FOLDER / f"{topic}.txt"
    yield file, _typed_again((ROOT / file).read_text(encoding="utf-8"))


def _typed_again(text: str) -> str:
    return "\n".join(_project(part) for part in re.split(r"^(?=# )", text, flags=re.MULTILINE) if part)


def _project(text: str) -> str:
    """One project from its heading on."""
    secret_texts.forget()
    with TemporaryDirectory() as name:
        folder = Path(name).resolve() / "project"
        (folder / "stacks" / "facts").mkdir(parents=True)
        shutil.copy(ROOT / "Pulumi.yaml", folder)
        _take(folder, "p5-odcr")
        facts_file(folder, "p5-odcr").unlink()
        environment = {"COLUMNS": "120", "HOME": name, "LC_ALL": "C", "MUSTER_AS_OF": AS_OF, "ROOT": str(ROOT)}
        with chdir(folder), patch.dict(os.environ, environment):
            for each in _UNSET:
                os.environ.pop(each, None)
            return "".join(_lines(text, folder))


def _lines(text: str, folder: Path) -> Iterator[str]:
    for step in re.findall(r"^(?!  |\n).*\n|^  \$ .*\n(?:  >.*\n)*", text, re.MULTILINE):
        yield step
        if step.startswith("  $ "):
            code, out, err = _typed(re.sub(r"^  [$>] ?", "", step.rstrip("\n"), flags=re.MULTILINE), folder)
            said = [*out.splitlines(), *(f"! {line}" for line in err.splitlines()), *([f"[{code}]"] if code else [])]
            for line in said:
                scrubbed = _RULES.sub(r"N \1", line.replace(str(folder.parent), ""))
                yield f"  {scrubbed}".rstrip() + "\n"


def _typed(command: str, folder: Path) -> Shown:
    """Exit code, stdout and stderr of a command."""
    match command.partition(" "):
        case "muster", _, words:
            own, pipe, rest = words.partition(" | ")
            code, out, err = _muster(*shlex.split(own))
            return code, _shell(rest, out)[1] if pipe else out, err
        case "edit", _, words:
            stack, old, new = (each.replace(r"\n", "\n") for each in shlex.split(words))
            file = stack_file(folder, stack)
            file.write_text(edited(file.read_text(), old, new))
        case "take", _, stack:
            _take(folder, stack)
        case _:
            return _shell(command)
    return 0, "", ""


def _muster(*arguments: str) -> Shown:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    return int(code), out.getvalue(), err.getvalue()


def _shell(command: str, given: str = "") -> Shown:
    ran = subprocess.run(["sh", "-c", command], input=given, capture_output=True, encoding="utf-8", check=False)
    return ran.returncode, ran.stdout, ran.stderr


def _take(folder: Path, stack: str) -> None:
    for where in (stack_file, facts_file):
        if where(ROOT, stack).exists():
            shutil.copy(where(ROOT, stack), where(folder, stack))
