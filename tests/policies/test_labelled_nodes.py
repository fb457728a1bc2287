"""The labels of nodes with GPUs: those that the kubelet and the installed charts set."""

from dataclasses import replace
from typing import Any

import pytest

from muster.config.description.node_group import Purpose
from muster.fleet.resources import NodeGroup
from muster.hardware.catalogue import Accelerator
from muster.policies.lookups.device_plugins import group_names, labelled_node_kinds, labelled_node_kinds_of
from muster.policies.lookups.pod_placement import DISCOVERED_LABELS, GPU_PRESENT, LATER_LABELS, OF_GPUS
from muster.unknown import UNKNOWN
from tests.factories import a_control_plane, a_fleet, a_group, a_template
from tests.factories.hyperpod import a_hyperpod_fleet
from tests.policies.addons import EFA, HYPERPOD, NVIDIA, OPERATOR, an_addon

OFF = {"enabled": False}
ON = {"enabled": True}
PLUGIN = "nvidia-device-plugin"
"""The sub-chart of HyperPod's chart."""


# NVIDIA/gpu-operator and NVIDIA/k8s-device-plugin, the charts' values.yaml: the operator brings Node Feature Discovery
# unless told not to; the plugin's chart with a word, or with GPU Feature Discovery, which needs it.
# aws/sagemaker-hyperpod-cli, helm_chart/HyperPodHelmChart/Chart.yaml: both are sub-charts there
@pytest.mark.parametrize(
    ("chart", "values", "labelled"),
    [
        (NVIDIA, {}, False),
        (NVIDIA, {"nfd": ON}, True),
        (NVIDIA, {"gfd": ON}, True),
        (NVIDIA, {"nfd": OFF}, False),
        (NVIDIA, {"gfd": OFF}, False),
        (NVIDIA, {"nfd": OFF, "gfd": ON}, False),
        (NVIDIA, {"nfd": ON, "gfd": OFF}, True),
        (NVIDIA, {"nfd": {}, "gfd": ON}, True),
        (OPERATOR, {}, True),
        (OPERATOR, {"nfd": ON}, True),
        (OPERATOR, {"nfd": OFF}, False),
        (OPERATOR, {"nfd": OFF, "gfd": ON}, False),
        (OPERATOR, {"gfd": OFF}, True),
        (OPERATOR, {"devicePlugin": OFF}, True),
        (OPERATOR, {"devicePlugin": OFF, "driver": OFF}, True),
        (OPERATOR, {"devicePlugin": OFF, "toolkit": OFF}, True),
        (OPERATOR, {"devicePlugin": OFF, "driver": OFF, "nfd": OFF}, False),
        (OPERATOR, {"driver": OFF, "toolkit": OFF, "nfd": OFF}, False),
        (OPERATOR, {"driver": OFF, "toolkit": OFF}, True),
        (HYPERPOD, {}, False),
        (HYPERPOD, {"gfd": ON, "nfd": ON}, False),
        (HYPERPOD, {PLUGIN: {"gfd": ON}}, True),
        (HYPERPOD, {PLUGIN: {"nfd": ON}}, True),
        (HYPERPOD, {PLUGIN: {"gfd": ON, "nfd": OFF}}, False),
        (HYPERPOD, {PLUGIN: {"gfd": ON, "devicePlugin": OFF}}, False),
        (HYPERPOD, {OPERATOR: ON}, True),
        (HYPERPOD, {OPERATOR: {**ON, "nfd": OFF}, "nfd": OFF}, True),
        (HYPERPOD, {OPERATOR: {**ON, OPERATOR: {"nfd": OFF}}}, False),
        (HYPERPOD, {OPERATOR: {**ON, OPERATOR: {"nfd": OFF, "toolkit": OFF}}}, False),
        (HYPERPOD, {OPERATOR: {**ON, OPERATOR: {"nfd": OFF}}, PLUGIN: {"gfd": ON}}, True),
        (EFA, {"nfd": ON, "gfd": ON}, False),
    ],
)
def test_charts_that_discover_features(chart: str, values: dict[str, Any], *, labelled: bool) -> None:
    """With such a chart, nodes with GPUs have all discovered labels; without one, only those of the kubelet."""
    for plane in ("1.34", "1.35"):
        (spot,) = labelled_node_kinds(a_fleet(a_control_plane(plane), an_addon(chart, values=values)))
        by_kubelet = {} if plane == "1.34" else {GPU_PRESENT: "true"}
        expected = dict(OF_GPUS) if labelled else by_kubelet
        assert {key: spot.known_labels[key] for key in OF_GPUS if key in spot.known_labels} == expected


