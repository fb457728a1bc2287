"""Training on instances that are taken back at any time."""

from collections.abc import Iterator

from muster.fleet.description.group_core import Purpose
from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.targets import on_block
from policies.reading.templates import interfaces_of, template_of
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "spot-not-for-training",
    title="Training groups are not on spot, unless interruptions are accepted aloud",
    severity=Severity.MEDIUM,
    judges=NodeGroup,
    why="EC2 takes spot instances back with two minutes' notice; a job over EFA ends with the first node that goes, "
    "and all of its nodes' work since the last checkpoint is lost.",
    source="EC2 user guide, Spot Instance interruptions",
    remedy="Take on-demand or reserved capacity, or accept interruptions.",
    facts=("pains.md#5",),
)
def spot_not_for_training(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.capacity is not None:
        spot = group.capacity.spot
        if spot and not spot.interruptions_accepted and group.purpose is Purpose.TRAINING:
            yield rule.finding(
                group.place,
                at="capacity.spot",
                got="a training group on spot instances",
                remedy="write capacity: {spot: {interruptions-accepted: true}} if its jobs restart by themselves, or "
                "take other capacity",
            )
        return
    template, missing = template_of(group, fleet)
    market = template.market_type if template else None
    is_spot = "SPOT" in (group.capacity_type, str(market).upper())
    # Around a Capacity Block spot is wrong for another reason: capacity-block-managed-group, capacity-block-template.
    if on_block(group, fleet) or not (is_spot or UNKNOWN in (group.capacity_type, market)):
        return
    efa, unread = interfaces_of(template, "type") if template else ((), missing)
    if any(nic.is_efa for nic in efa) and not is_spot:
        yield rule.unjudged(group.place, "whether its instances are spot, not known before creation")
    elif any(nic.is_efa for nic in efa):
        got = "a group with EFA interfaces on spot instances"
        yield rule.finding(group.place, got, "take on-demand or reserved capacity, or give it no EFA interfaces")
    elif unread:
        yield rule.unjudged(group.place, unread)
