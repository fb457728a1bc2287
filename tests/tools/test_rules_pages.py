"""`docs/rules/`: every rule has a page with both examples, and what the pages lead to is there."""

import re

import pytest

from muster.policies.coverage.documented_facts import PAINS as REPORTED
from muster.policies.engine.catalogue import all_rules, rule_of
from muster.policies.engine.rule import Rule
from muster.policies.sources import citations
from tests.stack_files import ROOT
from tools.rules_pages import FOLDER
from tools.rules_pages.entries import FOLDER as OWN
from tools.rules_pages.entries import own_entry
from tools.rules_pages.index import TOPICS
from tools.rules_pages.pains import PAINS

every_rule = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)


def page_of(rule: Rule) -> str:
    """The committed page; `tests/test_generated.py` holds it to what is generated now."""
    return (ROOT / FOLDER / rule.topic / f"{rule.id}.md").read_text(encoding="utf-8")


def test_a_rule_has_a_page_with_both_examples() -> None:
    """What passes and what fails, each in a block, and in what is said of the one that fails the rule's own words."""
    for rule in all_rules():
        _, passes, fails = re.split(r"^## It (?:passes|fails)$", page_of(rule), flags=re.MULTILINE)
        shown = r"```(yaml|python)\n.+?\n```\n\n.* finds nothing\.\n"
        assert re.search(shown, passes, re.DOTALL), rule.id
        blocks = re.findall(r"```(\w+)\n(.+?)\n```", fails, re.DOTALL)
        assert [kind for kind, _ in blocks] in (["diff", "text"], ["python", "text"]), rule.id
        (kind, example), (_, words) = blocks
        assert kind == "python" or re.search(r"^[+-] ", example, re.MULTILINE) or " on 202" in fails, rule.id
        # Some rules advise where their source leaves room: an example of that is an example, too.
        assert re.search(rf"({rule.level}|advisory)\s+{rule.id}:", words), rule.id
        assert re.search(r"\n    (fix:|->) ", words), rule.id


def test_a_page_says_the_whole_sheet() -> None:
    """Title, reason, remedy, level, severity, facts, every document with its address."""
    for rule in all_rules():
        page = page_of(rule)
        for words in (rule.title, rule.why, rule.remedy, *rule.facts, *rule.backends[:0]):
            assert words in page, words
        assert f"| {rule.level} | {rule.severity} |" in page, rule.id
        for each in citations(rule.source):
            assert (f"[{each.words}]({each.url})" if each.url else each.words) in page, each.words


def test_a_page_says_every_option() -> None:
    """By the name that a configuration has for it."""
    for rule in all_rules():
        page = page_of(rule)
        names = {field.alias or name for name, field in rule.options.model_fields.items()}
        assert {name for name in names if f"| `{name}`: " not in page} == set(), rule.id
        assert ("## Options" in page) is bool(names), rule.id


def test_there_is_no_page_of_a_rule_that_is_gone() -> None:
    """A page is a rule's, or the index."""
    there = {str(file.relative_to(ROOT / FOLDER)) for file in (ROOT / FOLDER).rglob("*.md")}
    assert there == {"README.md", *(f"{rule.topic}/{rule.id}.md" for rule in all_rules())}


def test_the_index_lists_every_rule_once_and_every_topic_by_a_name() -> None:
    """In the table of its topic."""
    index = (ROOT / FOLDER / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[([a-z0-9-]+)\]\(([a-z_]+)/", index, re.MULTILINE)
    assert sorted(rows) == sorted((rule.id, rule.topic) for rule in all_rules())
    assert set(TOPICS) == {rule.topic for rule in all_rules()}


def test_every_reported_failure_is_told() -> None:
    """With what prevents it: the index has a row of each, and none ends empty."""
    assert tuple(PAINS) == REPORTED
    index = (ROOT / FOLDER / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(pains\.md#[a-z0-9-]+)\]\([^)]+\): .+? \| .*? \| (.+) \|$", index, re.MULTILINE)
    assert [fact for fact, _ in rows] == list(REPORTED)


def test_examples_beside_the_corpus_are_of_rules_that_need_one() -> None:
    """Each is called like the rule, and is its example."""
    for file in OWN.glob("*.yaml"):
        rule = rule_of(file.stem)
        entry = own_entry(rule.id)
        assert entry is not None
        assert set(entry.finds) == {rule.id}
        assert f"tools/rules_pages/entries/{file.name}" in page_of(rule), file.name


@pytest.mark.parametrize(
    ("rule", "word"),
    [
        ("capacity-block-length", "capacity-block:"),
        ("credentials-not-in-the-clear", "secretsmanager"),
        ("hyperpod-deep-checks-known", "deep-health-checks:"),
        ("imds-out-of-pods", "http_put_response_hop_limit"),
        ("imds-v2-required", '"http_tokens": "required"'),
    ],
)
def test_what_passes_has_what_the_rule_is_about(rule: str, word: str) -> None:
    """Not hidden in what programs share, and not by having nothing of it."""
    passes = page_of(rule_of(rule)).partition("## It passes")[2].partition("## It fails")[0]
    assert word in passes
