"""The two stacks of `examples/addons-of` in a project of their own, to be broken."""

import shutil
from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from muster.stack.project import open_stack
from muster.stack.stack_file import StackFile
from tests.stack_files import AS_OF, ROOT, edited

CLUSTER, ADDONS = "p5-shared", "p5-shared-addons"
EXAMPLE = ROOT / "examples" / "addons-of"
FULL = f"organization/muster/{CLUSTER}"


@dataclass(frozen=True)
class Shared:
    """A project with both stacks."""

    folder: Path

    @classmethod
    def in_folder(cls, folder: Path) -> "Shared":
        """Copies both into a project of this folder."""
        (folder / "stacks" / "facts").mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "Pulumi.yaml", folder)
        for file in EXAMPLE.glob("Pulumi.*.yaml"):
            shutil.copy(file, folder / "stacks")
        return cls(folder)

    def file(self, stack: str = ADDONS) -> Path:
        """A stack's file."""
        return self.folder / "stacks" / f"Pulumi.{stack}.yaml"

    def edit(self, before: str, after: str, stack: str = ADDONS) -> None:
        """Replaces what stands exactly once in a stack's file."""
        self.file(stack).write_text(edited(self.file(stack).read_text(), before, after))

    def copy(self, stack: str, name: str, *edits: tuple[str, str]) -> None:
        """Another stack, like one of them but for the edits."""
        text = self.file(stack).read_text()
        for before, after in edits:
            text = edited(text, before, after)
        self.file(name).write_text(text)

    def open(self, stack: str = ADDONS) -> StackFile:
        """Reads a stack."""
        return open_stack(self.folder, stack)

    def told(self, stack: str = ADDONS) -> list[tuple[str, int, str, str, str]]:
        """Its faults: file, line, path, what was found, what to do."""
        faults = self.open(stack).faults
        return [
            (each.file.name, each.position.line, each.finding.where, each.finding.got, each.finding.remedy)
            for each in faults
        ]

    def line(self, text: str, stack: str = ADDONS) -> int:
        """The line that a text stands in."""
        (number,) = [number for number, line in enumerate(self.file(stack).read_text().splitlines(), 1) if text in line]
        return number


def outputs_of(stack: str) -> dict[str, Any]:
    """What `pulumi stack output --json` would print of a stack of this repository, or of the example's cluster."""
    return deepcopy(_outputs_of(stack))


@cache
def _outputs_of(stack: str) -> dict[str, Any]:
    from muster.offline.plan import plan_stack
    from muster.plain_data import to_plain

    with TemporaryDirectory() as name:
        opened = Shared.in_folder(Path(name)).open(stack) if stack == CLUSTER else open_stack(ROOT, stack)
        return {**to_plain(dict(plan_stack(opened, date.fromisoformat(AS_OF)).outputs)), "kubeconfig": "[secret]"}
