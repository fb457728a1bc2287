"""HyperPod's chart and its EKS add-ons."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import HEALTH_TAINT, AddonContext, GroupNodes, Mirrors
from muster.addons.values import at, runs_of, values_of
from tests.addons.contexts import a_context, said_of

HYPERPOD = CATALOGUE["hyperpod"]
PLUGINS: Mapping[str, tuple[str, ...]] = {
    "nvidia-device-plugin": ("nvidia-device-plugin", "devicePlugin", "enabled"),
    "efa-device-plugin": ("aws-efa-k8s-device-plugin", "devicePlugin", "enabled"),
    "neuron-device-plugin": ("neuron-device-plugin", "devicePlugin", "enabled"),
}
GPUS = frozenset({"nvidia.com/gpu"})
ON_EC2, ON_HYPERPOD = (
    GroupNodes("ec2", "p5.48xlarge", GPUS, frozenset()),
    GroupNodes("hp", "ml.p5.48xlarge", GPUS, frozenset()),
)


def context(*others: str, **said: Any) -> AddonContext:
    """A cluster with HyperPod's chart and other add-ons."""
    chosen = {name.replace("-", "_"): said_of(name) for name in others}
    return a_context(ON_EC2, ON_HYPERPOD, hyperpod=said_of("hyperpod", **said), **chosen)


@pytest.mark.parametrize("name", PLUGINS)
def test_a_plugin_that_muster_has_on_hyperpods_nodes_is_off_in_it_and_else_on(name: str) -> None:
    """Two of a kind would take devices from one another."""
    assert at(values_of(HYPERPOD, context(name)), *PLUGINS[name]) is False
    others = (each for each in PLUGINS if each != name)
    assert at(values_of(HYPERPOD, context(*others)), *PLUGINS[name]) is True


@pytest.mark.parametrize("name", PLUGINS)
def test_where_no_node_of_hyperpods_is_described_its_plugins_serve_them(name: str) -> None:
    """Ours are kept to the groups that are described. The two for Neuron have one name: ours is for all."""
    elsewhere = replace(context(*PLUGINS), nodes=(ON_EC2,))
    assert at(values_of(HYPERPOD, elsewhere), *PLUGINS[name]) is (name != "neuron-device-plugin")
    neuron = values_of(CATALOGUE["neuron-device-plugin"], elsewhere)
    assert {"ml.trn1.32xlarge", "ml.trn2.3xlarge"} < set(neuron["neuronInstances"])
    assert {"key": HEALTH_TAINT, "operator": "Exists"} in neuron["devicePlugin"]["tolerations"]


def kinds(*others: str, **said: Any) -> set[str]:
    """Of jobs that the chart's own operators run."""
    return {each.kind for each in runs_of(HYPERPOD, values_of(HYPERPOD, context(*others, **said)))}


def test_it_runs_jobs_where_a_users_values_turn_its_operators_on() -> None:
    """A training operator v1.7.0, which knows no JAXJob, and an MPI operator; by itself none."""
    of_training = {"PyTorchJob", "TFJob", "MXJob", "XGBoostJob", "PaddleJob"}
    training, mpi = {"trainingOperators": {"enabled": True}}, {"mpi-operator": {"enabled": True}}
    assert kinds() == set()
    assert kinds(values=training) == of_training
    assert kinds(values={**training, **mpi}) == {*of_training, "MPIJob"}
    assert set(HYPERPOD.brings(values_of(HYPERPOD, context("nvidia-device-plugin", values=mpi)))) == {
        *("efa-device-plugin", "neuron-device-plugin", "mpi-operator")
    }


def test_the_agent_of_another_version_is_not_known() -> None:
    """An older chart with this one's agent would be neither."""
    other = replace(context(version="0.1.0+0123456789ab"), mirrors=Mirrors(images="registry.example.org/m"))
    assert "health-monitoring-agent" not in values_of(HYPERPOD, other)
