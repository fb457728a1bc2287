"""A copy of the project to run commands in, and to break."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from muster.cli.main import main
from tests.stack_files import AS_OF, ROOT, edited

FORMATS = ("table", "markdown", "github", "json", "sarif", "junit")


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Stdout as JSON."""
        return json.loads(self.out)


class Muster:
    """Runs `muster` in a project's copy."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def __call__(self, *arguments: str) -> Ran:
        """Runs a command line as it stands."""
        self._capsys.readouterr()
        code = main(arguments)
        out, err = self._capsys.readouterr()
        return Ran(int(code), out, err)

    def judged(self, command: str, *arguments: str) -> Ran:
        """Runs a command that judges, on a fixed day."""
        return self(command, *arguments, "--as-of", AS_OF)

    def reported(self, command: str, *arguments: str) -> tuple[Ran, dict[str, str]]:
        """Runs a command that judges, and gives all reports that it can write, by their format."""
        files = {form: Path(f"report.{form}") for form in FORMATS}
        outputs = [f"-o{form}={file}" for form, file in files.items()]
        ran = self.judged(command, *arguments, "-v", "-otable", *outputs)
        reports = {form: file.read_bytes().decode() for form, file in files.items() if file.exists()}
        for form in reports:
            files[form].unlink()
        return ran, reports

    def file(self, stack: str = "p5-odcr") -> Path:
        """A stack's file."""
        return self.folder / "stacks" / f"Pulumi.{stack}.yaml"

    def edit(self, old: str, new: str, stack: str = "p5-odcr") -> None:
        """Replaces what stands exactly once in a stack's file."""
        self.file(stack).write_text(edited(self.file(stack).read_text(), old, new))

    def take(self, stack: str) -> None:
        """Another stack of the project's, with its facts."""
        shutil.copy(ROOT / "stacks" / f"Pulumi.{stack}.yaml", self.file(stack))
        known = ROOT / "stacks" / "facts" / f"{stack}.json"
        if known.exists():
            self.facts(json.loads(known.read_text()), stack)

    def facts(self, facts: dict[str, Any], stack: str = "p5-odcr") -> None:
        """Writes facts beside a stack."""
        file = self.folder / "stacks" / "facts" / f"{stack}.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(facts))

    def place(self, text: str, within: str, stack: str = "p5-odcr") -> tuple[int, int]:
        """Line and column of a text in the first line that contains `within`."""
        lines = [
            (number, line) for number, line in enumerate(self.file(stack).read_text().splitlines(), 1) if within in line
        ]
        number, line = lines[0]
        return number, line.index(text, line.index(within)) + 1


@pytest.fixture
def muster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Muster:
    """The command, in a folder with Pulumi.yaml and the stack p5-odcr, without facts."""
    shutil.copy(ROOT / "Pulumi.yaml", tmp_path)
    (tmp_path / "stacks").mkdir()
    shutil.copy(ROOT / "stacks" / "Pulumi.p5-odcr.yaml", tmp_path / "stacks")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    for name in ("MUSTER_DEBUG", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return Muster(tmp_path, capsys)
