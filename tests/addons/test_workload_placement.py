"""On which groups the pods of rendered objects may be."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from muster.addons.charts.placement import WorkloadPlacement, workload_placements

GPU = {"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}
TOLERATED = [{"key": "nvidia.com/gpu", "operator": "Exists"}]


@dataclass(frozen=True)
class Node:
    """A node of a group."""

    name: str
    group: str
    labels: dict[str, str] = field(default_factory=dict)
    taints: tuple[dict[str, str], ...] = ()

    @property
    def manifest(self) -> dict[str, Any]:
        return {"metadata": {"name": self.name, "labels": self.labels}, "spec": {"taints": list(self.taints)}}


NODES = (
    Node("system-0", "system", {"for": "system", "zone": "a"}),
    Node("workers-0", "workers", {"for": "training", "zone": "a"}, (GPU,)),
    Node("workers-1", "workers", {"for": "training", "zone": "b"}, (GPU,)),
)


def a_workload(kind: str, pods: dict[str, Any]) -> dict[str, Any]:
    template = {"spec": {"containers": [{"image": "a"}], **pods}}
    spec = {"jobTemplate": {"spec": {"template": template}}} if kind == "CronJob" else {"template": template}
    metadata = {"name": "it", "namespace": "there"}
    return {"kind": kind, "metadata": metadata, "spec": template["spec"] if kind == "Pod" else spec}


def placement_of(kind: str, pods: dict[str, Any]) -> WorkloadPlacement:
    (placement,) = workload_placements([a_workload(kind, pods)], NODES)
    return placement


@pytest.mark.parametrize("kind", ["DaemonSet", "Deployment", "StatefulSet", "ReplicaSet", "Job", "CronJob", "Pod"])
def test_whatever_makes_pods_lands_where_labels_and_taints_let_it(kind: str) -> None:
    """Wherever the kind has its pods' spec."""
    assert placement_of(kind, {}).groups == ("system",)
    assert placement_of(kind, {"tolerations": TOLERATED}).groups == ("system", "workers")
    assert placement_of(kind, {"tolerations": TOLERATED, "nodeSelector": {"for": "training"}}).groups == ("workers",)
    assert placement_of(kind, {"nodeSelector": {"for": "nobody"}}).groups == ()


def test_one_zone_of_a_group_is_not_the_group() -> None:
    """It lands there, and an obstacle is told all the same."""
    placement = placement_of("DaemonSet", {"tolerations": TOLERATED, "nodeSelector": {"zone": "a"}})
    assert placement.groups == ("system", "workers")
    assert placement.obstacle("system") == ""
    assert placement.obstacle("workers") == "its nodeSelector requires zone=a, but the node has b"


def test_daemon_sets_tolerate_what_their_controller_adds() -> None:
    """And nobody else does."""
    cordoned = Node("it", "workers", taints=({"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"},))
    (daemon, deployment) = workload_placements([a_workload("DaemonSet", {}), a_workload("Deployment", {})], [cordoned])
    assert (daemon.groups, deployment.groups) == (("workers",), ())


@pytest.mark.parametrize(
    ("path", "registers"),
    [
        ("/var/lib/kubelet/device-plugins", True),
        ("/var/lib/kubelet/device-plugins/", True),
        ("/var/lib/kubelet", False),
        ("/var/lib/kubelet/plugins/fsx.csi.aws.com", False),
        (None, False),
    ],
)
def test_who_can_offer_devices_mounts_the_kubelets_folder(path: Any, registers: bool) -> None:
    """A CSI driver mounts other folders of the kubelet's."""
    assert placement_of("DaemonSet", {"volumes": [{"name": "v", "hostPath": {"path": path}}]}).registers is registers
    assert not placement_of("DaemonSet", {"volumes": [{"name": "v", "configMap": {"name": path}}]}).registers


@pytest.mark.parametrize(
    "pods",
    [
        {"affinity": "workers"},
        {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [[]]}}}},
        {"tolerations": ["all"]},
        {"nodeSelector": ["a"]},
    ],
)
def test_values_that_are_no_placement_land_nowhere(pods: dict[str, Any]) -> None:
    """The API server refuses them; here they are words, no crash."""
    placement = placement_of("Deployment", pods)
    assert "workers" not in placement.groups
    assert placement.obstacle("workers") == "its placement is not valid in Kubernetes"
