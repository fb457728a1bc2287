"""On a cluster of EC2's and HyperPod's nodes, each plugin is on all nodes that have its device, and on no other."""

from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import GroupNodes
from muster.addons.values import values_of
from muster.addons.workload import Workload
from muster.fleet.resources import Taint
from tests.addons.contexts import a_context, said_of
from tests.addons.group_nodes import groups_of

GPUS, EFA, NEURON = "nvidia.com/gpu", "vpc.amazonaws.com/efa", "aws.amazon.com/neuron"
OF_GPUS, OF_NEURON = (frozenset({Taint(key, "true", "NoSchedule")}) for key in (GPUS, NEURON))
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
