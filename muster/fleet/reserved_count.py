"""How many instances a reservation, or a Capacity Block, holds by what AWS says of it."""

from muster.fleet.facts import ReservationFacts, ReservationState


def instances_of(known: ReservationFacts) -> int | None:
    """What it holds; None where AWS does not say.

    EC2 counts the instances of a Capacity Block, or of a reservation that was asked for ahead, only from when it is
    active: 0 of one that is not says nothing, and what was declared stands. Where it does not say the state, its number
    does: nothing is taken for room that is not shown.
    """
    uncounted = known.state not in {None, ReservationState.ACTIVE} and not known.total_instances
    return None if uncounted else known.total_instances
