"""Times the evaluation of rules: by the number of objects and by rule. Also times how long reading a program takes.

All measurements alternate within one run, with a lower limit ("floor": rules without findings), because timings vary
between runs: compare within one run only. A timing never fails anything.
"""

import argparse
import gc
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from muster.blueprint.kubernetes import Blueprint
from muster.cli.options import day
from muster.config.project import open_stack
from muster.fleet.resources import Fleet
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import judge
from muster.policies.engine.rule import Rule
from muster.policies.views import fleet_of
from tools.bench import STACK, with_groups
from tools.registered import a_program

SIZES = (250, 500, 1000, 2000)


def fleet_with(folder: Path, groups: int) -> Fleet:
    """The fleet of a stack with that many training groups."""
    blueprint = open_stack(with_groups(folder, groups), STACK).derive()
    assert isinstance(blueprint, Blueprint)
    return described_fleet(blueprint, day(None))


def of_size(folder: Path, size: int) -> Fleet:
    """A fleet of about this number of objects: a group brings the same number each time."""
    few, more = fleet_with(folder, 1), fleet_with(folder, 11)
    each = (len(more.objects) - len(few.objects)) / 10
    return fleet_with(folder, 1 + round((size - len(few.objects)) / each))


def fresh(fleet: Fleet) -> Fleet:
    """A copy of the fleet with empty caches: each resource caches its own results."""
    return replace(fleet, objects=tuple(replace(each) for each in fleet.objects))


class Took(NamedTuple):
    """Seconds of one evaluation: processor time of this process, and wall time."""

    cpu: float
    wall: float


def judging(fleet: Fleet, rules: Sequence[Rule], runs: int) -> Took:
    """The medians of this number of runs, each on new objects. The garbage collector is off, as in
    the command."""
    took = []
    for _ in range(runs):
        new = fresh(fleet)
        gc.collect()
        gc.disable()
        cpu, wall = time.process_time(), time.perf_counter()
        judge(new, rules=rules)
        took.append(Took(time.process_time() - cpu, time.perf_counter() - wall))
        gc.enable()
    return Took(statistics.median(each.cpu for each in took), statistics.median(each.wall for each in took))


def silent(rule: Rule) -> Rule:
    """A rule about the same resources that has no findings."""
    return replace(rule, predicate=lambda *_: iter(()))


def growth(fleets: Sequence[Fleet], rules: Sequence[Rule], runs: int) -> None:
    """Prints the time of the evaluation by the number of objects, and its ratio to the lower limit."""
    floor = [silent(each) for each in rules]
    print(f"{'objects':>8} {'floor ms':>9} {'CPU ms':>7} {'wall ms':>8} {'to floor':>9} {'CPU us per object':>17}")
    for fleet in fleets:
        nothing, whole = judging(fleet, floor, runs), judging(fleet, rules, runs)
        objects = len(fleet.objects)
        print(
            f"{objects:8} {nothing.cpu * 1e3:9.0f} {whole.cpu * 1e3:7.0f} {whole.wall * 1e3:8.0f} "
            f"{whole.cpu / nothing.cpu:9.1f} {whole.cpu / objects * 1e6:17.0f}"
        )


def slowest(fleet: Fleet, rules: Sequence[Rule]) -> None:
    """Prints the slowest rules, each run alone and once: a value that several rules compute counts for each of them."""
    cost = {each.id: judging(fleet, [each], 1).cpu for each in rules}
    print(f"\nthe ten slowest rules on {len(fleet.objects)} objects, each run alone, CPU ms:\n")
    for name, took in sorted(cost.items(), key=lambda each: -each[1])[:10]:
        print(f"{took * 1e3:8.1f}  {name}")


def reading(runs: int) -> None:
    """Prints the time to read resources from the registrations of a program, which the policy pack does first."""
    print("\nreading the resources that another program registers in a preview:\n")
    print(f"{'resources':>10} {'read, CPU ms':>13} {'CPU us per resource':>19}")
    for size in SIZES:
        registered = a_program(size)
        took = []
        for _ in range(runs):
            began = time.process_time()
            fleet_of(registered)
            took.append(time.process_time() - began)
        cpu = statistics.median(took)
        print(f"{len(registered):10} {cpu * 1e3:13.0f} {cpu / len(registered) * 1e6:19.0f}")


def main() -> None:
    """Prints three tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=3)
    runs = options.parse_args().runs
    with tempfile.TemporaryDirectory() as temporary:
        fleets = [of_size(Path(temporary) / str(size), size) for size in SIZES]
        asked = [each for each in all_rules() if each.is_for(fleets[0])]
        print(f"the {len(asked)} rules for {STACK}, medians of {runs} runs\n")
        growth(fleets, asked, runs)
        slowest(fleets[SIZES.index(1000)], asked)
    reading(runs)


if __name__ == "__main__":
    main()
