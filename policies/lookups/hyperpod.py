"""A HyperPod cluster, its instance groups and their training plans."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Self

from muster.fleet.facts import TrainingPlanFacts
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ControlPlane, Fleet, HyperPodCluster, InstanceGroup, Ref
from muster.hardware.catalogue import Hardware
from muster.hardware.hyperpod_types import machine_of
from muster.message_text import count_noun
from muster.policies.engine.finding_text import and_list
from muster.policies.lookups.account_facts import facts_observed
from muster.unknown import NotKnown, stored


def display_name(thing: InstanceGroup | HyperPodCluster) -> str:
    """The name in findings: all groups of a program's cluster share the cluster's URN, which does not tell which."""
    return stored(thing, "name", None) or thing.ref.name


class Sharing(NamedTuple):
    """Groups that share a quota or a training plan. Computed once for all of them."""

    groups: tuple[InstanceGroup, ...]
    wanted: int
    """The instances that they request, as far as they are known."""
    unknown: tuple[InstanceGroup, ...]
    """Those whose numbers of instances are not known."""

    def more_than(self, limit: float) -> bool:
        """Whether they request more instances than this.

        Raises:
            NotKnown: those that are known do not, and there are others.
        """
        return self.wanted > limit or any(each.nodes_start > limit for each in self.unknown)

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
        counts = [(each, stored(each, "nodes_start", None)) for each in groups]
        unknown = tuple(each for each, count in counts if count is None)
        return cls(tuple(groups), sum(count or 0 for _, count in counts), unknown)

    @property
    def requests(self) -> str:
        """``4 instances requested for a and b``."""
        return f"{count_noun(self.wanted, 'instance')} requested for {and_list(map(display_name, self.groups))}"


def cluster_of(group: InstanceGroup, fleet: Fleet) -> HyperPodCluster | None:
    """The HyperPod cluster of a group."""
    return fleet.find(HyperPodCluster, group.cluster)


def groups_of(cluster: HyperPodCluster, fleet: Fleet) -> tuple[InstanceGroup, ...]:
    """The groups of a HyperPod cluster, as far as they are known."""
    return tuple(fleet.having(InstanceGroup, "cluster", cluster.ref))


def control_plane_of(cluster: HyperPodCluster, fleet: Fleet) -> ControlPlane | None:
    """The EKS cluster that a HyperPod cluster is on; None for one without EKS.

    Raises:
        NotKnown: it is not of this program.
    """
    on = stored(cluster, "orchestrator")
    if on is None:
        return None
    # An existing cluster of a description is an ARN in the program, and only a name here.
    existing = [] if isinstance(on, Ref) else [plane for plane in fleet.of(ControlPlane) if plane.existing]
    plane = existing[0] if len(existing) == 1 else fleet.find(ControlPlane, on)
    if plane is None:
        raise NotKnown(f"EKS cluster {cluster.orchestrator}, which this {fleet.terms.document} does not create")
    return plane


def machines(group: InstanceGroup) -> Iterator[Hardware]:
    """The catalog's rows of a group's types.

    Raises:
        NotKnown: after the others, for types that Muster does not know.
    """
    rows = {each: machine_of(each) for each in group.instance_types}
    yield from (row for row in rows.values() if row)
    if unknown := [each for each, row in rows.items() if row is None]:
        raise NotKnown(f"the hardware of {and_list(unknown)}, which Muster does not know")


def training_plan_facts(group: InstanceGroup, fleet: Fleet) -> TrainingPlanFacts:
    """What SageMaker states about a group's training plan; nothing if it was not queried."""
    stated = fleet.facts.training_plans if fleet.facts else {}
    return stated.get(stored(group, "training_plan"), TrainingPlanFacts())


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
    return facts_observed(fleet) and not fleet.gone(ResourceKind.TRAINING_PLAN, group.training_plan)
