"""GPUs that the device plugin shares: what nodes offer, and what jobs request of it."""

from typing import Any

import pytest

from muster.blueprint.cluster import Blueprint
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import DoesNotFit
from tests import factories
from tests.jobs.clusters import a_group, a_system_group, manifest_of


def sharing(how: str, replicas: int, **settings: Any) -> dict[str, Any]:
    return {"sharing": {how: {"resources": [{"name": "nvidia.com/gpu", "replicas": replicas}], **settings}}}


def of_plugin(**configurations: Any) -> dict[str, Any]:
    return {"nvidia-device-plugin": {"values": {"config": {"map": configurations}}}}


SLICED = of_plugin(default=sharing("timeSlicing", 4))
BOTH = of_plugin(default=sharing("timeSlicing", 4), whole={"version": "v1"})


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
        "values": {**SLICED["nvidia-device-plugin"]["values"], **values},
    }
    return {"nvidia-device-plugin": {}, "charts": {"shared": chart}}


def a_cluster(addons: dict[str, Any], **of_group: Any) -> Blueprint:
    groups = {"system": a_system_group(), "workers": a_group(**of_group)}
    return factories.a_blueprint({"groups": groups, "addons": addons}, "tested")


ANY = {"any": str(sharing("timeSlicing", 4))}


@pytest.mark.parametrize(
    ("addons", "group", "offered"),
    [
        ({"nvidia-device-plugin": {}}, {}, {"nvidia.com/gpu": 8}),
        (SLICED, {}, {"nvidia.com/gpu": 32}),
        (of_plugin(x=sharing("mps", 2, renameByDefault=True)), {}, {"nvidia.com/gpu.shared": 16}),
        (of_plugin(x=sharing("timeSlicing", 3)), {}, {"nvidia.com/gpu": 24}),
        # Of two configurations a node gets the one that its label names, else the default.
        (BOTH, {}, {"nvidia.com/gpu": 32}),
        (BOTH, {"labels": {"nvidia.com/device-plugin.config": "whole"}}, {"nvidia.com/gpu": 8}),
        # The chart's configuration does not reach the plugin that the image has.
        (SLICED, {"image": "bottlerocket"}, {"nvidia.com/gpu": 8}),
        # The GPU operator applies no configuration by itself; a plugin on other nodes, or off, shares none here.
        (operator({"data": ANY}), {}, {"nvidia.com/gpu": 8}),
        (operator({"default": "any", "data": ANY}, enabled=False), {}, {"nvidia.com/gpu": 8}),
        (a_second_plugin(nodeSelector={"team": "inference"}), {}, {"nvidia.com/gpu": 8}),
        (a_second_plugin(devicePlugin={"enabled": False}), {}, {"nvidia.com/gpu": 8}),
    ],
)
def test_a_node_offers_each_copy_of_its_gpus(
    addons: dict[str, Any], group: dict[str, Any], offered: dict[str, int]
) -> None:
    """By time slicing or MPS, under the name that the configuration gives, whichever chart has the plugin."""
    node = a_cluster(addons, **group).group("workers").node
    assert {key: number for key, number in node.offers.items() if key.startswith("nvidia")} == offered
    assert node.devices.get("nvidia.com/gpu", offered) == offered


def test_a_worker_requests_all_copies() -> None:
    """It runs a process for each GPU, and requests every copy: of a part it might get copies of one GPU. MPS, and time
    slicing with failRequestsGreaterThanOne, take one copy a container: there it is refused."""
    made = a_cluster({**SLICED, "efa-device-plugin": {}})
    assert "'nvidia.com/gpu': 32" in str(manifest_of(JOBS["efa-check"], made))
    refusing = of_plugin(default=sharing("timeSlicing", 4, failRequestsGreaterThanOne=True))
    with pytest.raises(DoesNotFit, match="rejects pods that request more than one GPU"):
        manifest_of(JOBS["efa-check"], a_cluster({**refusing, "efa-device-plugin": {}}))
