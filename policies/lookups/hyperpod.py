"""A HyperPod cluster, its instance groups and their training plans."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from muster.fleet.facts import TrainingPlanFacts
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ControlPlane, Fleet, HyperPodCluster, InstanceGroup, Ref
from muster.hardware.catalogue import Hardware
from muster.hardware.hyperpod_types import machine_of
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.lookups.account_facts import facts_observed
from muster.unknown import UNKNOWN


def display_name(thing: InstanceGroup | HyperPodCluster) -> str:
    """The name in findings: all groups of a program's cluster share the cluster's URN, which does not tell which."""
    return thing.name if isinstance(thing.name, str) and thing.name else thing.ref.name


@dataclass(frozen=True, slots=True)
class Sharing:
    """Groups that share a quota or a training plan. Computed once for all of them."""

    groups: tuple[InstanceGroup, ...]
    wanted: int
    """The instances that they request, as far as they are known."""
    requests: str
    """``a and b request``."""
    unknown: str
    """The groups whose numbers of instances are not known; empty if there is none."""

    @classmethod
    def by(cls, groups: Iterable[InstanceGroup], key: Callable[[InstanceGroup], object]) -> "dict[object, Sharing]":
        """The groups that share something, by what they share."""
        found: dict[object, list[InstanceGroup]] = {}
        for each in groups:
            found.setdefault(key(each), []).append(each)
        return {shared: cls.of(own) for shared, own in found.items()}

    @classmethod
    def of(cls, groups: Sequence[InstanceGroup]) -> Self:
        """These groups."""
        known = [each.nodes_start for each in groups if each.nodes_start is not UNKNOWN]
        unknown = [display_name(each) for each in groups if each.nodes_start is UNKNOWN]
        requests = f"{and_list(map(display_name, groups))} {singular_or_plural(groups, 'requests', 'request')}"
        return cls(tuple(groups), sum(known), requests, and_list(unknown) if unknown else "")


def cluster_of(group: InstanceGroup, fleet: Fleet) -> HyperPodCluster | None:
    """The HyperPod cluster of a group."""
    return fleet.find(HyperPodCluster, group.cluster)


def groups_of(cluster: HyperPodCluster, fleet: Fleet) -> tuple[InstanceGroup, ...]:
    """The groups of a HyperPod cluster, as far as they are known."""
    return tuple(fleet.having(InstanceGroup, "cluster", cluster.ref))


def control_plane_of(cluster: HyperPodCluster, fleet: Fleet) -> tuple[ControlPlane | None, str]:
    """The EKS cluster that a HyperPod cluster is on, and what is missing to know it; neither for one without EKS."""
    if isinstance(cluster.orchestrator, Ref):
        plane = fleet.find(ControlPlane, cluster.orchestrator)
        return plane, "" if plane else f"the EKS cluster {cluster.orchestrator.name}"
    if cluster.orchestrator is None:
        return None, ""
    # An existing cluster of a description is an ARN in the program, and only a name here.
    existing = [plane for plane in fleet.of(ControlPlane) if plane.existing]
    if len(existing) == 1:
        return existing[0], ""
    if cluster.orchestrator is UNKNOWN:
        return None, "the EKS cluster (known only after `pulumi up`)"
    return None, f"EKS cluster {cluster.orchestrator}, which this program does not create"


def types_of(group: InstanceGroup) -> tuple[str, ...]:
    """A group's instance types, as far as they are known."""
    return () if group.instance_types is UNKNOWN else group.instance_types


def machines(group: InstanceGroup) -> tuple[tuple[Hardware, ...], str]:
    """The catalog's rows of a group's types, and what is missing."""
    if group.instance_types is UNKNOWN:
        return (), "the instance type (known only after `pulumi up`)"
    rows = [(each, machine_of(each)) for each in group.instance_types]
    unknown = [each for each, row in rows if row is None]
    missing = f"the hardware of {' and '.join(unknown)}, which Muster does not know" if unknown else ""
    return tuple(row for _, row in rows if row), missing


def labels_and_taints(group: InstanceGroup) -> tuple[list[tuple[str, str, str]], str]:
    """A group's labels and taints, sorted, each as ``label`` or ``taint``, key and value; and what is missing."""
    labels = [] if group.labels is UNKNOWN else sorted(group.labels)
    taints = [] if group.taints is UNKNOWN else sorted(group.taints)
    unseen = UNKNOWN in (group.labels, group.taints)
    missing = f"the labels and taints of {display_name(group)} (known only after `pulumi up`)" if unseen else ""
    return [("label", *pair) for pair in labels] + [("taint", each.key, each.value) for each in taints], missing


def training_plan_facts(group: InstanceGroup, fleet: Fleet) -> TrainingPlanFacts:
    """What SageMaker states about a group's training plan; nothing if it was not queried."""
    known = fleet.facts.training_plans if fleet.facts else {}
    return known.get(str(group.training_plan), TrainingPlanFacts())


def plan_name(group: InstanceGroup) -> str:
    """The plan's name, which its ARN ends with."""
    return str(group.training_plan).rpartition("/")[2]


def declared_zone(group: InstanceGroup) -> str | None:
    """The zone that the description sets for the plan."""
    plan = group.capacity.training_plan if group.capacity else None
    return plan.zone if plan else None


def zones_disagree(group: InstanceGroup, fleet: Fleet) -> bool:
    """Whether the description sets another zone for the plan than SageMaker states."""
    declared, observed = declared_zone(group), training_plan_facts(group, fleet).zone
    return bool(declared and observed and declared != observed)


def plan_facts_expected(group: InstanceGroup, fleet: Fleet) -> bool:
    """Whether SageMaker was queried about a group's plan, and did not report it missing. What is not known about it is
    then unconfirmed, whatever the description sets."""
    known = group.training_plan is not UNKNOWN and not fleet.gone(ResourceKind.TRAINING_PLAN, group.training_plan)
    return known and facts_observed(fleet)
