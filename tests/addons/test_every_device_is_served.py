"""Random legal clusters: each group's devices are offered by exactly one plugin, and no plugin lands elsewhere.

By the independent matcher, on the nodes as they join. What stands for a chart here is the workloads that its values
give (`test_real_charts.py` holds them against the real charts).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from muster.addons.addon import Addon
from muster.addons.catalogue import CATALOGUE
from muster.addons.charts import Charts, NoChart, Rendered
from muster.addons.charts.cluster_rendering import BY_EKS, Rendering, render
from muster.addons.charts.placement import WorkloadPlacement
from muster.addons.charts.sources import FoundChart, Place
from muster.addons.context import AddonContext
from muster.addons.simulated_workloads import simulated_workloads
from muster.blueprint.derive.cluster import derive
from muster.blueprint.kubernetes import Blueprint
from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.rehearsal.kubernetes.nodes import planned_nodes
from tests.strategies import Described, legal

slowly = settings(max_examples=20)


class NoPlace:
    """Has nothing; nobody asks."""

    def find(self, addon: Addon, version: str, scratch: Any) -> FoundChart:
        raise NoChart


@dataclass(frozen=True, slots=True)
class StandIns(Charts):
    """Gives what an add-on's values say it runs."""

    place: Place = field(default_factory=NoPlace)

    def rendered(self, addon: Addon, version: str, values: Mapping[str, Any], kubernetes: str) -> Rendered:
        return Rendered(simulated_workloads(addon, values), "stand-in", version)


def rendering(blueprint: Blueprint) -> Rendering:
    """Of a node in each zone of each group."""
    counts = {group.name: max(1, len(blueprint.zones(group))) for group in blueprint.groups}
    return render(AddonContext.of_blueprint(blueprint), planned_nodes(blueprint, counts), StandIns())


def blueprint_of(described: Described) -> Blueprint:
    made, faults = validate(EksCluster, described.document)
    assert made is not None, faults
    return derive(made, "random", described.region, described.known)


def plugins(found: Rendering) -> list[tuple[str, WorkloadPlacement]]:
    """Device and workload, of every plugin."""
    return [
        (workload.serves, landing)
        for each in found.addons
        for workload in each.addon.workloads(each.values)
        for landing in each.placements
        if workload.serves and (workload.kind, workload.name) == (landing.kind, landing.name)
    ]


@slowly
@given(legal())
def test_every_device_is_offered_by_one_plugin_and_no_plugin_lands_elsewhere(described: Described) -> None:
    """On every node of the group; what an image offers itself no plugin of ours offers beside it.
    The judge finds nothing wrong, and looks at all that it is shown."""
    blueprint = blueprint_of(described)
    found = rendering(blueprint)
    offered = Counter((device, group) for device, one in plugins(found) for group in one.groups)
    needed = {
        (device, each.group)
        for device in {addon.serves for addon in CATALOGUE.values()} - {None}
        for each in AddonContext.of_blueprint(blueprint).offering(device)
    }
    assert offered == Counter(needed)
    assert all(not one.obstacle(group) for _, one in plugins(found) for group in one.groups)
    assert found.faults == ()
    assert all(each.is_checked or each.why == BY_EKS for each in found.addons)


@slowly
@given(st.data())
def test_the_judge_finds_every_group_that_a_plugin_is_kept_off(data: st.DataObject) -> None:
    """One label on one group, and a plugin that wants another: it is told for that plugin and that group."""
    described = data.draw(legal())
    groups = described.document["groups"]
    given = [name for name in described.document["addons"] if CATALOGUE[name].serves and not name.startswith("neuron")]
    if not given:
        return
    name = data.draw(st.sampled_from(given))
    wanted = {
        group.group for group in AddonContext.of_blueprint(blueprint_of(described)).offering(CATALOGUE[name].serves)
    }
    labelled = data.draw(st.sampled_from(sorted(groups)))
    own = {**groups[labelled].get("labels", {}), "team": "vision"}
    described = described.edit({f"addons.{name}.values": {"nodeSelector": {"team": "vision"}}})
    described.document["groups"][labelled]["labels"] = own
    found = rendering(blueprint_of(described))
    assert {(each.fault.addon, each.fault.group) for each in found.faults} == {
        (name, group) for group in wanted - {labelled}
    }
    assert {each.path for each in found.faults} <= {f"addons.{name}"}
