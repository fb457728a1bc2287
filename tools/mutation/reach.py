"""Which tests run which lines, as one recording run has seen it: the order in which a mutant's tests are asked.

Of a line that hundreds of tests reach, the one that reaches little else is likeliest to be about it, and a quick one
costs least: by that order the killer stood among the first few where an order by names did not get to it in seconds.
"""

import json
import re
import time
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData

from tools.mutation.trial import OURS, Live, forget, passes

_QUICK = 0.02
"""Seconds below which one test is as quick as another: set-up and noise."""


def record(items: Sequence[pytest.Item], folders: Iterable[str], root: Path, kept: Path, *, anew: bool = True) -> None:
    """Runs every test once under a tracer and writes what each ran of the folders, and its seconds; or, beside what is
    recorded, those that are not.

    What functions remember is emptied before each file of tests: what only the first of all tests would run (a table
    being read) is then seen to be run by the first of each file. Some ten minutes. A test that fails here would be
    taken to notice every mutant: it is left out, and said.
    """
    kept.mkdir(parents=True, exist_ok=True)
    data, times = kept / "reach.sqlite", kept / "seconds.json"
    if anew:
        data.unlink(missing_ok=True)
        times.unlink(missing_ok=True)
    of = [f"{root / each}{'' if each.endswith('.py') else '/*'}" for each in folders]
    tracer = Coverage(data_file=str(data), include=of, config_file=False)
    took: dict[str, float] = json.loads(times.read_text(encoding="utf-8")) if times.exists() else {}
    tracer.load()
    live, file = Live(), None
    tracer.start()
    for item in (each for each in items if each.nodeid not in took):
        if item.path != file:
            file = item.path
            forget(live, OURS)
        tracer.switch_context(item.nodeid)
        began = time.process_time()
        if passes(item):
            took[item.nodeid] = round(time.process_time() - began, 4)
        else:
            print(f"fails without any mutant, so it is not asked: {item.nodeid}")
    tracer.stop()
    tracer.save()
    times.write_text(json.dumps(took), encoding="utf-8")


class Reach:
    """What was recorded, for the tests that are collected now."""

    def __init__(self, root: Path, kept: Path, items: Sequence[pytest.Item]) -> None:
        self._root = root
        self._seconds: dict[str, float] = json.loads((kept / "seconds.json").read_text(encoding="utf-8"))
        self._numbers = {item.nodeid: number for number, item in enumerate(items) if item.nodeid in self._seconds}
        self._data = CoverageData(str(kept / "reach.sqlite"))
        self._data.read()
        self._lines: dict[str, int] = {}
        for file in self._data.measured_files():
            for tests in self._data.contexts_by_lineno(file).values():
                for test in tests:
                    self._lines[test] = self._lines.get(test, 0) + 1

    @property
    def quick(self) -> list[int]:
        """Tests that passed in less than a second when they were recorded: none of them starts a server, whose threads
        no fork outlives."""
        return [number for test, number in self._numbers.items() if self._seconds[test] < 1]

    def of(self, file: str, lines: Iterable[int]) -> list[int]:
        """The tests that run any of the lines (1-based), the quick and narrow ones first."""
        by_line = self._by_line(file)
        return self._ranked({test for line in lines for test in by_line.get(line, ())})

    def naming(self, name: str) -> list[int]:
        """The tests that run a line in which a name stands: a table's, which is itself run by the import alone."""
        found: set[str] = set()
        word = re.compile(rf"\b{name}\b")
        for file in self._data.measured_files():
            text = Path(file).read_text(encoding="utf-8")
            if word.search(text):
                by_line = self._by_line(str(Path(file).relative_to(self._root)))
                for number, line in enumerate(text.splitlines(), 1):
                    if word.search(line):
                        found.update(by_line.get(number, ()))
        return self._ranked(found)

    @cache  # noqa: B019 - one for the process
    def _by_line(self, file: str) -> dict[int, list[str]]:
        return self._data.contexts_by_lineno(str(self._root / file))

    def _ranked(self, tests: Iterable[str]) -> list[int]:
        """The cheapest of each function first, then the second of each: a function's cases are much alike."""
        known = (test for test in tests if test in self._numbers)
        by_function: dict[str, list[str]] = {}
        for test in sorted(known, key=lambda one: (self._lines[one] * max(self._seconds[one], _QUICK), one)):
            by_function.setdefault(test.partition("[")[0], []).append(test)
        in_turn = chain.from_iterable(zip_longest(*by_function.values()))
        return [self._numbers[test] for test in in_turn if test is not None]
