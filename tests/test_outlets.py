"""Product code prints by `muster.terminal`, and writes files of users by `muster.written_files`.

Ruff bans the functions of modules (`banned-api` in `pyproject.toml`); it cannot ban methods, so those are found here.
"""

import ast
from collections.abc import Iterator

from tests.stack_files import ROOT
from tools import product_files

OWN_FOLDERS = {
    "muster/rehearsal": "the folder and the cache of a rehearsal",
    "addons/charts": "the folder of Helm, and the cache",
}
"""Code that writes only into folders that Muster has just made, or its cache: no path in them is a user's."""
OUTLETS = {"muster/terminal.py", "muster/written_files.py"}


def writes(source: str) -> Iterator[int]:
    """The lines that write a file, or to a stream."""
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        texts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and each.value is not None]
        opens = node.func.attr == "open" and any(isinstance(t, str) and t and set(t) <= set("wax+bt") for t in texts)
        if node.func.attr in {"write_text", "write_bytes", "writelines", "symlink_to", "hardlink_to"} or opens:
            yield node.lineno


PRODUCT = sorted(
    str(file.relative_to(ROOT))
    for file in product_files.files()
    if str(file.relative_to(ROOT)) not in OUTLETS and not str(file.relative_to(ROOT)).startswith(tuple(OWN_FOLDERS))
)


def test_no_other_module_writes_files() -> None:
    """But `muster new`, which links an environment into a folder that it made."""
    found = {name: [*writes((ROOT / name).read_text(encoding="utf-8"))] for name in PRODUCT}
    assert {name: len(lines) for name, lines in found.items() if lines} == {"muster/cli/commands/new.py": 1}


def test_the_folders_exist() -> None:
    assert all((ROOT / name).exists() for name in (*OWN_FOLDERS, *OUTLETS))
