"""User data: what a node is told at boot, in its operating system's own form."""

import re

from muster.fleet.description.image import Family
from muster.fleet.user_data import al2023, bottlerocket
from muster.fleet.user_data.boot import Boot, ClusterAddress

__all__ = ["Boot", "ClusterAddress", "huge_pages_in", "max_pods_in", "user_data"]


def user_data(boot: Boot, cluster: ClusterAddress | None = None) -> str:
    """User data as text (EC2 wants it in base64); empty where there is nothing to say.

    Args:
        boot: what the node is told.
        cluster: the cluster it joins, where `boot.joins`.
    """
    if boot.family is Family.BOTTLEROCKET:
        return bottlerocket.user_data(boot, cluster)
    return al2023.user_data(boot, cluster)


_MAX_PODS = re.compile(r"""^\s*["']?max-?pods["']?\s*[:=]\s*(\d+)""", re.MULTILINE | re.IGNORECASE)


def max_pods_in(text: str) -> int | None:
    """The last maximum of pods that user data tells the kubelet, in either form, whoever wrote it."""
    found = _MAX_PODS.findall(text)
    return int(found[-1]) if found else None


_HUGE_PAGES = re.compile(
    r"""(?:nr_hugepages["']?\s*=\s*["']?|^want=|\bhugepages=)(\d+)|echo\s+(\d+)\s*>\s*/proc/sys/vm/nr_hugepages""",
    re.MULTILINE,
)


def huge_pages_in(text: str) -> int | None:
    """The last number of 2 MiB pages that user data sets aside (`vm.nr_hugepages`), whoever wrote it; None where it
    says none."""
    found = [first or second for first, second in _HUGE_PAGES.findall(text)]
    return int(found[-1]) if found else None
