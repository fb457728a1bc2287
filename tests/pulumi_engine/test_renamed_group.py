"""What gets another name stays, in AWS and in the engine: a group with `was`, the cluster of an earlier version."""

import json
from pathlib import Path

import pytest

from tests.pulumi_engine.conftest import MakeStack
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED
from tests.stack_files import filled_in, text_of

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]


def _renamed(text: str, more: str = "") -> str:
    assert "\n      workers:\n" in text
    return text.replace("\n      workers:\n", f"\n      trainers:\n{more}")


@pytest.mark.parametrize("stack", ["p5-odcr", "p5-capacity-block-self-managed"])
def test_a_group_keeps_its_resources_under_another_name(stack: str, muster: MakeStack) -> None:
    """Only the label of its nodes is another, and what is derived of it."""
    text = filled_in(text_of(stack))
    it = muster(stack, text=text)
    it.up().require()
    it.describe(_renamed(text))
    assert {"create", "delete"} <= set(it.preview().require().changes.values())
    it.describe(_renamed(text, "        was: workers\n"))
    planned = it.preview().require().changes
    assert planned
    assert set(planned.values()) == {"update"}
    it.up().require()
    assert not it.preview().require().changes


def test_a_cluster_of_pulumi_eks_keeps_its_place(muster: MakeStack, tmp_path: Path) -> None:
    """In the state of an earlier version, a component is its parent."""
    it = muster("g4dn", text=filled_in(text_of("g4dn")))
    it.up().require()
    state = it.export()
    (cluster,) = (each for each in state["deployment"]["resources"] if each["type"] == "aws:eks/cluster:Cluster")
    now, above = cluster["urn"], cluster["urn"].partition("$aws:eks")[0]
    component = f"{above}$eks:index:Cluster::cluster"
    before = f"{above}$eks:index:Cluster$aws:eks/cluster:Cluster::cluster-eksCluster"
    below = {"urn": component, "custom": False, "type": "eks:index:Cluster", "parent": cluster["parent"]}
    cluster["parent"] = component
    listed = state["deployment"]["resources"]
    listed.insert(listed.index(cluster), below)
    file = tmp_path / "state.json"
    file.write_text(json.dumps(state).replace(json.dumps(now), json.dumps(before)))
    it.run("stack", "import", "--file", str(file)).require()
    assert it.preview().require().changes == {component: "delete"}
