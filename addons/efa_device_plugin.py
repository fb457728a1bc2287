"""The EFA device plugin: offers vpc.amazonaws.com/efa.

Chart v0.5.30, aws/eks-charts: tolerates no GPU taint by itself (tolerations given are appended to CriticalAddonsOnly);
`supportedInstanceLabels.values` replaces its list of 303 types, among which there is no `ml.` type.
"""

from typing import Any

from addons.addon import Addon, Chart, Nodes, instances, tolerations
from muster.fleet.node import EFA_RESOURCE


def _values(nodes: tuple[Nodes, ...]) -> dict[str, Any]:
    return {"supportedInstanceLabels": {"values": instances(nodes)}, "tolerations": tolerations(nodes)}


ADDON = Addon(
    name="efa-device-plugin",
    namespace="kube-system",
    source=Chart("https://aws.github.io/eks-charts", "aws-efa-k8s-device-plugin", _values),
    reason="nodes with EFA interfaces offer no vpc.amazonaws.com/efa without it",
    serves=EFA_RESOURCE,
)
