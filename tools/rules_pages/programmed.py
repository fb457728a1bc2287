"""Examples from the programs that test rules: another team's Pulumi program, on the offline monitor."""

import ast
import inspect
import re
from functools import cache
from pathlib import Path
from textwrap import indent

from muster.policies.engine.judgement import judge
from muster.policies.engine.rule import Rule
from tests.policies.programs.pairs import Program, programs
from tools.rules_pages.example import Example, fenced, said

FOLDER = "tests/policies/programs"
_ROOT = Path(__file__).resolve().parents[2]


def programmed_example(rule: Rule) -> Example | None:
    """The programs that test this rule. None if only a description can break it.

    Raises:
        AssertionError: the failing program has no finding.
    """
    passing, failing = (programs().get((rule.id, which)) for which in ("passing", "failing"))
    if passing is None or failing is None:
        return None
    findings = judge(failing.fleet(), rules=(rule,)).findings
    assert findings, f"{rule.id}: nothing found in its failing program"
    file, lines = _file(passing), _functions(passing, "passing")
    return Example(
        passes=(
            f"In a Pulumi program of another team ([`{file}`](../../../{file}){_beside(file, lines)}):",
            "",
            *fenced("python", lines),
            "The policy pack finds nothing.",
            "",
        ),
        fails=(
            f"{failing.about.rstrip('.')}:",
            "",
            *fenced("python", _functions(failing, "failing")),
            "The policy pack prints:",
            "",
            *said(findings),
        ),
        of=_file(failing),
    )


def _file(program: Program) -> str:
    return Path(inspect.getsourcefile(program.run) or "").relative_to(_ROOT).as_posix()


@cache
def _module(file: str) -> tuple[str, ast.Module]:
    source = (_ROOT / file).read_text(encoding="utf-8")
    return source, ast.parse(source)


def _beside(file: str, lines: list[str]) -> str:
    """Links to the helpers that the program shares with other programs."""
    used = {each.id for each in ast.walk(ast.parse("\n".join(lines))) if isinstance(each, ast.Name)}
    names = [
        (each.module or "").rpartition(".")[2]
        for each in _module(file)[1].body
        if isinstance(each, ast.ImportFrom)
        and (each.module or "").startswith("tests.policies.programs.")
        and used & {one.asname or one.name for one in each.names}
    ]
    links = ", ".join(f"[`{each}`](../../../{FOLDER}/{each}.py)" for each in names)
    return f", with helpers from {links}" if links else ""


def _functions(program: Program, which: str) -> list[str]:
    """A program as a function of that name, after the functions of its file that it calls."""
    source, tree = _module(_file(program))
    by_name = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    wanted: list[str] = []

    def want(node: ast.AST) -> None:
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and each.id in by_name and each.id not in wanted:
                want(by_name[each.id])
                wanted.append(each.id)

    name = program.run.__name__
    if name in by_name:
        for each in by_name[name].body:
            want(each)
        text = re.sub(rf"^def {name}\b", f"def {which}", _text(source, by_name[name]))
    else:
        call = _lambda(tree, inspect.getsourcelines(program.run)[1])
        want(call)
        text = f"def {which}() -> None:\n{indent(_text(source, call), '    ')}"
    listed = [*(_text(source, by_name[each]) for each in wanted), text]
    return "\n\n".join(listed).splitlines()


def _lambda(tree: ast.Module, line: int) -> ast.expr:
    """The body of the lambda on this line."""
    return next(each.body for each in ast.walk(tree) if isinstance(each, ast.Lambda) and each.lineno == line)


def _text(source: str, node: ast.expr | ast.FunctionDef) -> str:
    """The source of a node, without the indentation of its first line."""
    line = source.splitlines()[node.lineno - 1]
    indentation = line[: len(line) - len(line.lstrip())]
    return (ast.get_source_segment(source, node) or "").replace(f"\n{indentation}", "\n")
