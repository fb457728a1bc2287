"""The catalogue of rules keeps its word: sheets are whole and names agree."""

import re
from importlib import import_module
from inspect import isfunction, signature
from pathlib import Path

import pytest

from muster.finding import Level
from muster.policies.engine import catalogue
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.options import Options
from muster.policies.engine.rule import resolved
from muster.policies.engine.rule_index import UnknownRule, sheet_of

DOCUMENTS = ("rules.md", "hardware.md", "pains.md", "addons.md", "pcs.md")

FOLDER = Path(catalogue.__file__).parent.parent / "rules"
CONTROLS = {
    "aws-controls": re.compile(r"aws-controls#(CT\.[A-Z0-9]+\.PR\.\d+|[a-z0-9]+(-[a-z0-9]+)*)"),
    "kubernetes": re.compile(r"kubernetes#(rbac|secrets)-good-practices"),
    "pod-security": re.compile(r"pod-security#(baseline|restricted)"),
    "pulumi": re.compile(r"pulumi#[a-z]+"),
}
"""What others publish and facts name beside `docs/facts`, whose anchors test_facts_documents reads."""


def test_each_sheet_has_its_predicate_and_options() -> None:
    for rule in all_rules():
        assert callable(resolved(f"{rule.module}:{rule.id.replace('-', '_')}"))
        assert all(isinstance(kind, type) for kind in rule.kinds)
        assert issubclass(rule.options, Options)


def test_every_predicate_has_a_sheet() -> None:
    """What several files of rules read is in `muster.policies.lookups`: no rule imports a rule."""
    for rule in all_rules():
        public = {name for name, each in vars(import_module(rule.module)).items() if _is_predicate(each, rule.module)}
        assert public == {each.id.replace("-", "_") for each in all_rules() if each.module == rule.module}
    files = {
        f"muster.policies.rules.{file.parent.name}.{file.stem}"
        for file in FOLDER.glob("*/*.py")
        if file.stem != "__init__"
    }
    assert files == {rule.module for rule in all_rules()}
    assert {file.name for file in FOLDER.glob("*.py")} == {"__init__.py"}


def _is_predicate(each: object, module: str) -> bool:
    if not isfunction(each) or each.__module__ != module or each.__name__[0] == "_":
        return False
    return "rule" in signature(each).parameters


def test_sheets_are_whole() -> None:
    for rule in all_rules():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.id)
        for text in (rule.title, rule.why, rule.remedy):
            assert len(text) > 10, rule.id
            assert text == text.strip()
            assert "  " not in text
            assert "!" not in text
        assert rule.title[-1] != ".", rule.title
        for sentence in (rule.why, rule.remedy):
            assert sentence[-1] == ".", sentence
            assert sentence[0].isupper() or sentence[0].isdigit(), sentence
        assert rule.backends, rule.id
        assert rule.source, rule.id
        assert all(re.fullmatch(r"https://\S+", each) for each in rule.source), rule.id
        assert rule.level in Level, rule.id


def test_facts_are_well_formed() -> None:
    for rule in all_rules():
        assert rule.facts, rule.id
        assert len(set(rule.facts)) == len(rule.facts), rule.id
        for fact in rule.facts:
            document = fact.partition("#")[0]
            assert document in DOCUMENTS or CONTROLS[document].fullmatch(fact), fact


def test_an_unknown_rule_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownRule, match="did you mean 'interfaces-fit-cards'"):
        sheet_of("interfaces-fit-crads")
