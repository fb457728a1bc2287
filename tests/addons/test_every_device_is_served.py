"""Random legal clusters: each group's devices are offered by exactly one plugin, and no plugin lands elsewhere.

On the nodes as they join. What stands for a chart here is the workloads that its values give (`test_real_charts.py`
holds them against the real charts).
"""

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import HEALTH_TAINT, AddonContext
from muster.addons.installation_order import install_order
from muster.addons.values import values_of
from muster.addons.workload import Workload
from muster.blueprint.cluster import Blueprint
from muster.fleet.resources import Taint
from muster.rehearsal.kubernetes.nodes import planned_nodes
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.fit import KubernetesNode, may_be_on
from tests.strategies import Described, legal
from tests.strategies.hyperpod import legal_hyperpod

CLUSTERS = {"eks": legal(), "hyperpod": legal_hyperpod()}
CHECKED = (
    Taint(HEALTH_TAINT, "Unschedulable", "NoSchedule"),
    Taint(HEALTH_TAINT, "UnschedulablePendingReplace", "NoSchedule"),
)


def plugins(context: AddonContext) -> Iterator[Workload]:
    """Every DaemonSet that offers a device."""
    for step in install_order(context):
        yield from (each for each in step.addon.workloads(values_of(step.addon, context)) if each.serves)


def nodes(blueprint: Blueprint) -> list[KubernetesNode]:
    counts = {group.name: max(1, len(blueprint.zones(group))) for group in blueprint.groups}
    return [KubernetesNode.of(each.manifest) for each in planned_nodes(blueprint, counts)]


def offered(context: AddonContext, joined: list[KubernetesNode]) -> Counter[tuple[str, str]]:
    """Device and node of every plugin's pod."""
    return Counter(
        (plugin.serves or "", node.name)
        for plugin in plugins(context)
        for node in joined
        if may_be_on(PodConstraints.of_daemon_set(plugin.placement.pod_spec), node)
    )


@pytest.mark.parametrize("clusters", CLUSTERS.values(), ids=CLUSTERS)
@settings(max_examples=20)
@given(data=st.data())
def test_every_device_is_offered_by_one_plugin_and_no_plugin_lands_elsewhere(
    clusters: st.SearchStrategy[Described], data: st.DataObject
) -> None:
    """On every node of the group, also while HyperPod checks or replaces it; what an image offers itself no plugin of
    ours offers beside it. Any other taint of somebody's own keeps every plugin off."""
    blueprint = data.draw(clusters).blueprint()
    context = AddonContext.of_blueprint(blueprint)
    joined = nodes(blueprint)
    of_group = {node.name: node.labels["muster/group"] for node in joined}
    needed = {
        (device, node.name)
        for device in {addon.serves for addon in CATALOGUE.values() if addon.serves}
        for each in context.offering(device)
        for node in joined
        if of_group[node.name] == each.group
    }
    assert offered(context, joined) == Counter(needed)
    if blueprint.hyperpod is not None:
        for taint in CHECKED:
            assert offered(context, [node._replace(taints=(*node.taints, taint)) for node in joined]) == Counter(needed)
    other = Taint("somebody.example/own", "x", "NoSchedule")
    assert not offered(context, [node._replace(taints=(*node.taints, other)) for node in joined])
