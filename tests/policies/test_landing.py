"""On which nodes pods may be, by each label that somebody is known to set."""

import pytest

from muster.fleet.hardware import hardware
from muster.fleet.unknown import UNKNOWN
from policies.reading.landing import Lands, hyperpod_spot, lands, spots
from tests.factories import a_fleet, a_group, a_template


def _asking(instance: str, label: str, value: str) -> Lands:
    """Whether a pod that selects a label may be on nodes of a type."""
    (spot,) = spots(a_fleet(a_template(instance=instance, interfaces=()), a_group()))
    return lands({"nodeSelector": {label: value}}, spot)


# Kubernetes, Well-Known Labels
@pytest.mark.parametrize(
    ("instance", "label", "value"),
    [
        ("p5.48xlarge", "node.kubernetes.io/instance-type", "p5.48xlarge"),
        ("p5.48xlarge", "beta.kubernetes.io/instance-type", "p5.48xlarge"),
        ("p5.48xlarge", "kubernetes.io/os", "linux"),
        ("p5.48xlarge", "kubernetes.io/arch", "amd64"),
        ("p6e-gb200.36xlarge", "kubernetes.io/arch", "arm64"),
        ("p5.48xlarge", "topology.kubernetes.io/zone", "us-west-2a"),
    ],
)
def test_labels_that_every_node_has(instance: str, label: str, value: str) -> None:
    """A pod that asks for another value is on no such node."""
    assert [_asking(instance, label, each) for each in (value, f"no-{value}")] == [Lands.YES, Lands.NO]


# Node Feature Discovery; amazon-eks-ami, nodeadm; NVIDIA/gpu-operator, state_manager.go
@pytest.mark.parametrize(
    "label",
    [
        "feature.node.kubernetes.io/pci-10de.present",
        "feature.node.kubernetes.io/pci-0302_10de.present",
        "nvidia.com/gpu.present",
        "nvidia.com/gpu.deploy.device-plugin",
    ],
)
def test_labels_of_nodes_with_gpus(label: str) -> None:
    """Nodes with NVIDIA GPUs have it; of others nobody knows who looks at their hardware."""
    assert [_asking("p5.48xlarge", label, value) for value in ("true", "false")] == [Lands.YES, Lands.NO]
    assert [_asking(other, label, "true") for other in ("trn1.32xlarge", "c5.2xlarge")] == [Lands.MAYBE] * 2
    for instance, answers in (
        ("p5.48xlarge", [Lands.YES, Lands.NO]),
        ("trn1.32xlarge", [Lands.MAYBE] * 2),
        ("c5.2xlarge", [Lands.MAYBE] * 2),
    ):
        spot = hyperpod_spot(hardware(instance))
        assert [lands({"nodeSelector": {label: value}}, spot) for value in ("true", "false")] == answers


@pytest.mark.parametrize(
    ("label", "answer"),
    [
        ("team", Lands.NO),
        ("eks.amazonaws.com/compute-type", Lands.NO),
        ("eks.amazonaws.com/nodegroup", Lands.MAYBE),
        ("failure-domain.beta.kubernetes.io/region", Lands.MAYBE),
        ("k8s.amazonaws.com/accelerator", Lands.MAYBE),
        ("kubernetes.io/hostname", Lands.MAYBE),
        ("node.kubernetes.io/lifecycle", Lands.MAYBE),
        ("sagemaker.amazonaws.com/instance-group-name", Lands.MAYBE),
        ("topology.k8s.aws/network-node-layer-1", Lands.MAYBE),
        ("feature.node.kubernetes.io/cpu-model.vendor_id", Lands.MAYBE),
        ("nvidia.com/gpu.product", Lands.MAYBE),
    ],
)
def test_labels_that_others_set(label: str, answer: Lands) -> None:
    """Whether a node has one is known only once it is there; one of nobody's is not there."""
    assert _asking("p5.48xlarge", label, "x") is answer
    (spot,) = spots(a_fleet(a_group(labels=UNKNOWN)))
    assert lands({"nodeSelector": {label: "x"}}, spot) is Lands.MAYBE


def test_a_label_that_the_pod_asks_for_and_nobody_knows() -> None:
    """A value that creation tells leaves it open, but for a node that another label rules out."""
    (spot,) = spots(a_fleet(a_template(), a_group()))
    asked = [{}, {"kubernetes.io/os": "linux"}, {"kubernetes.io/os": "windows"}]
    assert [lands({"nodeSelector": each}, spot) for each in asked] == [Lands.YES, Lands.YES, Lands.NO]
    asked = [{**each, "team": UNKNOWN} for each in asked]
    assert [lands({"nodeSelector": each}, spot) for each in asked] == [Lands.MAYBE, Lands.MAYBE, Lands.NO]


def test_a_field_that_the_pod_asks_for() -> None:
    """A node's name is known once it is there: what its labels rule out it rules out all the same."""
    (spot,) = spots(a_fleet(a_template(), a_group()))
    fields = [{"key": "metadata.name", "operator": "In", "values": ["ip-10-0-0-1"]}]

    def wanted(**term: object) -> Lands:
        required = {"nodeSelectorTerms": [term]}
        return lands({"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}}, spot)

    def labelled(os: str) -> list[dict[str, object]]:
        return [{"key": "kubernetes.io/os", "operator": "In", "values": [os]}]

    assert [wanted(matchExpressions=labelled(os)) for os in ("linux", "windows")] == [Lands.YES, Lands.NO]
    found = [wanted(matchExpressions=labelled(os), matchFields=fields) for os in ("linux", "windows")]
    assert (wanted(matchFields=fields), *found) == (Lands.MAYBE, Lands.MAYBE, Lands.NO)
