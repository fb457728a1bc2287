"""Which tests reach which lines, and how long each takes: found out once, in a run of the whole selection."""

import json
import os
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest
from coverage import Coverage
from hypothesis import Phase, settings

_EXAMPLES = 8
"""Of a law over random descriptions, the same ones each time: enough to reach its lines, not to hunt."""


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


def passes(item: pytest.Item) -> bool:
    """Runs one test, with what it needs set up and torn down."""
    from _pytest.runner import runtestprotocol  # noqa: PLC0415 - what pytest-xdist does, too

    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


class Reach:
    """What a recording run saw."""

    def __init__(self, lines: dict[str, dict[int, list[int]]], seconds: list[float], tests: list[str]) -> None:
        self.lines = lines
        self.seconds = seconds
        self.tests = tests

    @classmethod
    def recorded(cls, root: Path, items: list[pytest.Item], folders: list[str], kept: Path) -> "Reach":
        """Of a run just made, or of the one kept where the same tests were collected."""
        names = [item.nodeid for item in items]
        if kept.exists():
            said = json.loads(kept.read_text(encoding="utf-8"))
            if said["tests"] == names:
                lines = {file: {int(at): of for at, of in each.items()} for file, each in said["lines"].items()}
                return cls(lines, said["seconds"], names)
        made = cls._record(root, items, folders)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps({"tests": names, "lines": made.lines, "seconds": made.seconds}), encoding="utf-8")
        return made

    @classmethod
    def _record(cls, root: Path, items: list[pytest.Item], folders: list[str]) -> "Reach":
        watch = Coverage(data_file=None, include=[f"{root}/{folder}*" for folder in folders], config_file=False)
        seconds, failed = [], []
        watch.start()
        for index, item in enumerate(items):
            watch.switch_context(str(index))
            began = time.perf_counter()
            if not passes(item):
                failed.append(item.nodeid)
            seconds.append(time.perf_counter() - began)
        watch.stop()
        if failed:
            raise SystemExit(f"tests fail before anything is changed: {', '.join(failed)}")
        data = watch.get_data()
        lines: dict[str, dict[int, list[int]]] = {}
        for file in data.measured_files():
            by_line = data.contexts_by_lineno(file)
            tests = {line: sorted(int(test) for test in of if test) for line, of in by_line.items()}
            lines[os.path.relpath(file, root)] = {line: of for line, of in tests.items() if of}
        return cls(lines, seconds, [item.nodeid for item in items])

    def of(self, file: str, first: int, last: int) -> list[int]:
        """The tests that reach a line, or where none says so a line of its statement; likeliest to notice first."""
        lines = self.lines.get(file, {})
        found = set(lines.get(first, ())) or {test for at in range(first, last + 1) for test in lines.get(at, ())}
        return self._in_order(file, found)

    def of_file(self, file: str) -> list[int]:
        """The tests that reach anything in a file."""
        return self._in_order(file, {test for of in self.lines.get(file, {}).values() for test in of})

    def _in_order(self, file: str, found: set[int]) -> list[int]:
        """First what sees most of the file for its time; each line's quickest test among the first."""
        lines = self.lines.get(file, {})
        seen: dict[int, int] = defaultdict(int)
        quickest: set[int] = set()
        for of in lines.values():
            here = [test for test in of if test in found]
            for test in here:
                seen[test] += 1
            if here:
                quickest.add(min(here, key=lambda test: self.seconds[test]))
        return sorted(found, key=lambda test: (test not in quickest, -seen[test], self.seconds[test]))
