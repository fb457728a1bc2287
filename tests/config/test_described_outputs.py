"""A cluster that is known by its outputs alone."""

import json
from typing import Any

import pytest

from muster.blueprint.derive.cluster import derive
from muster.contract import Cluster
from muster.offline.recording import record
from muster.stack.cluster_outputs import to_description, to_raw_description
from tests.factories import REGION, a_description
from tests.factories.hyperpod import a_hyperpod_description
from tests.stack_files import ON_KUBERNETES, ROOT

GOLDEN = ROOT / "tests" / "golden"


def outputs_of(described: Any) -> Cluster:
    """What the stack of a description exports."""
    from muster.deploy import deploy

    blueprint = derive(described, "test", REGION)
    return Cluster.read(record(lambda: deploy(blueprint), stack="test", region=REGION).outputs)


def without_layouts(outputs: Cluster) -> Cluster:
    """The outputs of an older Muster."""
    groups = {name: each.model_copy(update={"interfaces": None}) for name, each in outputs.node_groups.items()}
    return outputs.model_copy(update={"node_groups": groups})


@pytest.mark.parametrize("stack", ON_KUBERNETES)
def test_a_stack_is_described_by_its_outputs(stack: str) -> None:
    """Its add-ons with their versions; and, without the layout of interfaces, which older Musters did not export, the
    same by its pods. (Nor had they EFA on Auto Mode.)"""
    outputs = Cluster.read(json.loads((GOLDEN / f"{stack}.plan.json").read_text(encoding="utf-8"))["outputs"])
    made, faults = to_description(outputs)
    assert made is not None, faults
    assert {name: each.version for name, each in made.addons.chosen.items()} == {
        name: each.version for name, each in outputs.addons.items()
    }
    if stack != "g5-auto-mode":
        older, _ = to_description(without_layouts(outputs))
        assert older == made


def test_the_classic_layout_leaves_fewer_pods() -> None:
    """Which is what it is known by."""
    outputs = outputs_of(a_description({"groups.workers.interfaces": "classic"}))
    made, faults = to_description(without_layouts(outputs))
    assert made is not None, faults
    assert made.groups["workers"].layout.value == "classic"


def test_charts_of_ones_own_are_described_as_they_are_exported() -> None:
    """Each with what it is, its version and its namespace, whatever the stack calls it."""
    charts = {
        "gpus": {"chart": "gpu-operator", "version": "v25.3.0", "namespace": "gpu"},
        "logs": {"chart": "fluent-bit", "version": "0.50.0", "namespace": "logging"},
    }
    described = {name: {"repository": "https://example.com", **each} for name, each in charts.items()}
    made, faults = to_description(outputs_of(a_description({"addons.charts": described})))
    assert made is not None, faults
    assert {
        name: {"chart": each.chart, "version": each.version, "namespace": each.namespace}
        for name, each in made.addons.charts.items()
    } == charts


@pytest.mark.parametrize(
    ("said", "nodes"),
    [
        ({"count": 4, "minimum": 4}, {"count": 4}),
        ({"count": 4, "minimum": 0}, {"count": 4, "minimum": 0}),
    ],
)
def test_how_many_nodes_of_hyperpods_there_are_is_written_as_it_was_said(said: Any, nodes: dict[str, int]) -> None:
    """With the fewest it starts with, where those are not all."""
    edits = {"groups.workers.nodes": said, "hyperpod.provisioning": "continuous"}
    outputs = outputs_of(a_hyperpod_description(edits))
    assert to_raw_description(outputs)["groups"]["workers"]["nodes"] == nodes
    made, faults = to_description(outputs)
    assert made is not None, faults
