"""The dates that a description sets for a Capacity Block."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.finding import Level
from muster.fleet.backend_sets import IN_EC2
from muster.fleet.facts import ReservationFacts, ReservationState
from muster.fleet.resources import ComputeNodeGroup, ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.message_text import count_noun
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.capacity_targets import (
    Kind,
    awaits_block,
    block_days,
    block_is_over,
    block_not_begun,
    block_of,
    target_of,
)
from muster.unknown import if_known


@rule(
    "capacity-block-dates",
    title="A group has nodes only from the day on which its Capacity Block starts to the day before it ends",
    judges=NodeGroup,
    why="Before the block starts, no instance launches into it: EKS does not create a managed group without its first "
    "nodes, and an Auto Scaling group logs failures. On the day it ends, EC2 takes the instances back from 11:00 UTC, "
    "and AWS rejects a schedule of the group that is already in the past.",
    source=(
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html",
        "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html",
        "https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_PutScheduledUpdateGroupAction.html",
    ),
    remedy="Set active: true while the block runs, and false before and after; in a program, start with 0 nodes.",
    facts=("rules.md#21", "rules.md#22", "rules.md#26", "hardware.md#R17", "pains.md#5"),
)
def capacity_block_dates(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from _declared(group, fleet, rule)
    yield from _observed(group, fleet, rule)


def _declared(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges by the dates of the description."""
    block, target = block_of(group), if_known(lambda: target_of(group, fleet))
    if block is None or not block.active:
        return
    at = "capacity.capacity-block.active"
    # If AWS has other dates, capacity-block-drained judges by them; if it states that it does not run, other rules do.
    if block_not_begun(group, target, fleet.as_of):
        got = f"active is true on {fleet.as_of}, but the block starts on {block.starts}"
        yield rule.finding(group, at, got=got, change=set_to(False))
    elif block_is_over(group, target, fleet.as_of) and not block.buy:  # else capacity-block-not-bought-again
        got = f"active is true on {fleet.as_of}, but the block is over: its last day is {block.ends}"
        yield rule.finding(group, at, got=got, change=(set_to(False), _NEXT, "remove the group"))


_NEXT = set_to(words="the id of the next block", at="capacity.capacity-block.id")


def _observed(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges by AWS's state of the block."""
    declared = block_of(group)
    if if_known(lambda: group.nodes_start) == 0:
        return
    target = target_of(group, fleet)
    if target is None or target.empty or target.kind is not Kind.BLOCK:
        return
    if block_not_begun(group, target, fleet.as_of) or block_is_over(group, target, fleet.as_of):
        return
    known = target.known[0].known
    if target.bought and declared is None:
        target.need(known.start, f"the start of {target.name}", fleet)
    if waiting := _waiting(known, fleet):
        yield rule.finding(
            group,
            "capacity.capacity-block.active",
            got=f"{target.name} {waiting} according to AWS, but the group starts with "
            f"{count_noun(group.nodes_start, 'node')}",
            change=set_to(False) if declared else set_to(0, at="nodes.start", words="until the block has begun"),
        )


def _waiting(known: ReservationFacts, fleet: Fleet) -> str:
    if known.start and known.start.date() > fleet.as_of:
        return f"starts on {known.start.date()}"
    return f"is {known.state}" if known.state in (ReservationState.SCHEDULED, ReservationState.PAYMENT_PENDING) else ""


@rule(
    "capacity-block-begun",
    title="A description has active: true for a Capacity Block that has begun, and no block that is over",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup | ComputeResource | ComputeNodeGroup,
    backends=IN_EC2,
    why="A block is paid in advance, whether its nodes run or not. An EKS group has no nodes until `active` is true; "
    "Slurm uses its nodes in any case. From a block that is over, neither gets a node.",
    source=("https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-blocks-pricing-billing.html",),
    remedy="On EKS set active: true and deploy. After the end, set the next block or remove the group.",
    facts=("rules.md#26", "hardware.md#R17"),
)
def capacity_block_begun(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block, target = block_of(group), if_known(lambda: target_of(group, fleet))
    days = block_days(group, target)
    # ParallelCluster and PCS wait for the block by themselves: the description's `active` has no effect.
    slurm = not isinstance(group, NodeGroup)
    if block is None or (block.active and not slurm) or days is None:
        return
    at, (starts, ends) = "capacity.capacity-block.active", days
    if block_is_over(group, target, fleet.as_of):
        if block.ends > block.starts and not block.buy:  # else capacity-block-not-bought-again
            at = "capacity.capacity-block.ends" if slurm else at
            yield rule.finding(group, at, got=f"the block ended on {ends}", change=(_NEXT, "remove the group"))
    elif starts <= fleet.as_of < ends and not awaits_block(target) and not slurm:
        got = f"the block runs from {starts} to {ends}, but active is false, so the group has no nodes"
        yield rule.finding(group, at, got=got, change=set_to(True))


@rule(
    "capacity-block-not-bought-again",
    title="No description buys a Capacity Block that is over",
    severity=Severity.CRITICAL,
    judges=NodeGroup | ComputeResource | ComputeNodeGroup,
    backends=IN_EC2,
    why="A stack without a record of the purchase (a new one, or one that was destroyed) buys again. It then pays for "
    "whatever the offering id refers to, at once and in full.",
    source=(
        "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_PurchaseCapacityBlock.html",
        "https://www.pulumi.com/registry/packages/aws/api-docs/ec2/capacityblockreservation/",
    ),
    remedy="Set the id of the block that was bought, or remove the block.",
    facts=("rules.md#20", "hardware.md#R17"),
)
def capacity_block_not_bought_again(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block = block_of(group)
    if block and block.buy and block.starts < block.ends <= fleet.as_of:
        got = f"the group still buys {block.buy.offering}, a block that ended on {block.ends}"
        bought = set_to(words="that of the block that was bought", at="capacity.capacity-block.id")
        yield rule.finding(group, "capacity.capacity-block.buy", got=got, change=(bought, "remove the block"))
