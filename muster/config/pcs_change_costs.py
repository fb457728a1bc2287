"""What changes cost on AWS PCS."""

from muster.config.change_costs import ChangeCosts, stated_cost
from muster.config.description.base import Change, StrictModel
from muster.config.description.capacity import Capacity, CapacityBlock, Reservation, ReservationGroup

_OF_CAPACITY = Capacity | CapacityBlock | Reservation | ReservationGroup


def _cost(part: type[StrictModel], name: str) -> str:
    """A group's launch template, subnets and purchase option change in place, and new nodes have the new values
    (PCS user guide, "Updating an AWS PCS compute node group")."""
    stated = stated_cost(part, name)
    if stated in (Change.REPLACES, Change.DRAINS) and issubclass(part, _OF_CAPACITY):
        return Change.NEXT_LAUNCH
    return stated


COSTS = ChangeCosts(_cost)
