"""Random legal clusters: each group's devices are offered by exactly one plugin, and no plugin lands elsewhere.

On the nodes as they join. What stands for a chart here is the workloads that its values give (`test_real_charts.py`
holds them against the real charts).
"""

from collections import Counter

from hypothesis import given, settings

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext
from muster.addons.installation_order import install_order
from muster.addons.values import values_of
from muster.blueprint.cluster import Blueprint
from muster.rehearsal.kubernetes.nodes import planned_nodes
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.fit import KubernetesNode, may_be_on
from tests.strategies import Described, legal


def offered(blueprint: Blueprint) -> Counter[tuple[str, str]]:
    """Device and node of every plugin's pod."""
    context = AddonContext.of_blueprint(blueprint)
    counts = {group.name: max(1, len(blueprint.zones(group))) for group in blueprint.groups}
    nodes = [KubernetesNode.of(each.manifest) for each in planned_nodes(blueprint, counts)]
    plugins = [
        each
        for step in install_order(context)
        for each in step.addon.workloads(values_of(step.addon, context))
        if each.serves
    ]
    return Counter(
        (plugin.serves or "", node.name)
        for plugin in plugins
        for node in nodes
        if may_be_on(PodConstraints.of_daemon_set(plugin.placement.pod_spec), node)
    )


@settings(max_examples=20)
@given(legal())
def test_every_device_is_offered_by_one_plugin_and_no_plugin_lands_elsewhere(described: Described) -> None:
    """On every node of the group; what an image offers itself no plugin of ours offers beside it."""
    blueprint: Blueprint = described.blueprint()
    context = AddonContext.of_blueprint(blueprint)
    counts = {group.name: max(1, len(blueprint.zones(group))) for group in blueprint.groups}
    needed = {
        (device, node.name)
        for device in {addon.serves for addon in CATALOGUE.values() if addon.serves}
        for each in context.offering(device)
        for node in planned_nodes(blueprint, counts)
        if node.group == each.group
    }
    assert offered(blueprint) == Counter(needed)
