"""The catalogue of rules: sheets are complete, names agree, and `docs/facts` has every fact that is cited anywhere."""

import re
from dataclasses import fields
from functools import cache
from importlib import import_module
from inspect import isfunction, signature
from pathlib import Path

import pytest
import yaml

from muster.finding import Level
from muster.policies.engine import catalogue
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Sheet, resolved
from muster.policies.engine.rule_index import UnknownRule, sheet_of
from tests.stack_files import ROOT

DOCUMENTS = ("rules.md", "hardware.md", "pains.md", "addons.md", "pcs.md")

FOLDER = Path(catalogue.__file__).parent.parent / "rules"
CONTROLS = {
    "aws-controls": re.compile(r"aws-controls#(CT\.[A-Z0-9]+\.PR\.\d+|[a-z0-9]+(-[a-z0-9]+)*)"),
    "kubernetes": re.compile(r"kubernetes#(rbac|secrets)-good-practices"),
    "pod-security": re.compile(r"pod-security#(baseline|restricted)"),
    "pulumi": re.compile(r"pulumi#[a-z]+"),
}
"""Catalogues of others that sheets cite beside `docs/facts`."""


def test_each_sheet_has_its_predicate_and_options() -> None:
    for rule in all_rules():
        assert callable(resolved(f"{rule.module}:{rule.id.replace('-', '_')}"))
        assert all(isinstance(kind, type) for kind in rule.kinds)
        assert issubclass(rule.options, Options)


def test_every_predicate_has_a_sheet() -> None:
    """Every public predicate in the files of rules has a sheet, and every file has a rule."""
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


def test_sheets_have_the_keys_that_are_read() -> None:
    """A misspelled optional key of a sheet would be without effect."""
    read = {each.name for each in fields(Sheet)} - {"id", "topic", "leaves_to", "options_class"}
    for file in FOLDER.glob("*/rules.yaml"):
        for name, row in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            assert row.keys() <= read | {"leaves-to", "options"}, name


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


def test_an_unknown_rule_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownRule, match="did you mean 'interfaces-fit-cards'"):
        sheet_of("interfaces-fit-crads")


# docs/facts

FACTS = ROOT / "docs" / "facts"
FOLDERS = ("addons", "docs", "infra", "muster", "policies", "tests", "tools")
CITED = re.compile(r"(?<![\w-])(?<!reference/)((?:rules|hardware|pains|addons|pcs)\.md#[A-Za-z0-9-]+)(?![{A-Za-z0-9-])")
NO_FACTS = {"rules.md#N", "rules.md#trap-N", "hardware.md#RN", "pains.md#N", "pains.md#trap-N", "rules.md#99"}
"""What docstrings write for a number, and what a test asks for in vain."""


def ids(text: str) -> list[str]:
    """The anchors that a page writes out."""
    return re.findall(r'<a id="([^"]+)"></a>', text)


@cache
def anchors(page: Path) -> frozenset[str]:
    """What can stand behind the # of a link to the page: anchors, and headings as GitHub names them."""
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return frozenset(ids(text)) | {re.sub(r"[^a-z0-9_-]", "", each.lower().replace(" ", "-")) for each in headings}


@cache
def facts() -> frozenset[str]:
    """Every fact that `docs/facts` has."""
    return frozenset(
        f"{each}#{found}" for each in DOCUMENTS for found in ids((FACTS / each).read_text(encoding="utf-8"))
    )


def test_every_fact_of_a_rule_is_documented() -> None:
    """Here, or in a document that others publish."""
    for rule in all_rules():
        assert rule.facts, rule.id
        assert len(set(rule.facts)) == len(rule.facts), rule.id
        for fact in set(rule.facts) - facts():
            assert CONTROLS[fact.partition("#")[0]].fullmatch(fact), fact


@pytest.mark.parametrize("document", DOCUMENTS)
def test_an_anchor_stands_once(document: str) -> None:
    found = ids((FACTS / document).read_text(encoding="utf-8"))
    assert sorted(found) == sorted(set(found))


def test_every_citation_leads_to_a_fact() -> None:
    """In the product, the tests, the corpus and the pages."""
    wrong = []
    for file in (*ROOT.glob("*.md"), *(each for folder in FOLDERS for each in (ROOT / folder).rglob("*"))):
        if file.suffix in {".py", ".md", ".yaml"}:
            cited = set(CITED.findall(file.read_text(encoding="utf-8")))
            wrong += [f"{file.relative_to(ROOT)}: {each}" for each in cited - facts() - NO_FACTS]
    assert wrong == []


@pytest.mark.parametrize("document", ["rules.md", "pains.md"])
def test_an_entry_has_a_source(document: str) -> None:
    """A link, or a link's label. In the other documents a section has its sources."""
    text = (FACTS / document).read_text(encoding="utf-8")
    entries = re.split(r'(?=<a id=")', text)[1:]
    assert [entry[:40] for entry in entries if not re.search(r"\]\[[a-z0-9-]+\]|\]\(https://", entry)] == []
