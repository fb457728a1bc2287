"""Which tests are about a file, by what they name: asked before others that run the same line.

Every case asks every rule, so of a rule's lines the recording (`reach`) alone tells too little.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

from tests.corpus import Entry
from tests.policies.case import Case

_EXAMPLES = 8
"""Of a law over random descriptions: the same ones each time."""


def few_examples(items: Iterable[pytest.Item]) -> None:
    """Lets laws try few examples, always the same, and shrink none."""
    for item in items:
        asked = getattr(item, "obj", None)
        own = getattr(asked, "_hypothesis_internal_use_settings", None)
        if own is not None:
            few = settings(
                own,
                max_examples=min(own.max_examples, _EXAMPLES),
                phases=[Phase.explicit, Phase.generate],
                database=None,
                derandomize=True,
            )
            getattr(asked, "__func__", asked)._hypothesis_internal_use_settings = few  # noqa: SLF001 - no public way


class Relation:
    """The collected tests, by what they are about."""

    def __init__(self, root: Path, items: Sequence[pytest.Item]) -> None:
        self._root = root
        self._file_of = [item.path for item in items]
        self._about: dict[str, set[int]] = {}
        for index, item in enumerate(items):
            given: dict[str, Any] = item.callspec.params if hasattr(item, "callspec") else {}
            for rule in _rules_of(given):
                self._about.setdefault(rule, set()).add(index)

    def first(self, file: str, word: str, tests: Sequence[int]) -> list[int]:
        """The same tests, first those whose parameters name the file's rule, or whose file has a word that changes."""
        stem = Path(file).stem
        about = self._about.get(stem.replace("_", "-"), set()) if file.startswith("policies/rules/") else set()
        plain = re.compile(rf"\b{re.escape(stem)}\b")
        return sorted(tests, key=lambda one: (one not in about, not self._says(one, word), not self._named(one, plain)))

    @cache  # noqa: B019 - one for the process
    def naming(self, file: str) -> list[int]:
        """Tests in files that are called like a file, then those in files that name what it defines: for what runs
        once, on an import or before an answer is remembered, no recording says who depends on it."""
        path = Path(file)
        stem = path.parent.name if path.stem == "__init__" else path.stem
        public = re.findall(r"^(?:def|class) ([A-Za-z]\w+)|^([A-Z][A-Z_]+)\b", _text(self._root / file), re.MULTILINE)
        named = re.compile(rf"\b(?:{'|'.join([stem, *(one or other for one, other in public)])})\b")
        ranks: dict[Path, int] = {}
        for test in dict.fromkeys(self._file_of):
            ranks[test] = 0 if stem in test.stem else 1 if named.search(_text(test)) else 2
        near = (number for number, test in enumerate(self._file_of) if ranks[test] < 2)  # noqa: PLR2004 - as above
        return sorted(near, key=lambda one: ranks[self._file_of[one]])

    def _says(self, test: int, word: str) -> bool:
        return bool(word) and word in _text(self._file_of[test])

    def _named(self, test: int, stem: re.Pattern[str]) -> bool:
        return bool(stem.search(self._file_of[test].stem))


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _rules_of(given: dict[str, Any]) -> set[str]:
    """The rules that a test's parameters name."""
    found: set[str] = set()
    for value in given.values():
        texts = [value] if isinstance(value, str) else []
        if isinstance(value, Case):
            texts += [*value.finds, *value.unjudged]
        if isinstance(value, Entry):
            texts += [*value.finds, *value.not_evaluated]
        texts += [getattr(value, "rule", ""), getattr(getattr(value, "value", None), "rule", "")]
        found |= {str(text).partition(" @ ")[0] for text in texts}
    return found