# amazon-eks-ami, nodeadm/internal/kubelet/config.go
@pytest.mark.parametrize(
    ("group", "plane", "present"),
    [
        (None, "1.34", None),
        (None, "1.35", "true"),
        (None, "1.36", "true"),
        ("1.35", "1.34", "true"),
        ("1.34", "1.35", None),
        (None, UNKNOWN, None),
        (UNKNOWN, "1.35", None),
    ],
)
def test_the_kubelet_that_labels_gpus(group: Any, plane: Any, present: str | None) -> None:
    """The version of the node counts before that of the cluster. A label of the group has the group's value."""
    fleet = a_fleet(a_control_plane(plane), a_group(version=group))
    (spot,) = labelled_node_kinds(fleet)
    assert spot.known_labels.get(GPU_PRESENT) == present
    own = a_group(version=group, labels=frozenset({(GPU_PRESENT, "ours")}))
    (spot,) = labelled_node_kinds(a_fleet(a_control_plane(plane), own))
    assert spot.known_labels[GPU_PRESENT] == "ours"


@pytest.mark.parametrize(
    ("group", "later"),
    [
        (a_group(purpose=Purpose.TRAINING), LATER_LABELS),
        (a_group(purpose=Purpose.TRAINING, labels=frozenset({("team", "ours")})), LATER_LABELS),
        (a_group(), LATER_LABELS + DISCOVERED_LABELS),
        (a_group(purpose=Purpose.TRAINING, labels=UNKNOWN), LATER_LABELS + DISCOVERED_LABELS),
    ],
    ids=["described", "with labels", "another program's", "labels not yet known"],
)
def test_labels_that_may_still_come(group: NodeGroup, later: tuple[str, ...]) -> None:
    """All add-ons of a described cluster are known, so labels that none of them sets cannot appear later."""
    (spot,) = labelled_node_kinds(a_fleet(group))
    assert spot.later == later
    # Feature discovery can set more labels.
    (spot,) = labelled_node_kinds(a_fleet(group, an_addon(OPERATOR)))
    assert spot.later == LATER_LABELS + DISCOVERED_LABELS


@pytest.mark.parametrize("instance", ["c5.2xlarge", "trn1.32xlarge"])
def test_nodes_without_gpus(instance: str) -> None:
    """Feature discovery sets no GPU labels on them."""
    for addons in ((), (an_addon(OPERATOR),)):
        (spot,) = labelled_node_kinds(
            a_fleet(a_template(instance=instance), a_group(purpose=Purpose.TRAINING), *addons)
        )
        assert spot.machine.accelerator is not Accelerator.GPU
        assert not spot.known_labels.keys() & OF_GPUS.keys()
        assert spot.later == LATER_LABELS + DISCOVERED_LABELS


def test_nodes_of_hyperpod() -> None:
    """No document states which GPU labels its images set, whatever the Kubernetes version."""
    fleet = a_hyperpod_fleet()
    (spot,) = [each for each in labelled_node_kinds(fleet) if each.name == "workers"]
    assert (spot.later, spot.known_labels.keys() & OF_GPUS.keys()) == (LATER_LABELS + DISCOVERED_LABELS, set())
    beside = replace(fleet, objects=(*fleet.objects, an_addon(OPERATOR)))
    (spot,) = [each for each in labelled_node_kinds(beside) if each.name == "workers"]
    assert {key: spot.known_labels[key] for key in OF_GPUS} == OF_GPUS


def test_each_group_has_its_own_nodes() -> None:
    """Each group has a kind of node for each of its types; a group of unknown types has none."""
    several = a_group("several", template=None, instance_types=("p5.48xlarge", "p4d.24xlarge"))
    odd = a_group("odd", template=None, instance_types=("p9.48xlarge",))
    fleet = a_fleet(several, odd)
    (workers,) = [each for each in fleet.kubernetes_groups if each.ref.name == "workers"]
    found = {each.ref.name: labelled_node_kinds_of(each, fleet) for each in (workers, several, odd)}
    assert {name: [spot.machine.instance for spot in spots] for name, spots in found.items()} == {
        "workers": ["p5.48xlarge"],
        "several": ["p5.48xlarge", "p4d.24xlarge"],
        "odd": [],
    }
    assert {name: group_names(spots) for name, spots in found.items()} == {
        "workers": {"workers"},
        "several": {"several"},
        "odd": set(),
    }
