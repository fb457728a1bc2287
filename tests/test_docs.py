"""What the pages show is true."""

import json
import re

import pytest

from muster.fleet.facts import Facts
from muster.fleet.shape import shape
from tests.stack_files import ROOT

PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / "stacks").rglob("*.md"),
    *(ROOT / "examples").glob("*/*.md"),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.name}")
def test_links_lead_somewhere(page) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_facts_shown_have_the_form_of_facts() -> None:
    text = (ROOT / "stacks" / "facts" / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    made, faults = shape(Facts, json.loads(shown))
    assert made is not None, faults
