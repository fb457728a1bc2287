"""What the states of reservations and training plans mean for the instances that they hold."""

from muster.fleet.facts import ReservationState, TrainingPlanState

NOT_BEGUN = frozenset(
    {
        *(ReservationState.SCHEDULED, ReservationState.PENDING, ReservationState.PAYMENT_PENDING),
        *(ReservationState.ASSESSING, ReservationState.DELAYED),
    }
)
"""EC2 holds nothing yet."""

OVER = frozenset(
    {
        *(ReservationState.EXPIRED, ReservationState.CANCELLED, ReservationState.FAILED),
        *(ReservationState.PAYMENT_FAILED, ReservationState.UNSUPPORTED),
    }
)
"""EC2 holds nothing any more, and bills nothing."""

PLAN_OVER = frozenset({TrainingPlanState.EXPIRED, TrainingPlanState.FAILED})
"""SageMaker holds nothing any more."""
