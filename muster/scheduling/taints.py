"""Taints of nodes and tolerations of pods (Kubernetes, "Taints and Tolerations")."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self

_BLOCKING_EFFECTS = frozenset({"NoSchedule", "NoExecute"})
"""Effects that keep pods off a node. The third effect, PreferNoSchedule, is only a preference."""


class Taint(NamedTuple):
    """A Kubernetes taint; `effect` in Kubernetes' words (``NoSchedule``)."""

    key: str
    value: str
    effect: str

    def __str__(self) -> str:
        """As kubectl writes it."""
        return f"{self.key}{f'={self.value}' if self.value else ''}:{self.effect}"

    @property
    def blocks(self) -> bool:
        """Whether it keeps pods that do not tolerate it off the node."""
        return self.effect in _BLOCKING_EFFECTS

    @property
    def manifest(self) -> dict[str, str]:
        """The taint in the format of a node's spec."""
        return {"key": self.key, "value": self.value, "effect": self.effect}


def taints_of(node_spec: Mapping[str, Any]) -> tuple[Taint, ...]:
    """The taints of a node, in the order its spec lists them."""
    return tuple(
        Taint(each["key"], each.get("value") or "", each.get("effect") or "") for each in node_spec.get("taints") or ()
    )


class Toleration(NamedTuple):
    """A toleration. If it has no key and its operator is ``Exists``, it is for every key. If it has no effect, it is
    for every effect."""

    key: str = ""
    operator: str = "Equal"
    value: str = ""
    effect: str = ""

    @classmethod
    def of(cls, written: Mapping[str, Any]) -> Self:
        """Reads a toleration of a pod's spec."""
        return cls(
            written.get("key") or "",
            written.get("operator") or "Equal",
            written.get("value") or "",
            written.get("effect") or "",
        )

    def tolerates(self, taint: Taint) -> bool:
        """Whether it covers a taint."""
        if self.effect and self.effect != taint.effect:
            return False
        exists = self.operator == "Exists"
        if not self.key:
            return exists
        return self.key == taint.key and (exists or self.value == taint.value)


def untolerated(tolerations: Iterable[Toleration], taints: Iterable[Taint]) -> tuple[Taint, ...]:
    """The taints that keep a pod with these tolerations off a node."""
    tolerations = tuple(tolerations)
    return tuple(taint for taint in taints if taint.blocks and not any(each.tolerates(taint) for each in tolerations))


_ADDED_TO_DAEMON_PODS = tuple(
    Toleration(f"node.kubernetes.io/{condition}", "Exists")
    for condition in ("not-ready", "unreachable", "disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")
)
_ADDED_ON_HOST_NETWORK = Toleration("node.kubernetes.io/network-unavailable", "Exists")


def daemon_tolerations(*, host_network: bool) -> tuple[Toleration, ...]:
    """The tolerations that the DaemonSet controller adds to every pod (`AddOrUpdateDaemonPodTolerations`). Their
    effects are left out: no taint with one of these keys blocks a pod of a DaemonSet.

    Args:
        host_network: whether the pod uses the network of its node.
    """
    return (*_ADDED_TO_DAEMON_PODS, *((_ADDED_ON_HOST_NETWORK,) if host_network else ()))
