"""A HyperPod cluster, its instance groups and their training plans."""

from muster.fleet.facts import TrainingPlanFacts
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ControlPlane, Fleet, HyperPodCluster, InstanceGroup, Ref
from muster.hardware.catalogue import Hardware
from muster.hardware.hyperpod_types import machine_of
from muster.unknown import UNKNOWN
from policies.lookups.account_facts import facts_observed


def display_name(thing: InstanceGroup | HyperPodCluster) -> str:
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
    missing = f"the hardware of {' and '.join(unheard)}, which Muster does not know" if unheard else ""
    return tuple(row for _, row in rows if row), missing


def labels_and_taints(group: InstanceGroup) -> tuple[list[tuple[str, str, str]], str]:
    """A group's labels and taints, sorted, each as what it is, its key and its value; and what is missing of them."""
    labels = [] if group.labels is UNKNOWN else sorted(group.labels)
    taints = [] if group.taints is UNKNOWN else sorted(group.taints)
    unseen = UNKNOWN in (group.labels, group.taints)
    missing = f"the labels and taints of {display_name(group)}, not known before creation" if unseen else ""
    return [("label", *pair) for pair in labels] + [("taint", each.key, each.value) for each in taints], missing


def training_plan_facts(group: InstanceGroup, fleet: Fleet) -> TrainingPlanFacts:
    """What SageMaker states about a group's training plan; nothing where it was not queried."""
    known = fleet.facts.training_plans if fleet.facts else {}
    return known.get(str(group.training_plan), TrainingPlanFacts())


def plan_name(group: InstanceGroup) -> str:
    """The plan's name, which its ARN ends with."""
    return str(group.training_plan).rpartition("/")[2]


def declared_zone(group: InstanceGroup) -> str | None:
    """The zone that the description says the plan is in."""
    plan = group.capacity.training_plan if group.capacity else None
    return plan.zone if plan else None


def zones_disagree(group: InstanceGroup, fleet: Fleet) -> bool:
    """Whether the description has the plan in another zone than SageMaker."""
    declared, observed = declared_zone(group), training_plan_facts(group, fleet).zone
    return bool(declared and observed and declared != observed)


def plan_facts_expected(group: InstanceGroup, fleet: Fleet) -> bool:
    """Whether SageMaker was queried about a group's plan, and did not report it missing: what is not known of it
    is then unconfirmed, whatever the description states."""
    known = group.training_plan is not UNKNOWN and not fleet.gone(ResourceKind.TRAINING_PLAN, group.training_plan)
    return known and facts_observed(fleet)
