"""Pods that are part of their node: device plugins, and daemons that are known by name."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from posixpath import normpath

from muster.fleet.resources import PodOwner, PodTemplate
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.reading.unknowns import found_at, mappings_at

PLUGINS = PurePosixPath("/var/lib/kubelet/device-plugins")
"""Where the kubelet meets device plugins: a DaemonSet that mounts it is one."""

KNOWN_DAEMONS = (
    *("aws-node", "kube-proxy", "eks-pod-identity-agent", "eks-node-monitoring-agent", "node-local-dns"),
    *("ebs-csi-node*", "efs-csi-node*", "fsx-csi-node*", "s3-csi-node*"),
    *("nvidia-device-plugin*", "nvidia-driver-daemonset*", "nvidia-container-toolkit-daemonset*", "nvidia-dcgm*"),
    *("nvidia-operator-validator*", "nvidia-mig-manager*", "nvidia-dra-driver*", "nvidia-node-status-exporter*"),
    *("neuron-device-plugin*", "neuron-dra*", "neuron-monitor*", "neuron-node-problem-detector*"),
    *("dcgm-exporter*", "gpu-feature-discovery*", "node-feature-discovery*", "*dranet*"),
    *("cilium", "cilium-envoy", "calico-node", "datadog*", "*-datadog", "falco*"),
    *("cloudwatch-agent*", "fluent-bit*", "node-exporter*", "*-node-exporter", "health-monitoring-agent*"),
)
"""DaemonSets of EKS, of CSI drivers, of NVIDIA and Neuron, of networks, and of those that measure or watch a node.
``*`` stands for anything; not for whatever a maker's name begins."""


def is_daemon(owner: PodOwner, names: Iterable[str]) -> bool:
    """Whether an object is a DaemonSet of one of some names (``*`` for anything)."""
    called = owner.name if isinstance(owner.name, str) else owner.ref.name
    return owner.kind == "DaemonSet" and any(fnmatchcase(called, each) for each in names)


def host_paths(template: PodTemplate) -> dict[str, PurePosixPath | UnknownType]:
    """What a pod mounts of its node, by volume: where the path leads, whatever ``..`` is in it."""
    volumes = (
        (volume.get("name"), found_at(volume, "hostPath", "path")) for volume in mappings_at(template.spec, "volumes")
    )
    return {str(name): _led(path) for name, path in volumes if path is UNKNOWN or isinstance(path, str)}


def _led(path: str | UnknownType) -> PurePosixPath | UnknownType:
    # Two slashes at the beginning are one to Linux, and another root to Python.
    return UNKNOWN if path is UNKNOWN else PurePosixPath(normpath("/" + path.lstrip("/")))


def is_or_below(path: PurePosixPath, folder: PurePosixPath) -> bool:
    """Whether a path is a folder, or in it."""
    return path == folder or folder in path.parents


def is_device_plugin(owner: PodOwner, template: PodTemplate) -> bool:
    """Whether pods of a template meet the kubelet as device plugins do: one on each node. A job that mounts the same
    folder is none."""
    paths = host_paths(template).values()
    return owner.kind == "DaemonSet" and any(path is not UNKNOWN and is_or_below(path, PLUGINS) for path in paths)
