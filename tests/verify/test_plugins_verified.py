"""What is said of device plugins on a cluster: which pods they are, where they are expected, how they are set."""

import pytest

from muster.addons.image_names import PLUGIN_IMAGES
from muster.verify.expected import expected_cluster
from tests.factories import a_blueprint
from tests.verify.cluster_edits import BESIDE_THE_PLUGIN, GPU, NVIDIA_SET, another_nvidia_plugin, offering
from tests.verify.clusters import EVERY_ADDON, IMAGES, Json, a_cluster, a_worker

NEURON = {
    "groups.workers.instance": "trn2.48xlarge",
    "groups.workers.capacity": {"on-demand": {}},
    "addons": {"neuron-device-plugin": {}, "efa-device-plugin": {}},
}
CORES = "aws.amazon.com/neuroncore"


def test_the_image_s_own_plugin_counts() -> None:
    """Bottlerocket brings NVIDIA's: another beside it is one too many; none beside it is right."""
    bottlerocket = {"groups.workers.image": "bottlerocket", "addons": {"efa-device-plugin": {}}}
    cluster = a_cluster(bottlerocket)
    assert cluster.rules() == []
    another_nvidia_plugin(cluster)
    assert cluster.rules() == ["one-nvidia-plugin"]


def test_a_plugin_is_known_by_what_runs_in_it() -> None:
    """The GPU Operator and eksctl call theirs otherwise."""
    cluster = a_cluster()
    theirs = cluster.daemon_sets.pop(NVIDIA_SET)
    theirs["metadata"]["name"] = "nvidia-device-plugin-daemonset"
    cluster.daemon_sets["theirs"] = theirs
    cluster.pod_of(NVIDIA_SET)["metadata"]["ownerReferences"][0]["name"] = "nvidia-device-plugin-daemonset"
    assert cluster.rules() == []


@pytest.mark.parametrize("beside", BESIDE_THE_PLUGIN)
def test_what_else_runs_from_the_plugin_s_image_is_no_plugin(beside: str) -> None:
    """Feature discovery and the MPS daemon have DaemonSets of their own: beside the plugin they are no second one, and
    on their own they offer nothing."""
    cluster = a_cluster()
    BESIDE_THE_PLUGIN[beside](cluster)
    assert cluster.rules() == []
    cluster.daemon_sets.pop(NVIDIA_SET)
    cluster.pods.remove(cluster.pod_of(NVIDIA_SET))
    offering(GPU, None)(cluster)
    assert cluster.rules() == ["plugin-ready"]


@pytest.mark.parametrize(
    ("addon", "values", "expected"),
    [
        ("nvidia-device-plugin", {"fullnameOverride": "mine"}, [("kube-system", "mine")]),
        ("nvidia-device-plugin", {"namespaceOverride": "gpus"}, [("gpus", "nvidia-device-plugin")]),
        ("nvidia-device-plugin", {"devicePlugin": {"enabled": False}}, []),
        ("efa-device-plugin", {"nameOverride": "x"}, [("kube-system", "aws-efa-k8s-device-plugin-x")]),
    ],
)
def test_a_plugin_is_expected_where_its_values_put_it(
    addon: str, values: Json, expected: list[tuple[str, str]]
) -> None:
    """The same values that its chart is given: who renames it is not told that it is missing."""
    plugins = expected_cluster(a_blueprint({**EVERY_ADDON, f"addons.{addon}.values": values})).plugins
    assert [(each.namespace, each.name) for each in plugins if each.addon == addon] == expected


@pytest.mark.parametrize(
    ("cores", "rules"), [("64", []), ("128", []), ("96", ["node-offers"]), ("32", ["node-offers"])]
)
def test_cores_of_neuron_may_be_paired_or_not(cores: str, rules: list[str]) -> None:
    """What a node is set to is in no description: both are as planned, and nothing else."""
    cluster = a_cluster(NEURON)
    offering(CORES, cores)(cluster)
    assert cluster.rules() == rules


@pytest.mark.parametrize(("offered", "asked", "whole"), [("64", 64, 1), ("64", 63, 0), ("128", 64, 0), ("128", 128, 1)])
def test_a_whole_node_may_be_taken_by_its_cores(offered: str, asked: int, whole: int) -> None:
    """As a pod that asks for all devices, one that asks for all cores is judged by its EFA."""
    cluster = a_cluster(NEURON)
    offering(CORES, offered)(cluster)
    pod = a_worker(gpus=0, efa=0)
    pod["spec"]["containers"][0]["resources"]["limits"] = {CORES: str(asked)}
    cluster.add(pod)
    assert cluster.rules() == ["efa-pod-asks-for-all"] * whole


def test_mofed_that_is_switched_off_or_mended_is_right() -> None:
    """By its variable, or by its version."""
    cluster = a_cluster()
    container = cluster.daemon_sets[NVIDIA_SET]["spec"]["template"]["spec"]["containers"][0]
    container |= {
        "image": "nvcr.io/nvidia/k8s-device-plugin:v0.19.1",
        "env": [{"name": "MOFED_ENABLED", "value": "false"}],
    }
    assert cluster.rules() == []
    container |= {
        "image": "nvcr.io/nvidia/k8s-device-plugin:v0.20.0",
        "env": [{"name": "MOFED_ENABLED", "value": "true"}],
    }
    assert cluster.rules() == ["efa-left-to-its-plugin"]


def test_every_image_of_a_plugin_is_one_that_is_known() -> None:
    """The charts' images are those that a plugin of another name is known by."""
    assert {each.rpartition("/")[2].partition(":")[0] for each in IMAGES.values()} == set(PLUGIN_IMAGES.values())
