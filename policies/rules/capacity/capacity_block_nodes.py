"""The nodes of a group before its Capacity Block begins and before it ends."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from muster.edits import set_to
from muster.fleet.resources import Fleet, NodeGroup
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import (
    block_end,
    block_is_over,
    block_of,
    drain_time,
    drained_in_time,
    on_block,
    target_of,
)
from muster.unknown import if_known


def capacity_block_drained(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.drained_by_its_service or not on_block(group, fleet):
        return
    target = if_known(lambda: target_of(group, fleet))
    end, block = block_end(group, target), block_of(group)
    if block and (not block.active or block_is_over(group, target, fleet.as_of)):
        return  # without nodes, or over: capacity-block-dates and capacity-block-begun report it
    if if_known(lambda: (group.zero_at, group.nodes_start, group.nodes_min)) == ((), 0, 0):
        return  # it has no nodes yet, so it needs no schedule yet
    if not group.zero_at:
        when = f"at {_text(drain_time(end, group, fleet))}" if end else "an hour before the block ends"
        got = "no schedule scales the group to 0 nodes before its Capacity Block ends"
        change = f"add an {rule.terms.type('aws.autoscaling.Schedule')} that does, {when} or earlier"
        yield rule.finding(group, "capacity.capacity-block.ends", got=got, change=change)
        return
    what = f"the end of {target.name if target else 'its Capacity Block'}"
    end = target.need(end, what, fleet) if target else fleet.need(end, what)
    if not drained_in_time(group, target, fleet):
        when = _text(drain_time(end, group, fleet))
        # Muster's schedule runs at one fixed time of day: if the block ends before that time, the day before counts.
        day = end.date() if block and block.ends > end.date() else end.date() - timedelta(days=1)
        yield rule.finding(
            group,
            "capacity.capacity-block.ends",
            got=f"the group scales to 0 nodes at {and_list(group.zero_at)}, but its Capacity Block ends at "
            f"{_text(end)}",
            change=set_to(str(day)) if block else f"scale it to 0 nodes by a schedule at {when} or earlier",
        )


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
