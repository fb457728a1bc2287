"""`docs/rules/`: an index, and a page for every rule with an example that passes and one that fails; and
`docs/facts/pains.md`, the reported failures that rules cite."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from muster.policies.engine.catalogue import all_rules, rule_of
from muster.policies.engine.rule import Rule
from tools.rules_pages import pains
from tools.rules_pages.described import described_example
from tools.rules_pages.example import Example
from tools.rules_pages.index import index
from tools.rules_pages.programmed import programmed_example
from tools.rules_pages.sheet import sheet

FOLDER = Path("docs/rules")


class NoExample(LookupError):
    """A rule has no example: a corpus entry, a program in `tests/policies/programs`, or an entry beside this file."""


def pages() -> Iterator[tuple[Path, str]]:
    """Every page below the root, and its text.

    Raises:
        NoExample: a rule has no example.
    """
    yield FOLDER / "README.md", index(all_rules())
    yield Path("docs/facts/pains.md"), pains.page()
    for each in all_rules():
        yield FOLDER / each.topic / f"{each.id}.md", sheet(each, example_of(each))


def link(id: str) -> str:
    """A link to the page of a rule, from a folder of `docs/`."""
    return f"[{id}](../rules/{rule_of(id).topic}/{id}.md)"


@cache
def example_of(rule: Rule) -> Example:
    """A description if one exists, otherwise a program.

    Raises:
        NoExample: neither exists.
    """
    made = described_example(rule) or programmed_example(rule)
    if made is None:
        raise NoExample(f"{rule.id} has no example: add tests/corpus/broken/NAME.yaml that breaks only this rule")
    return made
