"""Times judging: how it grows with what there is to judge, which rules cost most, and a whole `check --all`.

Everything is measured in turn within one run, against a floor (asking rules that never say anything), because machines
are noisy: compare within one run only. A timing never fails anything.
"""

import argparse
import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from addons.judged import described_fleet
from muster.cli.options import day
from muster.fleet.blueprint import Blueprint
from muster.fleet.resources import Fleet
from muster.project import open_stack
from policies.catalogue import rules
from policies.judgement import judge
from policies.rule import Rule
from tools.bench import STACK, with_groups

SIZES = (250, 500, 1000, 2000)


def fleet_with(folder: Path, groups: int) -> Fleet:
    """What a stack with that many training groups comes to."""
    blueprint = open_stack(with_groups(folder, groups), STACK).derive()
    assert isinstance(blueprint, Blueprint)
    return described_fleet(blueprint, day(None))


def of_size(folder: Path, size: int) -> Fleet:
    """A fleet of about so many objects: a group brings the same number each time."""
    few, more = fleet_with(folder, 1), fleet_with(folder, 11)
    each = (len(more.objects) - len(few.objects)) / 10
    return fleet_with(folder, 1 + round((size - len(few.objects)) / each))


def fresh(fleet: Fleet) -> Fleet:
    """The same fleet, of which nothing was looked up yet."""
    return replace(fleet)


def seconds(asked: Callable[[], Any], runs: int) -> float:
    """The median of so many runs. The collector, which the command turns off, does not run in between."""
    took = []
    for _ in range(runs):
        gc.collect()
        gc.disable()
        began = time.process_time()
        asked()
        took.append(time.process_time() - began)
        gc.enable()
    return statistics.median(took)


def silent(rule: Rule) -> Rule:
    """A rule about the same things that never says anything."""
    return replace(rule, predicate=lambda *_: iter(()))


def main() -> None:
    """Prints three tables."""
    import tempfile  # noqa: PLC0415 - the folder is for this run alone

    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=3)
    runs = options.parse_args().runs
    every = rules()
    floor = [silent(each) for each in every]
    with tempfile.TemporaryDirectory() as temporary:
        print(f"{len(every)} rules, medians of {runs} runs\n")
        print(f"{'objects':>8} {'floor ms':>9} {'judged ms':>10} {'us an object':>13}")
        fleets = {size: of_size(Path(temporary) / str(size), size) for size in SIZES}
        for fleet in fleets.values():
            nothing = seconds(lambda fleet=fleet: judge(fresh(fleet), rules=floor), runs)
            whole = seconds(lambda fleet=fleet: judge(fresh(fleet)), runs)
            objects = len(fleet.objects)
            print(f"{objects:8} {nothing * 1e3:9.0f} {whole * 1e3:10.0f} {whole / objects * 1e6:13.0f}")
        thousand = fleets[1000]
        cost = {each.id: seconds(lambda each=each: judge(fresh(thousand), rules=[each]), runs) for each in every}
    print(f"\nthe ten dearest of them on {len(thousand.objects)} objects, each asked alone:\n")
    for name, took in sorted(cost.items(), key=lambda each: -each[1])[:10]:
        print(f"{took * 1e3:8.1f} ms  {name}")


if __name__ == "__main__":
    main()
