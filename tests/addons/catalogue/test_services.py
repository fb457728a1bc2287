"""Metrics, logs, node health, certificates."""

import json
from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext, GroupNodes
from muster.addons.values import values_of
from muster.addons.workload import Workload
from muster.fleet.resources import Taint
from tests.addons.catalogue.test_hyperpod import ADDON, deployed
from tests.addons.contexts import a_context, said_of
from tests.addons.group_nodes import groups_of
from tests.infra.test_lustre import one, recorded

ROLE = frozenset({Taint("role", "system", "NoSchedule")})
GPU = frozenset({Taint("nvidia.com/gpu", "true", "NoSchedule")})
SYSTEM = GroupNodes("system", "c5.2xlarge", frozenset(), ROLE, purpose="system")
GPUS = GroupNodes("gpus", "p5.48xlarge", frozenset({"nvidia.com/gpu"}), GPU)
BOTTLEROCKET = GroupNodes("rocket", "p5.48xlarge", frozenset({"nvidia.com/gpu"}), GPU, frozenset({"nvidia.com/gpu"}))
TRAINIUM = GroupNodes("trainium", "trn1.32xlarge", frozenset({"aws.amazon.com/neuron"}), frozenset())
HYPERPOD = GroupNodes("hyperpod", "ml.p5.48xlarge", frozenset({"nvidia.com/gpu"}), GPU)
PLAIN = GroupNodes("plain", "c5.2xlarge", frozenset(), frozenset())
EVERY = (SYSTEM, GPUS, BOTTLEROCKET, TRAINIUM, HYPERPOD, PLAIN)


def context(name: str, *nodes: GroupNodes, **said: Any) -> AddonContext:
    """A cluster with one add-on."""
    return a_context(*(nodes or EVERY), **{name: said_of(name, **said)})


def running(name: str, *nodes: GroupNodes, **said: Any) -> dict[str, Workload]:
    """What it runs with the values that these nodes call for."""
    addon = CATALOGUE[name]
    return {each.name: each for each in addon.workloads(values_of(addon, context(name, *nodes, **said)))}


def test_gpu_metrics_are_of_every_gpu_and_of_nothing_else() -> None:
    """Bottlerocket brings a device plugin, and no exporter."""
    (exporter,) = running("dcgm-exporter").values()
    assert groups_of(exporter, *EVERY) == {"gpus", "rocket", "hyperpod"}


def test_node_repair_hears_of_gpus_that_are_tainted() -> None:
    """The agent's own daemon for GPUs tolerates nothing; HyperPod's nodes have an agent of their own."""
    agent, gpus = running("eks-node-monitoring-agent").values()
    assert groups_of(agent, *EVERY) == {"system", "gpus", "rocket", "trainium", "plain"}
    assert groups_of(gpus, *EVERY) == {"gpus", "rocket"}
    plain = CATALOGUE["eks-node-monitoring-agent"].workloads({})
    assert groups_of(plain[1], *EVERY) == set()
    assert (
        values_of(CATALOGUE["eks-node-monitoring-agent"], context("eks-node-monitoring-agent", SYSTEM, TRAINIUM)) == {}
    )


def test_container_insights_have_agents_everywhere_and_devices_where_they_are() -> None:
    """Neither a controller on a node that costs, nor a daemon for devices that nobody has."""
    made = running("cloudwatch-observability")
    landed = {name: groups_of(each, *EVERY) for name, each in made.items()}
    everywhere = {each.group for each in EVERY}
    assert landed == {
        "amazon-cloudwatch-observability-controller-manager": {"system", "plain", "trainium"},
        "cloudwatch-agent": everywhere,
        "fluent-bit": everywhere,
        "dcgm-exporter": {"gpus", "rocket", "hyperpod"},
        "neuron-monitor": {"trainium"},
    }
    assert set(running("cloudwatch-observability", SYSTEM)) == {
        "amazon-cloudwatch-observability-controller-manager",
        "cloudwatch-agent",
        "fluent-bit",
    }


@pytest.mark.parametrize(("name", "deployments"), [("metrics-server", 1), ("cert-manager", 3)])
def test_what_serves_the_cluster_runs_on_the_system_group(name: str, deployments: int) -> None:
    """Whose taint it tolerates; where that has none, it is told nothing."""
    made = running(name, SYSTEM, GPUS)
    assert [groups_of(each, SYSTEM, GPUS) for each in made.values()] == [{"system"}] * deployments
    assert values_of(CATALOGUE[name], context(name, PLAIN)) == {}


@pytest.mark.parametrize("name", ["metrics-server", "cert-manager", "eks-node-monitoring-agent"])
def test_what_speaks_to_no_aws_service_has_no_role(name: str) -> None:
    """EKS user guide: these need no rights."""
    made = deployed(name)
    assert one(made, ADDON, name).inputs["addonName"] == name
    assert not [each for each in made.registrations if "podIdentity" in each.type]


def test_values_of_an_eks_addon_are_its_configuration() -> None:
    """As JSON, which is how EKS takes them."""
    said = {"values": {"dcgmAgent": {"resources": {"requests": {"cpu": "10m"}}}}}
    made = recorded({}, {"addons.eks-node-monitoring-agent": said})
    given = json.loads(one(made, ADDON, "eks-node-monitoring-agent").inputs["configurationValues"])
    assert given["dcgmAgent"]["resources"] == {"requests": {"cpu": "10m"}}
    assert given["dcgmAgent"]["tolerations"] == [{"key": "nvidia.com/gpu", "operator": "Exists"}]
