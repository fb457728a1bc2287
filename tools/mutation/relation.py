"""Which tests are about a file, by what they name: asked before others that run the same line.

Every case asks every rule, so of a rule's lines the recording (`reach`) alone tells too little.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

from tests.corpus import Entry
from tests.policies.case import Case
from tools.mutation.trial import OURS

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


class Near(IntEnum):
    """What a test file has to do with a file that is changed, the nearest first."""

    CALLED_LIKE_IT = 0
    NAMES_IT = 1
    CALLED_LIKE_A_USER = 2
    """Like one that imports it."""
    NAMES_WHAT_IT_DEFINES = 3
    NOT = 4


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
        """The same tests, first those whose parameters name the file's rule; then those whose file is called like the
        changed one, or names it; then those whose file has a word that changes."""
        stem = Path(file).stem
        about = self._about.get(stem.replace("_", "-"), set()) if file.startswith("policies/rules/") else set()
        near = self._near(file)

        def far(one: int) -> tuple[bool, bool, bool, int]:
            rank = near[self._file_of[one]]
            return one not in about, rank > Near.NAMES_IT, not self._says(one, word), rank

        return sorted(tests, key=far)

    @cache  # noqa: B019 - one for the process
    def naming(self, file: str) -> list[int]:
        """Tests in files that have to do with a file by what they name, the nearest first: for what runs once, on an
        import or before an answer is remembered, no recording says who depends on it."""
        ranks = self._near(file)
        near = (number for number, test in enumerate(self._file_of) if ranks[test] < Near.NOT)
        return sorted(near, key=lambda one: ranks[self._file_of[one]])

    @cache  # noqa: B019 - as above
    def _near(self, file: str) -> Mapping[Path, Near]:
        """How near each test file is to a file."""
        stem = _noun(Path(file))
        public = re.findall(r"^(?:def|class) ([A-Za-z]\w+)|^([A-Z][A-Z_]+)\b", _text(self._root / file), re.MULTILINE)
        of_it = re.compile(rf"\b{stem}\b")
        of_its = re.compile(rf"\b(?:{'|'.join(one or other for one, other in public) or stem})\b")
        users = self._importers(stem)

        def near(test: Path) -> Near:
            if stem in test.stem:
                return Near.CALLED_LIKE_IT
            if of_it.search(_text(test)):
                return Near.NAMES_IT
            if any(test.stem.startswith(f"test_{user}") for user in users):
                return Near.CALLED_LIKE_A_USER
            return Near.NAMES_WHAT_IT_DEFINES if of_its.search(_text(test)) else Near.NOT

        return {test: near(test) for test in dict.fromkeys(self._file_of)}

    def _importers(self, stem: str) -> set[str]:
        """What the files are called that import a module."""
        told = re.compile(rf"^(?:from|import) .*\b{stem}\b", re.MULTILINE)
        files = (file for package in OURS for file in (self._root / package).rglob("*.py"))
        return {_noun(file) for file in files if told.search(_text(file))}

    def _says(self, test: int, word: str) -> bool:
        return bool(word) and word in _text(self._file_of[test])


def _noun(file: Path) -> str:
    return file.parent.name if file.stem == "__init__" else file.stem


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
