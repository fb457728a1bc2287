"""What rules read of a HyperPod cluster and its instance groups."""

from muster.fleet.hardware import Hardware
from muster.fleet.hardware.hyperpod_types import machine_of
from muster.fleet.resources import ControlPlane, Fleet, HyperPodCluster, InstanceGroup, Ref
from muster.fleet.unknown import UNKNOWN


def called(thing: InstanceGroup | HyperPodCluster) -> str:
    """What a finding calls it: a program's groups share the cluster's URN, so that alone does not tell which."""
    return thing.name if isinstance(thing.name, str) and thing.name else thing.ref.name


def cluster_of(group: InstanceGroup, fleet: Fleet) -> HyperPodCluster | None:
    """The HyperPod cluster of a group."""
    return fleet.find(HyperPodCluster, group.cluster)


def groups_of(cluster: HyperPodCluster, fleet: Fleet) -> tuple[InstanceGroup, ...]:
    """The groups of a HyperPod cluster, as far as they are known."""
    return tuple(group for group in fleet.of(InstanceGroup) if group.cluster == cluster.ref)


def control_plane_of(cluster: HyperPodCluster, fleet: Fleet) -> tuple[ControlPlane | None, str]:
    """The EKS cluster that a HyperPod cluster is on, and what is missing to say so; neither of one without EKS."""
    if isinstance(cluster.orchestrator, Ref):
        plane = fleet.find(ControlPlane, cluster.orchestrator)
        return plane, "" if plane else f"the EKS cluster {cluster.orchestrator.name}"
    if cluster.orchestrator is None:
        return None, ""
    # The one that a description joins is an ARN in the program, and only its name here.
    existing = [plane for plane in fleet.of(ControlPlane) if plane.existing]
    if len(existing) == 1:
        return existing[0], ""
    if cluster.orchestrator is UNKNOWN:
        return None, "the EKS cluster, not known before creation"
    return None, f"EKS cluster {cluster.orchestrator}, which is not of this program"


def types_of(group: InstanceGroup) -> tuple[str, ...]:
    """A group's instance types, as far as they are known."""
    return () if group.instance_types is UNKNOWN else group.instance_types


def machines(group: InstanceGroup) -> tuple[tuple[Hardware, ...], str]:
    """The catalogue's rows of a group's types, and what is missing of it."""
    if group.instance_types is UNKNOWN:
        return (), "the instance type, not known before creation"
    rows = [(each, machine_of(each)) for each in group.instance_types]
    unheard = [each for each, row in rows if row is None]
    missing = f"the hardware of {' and '.join(unheard)}, which is not catalogued" if unheard else ""
    return tuple(row for _, row in rows if row), missing


def marks(group: InstanceGroup) -> tuple[list[tuple[str, str, str]], str]:
    """A group's labels and taints, sorted, each as what it is, its key and its value; and what is missing of them."""
    labels = [] if group.labels is UNKNOWN else sorted(group.labels)
    taints = [] if group.taints is UNKNOWN else sorted(group.taints)
    unseen = UNKNOWN in (group.labels, group.taints)
    missing = f"the labels and taints of {called(group)}, not known before creation" if unseen else ""
    return [("label", *pair) for pair in labels] + [("taint", each.key, each.value) for each in taints], missing
