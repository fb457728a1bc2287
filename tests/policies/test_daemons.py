"""DaemonSets that may be root on their node: those that makers' charts and add-ons make, by name, and no others."""

import pytest

from muster.fleet.resources import PodOwner
from tests.factories import a_fleet
from tests.policies.case import got_by
from tests.policies.security import ROOT, mount, pods

RULES = ("pods-not-privileged", "pods-off-host-namespaces", "pods-off-host-files")

# EKS's own add-ons, and Kubernetes's cluster/addons/nodelocaldns
OF_EKS = ("aws-node", "kube-proxy", "eks-pod-identity-agent", "eks-node-monitoring-agent", "node-local-dns")
# The drivers' charts (those for Windows beside them), Mountpoint's
CSI = ("ebs-csi-node", "ebs-csi-node-windows", "efs-csi-node", "fsx-csi-node", "fsx-csi-node-windows", "s3-csi-node")
# gpu-operator's assets, the charts of the device plugin, of DRA and of DCGM's exporter
NVIDIA = (
    *("nvidia-device-plugin-daemonset", "nvidia-driver-daemonset", "nvidia-container-toolkit-daemonset"),
    *("nvidia-dcgm", "nvidia-dcgm-exporter", "nvidia-operator-validator", "nvidia-mig-manager"),
    *("nvidia-dra-driver-gpu-kubelet-plugin", "nvidia-node-status-exporter"),
    *("dcgm-exporter", "gpu-feature-discovery", "node-feature-discovery-worker"),
)
# neuron-helm-chart
NEURON = ("neuron-device-plugin", "neuron-dra-driver", "neuron-monitor", "neuron-node-problem-detector")
NETWORKS = ("aws-dranet", "dranet", "cilium", "cilium-envoy", "calico-node")
# Datadog's and the node exporter's charts put a release's name first; others end in what is one's own
WATCHING = (
    *("datadog", "datadog-agent", "ours-datadog", "falco", "falco-2", "cloudwatch-agent", "cloudwatch-agent-2"),
    *("fluent-bit", "fluent-bit-windows", "node-exporter", "node-exporter-2", "kube-prometheus-node-exporter"),
    *("health-monitoring-agent", "health-monitoring-agent-non-nvidia"),
)
KNOWN = (*OF_EKS, *CSI, *NVIDIA, *NEURON, *NETWORKS, *WATCHING)


def _found(owner: PodOwner) -> list[bool]:
    """Of each of the rules whether it speaks."""
    return [bool(got_by(rule, a_fleet(owner))) for rule in RULES]


def _root(kind: str, name: str) -> PodOwner:
    return pods(kind, name, container=ROOT, hostNetwork=True, volumes=mount("/etc"))


@pytest.mark.parametrize("name", KNOWN)
def test_a_daemon_that_is_known(name: str) -> None:
    """It is part of its node; anything else that takes its name is not."""
    assert _found(_root("DaemonSet", name)) == [False] * 3
    assert _found(_root("Deployment", name)) == [True] * 3
    assert _found(_root("DaemonSet", f"x{name}x")) == [not name.endswith("dranet")] * 3


@pytest.mark.parametrize("name", (*OF_EKS, "cilium", "cilium-envoy", "calico-node"))
def test_a_name_is_whole_where_nothing_is_added_to_it(name: str) -> None:
    """``aws-node-of-ours`` is none of EKS's."""
    assert [_found(_root("DaemonSet", each)) for each in (f"{name}-of-ours", f"our-{name}")] == [[True] * 3] * 2
