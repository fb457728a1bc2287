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


def test_drivers_serve_every_group_with_their_devices() -> None:
    assert served(a_cluster(BOTH)) == {key: {"workers", "others"} for key in BOTH}


def test_with_groups_drivers_serve_these_and_plugins_the_others() -> None:
    found = served(a_cluster({**OF_WORKERS, **PLUGINS}))
    assert found == {**{key: {"workers"} for key in OF_WORKERS}, **{key: {"others"} for key in PLUGINS}}


def test_a_plugin_beside_a_driver_of_every_group_has_no_group() -> None:
    """A rule reports it; two of them never run on one node."""
    assert served(a_cluster({**BOTH, **PLUGINS})) == {
        **{key: {"workers", "others"} for key in BOTH},
        **{key: set() for key in PLUGINS},
    }


@pytest.mark.parametrize(
    ("named", "gpus"), [({}, {"others"}), ({"groups": ["workers", "others"]}, {"workers", "others"})]
)
def test_bottlerocket_has_the_plugin_unless_the_driver_names_the_group(named: dict[str, Any], gpus: set[str]) -> None:
    """Its image runs the plugin for GPUs, and none for EFA."""
    rocket = a_group(image="bottlerocket")
    found = served(a_cluster({"nvidia-dra-driver": named, "efa-dra-driver": {}}, workers=rocket))
    assert found == {"nvidia-dra-driver": gpus, "efa-dra-driver": {"workers", "others"}}


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
