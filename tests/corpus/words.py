"""The sentences of the rules: for each rule its findings in one broken entry, a file for each topic.

Only `make goldens` writes and compares these sentences, so that a better sentence changes one file. Tests assert rules
and places.
"""

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from muster.policies.engine.catalogue import all_rules, rules_about
from tests.corpus import BROKEN, entries, entry_of
from tests.corpus.judged import place, read_entry

FOLDER = Path("tests/golden/words")
TOPICS = tuple(sorted({rule.topic for rule in all_rules()}))


@cache
def _shown() -> dict[str, str]:
    """Rule -> the entry that shows it: the one with the fewest findings."""
    return {
        rule: entry.name
        for entry in sorted(entries(BROKEN), key=lambda each: (-len(each.found), each.name))
        if not entry.refused
        for rule in entry.finds
    }


def page(topic: str) -> Iterator[tuple[Path, str]]:
    """The file of a topic, below the root, and its text."""
    lines = []
    for rule in rules_about(topic):
        if name := _shown().get(rule.id):
            lines += [f"{rule.id} ({name})"]
            for each in sorted(each for each in read_entry(entry_of(BROKEN, name)).findings if each.rule == rule.id):
                lines += [f"  {place(each.where)}: {each.got}", f"    fix: {each.remedy}"]
    yield FOLDER / f"{topic}.txt", "\n".join([*lines, ""])


PAGES = {f"words: {topic}": partial(page, topic) for topic in TOPICS}
