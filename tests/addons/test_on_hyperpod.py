"""Add-ons on a cluster whose nodes HyperPod runs: their order, and what each is told of its nodes."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.addons.catalogue.karpenter import ADDON as KARPENTER
from muster.addons.context import HEALTH_TAINT, AddonContext
from muster.addons.installation_order import BEFORE_NODES, Entry, graph
from muster.addons.values import values_of, workloads_of
from muster.addons.workload import Workload
from muster.blueprint.cluster import Blueprint
from muster.blueprint.dra import DRIVERS
from muster.fleet.resources import Taint
from tests.addons.contexts import REQUIRED
from tests.addons.group_nodes import groups_of
from tests.addons.test_graph import before
from tests.factories.hyperpod import a_hyperpod_blueprint

OF_KUEUE = ("kueue", "hyperpod-task-governance")
CHECKED = Taint(HEALTH_TAINT, "Unschedulable", "NoSchedule")
"""What HyperPod puts on a node while its deep health checks run."""


def a_cluster(*names: str, **edits: Any) -> Blueprint:
    """The small HyperPod cluster with these add-ons."""
    chosen = {name: dict(REQUIRED.get(name, {})) for name in names}
    return a_hyperpod_blueprint({**{key.replace("__", "."): value for key, value in edits.items()}, "addons": chosen})


def everything(kueue: str = "kueue") -> list[str]:
    """All that can be together: device plugins, no DRA drivers, and no Karpenter, which HyperPod runs itself."""
    out = {*DRIVERS, KARPENTER.name, *OF_KUEUE} - {kueue}
    return [name for name in CATALOGUE if name not in out]


def names(entries: tuple[Entry, ...]) -> list[str]:
    return [each.name for each in entries]


@pytest.mark.parametrize("kueue", OF_KUEUE)
def test_the_order_of_everything(kueue: str) -> None:
    """EKS's own that nodes need, HyperPod's chart, then the nodes: CoreDNS is the first that needs one; Kueue last."""
    entries = graph(a_cluster(*everything(kueue)))
    listed = names(entries)
    assert set(listed[:3]) == set(BEFORE_NODES)
    assert listed[3:5] == ["hyperpod", "coredns"]
    assert listed[-1] == kueue
    assert [each.name for each in entries if each.before_nodes] == listed[:4]
    found = {each.name: each for each in entries}
    assert set(found["hyperpod"].after) == set(BEFORE_NODES)
    assert "hyperpod" in found["coredns"].after
    assert all("coredns" in before(each.name, entries) for each in entries[5:])


# What they are told.


def values(blueprint: Blueprint, name: str) -> Mapping[str, Any]:
    context = AddonContext.of_blueprint(blueprint)
    return values_of(CATALOGUE[name], context)


def daemons(blueprint: Blueprint, name: str) -> list[Workload]:
    """The DaemonSets of an add-on."""
    context = AddonContext.of_blueprint(blueprint)
    addon = CATALOGUE[name]
    return [each for each in workloads_of(addon, values_of(addon, context)) if each.kind == "DaemonSet"]


EVERYWHERE = {"system", "workers"}
GROUPS: dict[str, dict[str, set[str]]] = {
    "nvidia-device-plugin": {
        "nvidia-device-plugin": {"workers"},
        "nvidia-device-plugin-mps-control-daemon": set(),
    },
    "efa-device-plugin": {"aws-efa-k8s-device-plugin": {"workers"}},
    "fsx-csi-driver": {"fsx-csi-node": EVERYWHERE},
    "cloudwatch-observability": {
        "cloudwatch-agent": EVERYWHERE,
        "fluent-bit": EVERYWHERE,
        "dcgm-exporter": {"workers"},
    },
    "hyperpod": {"health-monitoring-agent": {"workers"}, "health-monitoring-agent-non-nvidia": set()},
    "dcgm-exporter": {"dcgm-exporter": {"workers"}},
    "eks-node-monitoring-agent": {"eks-node-monitoring-agent": set(), "dcgm-server": set()},
}
"""Add-on -> DaemonSet -> its groups. EKS's monitoring agent is for EKS's own nodes."""


@pytest.mark.parametrize("checked", [False, True])
def test_daemons_are_on_hyperpods_nodes_also_while_they_are_checked(checked: bool) -> None:
    """A deep health check uses the devices that a plugin offers, and agents monitor a checked node, too."""
    blueprint = a_cluster(*everything())
    taints = {CHECKED} if checked else set()
    nodes = [replace(each, taints=each.taints | taints) for each in AddonContext.of_blueprint(blueprint).nodes]
    found = {name: {each.name: groups_of(each, *nodes) for each in daemons(blueprint, name)} for name in GROUPS}
    assert found == GROUPS


@pytest.mark.parametrize("kueue", OF_KUEUE)
def test_no_type_is_named_as_ec2_names_it(kueue: str) -> None:
    """HyperPod's nodes have `ml.` before it: whoever looks for another finds none."""
    names = everything(kueue)
    blueprint = a_cluster(*names)
    given = {name: json.dumps(values(blueprint, name)) for name in names}
    assert [name for name, text in given.items() if "p5.48xlarge" in text.replace("ml.p5.48xlarge", "")] == []
