"""Chart values follow from the nodes that are there."""

import pytest

from addons.addon import Manifest, Nodes
from addons.catalogue import CATALOGUE
from addons.installation import merged
from muster.fleet.description.cluster import Addons
from muster.fleet.resources import Taint
from muster.versions import ADDONS

GPU = Taint("nvidia.com/gpu", "true", "NoSchedule")
OWN = Taint("team", "vision", "NoExecute")
P5 = Nodes("workers", "p5.48xlarge", frozenset({"nvidia.com/gpu", "vpc.amazonaws.com/efa"}), frozenset({GPU, OWN}))
G5 = Nodes("inference", "g5.12xlarge", frozenset({"nvidia.com/gpu"}), frozenset({GPU}))
SYSTEM = Nodes("system", "c5.2xlarge", frozenset(), frozenset())
ALL = (SYSTEM, P5, G5)


def values(name: str) -> dict:
    addon = CATALOGUE[name]
    return addon.source.values(addon.served(ALL))


def test_the_nvidia_plugin_lands_on_gpu_nodes_and_only_there() -> None:
    """Its own affinity asks for labels our nodes may not have; its taints are tolerated whatever their value."""
    given = values("nvidia-device-plugin")
    (term,) = given["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert term["matchExpressions"] == [
        {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["g5.12xlarge", "p5.48xlarge"]}
    ]
    assert given["tolerations"] == [
        {"key": "CriticalAddonsOnly", "operator": "Exists"},
        {"key": "nvidia.com/gpu", "operator": "Exists"},
        {"key": "team", "operator": "Exists"},
    ]
    assert given["mofedEnabled"] is False


def test_the_efa_plugin_lands_on_nodes_with_efa_interfaces() -> None:
    """The G5 group has none."""
    assert values("efa-device-plugin") == {
        "supportedInstanceLabels": {"values": ["p5.48xlarge"]},
        "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}, {"key": "team", "operator": "Exists"}],
    }


def test_catalogue_description_and_versions_name_the_same_addons() -> None:
    """One list in three places would drift apart: this holds them together."""
    described = {info.alias or name for name, info in Addons.model_fields.items()}
    assert set(CATALOGUE) == described == set(ADDONS)


def test_manifests_name_their_version() -> None:
    """A manifest is pinned by its address."""
    for addon in CATALOGUE.values():
        if isinstance(addon.source, Manifest):
            assert addon.source.address.count("{version}") == 1
            assert all("{number}" in image for image in addon.source.images.values())


@pytest.mark.parametrize(
    ("derived", "own", "result"),
    [
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 3}}, {"a": {"b": 1, "c": 3}}),
        ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
        ({"a": {"b": 1}}, {"a": 2}, {"a": 2}),
        ({}, {"a": {"b": 1}}, {"a": {"b": 1}}),
    ],
)
def test_own_values_are_laid_over_as_helm_does(derived: dict, own: dict, result: dict) -> None:
    """Maps are merged, lists replaced; the derived values are not changed."""
    before = repr(derived)
    assert merged(derived, own) == result
    assert repr(derived) == before
