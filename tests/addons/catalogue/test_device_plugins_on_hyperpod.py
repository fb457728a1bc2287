"""On a cluster of EC2's and HyperPod's nodes, each plugin is on all nodes that have its device, and on no other."""

from dataclasses import replace
from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import HEALTH_TAINT, GroupNodes
from muster.addons.values import values_of
from muster.addons.workload import Workload
from muster.fleet.resources import Taint
from tests.addons.contexts import a_context, said_of
from tests.addons.group_nodes import groups_of

GPUS, EFA, NEURON = "nvidia.com/gpu", "vpc.amazonaws.com/efa", "aws.amazon.com/neuron"
OF_GPUS, OF_NEURON = (frozenset({Taint(key, "true", "NoSchedule")}) for key in (GPUS, NEURON))
CHECKED = Taint(HEALTH_TAINT, "Unschedulable", "NoSchedule")
REPLACED = Taint(HEALTH_TAINT, "UnschedulablePendingReplace", "NoSchedule")
NODES = (
    GroupNodes("system", "c5.2xlarge", frozenset(), frozenset()),
    GroupNodes("gpus", "p5.48xlarge", frozenset({GPUS, EFA}), OF_GPUS),
    GroupNodes("hyperpod-gpus", "ml.p5.48xlarge", frozenset({GPUS, EFA}), OF_GPUS),
    GroupNodes("small", "ml.g5.xlarge", frozenset({GPUS}), frozenset()),
    GroupNodes("trainium", "trn1.32xlarge", frozenset({NEURON, EFA}), OF_NEURON),
    GroupNodes("hyperpod-trainium", "ml.trn2.48xlarge", frozenset({NEURON, EFA}), OF_NEURON),
    GroupNodes("hyperpod-system", "ml.c5.2xlarge", frozenset(), frozenset()),
)
"""The chart of the Neuron plugin knows no ``ml.trn2.48xlarge``, that of EFA no ``ml.`` type at all."""

WANTED = {
    "nvidia-device-plugin": {"gpus", "hyperpod-gpus", "small"},
    "efa-device-plugin": {"gpus", "hyperpod-gpus", "trainium", "hyperpod-trainium"},
    "neuron-device-plugin": {"trainium", "hyperpod-trainium"},
    "dcgm-exporter": {"gpus", "hyperpod-gpus", "small"},
}


def first(name: str, **said: Any) -> Workload:
    """What an add-on runs first, with the values that these nodes call for."""
    addon = CATALOGUE[name]
    return addon.workloads(values_of(addon, a_context(*NODES, **{name: said_of(name, **said)})))[0]


@pytest.mark.parametrize("name", WANTED)
def test_a_plugin_is_on_the_nodes_of_both_and_nowhere_else(name: str) -> None:
    """Types by EC2's name and by HyperPod's."""
    assert groups_of(first(name), *NODES) == WANTED[name]


@pytest.mark.parametrize("name", WANTED)
@pytest.mark.parametrize("taint", [CHECKED, REPLACED])
def test_a_plugin_stays_while_hyperpod_checks_a_node_or_replaces_it(name: str, taint: Taint) -> None:
    """HyperPod's own taint is tolerated; whatever else keeps a plugin off still does."""
    tainted = [replace(each, taints=each.taints | {taint}) if each.hyperpod else each for each in NODES]
    assert groups_of(first(name), *tainted) == WANTED[name]
    other = [replace(each, taints=each.taints | {Taint("team", "vision", "NoSchedule")}) for each in tainted]
    assert groups_of(first(name), *other) == set()


def test_without_hyperpod_its_taint_is_not_spoken_of() -> None:
    """No node of EC2's bears it."""
    addon = CATALOGUE["nvidia-device-plugin"]
    context = a_context(*(each for each in NODES if not each.hyperpod), nvidia_device_plugin=said_of(addon.name))
    (plugin, _) = addon.workloads(values_of(addon, context))
    assert HEALTH_TAINT not in {each["key"] for each in plugin.placement.tolerations}
