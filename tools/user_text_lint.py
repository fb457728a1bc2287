"""Finds code that a text of a user could slow down, and code that reads numbers from it with Python's own functions.

    python -m tools.user_text_lint

It reports a regular expression that can take more than linear time (`pattern_cost.py`); and `int(...)`, `float(...)`,
`Decimal(...)` of anything but a literal, and `isdigit` and the like: `muster/whole_number.py` reads numbers. A comment
``# pattern: why`` or ``# number: why`` on the line excuses it. Exit code 1: it found one.
"""

import ast
import csv
import importlib
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools import product_files
from tools.pattern_cost import is_costly

ROOT = product_files.ROOT
LIMITS = ROOT / "muster" / "config" / "request_limits.csv"
"""Patterns of AWS's APIs. A text is compared with them if it is not too long."""
_LONGEST = 2048
_WHOLE, _BEGIN = {"fullmatch"}, {"fullmatch", "match"}
_METHODS = _BEGIN | {"search", "sub", "subn", "split", "findall", "finditer"}
_NUMBERS, _DIGITS = {"int", "float", "Decimal"}, {"isdigit", "isdecimal", "isnumeric"}
_OWN = (
    "account/",
    "hardware/",
    "infra/",
    "offline/",
    "cost/",
    "verify/",
    "cli/new_stack.py",
    "cli/writers/",
    "rehearsal/",
    "whole_number.py",
)
"""What reads Muster's own tables and reports, the answers of AWS, of the engine, of a rehearsal's control plane and of
who sits at the terminal."""
_OF_USERS = "rehearsal/slurm/batch_script.py"


def main() -> int:
    """Prints each place."""
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in product_files.files()}
    uses = _uses(trees)
    found = []
    for file, tree in trees.items():
        lines = file.read_text(encoding="utf-8").splitlines()
        own = product_files.name(file).startswith(_OWN) and product_files.name(file) != _OF_USERS
        listed = [*(() if own else _numbers(tree)), *_patterns(file, tree, uses)]
        found += [f"{file.relative_to(ROOT)}:{at}: {what}" for at, kind, what in listed if kind not in lines[at - 1]]
    with LIMITS.open(encoding="utf-8", newline="") as opened:
        for row in csv.DictReader(opened):
            is_long = not row["max"] or int(row["max"]) > _LONGEST
            if row["pattern"] and is_long and is_costly(row["pattern"], searches=False, whole=True):
                found.append(f"{LIMITS.name}: the pattern of {row['member']} can take more than linear time")
    print("\n".join(found))
    return 1 if found else 0


def _numbers(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    for node in ast.walk(tree):
        name = ""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            first = node.args[0]
            name = ast.unparse(first) if node.func.id == "map" else node.func.id
            name = name if name in _NUMBERS and not isinstance(first, ast.Constant) else ""
        elif isinstance(node, ast.Attribute) and node.attr in _DIGITS:
            name = node.attr
        if name:
            yield node.lineno, "# number: ", f"{name}: whole_number reads numbers"


def _patterns(file: Path, tree: ast.Module, uses: dict[str, set[str]]) -> Iterator[tuple[int, str, str]]:
    names = {id(each.value): ast.unparse(each.targets[0]) for each in ast.walk(tree) if isinstance(each, ast.Assign)}
    for node in ast.walk(tree):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        method = called.removeprefix("re.")
        if not isinstance(node, ast.Call) or called == method or method not in {*_METHODS, "compile"}:
            continue
        module = vars(
            importlib.import_module(f"muster.{product_files.name(file).removesuffix('.py').replace('/', '.')}")
        )
        pattern = _value(node.args[0], module)
        flags = sum(_value(each, module) for each in node.args[1:] if ast.unparse(each).startswith("re."))
        used = {method} if method in _METHODS else uses.get(_key(file, names.get(id(node), ""))) or _METHODS
        if pattern is None:
            yield node.lineno, "# pattern: ", "the check cannot read this pattern: write it here"
        elif is_costly(pattern, flags, searches=not used <= _BEGIN, whole=used <= _WHOLE):
            yield node.lineno, "# pattern: ", f"{pattern!r} can take more than linear time"


def _uses(trees: dict[Path, ast.Module]) -> dict[str, set[str]]:
    """Name of a compiled pattern -> the methods that are called on it."""
    found: dict[str, set[str]] = defaultdict(set)
    for file, node in ((file, each) for file, tree in trees.items() for each in ast.walk(tree)):
        if isinstance(node, ast.Attribute) and node.attr in _METHODS and ast.unparse(node.value) != "re":
            found[_key(file, ast.unparse(node.value).rpartition(".")[2])].add(node.attr)
    return found


def _key(file: Path, name: str) -> str:
    """A constant of a module by its name, a private one with its file; any variable of a file, which may be a pattern
    of a table, by the file."""
    return name if name.isupper() and name[0] != "_" else f"{file}:{name if name.isupper() else ''}"


def _value(node: ast.expr, module: dict[str, Any]) -> Any:
    """The value of an expression at the top of a module; a text with ``x`` for what is known only in a function."""
    if isinstance(node, ast.JoinedStr):
        parts = (_value(each.value if isinstance(each, ast.FormattedValue) else each, module) for each in node.values)
        return "".join(each if isinstance(each, str) else "x" for each in parts)
    try:
        found = eval(compile(ast.Expression(node), "", "eval"), dict(module))  # noqa: S307  (Muster's own code)
    except NameError:
        return None
    return found.decode() if isinstance(found, bytes) else found


if __name__ == "__main__":
    sys.exit(main())
