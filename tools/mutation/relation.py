"""Which tests are about a file, likeliest to notice a change in it first. By what tests name, not by a recording run:
that takes ten minutes under a tracer, and every case asks every rule, so that it tells next to nothing of rules.
"""

import random
import re
from collections.abc import Iterable
from functools import cache
from itertools import chain, zip_longest
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

    def __init__(self, root: Path, items: list[pytest.Item], seed: int) -> None:
        self._root = root
        self._cases: list[int] = []
        self._about: dict[str, list[int]] = {}
        self._in_file: dict[str, list[int]] = {}
        for index, item in enumerate(items):
            self._in_file.setdefault(str(item.path.relative_to(root)), []).append(index)
            given: dict[str, Any] = item.callspec.params if hasattr(item, "callspec") else {}
            for rule in _rules_of(given):
                self._about.setdefault(rule, []).append(index)
            if item.name.startswith("test_case["):
                self._cases.append(index)
        random.Random(seed).shuffle(self._cases)  # noqa: S311 - an order, no secret

    @cache  # noqa: B019 - one for the process
    def of(self, file: str) -> list[int]:
        """Every test that is about a file, and after those every case: a rule that speaks up wrongly does so there."""
        if file.startswith("policies/rules/"):
            near = self._of_rules([Path(file).stem])
        elif file.startswith("policies/reading/"):
            near = self._of_rules(self._readers(Path(file).stem))
        else:
            near = self._naming(file)
        return list(dict.fromkeys([*near, *self._cases]))

    def _of_rules(self, stems: Iterable[str]) -> list[int]:
        """In turn: the first test of each rule, the second of each."""
        each = [self._about.get(stem.replace("_", "-"), []) for stem in stems]
        return [one for one in chain.from_iterable(zip_longest(*each)) if one is not None]

    def _readers(self, stem: str) -> list[str]:
        """The rules that read by a module of `policies.reading`, directly or by another such."""
        found, waiting = [], [stem]
        seen = {stem}
        while waiting:
            named = re.compile(rf"policies\.reading\.{waiting.pop()} import|policies\.reading import .*\b{stem}\b")
            for path in sorted((self._root / "policies").rglob("*.py")):
                if path.stem not in seen and named.search(path.read_text(encoding="utf-8")):
                    seen.add(path.stem)
                    (waiting if path.parent.name == "reading" else found).append(path.stem)
        return found

    @cache  # noqa: B019 - one for the process
    def _with_helpers(self, test: str) -> str:
        """The text of a test file, and of the modules of tests that it imports from."""
        text = (self._root / test).read_text(encoding="utf-8")
        named = re.findall(r"^from (tests\.[\w.]+)", text, re.MULTILINE)
        helpers = {self._root / f"{each.replace('.', '/')}.py" for each in named}
        return "\n".join([text, *(each.read_text(encoding="utf-8") for each in sorted(helpers) if each.exists())])

    def _naming(self, file: str) -> list[int]:
        """Tests in files that are called like it; that name what it has, or its folder; all others of the core."""
        path = Path(file)
        stem = path.parent.name if path.stem == "__init__" else path.stem
        folder = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".").rpartition(".")[0]
        public = re.findall(
            r"^(?:def|class) ([A-Za-z]\w+)", (self._root / file).read_text(encoding="utf-8"), re.MULTILINE
        )
        named = re.compile(rf"\b(?:{'|'.join([stem, *public])})\b")
        ranked = []
        for test, indices in self._in_file.items():
            text = self._with_helpers(test)
            rank = 0 if stem in test else 1 if named.search(text) else 2 if f"{folder} import" in text else 3
            ranked.append((rank, len(indices), test))
        return [one for _, _, test in sorted(ranked) for one in self._in_file[test] if one not in set(self._cases)]

    def saying(self, word: str, tests: Iterable[int]) -> list[int]:
        """The same tests, first those in whose files a word stands that was changed."""
        saying = {one for test, indices in self._in_file.items() if word in self._with_helpers(test) for one in indices}
        return sorted(tests, key=lambda one: one not in saying)


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
