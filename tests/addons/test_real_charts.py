"""The placement we say a chart gives is the one its templates give, as `placements.json` keeps it.

Whoever has the charts compares that file with them, too:

    MUSTER_CHARTS=folder pytest tests/addons/test_real_charts.py

with the folder as `--charts` takes it.
"""

import os

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.addons.charts import Charts
from muster.addons.values import workloads_of
from tests.addons.contexts import values_over
from tests.addons.operators import OPERATORS
from tests.addons.placements import OWN, WITHOUT_CHART, cases, kept, key_of, pinned, placement, rendered
from tests.addons.tiny import needs_helm

WHERE = os.environ.get("MUSTER_CHARTS", "")
CASES = list(cases())
KEPT = {(name, key_of(each["values"])): each["gives"] for name, addon in kept().items() for each in addon["cases"]}
SYSTEMS = {"key": "CriticalAddonsOnly", "operator": "Equal", "value": "true", "effect": "NoSchedule"}
AGAIN = "the charts are to be rendered again: python -m tests.addons.placements CHARTS"


def is_hook(workload: str) -> bool:
    """Whether it runs at the installation and is gone."""
    return workload.startswith("Job ")


def test_stand_ins_are_placed_as_the_chart_places_its_pods() -> None:
    """Over our values, and over the chart's own alone; what else the chart runs is feature discovery."""
    for name, values in CASES:
        given, ours = (
            KEPT[name, key_of(values)],
            placement([each.manifest for each in workloads_of(CATALOGUE[name], values)]),
        )
        real = {each: placed for each, placed in given.items() if not is_hook(each)}
        assert ours == {each: real[each] for each in ours}
        assert ours.keys() == real.keys() or values.get("gfd", {}).get("enabled")


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_and_their_hooks_may_be_where_the_system_is(name: str) -> None:
    """With our values; the nodes are tainted, and a hook that waits keeps the whole release waiting."""
    placed = KEPT[name, key_of(values_over(name))]
    assert placed
    assert {each: said.get("tolerations") for each, said in placed.items()} == {each: [SYSTEMS] for each in placed}
    assert any(map(is_hook, placed)) == (name in {"volcano", "trainer"})


def test_what_is_kept_is_of_the_charts_that_are_installed() -> None:
    """Of the pinned versions, with the values that we give them now, and of nothing else."""
    assert {name: each["version"].removeprefix("v") for name, each in kept().items()} == {
        name: pinned(name).removeprefix("v") for name in OWN
    }, AGAIN
    assert OWN.keys() == CATALOGUE.keys() - WITHOUT_CHART
    assert KEPT.keys() == {(name, key_of(values)) for name, values in CASES}, AGAIN


@needs_helm
@pytest.mark.skipif(not WHERE, reason="MUSTER_CHARTS names no folder with the real charts")
def test_what_is_kept_is_what_the_charts_give() -> None:
    """As Helm renders them here."""
    assert rendered(Charts.at(WHERE)) == kept(), AGAIN
