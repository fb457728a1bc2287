"""When self-managed groups on Capacity Blocks go down to no nodes, and by when they must."""

from datetime import UTC, datetime, timedelta

from muster.fleet.hardware import UnknownInstance, hardware
from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.targets import Target, block_of, ends, types_of

_INSTANCES, _ULTRASERVERS = timedelta(minutes=30), timedelta(minutes=60)
"""How long before the end EC2 begins to take instances back."""

_LATE = timedelta(minutes=2)
"""How late a scheduled action may run (EC2 Auto Scaling user guide, "Scheduled scaling")."""

_DRAINING = timedelta(minutes=30)
"""What nodes are to be given before EC2 begins."""


def drained_in_time(group: NodeGroup, target: Target | None, fleet: Fleet) -> bool:
    """Whether a schedule comes before EC2 does; true where there is nothing to schedule, or nothing known of it."""
    end, block = ends(group, target), block_of(group)
    if group.managed or end is None or group.zero_at is UNKNOWN or (block and not block.active):
        return True
    first = end - _taken_before(group, fleet)
    return any((moment := _moment(each)) and moment + _LATE < first for each in group.zero_at)


def to_drain_at(end: datetime, group: NodeGroup, fleet: Fleet) -> datetime:
    """When a group on a block that ends then should go down: an hour before, 90 minutes for UltraServers."""
    return end - _taken_before(group, fleet) - _DRAINING


def _taken_before(group: NodeGroup, fleet: Fleet) -> timedelta:
    try:
        sold_as = {hardware(each).capacity_block for each in types_of(group, fleet) or ()}
    except UnknownInstance:
        sold_as = set()
    return _ULTRASERVERS if sold_as == {"ultraserver-only"} else _INSTANCES


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
