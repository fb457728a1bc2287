"""Examples from the programs that rules are tested by: another team's Pulumi program, on the offline monitor."""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

from muster.offline import run_program
from policies.judgement import Judgement, judge
from policies.rule import Rule
from policies.views import fleet_of
from tests.factories import AS_OF, REGION
from tools.rules_pages.example import Example, fenced, said

FOLDER = "tests/policies/programs"
_PASSING, _FAILING = "passing", "failing"
_ROOT = Path(__file__).resolve().parents[2]


def programmed_example(rule: Rule) -> Example | None:
    """The program that this rule is tested by, None where only a description can break it.

    Raises:
        AssertionError: the program does not do what it is called.
    """
    name = rule.id.replace("-", "_")
    file = f"{FOLDER}/{name}.py"
    if not (_ROOT / file).is_file():
        return None
    program = import_module(f"tests.policies.programs.{name}")
    failing = _judged(rule, program)
    assert failing.findings, f"{file}: nothing found"
    source = (_ROOT / file).read_text(encoding="utf-8")
    tree = ast.parse(source)
    about = (ast.get_docstring(tree) or "").partition("\n")[0].rstrip(".")
    beside = _beside(tree)
    return Example(
        passes=(
            f"In a Pulumi program of another team ([`{file}`](../../../{file}){beside}):",
            "",
            *fenced("python", _functions(source, tree, _PASSING)),
            "The pack finds nothing.",
            "",
        ),
        fails=(
            f"{about}:",
            "",
            *fenced("python", _functions(source, tree, _FAILING)),
            "The pack says:",
            "",
            *said(failing.findings),
        ),
        of=file,
    )


def _judged(rule: Rule, program: Any) -> Judgement:
    """Of the one that fails. That the other passes the rule's own test tells: here it would take as long again."""
    facts = getattr(program, "FAILING_FACTS", getattr(program, "FACTS", None))
    region = getattr(program, "REGION", REGION)
    registered = run_program(getattr(program, _FAILING), project="theirs", stack="dev", region=region)
    fleet = fleet_of(registered, facts=facts, region=region, as_of=getattr(program, "AS_OF", AS_OF))
    return judge(fleet, rules=(rule,))


def _beside(tree: ast.Module) -> str:
    """Where the helpers are that a program has in common with others."""
    modules = [each.module or "" for each in tree.body if isinstance(each, ast.ImportFrom)]
    shared = [each.rpartition(".")[2] for each in modules if each.startswith("tests.policies.programs.")]
    links = ", ".join(f"[`{each}`](../../../{FOLDER}/{each}.py)" for each in shared)
    return f", with what is in {links}" if links else ""


def _functions(source: str, tree: ast.Module, which: str) -> list[str]:
    """A function, behind those of its own file that it calls."""
    by_name = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    wanted: list[str] = []

    def want(name: str) -> None:
        for node in ast.walk(by_name[name]):
            if isinstance(node, ast.Name) and node.id in by_name and node.id not in (*wanted, name):
                want(node.id)
        wanted.append(name)

    want(which)
    lines: list[str] = []
    for name in wanted:
        text = ast.get_source_segment(source, by_name[name]) or ""
        lines += [*([""] if lines else []), *text.splitlines()]
    return lines
