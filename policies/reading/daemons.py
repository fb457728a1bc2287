"""Pods that are part of their node: device plugins, and daemons that are known by name."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from muster.fleet.resources import PodOwner, PodTemplate
from policies.reading.unknowns import found_at, mappings_at

PLUGINS = PurePosixPath("/var/lib/kubelet/device-plugins")
"""Where the kubelet meets device plugins: a pod that mounts it is one."""

KNOWN_DAEMONS = (
    *("aws-node", "kube-proxy", "eks-pod-identity-agent", "eks-node-monitoring-agent", "node-local-dns"),
    *("ebs-csi-node*", "efs-csi-node*", "fsx-csi-node*", "s3-csi-node*"),
    *("nvidia-*", "neuron-*", "dcgm-exporter*", "gpu-feature-discovery*", "node-feature-discovery*", "*dranet*"),
    *("cloudwatch-agent*", "fluent-bit*", "node-exporter*", "*-node-exporter", "health-monitoring-agent*"),
)
"""DaemonSets of EKS, of CSI drivers, of NVIDIA and Neuron, and of those that measure a node. ``*`` stands for
anything."""


def is_daemon(owner: PodOwner, names: Iterable[str]) -> bool:
    """Whether an object is a DaemonSet of one of some names (``*`` for anything)."""
    called = owner.name if isinstance(owner.name, str) else owner.ref.name
    return owner.kind == "DaemonSet" and any(fnmatchcase(called, each) for each in names)


def host_paths(template: PodTemplate) -> dict[str, PurePosixPath]:
    """What a pod mounts of its node, by volume, as far as it is known."""
    volumes = (
        (volume.get("name"), found_at(volume, "hostPath", "path")) for volume in mappings_at(template.spec, "volumes")
    )
    return {str(name): PurePosixPath(path) for name, path in volumes if isinstance(path, str)}


def is_device_plugin(template: PodTemplate) -> bool:
    """Whether pods of a template meet the kubelet as device plugins do."""
    return any(path == PLUGINS or PLUGINS in path.parents for path in host_paths(template).values())
