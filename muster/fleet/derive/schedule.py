"""When a self-managed group on a Capacity Block goes down to no nodes."""

from datetime import datetime, timedelta

from muster.fleet.description.capacity import BLOCKS_CHANGE_AT
from muster.fleet.description.group import Group

DRAINED_BEFORE_THE_END = timedelta(hours=1)
"""EC2 takes the instances back from 30 minutes before the end on, those of UltraServers from 60. EKS scales managed
groups down 40 minutes before; whoever schedules it must be done by then (EKS user guide, "Capacity Blocks")."""


def zero_at(described: Group) -> tuple[str, ...]:
    """The moments, ISO 8601 in UTC, at which the group is scaled to 0. EKS does it for managed groups.

    None while the block is not active: the group has no nodes then, and of a block that is over the moment has passed,
    which AWS refuses.
    """
    block = described.capacity.capacity_block
    if block is None or not block.active or not described.self_managed:
        return ()
    moment = datetime.combine(block.ends, BLOCKS_CHANGE_AT) - DRAINED_BEFORE_THE_END
    return (moment.strftime("%Y-%m-%dT%H:%M:%SZ"),)
