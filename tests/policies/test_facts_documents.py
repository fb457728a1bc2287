"""`docs/facts` has an anchor for every fact that is cited anywhere, and the links of its pages and of the rule pages
resolve."""

import re
from functools import cache
from pathlib import Path

import pytest

from muster.policies.engine.catalogue import all_rules
from tests.stack_files import ROOT

DOCUMENTS = ("rules.md", "hardware.md", "pains.md", "addons.md", "pcs.md")

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
    for rule in all_rules():
        assert {each for each in rule.facts if each.partition("#")[0] in DOCUMENTS} - facts() == set(), rule.id


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
