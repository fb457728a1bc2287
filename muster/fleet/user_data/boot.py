"""What a node is told at boot, whatever its operating system."""

from dataclasses import dataclass
from ipaddress import IPv4Network

from muster.fleet.description.image import Family
from muster.fleet.quantity import Size


@dataclass(frozen=True, slots=True)
class Boot:
    """What a node is told at boot."""

    family: Family
    huge_page_memory: Size
    """Memory to set aside as 2 MiB pages; 0 for none."""
    max_pods: int | None
    """Pods the kubelet may take, None where the image's own number is right."""
    raid0: bool
    """Whether the NVMe disks become one array for the kubelet and containers."""
    joins: bool = False
    """Whether it must be told which cluster is its own: EKS does that only for its own images in managed groups."""
    labels: tuple[tuple[str, str], ...] = ()
    """Of its own node object, where it joins by itself. Sorted."""
    ssh: bool = False
    """Whether a person comes in with a key pair."""
    taints: tuple[tuple[str, str, str], ...] = ()
    """Key, value and effect, likewise."""


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """What a node needs to know to join a cluster."""

    name: str
    endpoint: str
    certificate_authority: str
    """PEM in base64."""
    service_cidr: str
    """Of Services: ``172.20.0.0/16``."""

    @property
    def dns(self) -> str:
        """The cluster's DNS: EKS gives it the tenth address."""
        return str(IPv4Network(self.service_cidr)[10])
