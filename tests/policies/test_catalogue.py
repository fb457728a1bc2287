"""The catalogue of rules keeps its word: sheets are whole and names agree."""

import re
from pathlib import Path

import pytest

from muster.finding import Level
from muster.policies.engine import catalogue
from muster.policies.engine.catalogue import all_rules, rules_in_modules
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


def test_the_function_is_named_like_the_rule() -> None:
    for rule in rules_in_modules():
        assert rule.predicate.__name__ == rule.id.replace("-", "_")


def test_every_file_of_rules_has_a_rule() -> None:
    """What several files of rules read is in `muster.policies.lookups`: no rule imports a rule."""
    files = {
        f"muster.policies.rules.{file.parent.name}.{file.stem}"
        for file in FOLDER.glob("*/*.py")
        if file.stem != "__init__"
    }
    assert files == {rule.function.partition(":")[0] for rule in rules_in_modules()}
    assert {file.name for file in FOLDER.glob("*.py")} == {"__init__.py"}


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
