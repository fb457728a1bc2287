"""The program of a project, where it does more than run Muster's: resources beside Muster's, transforms of Muster's."""

import ast
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from muster.config.document import read, value_at
from muster.stack.stack_file import StackFile
from muster.user_files import DESCRIPTION, CannotRead, read_text

_STANDARD = ast.dump(ast.parse("from muster.program import run\nrun()"))


@dataclass(frozen=True, slots=True)
class OwnProgram:
    """A project's own program."""

    file: Path
    project: str
    """The name of the project, in URNs and in keys of the configuration."""
    config: dict[str, Any] = field(default_factory=dict)
    """The configuration of the stack, as its file has it."""


def own_program(opened: StackFile) -> OwnProgram | None:
    """The program of a stack's project. None if it is `muster new`'s, which registers what is described and no more."""
    folder = opened.project
    if not (folder / "Pulumi.yaml").is_file():
        return None
    project = read(folder / "Pulumi.yaml", inside=folder).data
    main = value_at(project, ("main",))
    file = folder / (main if isinstance(main, str) else "")
    file = file / "__main__.py" if file.is_dir() else file
    if not file.is_file() or _is_standard(file, folder):
        return None
    name, config = value_at(project, ("name",)), value_at(opened.document.data, ("config",))
    return OwnProgram(file, str(name or "muster"), dict(config) if isinstance(config, dict) else {})


def _is_standard(file: Path, folder: Path) -> bool:
    try:
        tree = ast.parse(read_text(file, DESCRIPTION, folder))
    except (CannotRead, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if ast.get_docstring(tree, clean=False) is not None:
        del tree.body[0]
    return ast.dump(tree) == _STANDARD
