"""Settings that the lifecycle scripts are tried with, and what their log says of containers' data."""

from muster.blueprint.hyperpod.lifecycle_bundle import settings
from muster.size import Size

WORKERS = settings("workers", Size(10256), data_volume=True)
SERVICES = ("containerd", "kubelet")
MOUNTS = {"var-lib-containerd.mount", "var-lib-kubelet.mount"}
UNBOUND = "var-lib-{0}.mount did not bind it to /opt/sagemaker/muster/{0}; see journalctl -u var-lib-{0}.mount"
CONTAINERS = "containers run on this node"
DRAIN = "drain the node and stop what is left (crictl stopp), then run on_create.sh again"
PAGES_FILE = "etc/sysctl.d/90-muster-huge-pages.conf"


def stays(service: str, why: str) -> str:
    """What the log says of data that are not moved."""
    return f"container_data.sh: warning: container data: /var/lib/{service} stays on the root volume: {why}"


def placed(service: str, where: str) -> str:
    """What the log says of data that others have moved."""
    return f"container_data.sh: container data: others have placed those of {service}; nothing to do ({where})"
