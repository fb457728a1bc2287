"""What rules read of training plans."""

from muster.fleet.facts import TrainingPlanFacts
from muster.fleet.named import Kind
from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.asked import was_asked


def facts_of(group: InstanceGroup, fleet: Fleet) -> TrainingPlanFacts:
    """What SageMaker says of a group's training plan; nothing where nobody asked."""
    known = fleet.facts.training_plans if fleet.facts else {}
    return known.get(str(group.training_plan), TrainingPlanFacts())


def plan_name(group: InstanceGroup) -> str:
    """The plan's name, which its ARN ends with."""
    return str(group.training_plan).rpartition("/")[2]


def declared_zone(group: InstanceGroup) -> str | None:
    """The zone that the description says the plan is in."""
    plan = group.capacity.training_plan if group.capacity else None
    return plan.zone if plan else None


def said_elsewhere(group: InstanceGroup, fleet: Fleet) -> bool:
    """Whether the description has the plan in another zone than SageMaker."""
    declared, observed = declared_zone(group), facts_of(group, fleet).zone
    return bool(declared and observed and declared != observed)


def is_to_be_told(group: InstanceGroup, fleet: Fleet) -> bool:
    """Whether SageMaker was asked about a group's plan, which it has not said not to be there: what is not known of it
    then nobody has confirmed, whatever the description says."""
    known = group.training_plan is not UNKNOWN and not fleet.gone(Kind.TRAINING_PLAN, group.training_plan)
    return known and was_asked(fleet)
