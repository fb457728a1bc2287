"""GPUs that the device plugin shares: what nodes offer, and what jobs request of it."""

from typing import Any

import pytest

from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import KubernetesGroup
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import DoesNotFit
from tests import factories
from tests.jobs.clusters import a_group, a_system_group, manifest_of

LABEL = "nvidia.com/device-plugin.config"


def sharing(how: str, replicas: int, **settings: Any) -> dict[str, Any]:
    return {"sharing": {how: {"resources": [{"name": "nvidia.com/gpu", "replicas": replicas}], **settings}}}


SLICED = {"config": {"map": {"default": sharing("timeSlicing", 4)}}}


def workers(addons: dict[str, Any], **of_group: Any) -> tuple[Blueprint, KubernetesGroup]:
    groups = {"system": a_system_group(), "workers": a_group(**of_group)}
    made = factories.a_blueprint({"groups": groups, "addons": addons}, "tested")
    return made, next(each for each in made.groups if each.name == "workers")


@pytest.mark.parametrize(
    ("addons", "offered"),
    [
        ({"nvidia-device-plugin": {}}, {"nvidia.com/gpu": 8}),
        ({"nvidia-device-plugin": {"values": SLICED}}, {"nvidia.com/gpu": 32}),
        (
            {"nvidia-device-plugin": {"values": {"config": {"map": {"x": sharing("mps", 2, renameByDefault=True)}}}}},
            {"nvidia.com/gpu.shared": 16},
        ),
        (
            {"nvidia-device-plugin": {"values": {"config": {"map": {"x": sharing("timeSlicing", 3)}}}}},
            {"nvidia.com/gpu": 24},
        ),
    ],
)
def test_a_node_offers_each_copy_of_its_gpus(addons: dict[str, Any], offered: dict[str, int]) -> None:
    """By time slicing or MPS, under the name that the configuration gives, whichever chart has the plugin."""
    _, group = workers(addons)
    assert {key: number for key, number in group.node.offers.items() if key.startswith("nvidia")} == offered
    assert group.node.devices["nvidia.com/gpu"] == offered


def operator(config: dict[str, Any], **plugin: Any) -> dict[str, Any]:
    """The GPU operator as a chart of the description's own."""
    chart = {
        "repository": "https://helm.ngc.nvidia.com/nvidia",
        "chart": "gpu-operator",
        "version": "v25.10.1",
        "namespace": "gpu-operator",
        "values": {"devicePlugin": {"config": config, **plugin}},
    }
    return {"charts": {"operator": chart}}


def a_second_plugin(**values: Any) -> dict[str, Any]:
    """Beside the add-on a release of the plugin's chart that shares GPUs."""
    chart = {
        "repository": "https://nvidia.github.io/k8s-device-plugin",
        "chart": "nvidia-device-plugin",
        "version": "0.20.0",
        "namespace": "gpus",
        "values": {**SLICED, **values},
    }
    return {"nvidia-device-plugin": {}, "charts": {"shared": chart}}


@pytest.mark.parametrize(
    "addons",
    [
        operator({"data": {"any": str(sharing("timeSlicing", 4))}}),
        operator({"default": "any", "data": {"any": str(sharing("timeSlicing", 4))}}, enabled=False),
        a_second_plugin(nodeSelector={"team": "inference"}),
        a_second_plugin(devicePlugin={"enabled": False}),
    ],
    ids=["the operator without a default", "the operator's plugin is off", "on other nodes", "the plugin is off"],
)
def test_a_plugin_that_does_not_share_these_nodes(addons: dict[str, Any]) -> None:
    """The GPU operator applies no configuration by itself; a plugin on other nodes, or off, shares none here."""
    assert workers(addons)[1].node.offers["nvidia.com/gpu"] == 8


def test_a_label_chooses_the_configuration() -> None:
    """Of two configurations a node gets the one that its label names, else the default."""
    both = {"map": {"default": sharing("timeSlicing", 4), "whole": {"version": "v1"}}}
    addons = {"nvidia-device-plugin": {"values": {"config": both}}}
    assert workers(addons)[1].node.offers["nvidia.com/gpu"] == 32
    assert workers(addons, labels={LABEL: "whole"})[1].node.offers["nvidia.com/gpu"] == 8


def test_bottlerocket_has_a_plugin_of_its_own() -> None:
    """The chart's configuration does not reach the plugin that the image has."""
    addons = {"nvidia-device-plugin": {"values": SLICED}}
    assert workers(addons, image="bottlerocket")[1].node.offers["nvidia.com/gpu"] == 8


def test_a_worker_requests_all_copies() -> None:
    """It runs a process for each GPU, and requests every copy: of a part it might get copies of one GPU."""
    made, _ = workers({"nvidia-device-plugin": {"values": SLICED}, "efa-device-plugin": {}})
    assert "'nvidia.com/gpu': 32" in str(manifest_of(JOBS["efa-check"], made))


def test_a_worker_of_several_gpus_is_refused_where_the_plugin_refuses_it() -> None:
    """MPS, and time slicing with failRequestsGreaterThanOne, take one copy a container."""
    refusing = sharing("timeSlicing", 4, failRequestsGreaterThanOne=True)
    config = {"values": {"config": {"map": {"default": refusing}}}}
    made, _ = workers({"nvidia-device-plugin": config, "efa-device-plugin": {}})
    with pytest.raises(DoesNotFit, match="rejects pods that request more than one GPU"):
        manifest_of(JOBS["efa-check"], made)
