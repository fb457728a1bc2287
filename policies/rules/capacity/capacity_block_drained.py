"""The end of a Capacity Block under nodes that nobody but we scale down."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.draining import drained_in_time, to_drain_at
from policies.reading.targets import block_of, ends, on_block, over, target_of
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "capacity-block-drained",
    title="A self-managed group on a Capacity Block is scheduled to 0 nodes before EC2 takes them back",
    judges=NodeGroup,
    why="EC2 ends the instances of a block from 30 minutes before 11:30 UTC of its last day (UltraServers from 60), "
    "whatever runs on them; a schedule may come two minutes late. EKS scales managed groups down in time, other groups "
    "need a schedule.",
    source="EC2 user guide, Capacity Blocks; EKS user guide, Create self-managed nodes with Capacity Blocks; EC2 Auto "
    "Scaling user guide, Scheduled scaling",
    remedy="Schedule the group to 0 nodes an hour before the block ends, 90 minutes for UltraServers.",
    facts=("rules.md#21", "rules.md#22"),
)
def capacity_block_drained(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.managed or not on_block(group, fleet):
        return
    target, _ = target_of(group, fleet)
    end, block = ends(group, target), block_of(group)
    if block and (not block.active or over(group, target, fleet.as_of)):
        return  # without nodes, or over: capacity-block-dates and capacity-block-begun say so
    if group.zero_at == () and group.nodes_start == 0 and group.nodes_min == 0:
        return  # it has no nodes: the schedule comes with them
    if group.zero_at is UNKNOWN:
        yield rule.unjudged(group.place, "when a schedule sets it to 0 nodes, not known before creation")
    elif not group.zero_at:
        when = f"at {_text(to_drain_at(end, group, fleet))}" if end else "an hour before the end"
        yield rule.finding(
            group.place,
            at="capacity.capacity-block.ends",
            got="no schedule scales the group to 0 nodes before its Capacity Block ends",
            remedy=f"add an aws.autoscaling.Schedule with desiredCapacity 0, minSize 0 and maxSize -1, {when} or "
            "earlier",
        )
    elif end is None:
        name = target.name if target else "its Capacity Block"
        missing = f"when {name} ends"
        yield rule.unjudged(group.place, target.unknown(missing, fleet) if target else fleet.missing(missing))
    elif not drained_in_time(group, target, fleet):
        when = _text(to_drain_at(end, group, fleet))
        # Muster's schedule stands at one time of the day: on a day that ends too early for it the day before counts.
        day = end.date() if block and block.ends > end.date() else end.date() - timedelta(days=1)
        yield rule.finding(
            group.place,
            at="capacity.capacity-block.ends",
            got=f"scaled to 0 nodes at {some(group.zero_at)}; its Capacity Block ends at {_text(end)}",
            remedy=f'write ends: "{day}"' if block else f"schedule it to 0 at {when} or earlier",
        )


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
