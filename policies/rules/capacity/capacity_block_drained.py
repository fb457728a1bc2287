"""The end of a Capacity Block under nodes that nobody but we scale down."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from muster.fleet.hardware import UnknownInstance, hardware
from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule
from policies.rules.targets import Target, block_of, ends, on_block, target_of, types_of
from policies.words import some

_INSTANCES, _ULTRASERVERS = timedelta(minutes=30), timedelta(minutes=60)
"""How long before the end EC2 begins to take instances back."""


@rule(
    "capacity-block-drained",
    title="A self-managed group on a Capacity Block is scheduled to 0 nodes before EC2 takes them back",
    judges=NodeGroup,
    why="EC2 ends the instances of a block from 30 minutes before 11:30 UTC of its last day (UltraServers from 60), "
    "whatever runs on them. EKS scales managed groups down in time, other groups need a schedule.",
    source="EC2 user guide, Capacity Blocks; EKS user guide, Create self-managed nodes with Capacity Blocks",
    remedy="Schedule the group to 0 nodes more than half an hour before the block ends.",
    facts=("rules.md#21", "rules.md#22"),
)
def capacity_block_drained(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.managed or not on_block(group, fleet):
        return
    target, _ = target_of(group, fleet)
    end, block = ends(group, target), block_of(group)
    if block and block.ends <= fleet.as_of:
        return  # over: capacity-block-dates and capacity-block-begun say so
    if group.zero_at is UNKNOWN:
        yield rule.unjudged(group.place, "when a schedule sets it to 0 nodes, not known before creation")
    elif not group.zero_at:
        yield rule.finding(
            group.place,
            at="capacity.capacity-block.ends",
            got="no schedule scales the group to 0 nodes before its Capacity Block ends",
            remedy="add an aws.autoscaling.Schedule with desiredCapacity 0, minSize 0 and maxSize -1, "
            f"{f'at {_text(end - _before(group, fleet))}' if end else 'half an hour before the end'} at the latest",
        )
    elif end is None:
        name = target.name if target else "its Capacity Block"
        missing = f"when {name} ends"
        yield rule.unjudged(group.place, target.unknown(missing, fleet) if target else fleet.missing(missing))
    elif not drained_in_time(group, target, fleet):
        yield rule.finding(
            group.place,
            at="capacity.capacity-block.ends",
            got=f"scaled to 0 nodes at {some(group.zero_at)}; its Capacity Block ends at {_text(end)}",
            remedy=f'write ends: "{end.date()}"'
            if block
            else f"schedule it to 0 at {_text(end - _before(group, fleet))} at the latest",
        )


def drained_in_time(group: NodeGroup, target: Target | None, fleet: Fleet) -> bool:
    """Whether a schedule comes before EC2 does; true where there is nothing to schedule, or nothing known of it."""
    end = ends(group, target)
    if group.managed or end is None or group.zero_at is UNKNOWN:
        return True
    return any((moment := _moment(each)) and moment <= end - _before(group, fleet) for each in group.zero_at)


def _before(group: NodeGroup, fleet: Fleet) -> timedelta:
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


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
