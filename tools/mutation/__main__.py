"""Tries mutants of a folder, in an order that is a fair sample wherever it stops, and writes down what survived."""

import argparse
import gc
import json
import os
import random
import re
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tools.mutation.reach import Reach, record
from tools.mutation.relation import Relation, few_examples
from tools.mutation.sites import Mutant, Sites, count
from tools.mutation.trial import SECONDS, Live, Outcome, Tried, named_at, passes, try_out

ROOT = Path(__file__).resolve().parent.parent.parent
KEPT = ROOT / "build" / "mutants"
FOLDERS = ["policies/rules", "policies/reading", "policies/engine/judgement.py", "muster/fleet"]
TESTS = [
    "tests/fleet",
    "tests/policies",
    "tests/offline",
    "tests/infra",
    "tests/jobs",
    "tests/addons",
    "tests/against",
    "tests/cli/test_catalogues.py",
    "tests/cli/test_cost.py",
    "tests/cli/test_job.py",
    "tests/cli/test_pcluster.py",
    "tests/cli/test_schema.py",
    "tests/cli/test_wrong_input.py",
    "tests/test_stacks.py",
    "tests/test_corpus.py",
    "tests/test_generated.py",
]
APART = [
    "tests/addons/test_real_charts.py",
    *("tests/policies/test_analyzer.py", "tests/policies/test_parallelcluster_checks.py"),
    *(
        "tests/policies/test_programs.py",
        "tests/policies/views/test_damaged.py",
        "tests/infra/hyperpod/test_lifecycle_scripts.py",
    ),
]
"""They start a server, or AWS's package in another process, which no fork outlives; or are slow."""

_WORD = re.compile(r'"([^"]{3,})"  ->  ')
"""A mutant of a text."""

_FEW = 40
"""Of tests that reach a line: where there are no more, the line may run once for all of them."""

_NOT_NOTICED = (Outcome.SURVIVED, Outcome.DIED)


