"""The rights that a look takes, and the ClusterRole that has them. Pure."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Right:
    """To list one kind in the whole cluster."""

    group: str
    """The API group; empty for the core's."""
    plural: str
    namespaced: bool

    @property
    def called(self) -> str:
        """``daemonsets.apps``."""
        return f"{self.plural}.{self.group}" if self.group else self.plural


NODES = Right("", "nodes", namespaced=False)
PODS = Right("", "pods", namespaced=True)
DAEMON_SETS = Right("apps", "daemonsets", namespaced=True)
DEPLOYMENTS = Right("apps", "deployments", namespaced=True)

RIGHTS = (NODES, PODS, DAEMON_SETS, DEPLOYMENTS)


def cluster_role() -> dict[str, Any]:
    """The role, as a manifest. It can list, not watch, and not read Secrets."""
    groups = sorted({right.group for right in RIGHTS})
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "muster-verify"},
        "rules": [
            {
                "apiGroups": [group],
                "resources": [right.plural for right in RIGHTS if right.group == group],
                "verbs": ["list"],
            }
            for group in groups
        ],
    }
