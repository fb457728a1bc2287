"""Values for a manifest's variables, from the cluster it is to run on."""

from typing import Any

from muster.jobs import template
from muster.rehearsal.kubernetes.template_values import propose_values
from tests.factories import a_blueprint

FOUR = {"groups.workers.nodes": 4, "groups.workers.capacity.reservation.count": 4}


def values(document: dict[str, Any], **edits: Any) -> tuple[str, dict[str, str]]:
    """What is proposed for a document's variables."""
    found = propose_values(a_blueprint({**FOUR, **edits}), template.needed([document]))
    return found.group, dict(found.values)


def test_values_follow_from_where_a_variable_stands() -> None:
    """Whatever it is called: workers are as many as the nodes, less the master's."""
    replicas = {"Master": {"replicas": "$A"}, "Worker": {"replicas": "$B"}}
    limits = {"nvidia.com/gpu": "$C", "vpc.amazonaws.com/efa": "$D", "memory": "${E}Gi"}
    selector = {"node.kubernetes.io/instance-type": "$F", "muster/group": "$G"}
    pod = {"resources": {"limits": limits}, "nodeSelector": selector}
    group, found = values({"spec": {"pytorchReplicaSpecs": replicas, "pod": pod, "nprocPerNode": "$H"}})
    assert group == "workers"
    assert 1000 < int(found.pop("E")) < 2048  # a p5.48xlarge has 2 TiB
    assert found == {"A": "1", "B": "3", "C": "8", "D": "32", "F": "p5.48xlarge", "G": "workers", "H": "8"}


def test_a_label_in_an_affinity() -> None:
    """By the expression's key."""
    expression = {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["a", "$TYPE"]}
    assert values({"spec": {"matchExpressions": [expression]}})[1] == {"TYPE": "p5.48xlarge"}


def test_each_variable_with_the_name_of_a_node_names_another_node() -> None:
    """A fifth one has no node."""
    expression = {"key": "kubernetes.io/hostname", "operator": "In", "values": ["$A", "$B", "$C", "$D", "$E"]}
    found = values({"spec": {"matchExpressions": [expression]}})[1]
    assert found == {name: f"workers-{number}" for number, name in enumerate("ABCD")}


def test_values_follow_from_names_where_the_place_says_nothing() -> None:
    """And from the manifest's own default."""
    document = {"spec": {"a": ["$GPU_PER_NODE", "$EFA_PER_NODE", "$NUM_WORKERS", "${OTHER:-7}", "$UNKNOWN"]}}
    assert values(document)[1] == {"GPU_PER_NODE": "8", "EFA_PER_NODE": "32", "NUM_WORKERS": "4", "OTHER": "7"}


def test_devices_that_the_nodes_have_not_get_no_value() -> None:
    """By its name it would get the number of GPUs."""
    document = {"resources": {"limits": {"aws.amazon.com/neuron": "$NEURON_PER_NODE"}}}
    assert values(document) == ("workers", {})


def test_the_number_of_a_claims_devices() -> None:
    """By the DeviceClass beside it."""
    drivers = {"addons": {"nvidia-dra-driver": {}, "efa-dra-driver": {}}}
    requests = [
        {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com", "count": "$A"}},
        {"name": "efa", "exactly": {"deviceClassName": "efa.networking.k8s.aws", "count": "$B"}},
    ]
    assert values({"spec": {"devices": {"requests": requests}}}, **drivers)[1] == {"A": "8", "B": "32"}
