"""What to do about nodes that are not as they should be: it differs by who runs them. Pure."""

from dataclasses import dataclass

from muster.fleet.hyperpod.operation import REPLACE_NODES
from muster.live.expectations import Group


@dataclass(frozen=True, slots=True)
class Advice:
    """Remedies, each for one thing that is wrong."""

    lacking: str
    """Nodes did not join."""
    faulty: str
    """Something monitors a node, and calls it faulty."""
    old: str
    """A node runs another Kubernetes."""
    unlabelled: str
    """A node lacks a label of its group's."""


_EKS = Advice(
    lacking="see why instances do not start or join: `aws eks describe-nodegroup` (health.issues), the Auto Scaling "
    "group's activities, and on the instance `journalctl -u kubelet`",
    faulty="let it be repaired: `node-repair: true` does, else terminate the instance; then look at the new one",
    old="update the group to the description's version (`pulumi up`); self-managed nodes have to be replaced",
    unlabelled="set it with `kubectl label node`; nodes that come later get it from the node group: `pulumi up`",
)

_HYPERPOD = Advice(
    lacking="see why instances do not come: `aws sagemaker describe-cluster` (FailureMessage), `list-cluster-events`, "
    "the log stream LifecycleConfig/GROUP/INSTANCE, and on the instance /var/log/provision/provisioning.log",
    faulty=f"let it be replaced: HyperPod does what it finds itself, else `{REPLACE_NODES}`; then look at the new one",
    old="let HyperPod put a newer image on the group: `aws sagemaker update-cluster-software`",
    unlabelled="have HyperPod set it on all nodes of the group (KubernetesConfig): `pulumi up`",
)


def advice(group: Group) -> Advice:
    """What to do about a group's nodes."""
    return _HYPERPOD if group.hyperpod else _EKS