class Runner:
    """Runs in place of pytest's own loop, once everything is collected."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked = asked

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Tries one mutant after the other."""
        few_examples(session.items)
        if self.asked.record or self.asked.record_new or not (KEPT / "seconds.json").exists():
            record(session.items, FOLDERS, ROOT, KEPT, anew=not self.asked.record_new)
            return True
        relation = Relation(ROOT, session.items)
        reach = Reach(ROOT, KEPT, session.items)
        quick = reach.quick
        for item in quick[:: max(1, len(quick) // 40)]:
            passes(session.items[item])  # what is imported late is imported before any fork
        live = Live()
        gc.collect()
        gc.freeze()  # or each child copies every page that its collector touches
        self._try(session, relation, reach, live)
        return True

    def _try(self, session: pytest.Session, relation: Relation, reach: Reach, live: Live) -> None:
        ended = time.monotonic() + self.asked.minutes * 60
        KEPT.mkdir(parents=True, exist_ok=True)
        log = KEPT / "tried.jsonl"
        tried_before = _tried()
        done = {each["name"] for each in tried_before}
        survived = [each for each in tried_before if each["outcome"] in _NOT_NOTICED]
        if self.asked.again:
            done -= {each["name"] for each in survived}
        sites: dict[str, Sites] = {}
        noticed: dict[str, Counter[int]] = {}
        with log.open("a", encoding="utf-8") as out:
            every = chosen(self.asked.folders, self.asked.seed)
            if self.asked.again:
                of_survivors = {(each["file"], int(each["name"].rpartition("#")[2])) for each in survived}
                every = sorted(every, key=lambda one: one not in of_survivors)
            for file, number in every:
                if time.monotonic() > ended:
                    break
                if file not in sites:
                    sites[file] = Sites(ROOT, file)
                mutant = sites[file].mutant(number)
                if mutant.name in done or self.asked.only not in mutant.name:
                    continue
                before = noticed.setdefault(file, Counter())
                reached = _reached(mutant, reach, relation)
                word = _WORD.match(mutant.what)
                first = [test for test, _ in before.most_common(5)]
                tests = [*first, *relation.first(file, word[1] if word else "", reached)]
                if len(reached) < _FEW:
                    tests += relation.naming(file)
                tests = list(dict.fromkeys(tests))
                tried = try_out(mutant, live, tests, session.items, self.asked.seconds)
                if tried.by is not None:
                    before[tried.by] += 1
                said = {
                    "name": mutant.name,
                    "file": file,
                    "line": mutant.line,
                    "inside": mutant.inside,
                    "what": mutant.what,
                    "outcome": tried.outcome.value,
                    "by": _noticed_by(tried, session.items),
                    "reached": len(reached),
                    "seconds": round(tried.seconds, 2),
                }
                out.write(json.dumps(said) + "\n")
                out.flush()


def _reached(mutant: Mutant, reach: Reach, relation: Relation) -> list[int]:
    """The tests that run what a mutant changes; of a table those that run what names it, and, as other tables are made
    of it, those that have to do with its file."""
    if mutant.inside == "module" and (table := named_at(mutant.source, mutant.line)):
        return list(dict.fromkeys([*reach.naming(table), *relation.naming(mutant.file)]))
    return reach.of(mutant.file, range(mutant.line, mutant.last + 1))


def _noticed_by(tried: Tried, items: Sequence[pytest.Item]) -> str:
    """The test, or ``import``; of a child that died its last words."""
    if tried.by is not None:
        return items[tried.by].nodeid
    return "import" if tried.outcome is Outcome.KILLED else tried.why


def _tried() -> list[dict[str, Any]]:
    """What earlier runs tried, of each mutant the last time: the next run goes on after them."""
    log = KEPT / "tried.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    last = {each["name"]: each for each in map(json.loads, lines)}
    for each in last.values():
        if each["outcome"] == Outcome.KILLED and not each["by"]:  # written before deaths were told apart
            each["outcome"] = Outcome.DIED.value
    return list(last.values())


def chosen(folders: list[str], seed: int) -> list[tuple[str, int]]:
    """Every mutant, shuffled so that any beginning of the list has of each file its share."""
    ranked: list[tuple[float, str, int]] = []
    for folder in folders:
        top = ROOT / folder
        for path in sorted(top.rglob("*.py")) if top.is_dir() else [top]:
            file = str(path.relative_to(ROOT))
            numbers = list(range(count(ROOT, file)))
            drawn = random.Random(f"{seed} {file}")  # noqa: S311 - a sample, no secret
            drawn.shuffle(numbers)
            offset = drawn.random()
            ranked += [((index + offset) / len(numbers), file, number) for index, number in enumerate(numbers)]
    return [(file, number) for _, file, number in sorted(ranked)]


def summary() -> None:
    """Prints what was tried so far, by folder, and every survivor."""
    tried = _tried()
    for folder in FOLDERS:
        here = [each for each in tried if each["file"].startswith(folder)]
        counted = Counter(each["outcome"] for each in here)
        killed = counted[Outcome.KILLED] + counted[Outcome.TIMED_OUT]
        of = killed + counted[Outcome.SURVIVED] + counted[Outcome.DIED]
        share = f"{killed / of:.1%}" if of else "none tried"
        every = len(chosen([folder], 0))
        print(
            f"{folder}: {killed} of {of} killed ({share}), of {every} there are; {counted[Outcome.DIED]} died, "
            f"{counted[Outcome.NOT_TRIED]} skipped"
        )
    for each in sorted(tried, key=lambda one: (one["file"], one["line"])):
        if each["outcome"] in _NOT_NOTICED:
            print(f"{each['name']} {each['outcome']}: {each['what']}")


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folders", nargs="*", default=FOLDERS)
    options.add_argument("--minutes", type=float, default=600)
    options.add_argument("--seed", type=int, default=9)
    options.add_argument("--only", default="", help="mutants with this in their name")
    options.add_argument("--seconds", type=float, default=SECONDS, help="of a processor, for each mutant")
    options.add_argument("--again", action="store_true", help="first try those that survived, or died")
    options.add_argument("--record", action="store_true", help="only record which tests run which lines, anew")
    options.add_argument("--record-new", action="store_true", help="the same of tests that are not recorded yet")
    options.add_argument("--summary", action="store_true", help="try nothing; say what was tried")
    asked = options.parse_args()
    if asked.summary:
        summary()
        return
    os.environ["CI"] = "1"  # laws draw the same examples each time
    quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", str(ROOT)]
    runner = Runner(asked)
    pytest.main([*quiet, *TESTS, *(f"--ignore={each}" for each in APART)], plugins=[runner])
    summary()


if __name__ == "__main__":
    main()
