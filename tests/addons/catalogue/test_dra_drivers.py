"""DRA drivers: which groups they serve, what their charts are given, and what nodes then offer."""

from dataclasses import replace
from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext, GroupNodes
from muster.addons.values import values_of, workloads_of
from muster.blueprint.cluster import Blueprint
from muster.blueprint.node import EFA_RESOURCE
from muster.contract import NodeGroupOutput
from tests.addons.contexts import a_context, said_of
from tests.addons.group_nodes import groups_of
from tests.factories import a_blueprint
from tests.jobs.clusters import a_group, a_system_group

PLUGINS = {"nvidia-device-plugin": {}, "efa-device-plugin": {}}
BOTH = {"nvidia-dra-driver": {}, "efa-dra-driver": {}}
OF_WORKERS = {name: {"groups": ["workers"]} for name in BOTH}
GROUPS = {"system": a_system_group(), "workers": a_group(), "others": a_group(nodes=1)}


def a_cluster(addons: dict[str, Any], **groups: Any) -> Blueprint:
    return a_blueprint({"groups": {**GROUPS, **groups}, "addons": addons})


def served(blueprint: Blueprint) -> dict[str, set[str]]:
    """Add-on -> the groups on which its first DaemonSet runs."""
    context = AddonContext.of_blueprint(blueprint)
    found = {}
    for name in blueprint.described.addons.chosen:
        daemon, *_ = workloads_of(CATALOGUE[name], values_of(CATALOGUE[name], context))
        found[name] = groups_of(daemon, *context.nodes)
    return found


ROCKET = a_group(image="bottlerocket")


def _each(names: dict[str, Any], *groups: str) -> dict[str, set[str]]:
    return {name: set(groups) for name in names}


@pytest.mark.parametrize(
    ("addons", "workers", "found"),
    [
        (BOTH, a_group(), _each(BOTH, "workers", "others")),
        (
            {**OF_WORKERS, **PLUGINS},
            a_group(),
            {**_each(BOTH, "workers"), **_each(PLUGINS, "others")},
        ),
        # A rule reports it; two of them never run on one node.
        ({**BOTH, **PLUGINS}, a_group(), {**_each(BOTH, "workers", "others"), **_each(PLUGINS)}),
        # Its image runs the plugin for GPUs, unless the driver names the group, and none for EFA.
        (BOTH, ROCKET, {"nvidia-dra-driver": {"others"}, "efa-dra-driver": {"workers", "others"}}),
        ({**BOTH, "nvidia-dra-driver": {"groups": ["workers", "others"]}}, ROCKET, _each(BOTH, "workers", "others")),
    ],
)
def test_no_device_is_served_twice(addons: dict[str, Any], workers: Any, found: dict[str, set[str]]) -> None:
    """Drivers serve the groups that they name, or every group with their devices; plugins serve the others."""
    assert served(a_cluster(addons, workers=workers)) == found


def test_one_of_the_drivers_leaves_the_other_devices_to_their_plugin() -> None:
    node = a_cluster({"efa-dra-driver": {}, "nvidia-device-plugin": {}}).group("workers").node
    assert node.offers == {"nvidia.com/gpu": 8, "hugepages-2Mi": "10256Mi"}
    assert node.claims == {"efa.networking.k8s.aws": 32}


def test_drivers_of_another_stack_serve_the_groups_that_it_exports() -> None:
    """From outputs alone: the nodes export their devices as claims, or as resources that the chosen driver replaces."""
    exported = NodeGroupOutput.model_validate(
        {
            "purpose": "training",
            "instance_type": "p5.48xlarge",
            "zones": ["us-west-2a"],
            "count": {"min": 1, "start": 1, "max": 1},
            "offers": {"nvidia.com/gpu": 8, "hugepages-2Mi": "10256Mi"},
            "claims": {"efa.networking.k8s.aws": 32},
            "allocatable": {"cpu": "191450m"},
            "pods": 100,
            "labels": {},
            "taints": [],
            "role_arn": "arn:aws:iam::111122223333:role/workers",
            "capacity": {"kind": "on-demand"},
        }
    )
    nodes = GroupNodes.of_output("workers", exported)
    context = a_context(nodes, nvidia_dra_driver=said_of("nvidia-dra-driver"))
    assert [each.group for each in context.driven(EFA_RESOURCE)] == ["workers"]
    assert [each.group for each in context.driven("nvidia.com/gpu")] == ["workers"]
    assert context.offering("nvidia.com/gpu") == ()
    assert context.nodes[0].amounts == {"cpu": "191450m", "hugepages-2Mi": "10256Mi"}
    assert replace(context, nodes=(nodes,)).offering("nvidia.com/gpu") == (nodes,)


def test_with_gpus_off_the_plugin_offers_them_and_the_driver_runs_beside_it() -> None:
    """For ComputeDomains, which use no GPU of their own."""
    alone = {"values": {"resources": {"gpus": {"enabled": False}, "computeDomains": {"enabled": True}}}}
    blueprint = a_cluster({"nvidia-dra-driver": {**alone, "groups": ["workers"]}, "nvidia-device-plugin": {}})
    assert served(blueprint) == {"nvidia-dra-driver": {"workers"}, "nvidia-device-plugin": {"workers", "others"}}
    assert blueprint.group("workers").node.offers["nvidia.com/gpu"] == 8
