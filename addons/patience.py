"""How long Helm waits for an add-on whose pods are on many nodes. Pure."""

from collections.abc import Mapping
from typing import Any

from addons.addon import Addon
from addons.site import Nodes, Site
from addons.values import workloads_of

_BY_ITSELF = 300
"""Seconds that the provider waits without a word: `timeout` of its Release."""

_A_NODE = 30
"""Seconds: a DaemonSet is rolled node by node (`maxUnavailable: 1`, Kubernetes' default and our charts'), and on each
the old pod ends, an image is pulled perhaps, and the new one starts."""


def patience(addon: Addon, values: Mapping[str, Any], site: Site) -> int | None:
    """Seconds that Helm waits until every pod of an atomic release is the new one; None where the provider's default
    is enough.

    Counted are the nodes at most, in powers of two: another `timeout` is another release, and a group that grows by a
    node should make none.

    Args:
        addon: the add-on.
        values: what its chart is given (`addons.values.values_of`).
        site: the cluster.
    """
    daemons = [each for each in workloads_of(addon, values) if each.kind == "DaemonSet"]
    served = [each.serves or addon.serves for each in daemons]
    most = max((_most(site.offering(each) if each else site.nodes) for each in served), default=0)
    seconds = _A_NODE * (1 << (most - 1).bit_length()) if most else 0
    return seconds if seconds > _BY_ITSELF else None


def _most(nodes: tuple[Nodes, ...]) -> int:
    return sum(each.most for each in nodes)
