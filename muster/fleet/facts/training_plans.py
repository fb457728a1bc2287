"""Facts of training plans."""

from enum import StrEnum

from pydantic import StrictBool, StrictInt

from muster.fleet.facts.fact import EXISTS, Fact, Moment, a_fact
from muster.fleet.zones import ZoneName


class TrainingPlanState(StrEnum):
    """SageMaker's `TrainingPlanStatus`."""

    PENDING = "Pending"
    ACTIVE = "Active"
    SCHEDULED = "Scheduled"
    EXPIRED = "Expired"
    FAILED = "Failed"


class TrainingPlanFacts(Fact):
    """What `DescribeTrainingPlan` says of one plan. A key left out is a fact nobody gave."""

    exists: StrictBool | None = a_fact(EXISTS)
    state: TrainingPlanState | None = a_fact("Status")
    instance_type: str | None = a_fact("InstanceType of its reserved capacity, as in ml.p5.48xlarge")
    zone: ZoneName | None = a_fact("AvailabilityZone of its reserved capacity")
    total_instances: StrictInt | None = a_fact("TotalInstanceCount")
    available_instances: StrictInt | None = a_fact(
        "AvailableInstanceCount, and what this stack's own HyperPod cluster has of the plan already"
    )
    targets: tuple[str, ...] | None = a_fact("TargetResources, as in hyperpod-cluster")
    start: Moment | None = a_fact("StartTime")
    end: Moment | None = a_fact("EndTime")
