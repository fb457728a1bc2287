"""A cluster that is known by its outputs alone."""

from datetime import date
from typing import Any

import pytest

from muster.contract import Cluster
from muster.offline.plan import plan_stack
from muster.stack.cluster_outputs import to_description, to_raw_description
from muster.stack.project import open_stack
from tests.factories import REGION, a_description
from tests.factories.hyperpod import a_hyperpod_description
from tests.stack_files import AS_OF, ON_KUBERNETES, ROOT


@pytest.mark.parametrize("stack", [each for each in ON_KUBERNETES if each != "g5-auto-mode"])
def test_an_older_clusters_interfaces_are_known_by_its_pods(stack: str) -> None:
    """Older Musters exported no layout, and had no EFA on Auto Mode: AWS's current one leaves as many pods."""
    outputs = Cluster.read(plan_stack(open_stack(ROOT, stack), date.fromisoformat(AS_OF)).outputs)
    groups = {name: each.model_copy(update={"interfaces": None}) for name, each in outputs.node_groups.items()}
    today, _ = to_description(outputs)
    older, _ = to_description(outputs.model_copy(update={"node_groups": groups}))
    assert today is not None
    assert today == older


def test_the_classic_layout_leaves_fewer_pods() -> None:
    """Which is what it is known by."""
    from muster.blueprint.derive.cluster import derive
    from muster.deploy import deploy
    from muster.offline.recording import record

    blueprint = derive(a_description({"groups.workers.interfaces": "classic"}), "test", REGION)
    outputs = Cluster.read(record(lambda: deploy(blueprint), stack="test", region=REGION).outputs)
    workers = outputs.node_groups["workers"].model_copy(update={"interfaces": None})
    made, faults = to_description(
        outputs.model_copy(update={"node_groups": {**outputs.node_groups, "workers": workers}})
    )
    assert made is not None, faults
    assert made.groups["workers"].layout.value == "classic"


@pytest.mark.parametrize("stack", ON_KUBERNETES)
def test_what_is_exported_of_add_ons_is_described(stack: str) -> None:
    """Each with its version; and charts of one's own."""
    outputs = Cluster.read(plan_stack(open_stack(ROOT, stack), date.fromisoformat(AS_OF)).outputs)
    made, faults = to_description(outputs)
    assert made is not None, faults
    addons = made.addons.chosen
    assert {name: each.version for name, each in addons.items()} == {
        name: each.version for name, each in outputs.addons.items()
    }
    assert {name: (each.chart, each.version, each.namespace) for name, each in made.addons.charts.items()} == {
        name: (each.chart, each.version, each.namespace) for name, each in outputs.charts.items()
    }


def test_charts_of_ones_own_are_described_as_they_are_exported() -> None:
    """Each with what it is, its version and its namespace, whatever the stack calls it."""
    from muster.blueprint.derive.cluster import derive
    from muster.deploy import deploy
    from muster.offline.recording import record

    charts = {
        "gpus": {"chart": "gpu-operator", "version": "v25.3.0", "namespace": "gpu"},
        "logs": {"chart": "fluent-bit", "version": "0.50.0", "namespace": "logging"},
    }
    described_charts = {name: {"repository": "https://example.com", **each} for name, each in charts.items()}
    blueprint = derive(a_description({"addons.charts": described_charts}), "test", REGION)
    outputs = Cluster.read(record(lambda: deploy(blueprint), stack="test", region=REGION).outputs)
    made, faults = to_description(outputs)
    assert made is not None, faults
    found = made.addons.charts.items()
    assert {
        name: {"chart": each.chart, "version": each.version, "namespace": each.namespace} for name, each in found
    } == charts


@pytest.mark.parametrize(
    ("said", "nodes"),
    [
        (4, {"count": 4}),
        ({"count": 4}, {"count": 4}),
        ({"count": 4, "minimum": 4}, {"count": 4}),
        ({"count": 4, "minimum": 3}, {"count": 4, "minimum": 3}),
        ({"count": 4, "minimum": 0}, {"count": 4, "minimum": 0}),
    ],
)
def test_how_many_nodes_of_hyperpods_there_are_is_written_as_it_was_said(said: Any, nodes: dict[str, int]) -> None:
    """With the fewest it starts with, where those are not all."""
    from muster.blueprint.derive.cluster import derive
    from muster.deploy import deploy
    from muster.offline.recording import record

    edits = {"groups.workers.nodes": said, "hyperpod.provisioning": "continuous"}
    blueprint = derive(a_hyperpod_description(edits), "test", REGION)
    outputs = Cluster.read(record(lambda: deploy(blueprint), stack="test", region=REGION).outputs)
    assert to_raw_description(outputs)["groups"]["workers"]["nodes"] == nodes
    made, faults = to_description(outputs)
    assert made is not None, faults
